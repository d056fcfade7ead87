#include "core/references/root_nodes.h"

#include <cstddef>

namespace highwater::references {
namespace {

constexpr std::uint32_t kRefersToNothing = 0xFFFFFFFF;

/// The references of the roots become the last ones of the graph.
void addTo(ReferenceGraph& graph, const RootNodes& roots) {
    std::vector<std::uint32_t> ends(roots.firstAreas.size() + 1); // of the references of the root before
    for (const auto& link : roots.links)
        ++ends[link.root + 1];
    ends[0] = graph.first.back();
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
    graph.first.insert(graph.first.end(), ends.begin() + 1, ends.end());
    graph.references.resize(graph.references.size() + roots.links.size());
    for (const auto& link : roots.links)
        graph.references[ends[link.root]++] = link.reference;
}

} // namespace

RootNodes addRootNodes(ReferenceGraph& graph, std::span<const RootReference> references, const RootAreas& found) {
    const auto& areas = found.areas;
    std::vector<std::uint32_t> nodes(found.roots, kRefersToNothing);
    for (const auto& reference : references)
        nodes[areas[reference.area].root] = 0;
    RootNodes added;
    std::uint32_t next = 0; // the first root whose areas have not been seen
    for (std::uint32_t i = 0; i < areas.size(); ++i) {
        if (areas[i].root < next) continue;
        next = areas[i].root + 1;
        if (nodes[areas[i].root] == kRefersToNothing) continue;
        nodes[areas[i].root] = static_cast<std::uint32_t>(added.firstAreas.size());
        added.firstAreas.push_back(i);
    }
    added.links.reserve(references.size());
    for (const auto& reference : references)
        added.links.push_back({nodes[areas[reference.area].root], reference.reference});
    addTo(graph, added);
    return added;
}

} // namespace highwater::references
