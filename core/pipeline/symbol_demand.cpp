#include "core/pipeline/symbol_demand.h"

#include "core/analysis/frame_places.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

using analysis::FramePlaces;

/// Bytes of the rows below each node, from the stacks that their sites have.
std::vector<ByteCount> bytesOfNodes(const store::PublishedTrace& trace) {
    std::vector<ByteCount> bytes(trace.nodeCount);
    for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc}) {
        const auto& table = trace.table(kind);
        std::vector<ByteCount> ofSites(table.columns->sites.size());
        for (RowId row = 0; row < table.rows; ++row)
            ofSites[table.columns->rows.site(row).value] += table.size(row);
        for (std::uint32_t site = 0; site < table.sites; ++site) {
            const auto leaf = trace.leaf(table.columns->sites[SiteId{site}].stack);
            if (leaf.value < bytes.size()) bytes[leaf.value] += ofSites[site];
        }
    }
    for (auto node = trace.nodeCount; node-- > 1;) {
        const auto parent = trace.columns->stacks.node(FrameNodeId{node}).parent;
        if (parent.value < node) bytes[parent.value] += bytes[node];
    }
    return bytes;
}

class DemandBuilder {
  public:
    DemandBuilder(const store::PublishedTrace& trace, const SymbolScope& scope)
        : trace_(trace), bytes_(bytesOfNodes(trace)), demands_(trace.processes->modules().size()) {
        places_.update(trace);
        wantedModules_.assign(demands_.size(), scope.modules.empty());
        for (const auto module : scope.modules)
            if (module.value < wantedModules_.size()) wantedModules_[module.value] = true;
        wantedProcesses_.assign(trace.processes->processes().size(), scope.processes.empty());
        for (const auto process : scope.processes)
            if (process.value < wantedProcesses_.size()) wantedProcesses_[process.value] = true;
    }

    std::vector<ModuleDemand> build() {
        isWanted_.resize(trace_.nodeCount);
        for (std::uint32_t node = 1; node < trace_.nodeCount; ++node)
            visit(node);
        std::vector<ModuleDemand> asked;
        for (std::uint32_t i = 0; i < demands_.size(); ++i) {
            auto& demand = demands_[i];
            if (demand.frames == 0) continue;
            demand.module = store::ModuleIndex{i};
            std::sort(demand.addresses.begin(), demand.addresses.end());
            demand.addresses.erase(std::unique(demand.addresses.begin(), demand.addresses.end()),
                                   demand.addresses.end());
            asked.push_back(std::move(demand));
        }
        std::stable_sort(asked.begin(), asked.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
        return asked;
    }

  private:
    void visit(std::uint32_t number) {
        const auto& node = trace_.columns->stacks.node(FrameNodeId{number});
        if (node.depth == 0) {
            const auto process = store::unpackRoot(node).process.value;
            isWanted_[number] = process < wantedProcesses_.size() && wantedProcesses_[process];
            return;
        }
        isWanted_[number] = isWanted_[node.parent.value];
        const auto* place = placeOf(number);
        if (!isWanted_[number] || place == nullptr || !wantedModules_[place->module.value]) return;
        auto& demand = demands_[place->module.value];
        ++demand.frames;
        demand.addresses.push_back(place->codeOffset());
        if (!isBelow(node.parent.value, place->module)) demand.bytes += bytes_[number];
    }
    /// nullptr: outside of all modules.
    [[nodiscard]] const analysis::FramePlace* placeOf(std::uint32_t node) const {
        const auto place = places_.placeOfNode()[node];
        if (place == FramePlaces::kNoPlace || !places_.places()[place].isInModule()) return nullptr;
        return &places_.places()[place];
    }
    /// Whether the stack passed through the module already: its bytes count once.
    [[nodiscard]] bool isBelow(std::uint32_t node, store::ModuleIndex module) const {
        for (;; node = trace_.columns->stacks.node(FrameNodeId{node}).parent.value) {
            if (trace_.columns->stacks.node(FrameNodeId{node}).depth == 0) return false;
            const auto* place = placeOf(node);
            if (place != nullptr && place->module == module) return true;
        }
    }

    const store::PublishedTrace& trace_;
    FramePlaces places_;
    std::vector<ByteCount> bytes_;      ///< by node
    std::vector<ModuleDemand> demands_; ///< by module
    std::vector<bool> wantedModules_, wantedProcesses_, isWanted_;
};

} // namespace

std::vector<ModuleDemand> symbolDemand(const store::PublishedTrace& trace, const SymbolScope& scope) {
    return DemandBuilder(trace, scope).build();
}

} // namespace highwater::pipeline
