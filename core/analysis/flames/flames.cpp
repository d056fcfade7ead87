#include "core/analysis/flames/flames.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/flames/flame_paths.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::array kMeasures{Column::ImpactingSize, Column::Size,      Column::Count,
                               Column::PeakSize,      Column::Allocated, Column::Freed};
constexpr std::array kMeasuresOfFrees{Column::Size, Column::Count};

/// Widths by their size, a sixteenth of a power of two each: to find how wide frames must be for all to have room.
class WidthHistogram {
  public:
    void add(std::uint64_t width) { ++counts_[bucketOf(width)]; }
    /// No more than `most` are that wide.
    [[nodiscard]] std::uint64_t narrowest(std::uint64_t most) const {
        std::uint64_t frames = 0;
        auto bucket = counts_.size();
        while (bucket > 0 && frames + counts_[bucket - 1] <= most)
            frames += counts_[--bucket];
        return bucket == counts_.size() ? ~std::uint64_t{0} : firstOf(bucket);
    }

  private:
    static constexpr unsigned kParts = 16;
    static std::size_t bucketOf(std::uint64_t width) {
        if (width < kParts) return static_cast<std::size_t>(width);
        const auto shift = static_cast<unsigned>(std::bit_width(width)) - 5;
        return (shift + 1) * kParts + static_cast<std::size_t>((width >> shift) - kParts);
    }
    static std::uint64_t firstOf(std::size_t bucket) {
        if (bucket < kParts) return bucket;
        const auto shift = bucket / kParts - 1;
        return (bucket % kParts + kParts) << shift;
    }
    std::array<std::uint64_t, std::size_t{61} * kParts> counts_{};
};

/// Makes nodes of paths, level by level.
class TreeBuilder {
  public:
    TreeBuilder(const FlamePaths& paths, const KeyReader& reader, std::uint64_t mostFrames)
        : paths_(paths), reader_(reader), most_(mostFrames) {}

    /// False when stopped.
    bool build(FlameTree& tree, const std::stop_token& stop) {
        const auto all = paths_.all();
        const auto frames = paths_.valuesOf(all).frames;
        if (most_ > 0 && frames > most_ && !findNarrowest(all, stop)) return false;
        tree.nodes.front() = nodeOf(all);
        ranges_.push_back(all);
        for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
            if (node % kStopEvery == 0 && stop.stop_requested()) return false;
            if (!tree.nodes[node].isMore()) addChildren(tree, node);
        }
        return true;
    }

  private:
    struct Child {
        FlamePaths::Range range;
        FlameNode node;
    };

    bool findNarrowest(const FlamePaths::Range& all, const std::stop_token& stop) {
        WidthHistogram widths;
        std::vector<FlamePaths::Range> waiting{all};
        for (std::uint32_t seen = 0; !waiting.empty(); ++seen) {
            if (seen % kStopEvery == 0 && stop.stop_requested()) return false;
            const auto range = waiting.back();
            waiting.pop_back();
            widths.add(paths_.widthOf(range));
            paths_.visitChildren(range, [&](const FlamePaths::Range& child) { waiting.push_back(child); });
        }
        narrowest_ = widths.narrowest(most_);
        return true;
    }

    [[nodiscard]] FlameNode nodeOf(const FlamePaths::Range& range) const {
        const auto values = paths_.valuesOf(range);
        FlameNode node;
        node.width = values.width;
        node.now = values.now;
        node.before = values.before;
        node.ownNow = values.ownNow;
        node.ownBefore = values.ownBefore;
        node.count = values.count;
        node.frames = values.frames;
        return node;
    }

    void addChildren(FlameTree& tree, std::uint32_t parent) {
        std::vector<Child> children;
        FlameNode more;
        more.frames = 0;
        paths_.visitChildren(ranges_[parent], [&](const FlamePaths::Range& range) {
            if (paths_.widthOf(range) >= narrowest_)
                children.push_back({range, nodeOf(range)});
            else
                add(nodeOf(range), more);
        });
        for (auto& child : children)
            child.node.label = labelOf(tree, child.range);
        tree.cut += more.frames;
        more.label = FlameNode::kMore;
        more.ownNow = more.now;
        more.ownBefore = more.before;
        if (more.frames > 0) children.push_back({{}, more});
        std::stable_sort(children.begin(), children.end(), [&](const Child& a, const Child& b) {
            if (a.node.width != b.node.width) return a.node.width > b.node.width;
            // Labels have numbers in the order in which somebody asked for them first.
            if (a.node.isMore() || b.node.isMore()) return b.node.isMore() && !a.node.isMore();
            return tree.labels[a.node.label].text < tree.labels[b.node.label].text;
        });
        place(tree, parent, children);
    }

    static void add(const FlameNode& node, FlameNode& sum) {
        sum.width += node.width;
        sum.count += node.count;
        sum.frames += node.frames;
        sum.now = wrappedSum(sum.now, node.now);
        sum.before = wrappedSum(sum.before, node.before);
    }
    static SignedByteCount wrappedSum(SignedByteCount a, SignedByteCount b) {
        return static_cast<SignedByteCount>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }

    void place(FlameTree& tree, std::uint32_t parent, const std::vector<Child>& children) {
        auto begin = tree.nodes[parent].begin;
        const auto depth = tree.nodes[parent].depth + 1;
        tree.nodes[parent].firstChild = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes[parent].childCount = static_cast<std::uint32_t>(children.size());
        for (const auto& [range, made] : children) {
            auto node = made;
            node.begin = begin;
            node.parent = parent;
            node.depth = depth;
            begin += node.width;
            tree.depth = std::max(tree.depth, depth);
            tree.nodes.push_back(node);
            ranges_.push_back(range);
        }
    }

    std::uint32_t labelOf(FlameTree& tree, const FlamePaths::Range& range) {
        const auto step = paths_.lastStep(range);
        auto& known = labels_[step.column];
        const auto [entry, isNew] = known.try_emplace(step.key, static_cast<std::uint32_t>(tree.labels.size()));
        if (isNew) tree.labels.push_back({step.column, step.key, reader_.text(step.column, step.key)});
        return entry->second;
    }

    const FlamePaths& paths_;
    const KeyReader& reader_;
    std::uint64_t most_;
    std::uint64_t narrowest_ = 1;
    std::vector<FlamePaths::Range> ranges_; ///< by node
    std::map<Column, tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash>> labels_;
};

std::optional<Error> refusalOf(const FlameQuery& query) {
    for (const auto key : query.keys) {
        if (!isAggregate(key)) continue;
        return Error{ErrorKind::Usage, fmt::format("Frames cannot be groups of \"{}\": it is a sum over rows.",
                                                   columnName(query.table, key))};
    }
    const auto known = flameMeasuresOf(query.table);
    if (std::find(known.begin(), known.end(), query.measure) != known.end()) return std::nullopt;
    return Error{ErrorKind::Usage, fmt::format("Frames of \"{}\" cannot be as wide as \"{}\".", tableTitle(query.table),
                                               columnName(query.table, query.measure))};
}

/// Each once, and none that tells single rows apart: each row would be a frame.
std::vector<Column> keysOf(const FlameQuery& query) {
    std::vector<Column> keys;
    for (const auto key : query.keys) {
        if (!isOfSingleRows(key) && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

Result<std::unique_ptr<RowSelection>> select(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const FlameQuery& query, TimeRange interval, const std::stop_token& stop) {
    ColumnSet columns;
    for (const auto key : keysOf(query))
        columns.add(key);
    return RowSelection::make(trace, labels,
                              {query.table, interval, Membership::Table, columns, &query.filter,
                               query.processExitFreesHeap, query.allocatorFrames.get()},
                              stop);
}

} // namespace

std::span<const Column> flameMeasuresOf(Table table) {
    return !isOfAllocations(table) ? std::span<const Column>(kMeasuresOfFrees) : std::span<const Column>(kMeasures);
}

Result<FlameTree> computeFlames(const store::PublishedTrace& trace, FrameLabels& labels, const FlameQuery& query,
                                const std::stop_token& stop) {
    if (auto refusal = refusalOf(query)) return *std::move(refusal);
    FlameTree tree;
    FlamePaths paths(keysOf(query));
    const auto now = select(trace, labels, query, query.interval, stop);
    if (!now.hasValue()) return now.error();
    const auto amounts = flameAmountsOf(*now.value(), query.table, query.measure, stop);
    if (!amounts) return cancelled();
    paths.add(*now.value(), *amounts, FlamePaths::Of::Now);
    tree.peakTime = amounts->peakTime;
    std::unique_ptr<RowSelection> before; // its stacks are looked at until the end
    if (query.before) {
        auto selected = select(trace, labels, query, *query.before, stop);
        if (!selected.hasValue()) return selected.error();
        before = std::move(selected).value();
        const auto amountsBefore = flameAmountsOf(*before, query.table, query.measure, stop);
        if (!amountsBefore) return cancelled();
        paths.add(*before, *amountsBefore, FlamePaths::Of::Before);
        tree.hasBefore = true;
    }
    if (!paths.finish(stop)) return cancelled();
    tree.notDrawn = paths.notDrawn();
    if (!TreeBuilder(paths, now.value()->reader(), query.mostFrames).build(tree, stop)) return cancelled();
    return tree;
}

} // namespace highwater::analysis
