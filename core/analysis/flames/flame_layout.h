#pragma once

#include "core/analysis/flames/flame_tree.h"

#include <cstdint>
#include <optional>

namespace highwater::analysis {

/// What of a tree is looked at, and how large.
struct FlameWindow {
    std::uint32_t zoom = FlameTree::kRoot; ///< as wide as all; what it lies in is as wide
    double width = 0;                      ///< pixels
    std::uint32_t firstRow = 0;            ///< rows are depths: the root is in row 0
    std::uint32_t lastRow = 0xFFFFFFFFu;   ///< inclusive
    double narrowest = 1;                  ///< pixels; what is narrower is drawn as one
};

/// One thing to draw.
struct FlameBox {
    std::uint32_t node = 0; ///< of several: the first, which is the widest
    std::uint32_t row = 0;
    double left = 0; ///< pixels
    double right = 0;
    std::uint64_t merged = 0;   ///< 0: the node alone; else how many frames are drawn as one, those within them, too
    std::uint64_t width = 0;    ///< of the node, or of all that are drawn as one
    std::uint32_t lastNode = 0; ///< of several: the last one

    [[nodiscard]] bool isMerged() const { return merged > 0; }
};

/// Where frames stand. The children of a frame become narrower from left to right: all from the first that is too
/// narrow on are one box. So this takes time with what is seen, not with the tree. Pure; any thread.
class FlameLayout {
  public:
    /// tree must outlive it.
    FlameLayout(const FlameTree& tree, const FlameWindow& window) : tree_(tree), window_(window) {}

    /// visit(FlameBox) for all that is seen, what lies within a box after it.
    template <typename Visit>
    void visit(Visit visit) const {
        if (tree_.isEmpty() || window_.width <= 0) return;
        for (auto node = window_.zoom; node != FlameTree::kRoot;) {
            node = tree_.nodes[node].parent;
            if (isSeen(node)) visit(boxOf(node));
        }
        visitBelow(window_.zoom, visit);
    }
    /// The box at a place; none: nothing is there.
    [[nodiscard]] std::optional<FlameBox> at(double x, std::uint32_t row) const;
    /// Also of frames that are too narrow to be drawn alone; of what lies around the zoom the whole width.
    [[nodiscard]] FlameBox boxOf(std::uint32_t node) const;

  private:
    [[nodiscard]] bool isSeen(std::uint32_t node) const {
        const auto row = tree_.nodes[node].depth;
        return row >= window_.firstRow && row <= window_.lastRow;
    }
    [[nodiscard]] bool isAround(std::uint32_t node) const;
    [[nodiscard]] double xOf(std::uint64_t place) const;
    [[nodiscard]] double pixelsOf(std::uint64_t width) const;
    /// Of the children from `first` on.
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
