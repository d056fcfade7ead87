#include "core/references/root_nodes.h"

#include <algorithm>
#include <cstddef>

namespace highwater::references {
namespace {

constexpr std::uint32_t kRefersToNothing = 0xFFFFFFFF;

/// The references of the roots become the last ones of the graph.
void addTo(ReferenceGraph& graph, const RootNodes& roots) {
    const auto blocks = static_cast<std::uint32_t>(graph.nodes());
    std::vector<RootLink> all; // those to frames, which are further nodes
    for (std::uint32_t i = 0; i < roots.nodes.size(); ++i)
        if (const auto parent = roots.nodes[i].parent; parent != RootAreas::kNoParent)
            all.push_back({parent, Reference(blocks + i, true)});
    std::vector<std::uint32_t> ends(roots.nodes.size() + 1); // of the references of the root before
    const auto eachLink = [&](const auto& visit) {
        std::ranges::for_each(all, visit);
        std::ranges::for_each(roots.links, visit);
    };
    eachLink([&](const RootLink& link) { ++ends[link.root + 1]; });
    ends[0] = graph.first.back();
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
    graph.first.insert(graph.first.end(), ends.begin() + 1, ends.end());
    graph.references.resize(graph.references.size() + all.size() + roots.links.size());
    eachLink([&](const RootLink& link) { graph.references[ends[link.root]++] = link.reference; });
}

} // namespace

RootNodes addRootNodes(ReferenceGraph& graph, std::span<const RootReference> references, const RootAreas& found) {
    const auto& areas = found.areas;
    std::vector<std::uint32_t> nodes(found.roots(), kRefersToNothing);
    for (const auto& reference : references) {
        const auto root = areas[reference.area].root;
        nodes[root] = nodes[found.topOf(root)] = 0;
    }
    RootNodes added;
    for (std::uint32_t root = 0; root < nodes.size(); ++root) {
        if (nodes[root] == kRefersToNothing) continue;
        nodes[root] = static_cast<std::uint32_t>(added.nodes.size());
        const auto parent = found.parents[root];
        added.nodes.push_back({kRefersToNothing, parent == RootAreas::kNoParent ? parent : nodes[parent]});
    }
    for (auto i = static_cast<std::uint32_t>(areas.size()); i-- > 0;) {
        for (const auto root : {found.topOf(areas[i].root), areas[i].root})
            if (nodes[root] != kRefersToNothing) added.nodes[nodes[root]].area = i;
    }
    added.links.reserve(references.size());
    for (const auto& reference : references)
        added.links.push_back({nodes[areas[reference.area].root], reference.reference});
    addTo(graph, added);
    return added;
}

} // namespace highwater::references
