#pragma once

#include "ui/state/table/layout_sort.h"
#include "ui/view/table/header_geometry.h"

#include <QColor>
#include <QPalette>
#include <QString>

#include <optional>

class QPainter;
class QWidget;

namespace highwater::ui {

/// What a section of a pivot table's header reads like: the title, below it in small what it aggregates, and an arrow
/// with the level of the sort where there is more than one.
struct HeaderText {
    QString title;       ///< "Size (MB)"
    QString aggregation; ///< "Sum"; may be empty
    std::optional<SortMark> sort;
    bool hasLevels = false; ///< the order has several: numbers are shown
    bool isNumeric = false;
};
[[nodiscard]] HeaderText headerText(const TableLayout& layout, int section);

/// How a section is drawn.
struct HeaderLook {
    bool isHovered = false;
    bool isPressed = false;
    bool isCurrent = false; ///< the keys act on it
};

/// Draws parts of a header with the widget's style, palette and font. Values, made where needed. GUI thread only.
class HeaderPainter {
  public:
    explicit HeaderPainter(const QWidget& widget) : widget_(widget) {}

    void paintSection(QPainter& painter, const QRect& rect, const HeaderText& text, HeaderLook look) const;
    void paintEmpty(QPainter& painter, const QRect& rect) const;
    /// A line with a head, where a column lands; `refused`: where it cannot.
    void paintDropLine(QPainter& painter, int x, int height, bool refused) const;

    [[nodiscard]] int height() const;
    /// So wide that nothing of the text is cut off.
    [[nodiscard]] int width(const HeaderText& text) const;

    /// Warm yellow and blue that stand out from the base of this palette.
    [[nodiscard]] static QColor barColor(LayoutBar bar, const QPalette& palette);
    [[nodiscard]] static QColor refusalColor(const QPalette& palette);

  private:
    [[nodiscard]] QFont smallFont() const;
    void paintSort(QPainter& painter, const QRect& rect, const HeaderText& text) const;

    const QWidget& widget_;
};

} // namespace highwater::ui
