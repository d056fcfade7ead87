#pragma once

#include "core/analysis/flames/flame_tree.h"

#include <cstdint>
#include <optional>

namespace highwater::analysis {

/// The visible part of a tree, and its size.
struct FlameWindow {
    std::uint32_t zoom = FlameTree::kRoot; ///< has the full width; frames that contain it, too
    double width = 0;                      ///< pixels
    std::uint32_t firstRow = 0;            ///< rows are depths: the root is in row 0
    std::uint32_t lastRow = 0xFFFFFFFFu;   ///< inclusive
    double narrowest = 1;                  ///< pixels; narrower frames are drawn as one
};

/// One box to draw.
struct FlameBox {
    std::uint32_t node = 0; ///< for several frames: the first, which is the widest
    std::uint32_t row = 0;
    double left = 0; ///< pixels
    double right = 0;
    std::uint64_t merged = 0; ///< 0: only the node; otherwise the number of frames drawn as one, including nested ones
    std::uint64_t width = 0;  ///< width of the node, or of all frames drawn as one
    std::uint32_t lastNode = 0; ///< for several frames: the last one

    [[nodiscard]] bool isMerged() const { return merged > 0; }
};

/// The positions of frames. The children of a frame become narrower from left to right, so all from the first one that
/// is too narrow form one box. The time is therefore proportional to the visible boxes, not to the tree. Pure; any
/// thread.
class FlameLayout {
  public:
    /// `tree` must outlive it.
    FlameLayout(const FlameTree& tree, const FlameWindow& window) : tree_(tree), window_(window) {}

    /// Calls visit(FlameBox) for every visible box; nested boxes follow the box that contains them.
    template <typename Visit>
    void visit(Visit visit) const {
        if (tree_.isEmpty() || window_.width <= 0) return;
        for (auto node = window_.zoom; node != FlameTree::kRoot;) {
            node = tree_.nodes[node].parent;
            if (isSeen(node)) visit(boxOf(node));
        }
        visitBelow(window_.zoom, visit);
    }
    /// The box at a position; none: no box.
    [[nodiscard]] std::optional<FlameBox> at(double x, std::uint32_t row) const;
    /// Also for frames that are too narrow to be drawn by themselves. Frames around the zoomed frame have the full
    /// width.
    [[nodiscard]] FlameBox boxOf(std::uint32_t node) const;

  private:
    [[nodiscard]] bool isSeen(std::uint32_t node) const {
        const auto row = tree_.nodes[node].depth;
        return row >= window_.firstRow && row <= window_.lastRow;
    }
    [[nodiscard]] bool isAround(std::uint32_t node) const;
    [[nodiscard]] double xOf(std::uint64_t place) const;
    [[nodiscard]] double pixelsOf(std::uint64_t width) const;
    /// The box for the children from `first` on.
    [[nodiscard]] FlameBox boxOfRest(std::uint32_t parent, std::uint32_t first, std::uint64_t framesBefore) const;

    template <typename Visit>
    void visitBelow(std::uint32_t node, Visit& visit) const {
        if (isSeen(node)) visit(boxOf(node));
        const auto& of = tree_.nodes[node];
        if (of.depth >= window_.lastRow) return;
        std::uint64_t frames = 0;
        for (std::uint32_t i = 0; i < of.childCount; ++i) {
            const auto child = of.firstChild + i;
            if (pixelsOf(tree_.nodes[child].width) < window_.narrowest) {
                if (isSeen(child)) visit(boxOfRest(node, child, frames));
                return;
            }
            frames += tree_.nodes[child].frames;
            visitBelow(child, visit);
        }
    }

    const FlameTree& tree_;
    FlameWindow window_;
};

} // namespace highwater::analysis
