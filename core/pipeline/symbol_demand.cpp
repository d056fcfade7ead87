#include "core/pipeline/symbol_demand.h"

#include "core/analysis/query/text_condition.h"

#include <algorithm>
#include <optional>

namespace highwater::pipeline {
namespace {

using analysis::CodeLocations;

/// The places of more frames than this are not kept but looked up again on each request, which takes half a second for
/// two million frames instead of 150 MB.
constexpr std::uint32_t kMostNodesKept = 1u << 20;

/// Bytes of the rows below each node, from the stacks of their sites.
std::vector<ByteCount> bytesOfNodes(const store::PublishedTrace& trace) {
    std::vector<ByteCount> bytes(trace.nodeCount);
    for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc, store::TableKind::Managed}) {
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

/// Whether it matches one of the patterns, or there are none.
bool fitsAny(const std::vector<std::string>& patterns, const std::string& name) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
               const auto condition = analysis::TextCondition::create(analysis::TextOperator::Wildcard, pattern, 0);
               return condition.hasValue() && condition.value().matches(name);
           });
}

/// The processes and modules of a scope.
struct Wanted {
    std::vector<bool> modules, processes;

    Wanted(const store::ProcessTable& table, const SymbolScope& scope) {
        modules.assign(table.modules().size(), scope.modules.empty());
        for (const auto module : scope.modules)
            if (module.value < modules.size()) modules[module.value] = true;
        for (std::size_t i = 0; i < modules.size(); ++i)
            modules[i] = modules[i] && fitsAny(scope.moduleNames, table.modules()[i].name);
        processes.assign(table.processes().size(), scope.processes.empty());
        for (const auto process : scope.processes)
            if (process.value < processes.size()) processes[process.value] = true;
        for (std::size_t i = 0; i < processes.size(); ++i)
            processes[i] = processes[i] && fitsAny(scope.processNames, table.processes()[i].name);
    }
    [[nodiscard]] bool hasProcess(const store::FrameNode& root) const {
        const auto process = store::unpackRoot(root).process.value;
        return process < processes.size() && processes[process];
    }
    [[nodiscard]] bool hasModule(store::ModuleIndex module) const {
        return module.value < modules.size() && modules[module.value];
    }
};

void sortAddresses(ModuleDemand& demand) {
    auto& addresses = demand.addresses;
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

/// Nothing for addresses outside all modules, or of a runtime that provides all names itself.
std::optional<analysis::CodeLocation::Asked> askedOf(const CodeLocations& places, std::uint32_t node) {
    const auto place = places.placeOfNode()[node];
    if (place == CodeLocations::kNoPlace) return std::nullopt;
    return places.places()[place].asked();
}

class DemandBuilder {
  public:
    DemandBuilder(const store::PublishedTrace& trace, const SymbolScope& scope, const CodeLocations& places,
                  std::vector<ByteCount> bytes)
        : trace_(trace),
          places_(places),
          wanted_(*trace.processes, scope),
          bytes_(std::move(bytes)),
          demands_(trace.processes->modules().size()) {}

    std::vector<ModuleDemand> build() {
        isWanted_.resize(trace_.nodeCount);
        for (std::uint32_t node = 1; node < trace_.nodeCount; ++node)
            visit(node);
        std::vector<ModuleDemand> asked;
        for (std::uint32_t i = 0; i < demands_.size(); ++i) {
            auto& demand = demands_[i];
            if (demand.frames == 0) continue;
            demand.module = store::ModuleIndex{i};
            sortAddresses(demand);
            asked.push_back(std::move(demand));
        }
        std::stable_sort(asked.begin(), asked.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
        return asked;
    }

  private:
    void visit(std::uint32_t number) {
        const auto& node = trace_.columns->stacks.node(FrameNodeId{number});
        if (node.depth == 0) {
            isWanted_[number] = wanted_.hasProcess(node);
            return;
        }
        isWanted_[number] = isWanted_[node.parent.value];
        const auto asked = askedOf(places_, number);
        if (!isWanted_[number] || !asked || !wanted_.hasModule(asked->module)) return;
        auto& demand = demands_[asked->module.value];
        ++demand.frames;
        demand.addresses.push_back(asked->address);
        if (!isBelow(node.parent.value, asked->module)) demand.bytes += bytes_[number];
    }
    /// Whether the stack already passed through the module, whose bytes count once.
    [[nodiscard]] bool isBelow(std::uint32_t node, store::ModuleIndex module) const {
        for (;; node = trace_.columns->stacks.node(FrameNodeId{node}).parent.value) {
            if (trace_.columns->stacks.node(FrameNodeId{node}).depth == 0) return false;
            const auto asked = askedOf(places_, node);
            if (asked && asked->module == module) return true;
        }
    }

    const store::PublishedTrace& trace_;
    const CodeLocations& places_;
    Wanted wanted_;
    std::vector<ByteCount> bytes_;      ///< by node
    std::vector<ModuleDemand> demands_; ///< by module
    std::vector<bool> isWanted_;        ///< by node
};

const store::FrameNode& rootOf(const store::PublishedTrace& trace, std::uint32_t node) {
    const auto* at = &trace.columns->stacks.node(FrameNodeId{node});
    while (at->depth != 0)
        at = &trace.columns->stacks.node(at->parent);
    return *at;
}

} // namespace

std::vector<ModuleDemand> SymbolDemand::ofAll(const store::PublishedTrace& trace, const SymbolScope& scope) {
    if (trace.codeNamed > 0) return {}; // the names came with the file
    auto bytes = bytesOfNodes(trace);   // the longer part, outside the lock
    const std::lock_guard lock(mutex_);
    if (!places_) places_.emplace();
    places_->update(trace);
    auto demands = DemandBuilder(trace, scope, *places_, std::move(bytes)).build();
    if (trace.nodeCount > kMostNodesKept) places_.reset();
    return demands;
}

std::vector<ModuleDemand> symbolDemand(const store::PublishedTrace& trace, const SymbolScope& scope) {
    return SymbolDemand().ofAll(trace, scope);
}

std::vector<ModuleDemand> symbolDemandOfLabels(const store::PublishedTrace& trace, const SymbolScope& scope,
                                               analysis::FrameLabels& labels,
                                               std::span<const analysis::LabelId> wanted) {
    if (trace.codeNamed > 0) return {};
    const Wanted allowed(*trace.processes, scope);
    std::vector<ModuleDemand> demands;
    labels.visitAsked(*labels.labelsOf(trace), wanted, [&](FrameNodeId node, analysis::CodeLocation::Asked asked) {
        if (node.value >= trace.nodeCount || !allowed.hasModule(asked.module)) return;
        if (!allowed.hasProcess(rootOf(trace, node.value))) return;
        auto at = std::find_if(demands.begin(), demands.end(), [&](auto& d) { return d.module == asked.module; });
        if (at == demands.end()) at = demands.insert(demands.end(), ModuleDemand{asked.module, {}, 0, 0});
        at->addresses.push_back(asked.address);
    });
    for (auto& demand : demands)
        sortAddresses(demand);
    return demands;
}

} // namespace highwater::pipeline
