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

/// Where the root of a flame graph is.
enum class FlameRoot : std::uint8_t { Bottom, Top };

/// How rows of frames stand in a picture, in pixels.
struct FlameRows {
    FlameRoot root = FlameRoot::Bottom;
    int height = 18; ///< of each
    int top = 0;     ///< where the topmost one begins
    std::uint32_t count = 0;

    [[nodiscard]] int yOf(std::uint32_t row) const {
        return top + height * static_cast<int>(root == FlameRoot::Top ? row : count - 1 - row);
    }
    /// -1: none is there.
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] QRect rectOf(const analysis::FlameBox& box) const;
    [[nodiscard]] int wholeHeight() const { return height * static_cast<int>(count); }
};

/// Paints the frames of some rows. GUI thread only.
class FlamePainter {
  public:
    /// What a painter needs to know; all of it must outlive it. No search: null.
    struct Look {
        const analysis::FlameTree& tree;
        const FlameTexts& texts;
        const FlameSearch* search = nullptr;
        const QPalette& palette;
        const QFont& font;
    };
    FlamePainter(const Look& look, const FlameRows& rows);

    /// Of the window only the rows that lie in `area`. How many boxes were painted.
    std::size_t paint(QPainter& painter, analysis::FlameWindow window, const QRect& area) const;

  private:
    void paintBox(QPainter& painter, const analysis::FlameBox& box) const;
    [[nodiscard]] QColor colorOf(const analysis::FlameBox& box) const;
    [[nodiscard]] bool matches(const analysis::FlameBox& box) const;

    Look look_;
    FlameRows rows_;
    int baseline_; ///< of a row's text, from its top
};

/// The most rows that have something to see in them.
[[nodiscard]] std::uint32_t seenRows(const analysis::FlameTree& tree, const analysis::FlameWindow& window);

} // namespace highwater::ui
