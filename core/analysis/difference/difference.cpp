#include "core/analysis/difference/difference.h"

#include "core/analysis/difference/difference_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace highwater::analysis {
namespace {

std::optional<Error> refusalOf(const DifferenceQuery& query) {
    if (!isOfAllocations(query.table) && query.table != Table::Snapshot)
        return Error{ErrorKind::Usage, "Cannot compare this table. Use virtualalloc or heap."};
    if (query.before.empty() || query.after.empty())
        return Error{ErrorKind::Usage, "Each side of a comparison needs a trace."};
    const auto hasInstance = [](const ComparedTrace& compared) { return compared.instances.only != 0; };
    const bool areInstances = std::all_of(query.before.begin(), query.before.end(), hasInstance) &&
                              std::all_of(query.after.begin(), query.after.end(), hasInstance);
    if (query.table == Table::Snapshot && !areInstances)
        return Error{ErrorKind::Usage,
                     "Specify the two heap snapshots to compare by their numbers: diff TRACE --snapshots 8:9."};
    if (const auto why = whyNoMeasure(query, query.decides); !why.empty())
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is not meaningful because {}.", measureName(query.decides), why)};
    for (const auto key : query.keys) {
        if (isComparable(key)) continue;
        return Error{
            ErrorKind::Usage,
            fmt::format(
                "{} cannot be compared between traces. Traces can be compared by Process, Process Name, Thread Name, "
                "Stack, Stack (bottom-up), Type, Impacting Type, Source, Is Realloc, FreeType and Annotation.",
                columnName(query.table, key))};
    }
    return std::nullopt;
}

/// Removes duplicate columns; Process and Process Name count as the same.
std::vector<Column> keysOf(const std::vector<Column>& asked) {
    std::vector<Column> keys;
    for (const auto key : asked) {
        const auto isNamed = key == Column::Process || key == Column::ProcessName;
        const bool isThere = std::any_of(keys.begin(), keys.end(), [&](Column known) {
            return known == key || (isNamed && (known == Column::Process || known == Column::ProcessName));
        });
        if (!isThere) keys.push_back(key);
    }
    return keys;
}

} // namespace

Difference::Difference(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Difference::~Difference() = default;

Result<std::shared_ptr<Difference>> Difference::compute(DifferenceQuery query, std::stop_token stop) {
    if (auto refusal = refusalOf(query)) return *std::move(refusal);
    query.keys = keysOf(query.keys);
    auto impl = std::make_unique<Impl>(std::move(query));
    TRY(impl->select(stop));
    TRY(impl->collect(stop));
    TRY(impl->judge(stop));
    if (impl->query.isByOwner) {
        TRY(impl->judgeOwners(stop));
    }
    if (stop.stop_requested()) return cancelled();
    return std::shared_ptr<Difference>(new Difference(std::move(impl)));
}

const DifferenceQuery& Difference::query() const { return impl_->query; }

const std::vector<Difference::NodeId>& Difference::children(NodeId id, std::stop_token stop) {
    auto& node = impl_->nodes[id];
    if (node.isOpen || !hasChildren(id)) return node.children;
    const auto groups = impl_->tree.groups(node.range, node.depth);
    if (stop.stop_requested()) return impl_->none;
    for (const auto group : groups) {
        node.children.push_back(static_cast<NodeId>(impl_->nodes.size()));
        impl_->nodes.push_back({.range = group, .parent = id, .depth = node.depth + 1});
    }
    impl_->sortChildren(node.children);
    node.isOpen = true;
    return node.children;
}

bool Difference::hasChildren(NodeId node) const {
    return impl_->tree.hasGroups(impl_->nodes[node].range, impl_->nodes[node].depth);
}

Difference::NodeId Difference::parent(NodeId node) const { return impl_->nodes[node].parent; }

Column Difference::column(NodeId id) const {
    const auto& node = impl_->nodes[id];
    if (node.depth == 0) return impl_->query.keys.empty() ? Column::Process : impl_->query.keys.front();
    const auto step = impl_->tree.path(impl_->tree.of(node.range).front())[node.depth - 1];
    return impl_->query.keys[keyOfStep(step)];
}

std::string Difference::text(NodeId id) const {
    const auto& node = impl_->nodes[id];
    if (node.depth == 0) return {};
    return impl_->texts.text(placeOfStep(impl_->tree.path(impl_->tree.of(node.range).front())[node.depth - 1]));
}

DifferenceState Difference::state(NodeId node) const {
    const auto range = impl_->nodes[node].range;
    return impl_->stateOf(impl_->values(range, impl_->query.decides), impl_->values(range, Measure::Count),
                          impl_->limit);
}

Change Difference::change(NodeId node, Measure measure) const {
    return impl_->changeOf(impl_->values(impl_->nodes[node].range, measure));
}

Change Difference::changeOf(std::span<const NodeId> nodes, Measure measure) const {
    std::vector<std::int64_t> sums(impl_->traces);
    for (const auto node : nodes) {
        const auto values = impl_->values(impl_->nodes[node].range, measure);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[i]) + static_cast<std::uint64_t>(values[i]));
    }
    return impl_->changeOf(sums);
}

std::vector<std::int64_t> Difference::values(NodeId node, Measure measure, Side side) const {
    const auto all = impl_->values(impl_->nodes[node].range, measure);
    const auto ofSide = impl_->sideOf(all, side);
    return {ofSide.begin(), ofSide.end()};
}

Result<void> Difference::computePeaks(std::span<const NodeId> nodes, const std::stop_token& stop) {
    std::vector<EntryRange> ranges;
    for (const auto node : nodes)
        ranges.push_back(impl_->nodes[node].range);
    return impl_->computePeaks(std::move(ranges), stop);
}

const std::vector<OwnerChange>& Difference::owners() const { return impl_->owners; }

std::vector<KeyPath> Difference::paths(NodeId id, Side side, std::size_t number) const {
    const auto& node = impl_->nodes[id];
    const auto trace = number + (side == Side::Before ? 0 : impl_->query.before.size());
    const auto& selection = *impl_->selections[trace];
    std::set<std::vector<std::pair<Column, std::uint64_t>>> different;
    for (const auto& entry : impl_->tree.of(node.range)) {
        if (entry.trace != trace) continue;
        const auto& cell = selection.cells()[entry.cell].key;
        std::vector<std::pair<Column, std::uint64_t>> path;
        for (const auto key : impl_->query.keys) {
            if (path.size() >= node.depth) break;
            if (!isStack(key)) {
                path.emplace_back(key, selection.reader().key(key, cell));
                continue;
            }
            for (const auto label : selection.reader().stack(key, cell))
                if (path.size() < node.depth) path.emplace_back(key, label);
        }
        different.insert(std::move(path));
    }
    std::vector<KeyPath> paths;
    for (const auto& path : different) {
        auto& steps = paths.emplace_back();
        for (const auto& [column, key] : path)
            steps.push_back({column, key});
    }
    return paths;
}

TraceTime Difference::length(Side side) const {
    std::vector<std::int64_t> lengths;
    for (const auto& compared : side == Side::Before ? impl_->query.before : impl_->query.after) {
        const auto start = std::max(compared.interval.start, compared.trace->wholeRange().start);
        const auto end = std::min(compared.interval.end, compared.trace->horizon);
        lengths.push_back(start < end ? end.ns - start.ns : 0);
    }
    return TraceTime{medianOf(std::move(lengths))};
}

const MergedFrames& Difference::merged() const { return impl_->texts.merged(); }

/// Paths with the same prefix are adjacent.
bool Difference::haveNoCommonStacks() const {
    using Sides = std::array<bool, 2>;
    Sides seen{}, here{};
    std::span<const DifferenceEntries::Step> group;
    for (const auto& entry : impl_->tree.of(impl_->tree.all())) {
        const auto path = impl_->tree.path(entry);
        const auto call = std::ranges::find_if(
            path, [&](DifferenceEntries::Step step) { return isStack(impl_->query.keys[keyOfStep(step)]); });
        if (call == path.end()) continue;
        const auto upToCall = path.first(static_cast<std::size_t>(call - path.begin()) + 1);
        if (!std::ranges::equal(upToCall, group)) here = {};
        group = upToCall;
        const std::size_t side = entry.trace < impl_->query.before.size() ? 0 : 1;
        seen[side] = here[side] = true;
        if (here[0] && here[1]) return false;
    }
    return seen[0] && seen[1];
}

} // namespace highwater::analysis
