#pragma once

#include "core/analysis/flames/flame_layout.h"
#include "ui/state/finders/flame_finder.h"
#include "ui/view/flames/flame_texts.h"

#include <QFont>
#include <QPalette>
#include <QRect>

#include <cstdint>

class QPainter;

namespace highwater::ui {

/// Position of a flame graph's root.
enum class FlameRoot : std::uint8_t { Bottom, Top };

/// Layout of rows in a picture, in pixels.
struct FlameRows {
    FlameRoot root = FlameRoot::Bottom;
    int height = 18; ///< height of each row
    int top = 0;     ///< top of the topmost row
    std::uint32_t count = 0;

    [[nodiscard]] int yOf(std::uint32_t row) const {
        return top + height * static_cast<int>(root == FlameRoot::Top ? row : count - 1 - row);
    }
    /// -1: no row.
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] QRect rectOf(const analysis::FlameBox& box) const;
    [[nodiscard]] int wholeHeight() const { return height * static_cast<int>(count); }
};

/// Paints the frames of some rows. GUI thread only.
class FlamePainter {
  public:
    /// Input of a painter, which must outlive it. Null: no search.
    struct Look {
        const analysis::FlameTree& tree;
        const FlameTexts& texts;
        const FlameSearch* search = nullptr;
        const QPalette& palette;
        const QFont& font;
    };
    FlamePainter(const Look& look, const FlameRows& rows);

    /// Paints the rows of the window inside `area`. Returns the number of painted boxes.
    std::size_t paint(QPainter& painter, analysis::FlameWindow window, const QRect& area) const;

  private:
    void paintBox(QPainter& painter, const analysis::FlameBox& box) const;
    [[nodiscard]] QColor colorOf(const analysis::FlameBox& box) const;
    [[nodiscard]] bool matches(const analysis::FlameBox& box) const;

    Look look_;
    FlameRows rows_;
    int baseline_; ///< baseline of a row's text, relative to the top of the row
};

/// Maximum number of rows with visible boxes.
[[nodiscard]] std::uint32_t seenRows(const analysis::FlameTree& tree, const analysis::FlameWindow& window);

} // namespace highwater::ui
