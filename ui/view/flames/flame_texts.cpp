#include "ui/view/flames/flame_texts.h"

#include "core/export/flames_writer.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/signed_number.h"

#include <QRegularExpression>

namespace highwater::ui {
namespace {

constexpr double kLeastRoom = 14;
constexpr QChar kEllipsis{0x2026};

/// Gives numbers a true minus, as everywhere in the window.
QString withTrueMinus(QString text) {
    static const QRegularExpression kMinusSign(QStringLiteral("(^|[ (])-(?=\\d)"));
    return text.replace(kMinusSign, QStringLiteral("\\1") + kMinus);
}

} // namespace

FlameTexts::FlameTexts(std::shared_ptr<const FlameAnswer> answer, const QFont& font)
    : answer_(std::move(answer)), metrics_(font), ofLabel_(answer_ ? answer_->tree.labels.size() : 0) {
    for (std::size_t letter = ' '; letter < widths_.size(); ++letter)
        widths_[letter] = metrics_.horizontalAdvance(QChar(static_cast<char16_t>(letter)));
}

const QString& FlameTexts::whole(std::uint32_t node) const {
    const auto& of = answer_->tree.nodes[node];
    if (node == analysis::FlameTree::kRoot || of.isMore()) {
        const auto& tree = answer_->tree;
        const auto amount = [&] { return exports::flameAmountText(of.now, answer_->query.measure); };
        ofOther_ = of.isMore() ? lineText(tree.text(node))
                               : tr("All: %1 %2").arg(toQString(tree.valueName), withTrueMinus(toQString(amount())));
        return ofOther_;
    }
    auto& text = ofLabel_[of.label];
    if (text.isNull()) text = lineText(answer_->tree.labels[of.label].text);
    return text;
}

double FlameTexts::widthOf(QChar letter) const {
    return letter.unicode() < widths_.size() ? widths_[letter.unicode()] : metrics_.horizontalAdvance(letter);
}

double FlameTexts::widthOf(const QString& text) const {
    double width = 0;
    for (const auto letter : text)
        width += widthOf(letter);
    return width;
}

QString FlameTexts::cut(std::uint32_t node, double room) const {
    if (room < kLeastRoom) return {};
    auto text = whole(node);
    if (widthOf(text) <= room) return text;
    const auto mark = text.indexOf(QLatin1Char('!'));
    if (mark >= 0 && mark + 1 < text.size()) text = text.mid(mark + 1);
    double width = widthOf(kEllipsis);
    qsizetype fits = 0;
    double whole = 0;
    for (const auto letter : text) {
        whole += widthOf(letter);
        if (whole + width <= room) ++fits;
        if (whole > room) break;
    }
    if (whole <= room) return text;
    return fits > 0 ? text.left(fits) + kEllipsis : QString();
}

QStringList FlameTexts::facts(const analysis::FlameBox& box) const {
    const auto& tree = answer_->tree;
    if (box.isMerged()) {
        const auto share = 100.0 * static_cast<double>(box.width) / static_cast<double>(tree.root().width);
        return {countText(box.merged, "1 frame, narrower than a pixel", "%1 frames, each narrower than a pixel"),
                tr("%1 % of all").arg(share, 0, 'f', 1)};
    }
    QStringList lines{box.node == analysis::FlameTree::kRoot ? tr("All") : whole(box.node)};
    const auto facts = exports::flameFacts(tree, box.node, answer_->query.measure);
    for (std::size_t line = 1; line < facts.size(); ++line)
        lines << withTrueMinus(toQString(facts[line]));
    return lines;
}

QString FlameTexts::sentences() const {
    QStringList sentences;
    for (const auto& sentence : exports::flameSentences(answer_->tree, answer_->query.measure))
        sentences << withTrueMinus(toQString(sentence));
    return sentences.join(QLatin1Char(' '));
}

} // namespace highwater::ui
