#include "ui/view/table/column_widths.h"

#include "core/analysis/columns/column_specs.h"
#include "ui/format/qt_text.h"
#include "ui/state/table/layout_edit.h"
#include "ui/view/table/header_painter.h"

#include <QFontMetrics>
#include <QWidget>

#include <algorithm>
#include <numeric>

namespace highwater::ui {

using analysis::ValueKind;

namespace {

constexpr int kCellMargins = 14;
constexpr int kTriangle = 20;
constexpr int kNarrowestStack = 140;
constexpr int kReadableStack = 280; ///< fits most function names
constexpr int kNarrowestKey = 104;
constexpr double kWidestFirstKey = 0.4; ///< as a part of the total width

/// The widest usual text of cells of this kind.
QString widestSample(const LayoutColumn& column) {
    switch (analysis::valueKind(column.value)) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return column.format.unit == ColumnUnit::Bytes ? QStringLiteral("−9,999,999,999")
                                                       : QStringLiteral("−9,999.9 MB");
    case ValueKind::BytesPerSecond:
        return QStringLiteral("−9,999.9 MB/s");
    case ValueKind::Series:
        return QStringLiteral("1234567890123");
    case ValueKind::Time:
        return column.format.unit == ColumnUnit::WallClock ? QStringLiteral("2024-05-01 14:02:33.123456")
                                                           : QStringLiteral("999.999999 s");
    case ValueKind::Duration:
        return QStringLiteral("9,999.999 s");
    case ValueKind::Hex:
        return QStringLiteral("0x7ff612345678");
    case ValueKind::Count:
        return QStringLiteral("9,999,999");
    case ValueKind::Text:
        break;
    }
    return toQString(analysis::specOf(column.value.column).usualText);
}

int suitableWidth(const TableLayout& layout, int section, const QWidget& widget, int content) {
    const auto& metrics = widget.fontMetrics();
    const auto* column = columnOfSection(layout, section);
    if (!column) return metrics.horizontalAdvance(QStringLiteral("99999")) + kCellMargins;
    if (column->width > 0) return column->width;
    const bool isKey = section < goldSection(layout);
    const int header = HeaderPainter(widget).width(headerText(layout, section));
    if (isKey && content > 0 && !analysis::isStack(column->value.column)) return std::max(content, header);
    const int cells = metrics.horizontalAdvance(widestSample(*column)) + kCellMargins + (isKey ? kTriangle : 0);
    return std::max(cells, header);
}

/// The section that takes the spare width; 0: none.
int elasticSection(const TableLayout& layout) {
    int elastic = goldSection(layout) - 1;
    for (int section = 1; section < goldSection(layout); ++section) {
        if (analysis::isStack(columnOfSection(layout, section)->value.column)) elastic = section;
    }
    const auto* column = columnOfSection(layout, elastic);
    return column && column->width == 0 ? elastic : 0;
}

bool isShortenable(const LayoutColumn& column) {
    return column.width == 0 && column.format == ColumnFormat{} && analysis::valueKind(column.value) == ValueKind::Time;
}

/// Milliseconds are sufficient at a glance; the tooltip has the full precision.
void shortenTimes(const TableLayout& layout, const QWidget& widget, std::vector<int>& widths, int missing) {
    const int brief = widget.fontMetrics().horizontalAdvance(QStringLiteral("999.999 s")) + kCellMargins;
    for (int section = goldSection(layout); section < sectionCount(layout) && missing > 0; ++section) {
        if (!isShortenable(*columnOfSection(layout, section))) continue;
        auto& width = widths[static_cast<std::size_t>(section)];
        const int narrowest = std::max(brief, HeaderPainter(widget).width(headerText(layout, section)));
        const int given = std::clamp(width - narrowest, 0, missing);
        width -= given;
        missing -= given;
    }
}

/// Texts among the values, such as how memory was freed, are less important than names of processes and functions.
void shortenWords(const TableLayout& layout, const QWidget& widget, std::vector<int>& widths, int missing) {
    const int brief = widget.fontMetrics().horizontalAdvance(QStringLiteral("Process exit")) + kCellMargins;
    for (int section = goldSection(layout); section < sectionCount(layout) && missing > 0; ++section) {
        const auto& column = *columnOfSection(layout, section);
        if (column.width > 0 || analysis::valueKind(column.value) != ValueKind::Text) continue;
        auto& width = widths[static_cast<std::size_t>(section)];
        const int narrowest = std::max(brief, HeaderPainter(widget).width(headerText(layout, section)));
        const int given = std::clamp(width - narrowest, 0, missing);
        width -= given;
        missing -= given;
    }
}

/// The stack takes the spare width. In a narrow window, times shrink first, then the stack, then the other keys, so
/// that values, which are useless when cut, stay visible. Keys shrink from the last, because the first one identifies
/// the owner of the memory; its known contents stay readable.
void fitKeys(const TableLayout& layout, const QWidget& widget, std::vector<int>& widths, int available) {
    const auto elastic = static_cast<std::size_t>(elasticSection(layout));
    if (elastic == 0) return;
    const bool isStack = analysis::isStack(layout.keys[elastic - 1].value.column);
    const int narrowest = isStack ? kNarrowestStack : widths[elastic];
    const auto othersOf = [&] { return std::accumulate(widths.begin(), widths.end(), 0) - widths[elastic]; };
    const auto missingForNames = [&] { return (isStack ? kReadableStack : narrowest) + othersOf() - available; };
    shortenTimes(layout, widget, widths, missingForNames());
    shortenWords(layout, widget, widths, missingForNames());
    const int others = othersOf();
    widths[elastic] = std::max(narrowest, available - others);
    int missing = others + widths[elastic] - available;
    for (auto section = layout.keys.size(); section > 0 && missing > 0; --section) {
        if (section == elastic || layout.keys[section - 1].width > 0) continue;
        const int given = std::clamp(widths[section] - kNarrowestKey, 0, missing);
        widths[section] -= given;
        missing -= given;
    }
}

} // namespace

std::vector<int> columnWidths(const TableLayout& layout, const QWidget& widget, int available,
                              const std::vector<int>& contents) {
    std::vector<int> widths;
    auto fitted = layout;
    for (int section = 0; section < sectionCount(layout); ++section) {
        const auto at = static_cast<std::size_t>(section);
        const int content = at < contents.size() ? contents[at] : 0;
        auto width = suitableWidth(layout, section, widget, content);
        if (section == 1 && content > 0 && layout.keys.front().width == 0 && elasticSection(layout) != 1) {
            width = std::min(width, std::max(kNarrowestKey, static_cast<int>(available * kWidestFirstKey)));
            fitted.keys.front().width = width; // keeps its width
        }
        widths.push_back(width);
    }
    // Space for the blue bar after the last section.
    const int room = available - HeaderGeometry::kBarWidth;
    fitKeys(fitted, widget, widths, room);
    // When all others are at their minimum, the first key also shrinks, because cut numbers are useless.
    if (!layout.keys.empty() && fitted.keys.front().width != layout.keys.front().width && widths.size() > 1) {
        const int missing = std::max(0, std::accumulate(widths.begin(), widths.end(), 0) - room);
        widths[1] -= std::clamp(widths[1] - kNarrowestKey, 0, missing);
    }
    return widths;
}

} // namespace highwater::ui
