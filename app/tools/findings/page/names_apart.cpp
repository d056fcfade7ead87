#include "app/tools/findings/page/names_apart.h"

#include "ui/view/parts/narrow_text.h"

#include <algorithm>

namespace highwater::ui {
namespace {

qsizetype commonStart(const QString& a, const QString& b) {
    const auto differing = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
    return differing - a.begin();
}

/// With `from` as the first character after the dots.
QString endOf(const QString& name, qsizetype from, int width, const QFontMetrics& metrics) {
    return metrics.elidedText(QStringLiteral("…") + name.mid(from), Qt::ElideMiddle, width);
}

} // namespace

QStringList namesApart(const QStringList& names, const QList<int>& widths, const QFontMetrics& metrics) {
    QStringList shown;
    for (qsizetype i = 0; i < names.size(); ++i)
        shown << narrowedFrame(names[i], metrics, widths[i]);
    for (qsizetype i = 0; i < names.size(); ++i) {
        for (qsizetype k = i + 1; k < names.size(); ++k) {
            if (shown[i] != shown[k] || names[i] == names[k]) continue;
            const auto from = commonStart(names[i], names[k]);
            shown[i] = endOf(names[i], from, widths[i], metrics);
            shown[k] = endOf(names[k], from, widths[k], metrics);
        }
    }
    return shown;
}

} // namespace highwater::ui
