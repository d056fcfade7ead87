#include "core/analysis/flames/flame_search.h"

#include "core/base/text.h"

namespace highwater::analysis {

FlameMatches findInFlames(const FlameTree& tree, std::string_view text) {
    FlameMatches matches;
    matches.ofNode.assign(tree.nodes.size(), 0);
    if (text.empty()) return matches;
    const auto wanted = lowered(text);
    std::vector<std::uint8_t> ofLabel;
    for (const auto& label : tree.labels)
        ofLabel.push_back(lowered(label.text).find(wanted) != std::string::npos ? 1 : 0);
    std::vector<std::uint8_t> isWithin(tree.nodes.size(), 0); // a match; parents precede their children
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
        const auto& of = tree.nodes[node];
        isWithin[node] = isWithin[of.parent];
        if (of.isMore() || ofLabel[of.label] == 0) continue;
        matches.ofNode[node] = 1;
        matches.nodes.push_back(node);
        if (isWithin[node] == 0) matches.width += of.width;
        isWithin[node] = 1;
    }
    if (!tree.isEmpty()) matches.share = static_cast<double>(matches.width) / static_cast<double>(tree.root().width);
    return matches;
}

} // namespace highwater::analysis
