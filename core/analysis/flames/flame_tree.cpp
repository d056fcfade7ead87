#include "core/analysis/flames/flame_tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {

std::string FlameTree::text(std::uint32_t node) const {
    if (node == kRoot) return {};
    const auto& of = nodes[node];
    return of.isMore() ? fmt::format("({} more)", of.frames) : labels[of.label].text;
}

KeyPath FlameTree::path(std::uint32_t node) const {
    KeyPath path;
    for (; node != kRoot; node = nodes[node].parent) {
        if (nodes[node].isMore()) continue;
        const auto& label = labels[nodes[node].label];
        path.push_back({label.column, label.key});
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::uint32_t FlameTree::find(const KeyPath& path) const {
    auto at = kRoot;
    for (const auto& step : path) {
        const auto first = nodes.begin() + nodes[at].firstChild;
        const auto last = first + nodes[at].childCount;
        const auto child = std::find_if(first, last, [&](const FlameNode& node) {
            return !node.isMore() && labels[node.label].column == step.column && labels[node.label].key == step.key;
        });
        if (child == last) break;
        at = static_cast<std::uint32_t>(child - nodes.begin());
    }
    return at;
}

std::uint64_t FlameTree::selfWidth(std::uint32_t node) const {
    const auto& of = nodes[node];
    if (of.childCount == 0) return of.width;
    const auto& last = nodes[of.firstChild + of.childCount - 1];
    return of.begin + of.width - (last.begin + last.width);
}

double FlameTree::share(std::uint32_t node, std::uint32_t of) const {
    if (nodes[of].width == 0) return 0;
    return static_cast<double>(nodes[node].width) / static_cast<double>(nodes[of].width);
}

} // namespace highwater::analysis
