#include "core/analysis/flames/flame_layout.h"

#include <algorithm>
#include <cmath>

namespace highwater::analysis {

double FlameLayout::pixelsOf(std::uint64_t width) const {
    return static_cast<double>(width) / static_cast<double>(tree_.nodes[window_.zoom].width) * window_.width;
}

/// Signed because frames beside the zoomed frame are left or right of the window.
double FlameLayout::xOf(std::uint64_t place) const {
    const auto& zoom = tree_.nodes[window_.zoom];
    const auto away = static_cast<std::int64_t>(place - zoom.begin);
    return static_cast<double>(away) / static_cast<double>(zoom.width) * window_.width;
}

bool FlameLayout::isAround(std::uint32_t node) const {
    const auto& zoom = tree_.nodes[window_.zoom];
    const auto& of = tree_.nodes[node];
    return of.depth <= zoom.depth && of.begin <= zoom.begin && zoom.begin + zoom.width <= of.begin + of.width;
}

FlameBox FlameLayout::boxOf(std::uint32_t node) const {
    const auto& of = tree_.nodes[node];
    if (isAround(node)) return {node, of.depth, 0, window_.width, 0, of.width, node};
    return {node, of.depth, xOf(of.begin), xOf(of.begin + of.width), 0, of.width, node};
}

FlameBox FlameLayout::boxOfRest(std::uint32_t parent, std::uint32_t first, std::uint64_t framesBefore) const {
    const auto& of = tree_.nodes[parent];
    const auto last = of.firstChild + of.childCount - 1;
    const auto& left = tree_.nodes[first];
    const auto& right = tree_.nodes[last];
    const auto width = right.begin + right.width - left.begin;
    return {first, left.depth, xOf(left.begin), xOf(left.begin + width), of.frames - 1 - framesBefore, width, last};
}

std::optional<FlameBox> FlameLayout::at(double x, std::uint32_t row) const {
    if (tree_.isEmpty() || x < 0 || x >= window_.width) return std::nullopt;
    auto node = window_.zoom;
    while (tree_.nodes[node].depth > row)
        node = tree_.nodes[node].parent;
    while (tree_.nodes[node].depth < row) {
        const auto& of = tree_.nodes[node];
        const auto first = tree_.nodes.begin() + of.firstChild;
        const auto last = first + of.childCount;
        const auto child =
            std::partition_point(first, last, [&](const FlameNode& each) { return xOf(each.begin + each.width) <= x; });
        if (child == last) return std::nullopt;
        if (pixelsOf(child->width) < window_.narrowest) {
            if (of.depth + 1 < row) return std::nullopt; // inside frames that are drawn as one
            const auto narrow = std::partition_point(
                first, last, [&](const FlameNode& each) { return pixelsOf(each.width) >= window_.narrowest; });
            std::uint64_t frames = 0;
            std::for_each(first, narrow, [&](const FlameNode& each) { frames += each.frames; });
            return boxOfRest(node, static_cast<std::uint32_t>(narrow - tree_.nodes.begin()), frames);
        }
        node = static_cast<std::uint32_t>(child - tree_.nodes.begin());
    }
    return boxOf(node);
}

} // namespace highwater::analysis
