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
constexpr int kNarrowestKey = 104;

/// The widest text that cells of this kind usually hold.
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

int suitableWidth(const TableLayout& layout, int section, const QWidget& widget) {
    const auto& metrics = widget.fontMetrics();
    const auto* column = columnOfSection(layout, section);
    if (!column) return metrics.horizontalAdvance(QStringLiteral("99999")) + kCellMargins;
    if (column->width > 0) return column->width;
    const bool isKey = section < goldSection(layout);
    const int cells = metrics.horizontalAdvance(widestSample(*column)) + kCellMargins + (isKey ? kTriangle : 0);
    return std::max(cells, HeaderPainter(widget).width(headerText(layout, section)));
}

/// The section that takes what is spare; 0: none.
int elasticSection(const TableLayout& layout) {
    int elastic = goldSection(layout) - 1;
    for (int section = 1; section < goldSection(layout); ++section) {
        if (analysis::isStack(columnOfSection(layout, section)->value.column)) elastic = section;
    }
    const auto* column = columnOfSection(layout, elastic);
    return column && column->width == 0 ? elastic : 0;
}

/// The stack takes what is spare. In a narrow window it gives first, then the other keys do, so that the values, which
/// mean nothing when cut, stay in sight: the last of them first, since the first one says whose memory it is.
void fitKeys(const TableLayout& layout, std::vector<int>& widths, int available) {
    const auto elastic = static_cast<std::size_t>(elasticSection(layout));
    if (elastic == 0) return;
    const bool isStack = analysis::isStack(layout.keys[elastic - 1].value.column);
    const int narrowest = isStack ? kNarrowestStack : widths[elastic];
    const int others = std::accumulate(widths.begin(), widths.end(), 0) - widths[elastic];
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

std::vector<int> columnWidths(const TableLayout& layout, const QWidget& widget, int available) {
    std::vector<int> widths;
    for (int section = 0; section < sectionCount(layout); ++section) {
        widths.push_back(suitableWidth(layout, section, widget));
    }
    // Room for the blue bar behind the last section.
    fitKeys(layout, widths, available - HeaderGeometry::kBarWidth);
    return widths;
}

} // namespace highwater::ui
