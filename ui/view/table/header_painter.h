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

/// Texts of a header section: the title, the aggregation in small letters below it, and a sort arrow with its level if
/// there are several.
struct HeaderText {
    QString title;       ///< "Size (MB)"
    QString aggregation; ///< "Sum"; may be empty
    std::optional<SortMark> sort;
    bool hasLevels = false; ///< several sort levels: shows numbers
    bool isNumeric = false;
};
[[nodiscard]] HeaderText headerText(const TableLayout& layout, int section);

/// State of a section to paint.
struct HeaderLook {
    bool isHovered = false;
    bool isPressed = false;
    bool isCurrent = false; ///< target of the header's keys
};

/// Paints header parts with the widget's style, palette and font. A temporary value. GUI thread only.
class HeaderPainter {
  public:
    explicit HeaderPainter(const QWidget& widget) : widget_(widget) {}

    void paintSection(QPainter& painter, const QRect& rect, const HeaderText& text, HeaderLook look) const;
    void paintEmpty(QPainter& painter, const QRect& rect) const;
    /// A line with a head at a column's drop position; `refused`: the column cannot be dropped there.
    void paintDropLine(QPainter& painter, int x, int height, bool refused) const;

    [[nodiscard]] int height() const;
    /// Width at which no text is cut.
    [[nodiscard]] int width(const HeaderText& text) const;

    /// Warm yellow and blue with contrast to this palette's base.
    [[nodiscard]] static QColor barColor(LayoutBar bar, const QPalette& palette);
    [[nodiscard]] static QColor refusalColor(const QPalette& palette);

  private:
    [[nodiscard]] QFont smallFont() const;
    void paintSort(QPainter& painter, const QRect& rect, const HeaderText& text) const;

    const QWidget& widget_;
};

} // namespace highwater::ui
