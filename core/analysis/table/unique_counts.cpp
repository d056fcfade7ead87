#include "core/analysis/table/unique_counts.h"

#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/table/distinct_values.h"
#include "core/analysis/table/row_statistics.h"

namespace highwater::analysis {
namespace {

/// The nodes that contain the rows of a cell: none, or several if nodes are nested.
class NodesOfCells {
  public:
    explicit NodesOfCells(std::size_t cells) : starts_(cells + 1) {}

    void add(std::uint64_t cell, std::uint32_t node) {
        pairs_.push_back({static_cast<std::uint32_t>(cell), node});
        ++starts_[cell + 1];
    }
    /// After the last add(), before of().
    void finish() {
        for (std::size_t i = 1; i < starts_.size(); ++i) {
            starts_[i] += starts_[i - 1];
        }
        nodes_.resize(pairs_.size());
        auto next = starts_;
        for (const auto& pair : pairs_) {
            nodes_[next[pair.cell]++] = pair.node;
        }
    }
    [[nodiscard]] bool isEmpty() const { return pairs_.empty(); }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t cell) const {
        return std::span(nodes_).subspan(starts_[cell], starts_[cell + 1] - starts_[cell]);
    }

  private:
    struct Pair {
        std::uint32_t cell;
        std::uint32_t node;
    };
    std::vector<Pair> pairs_;
    std::vector<std::uint64_t> starts_; ///< by cell
    std::vector<std::uint32_t> nodes_;
};

/// The key of an element in a column that all rows of a cell share, if it has a value.
std::optional<std::uint64_t> keyOf(const RowSelection& selection, const NodeTree& tree, Column column,
                                   NodeTree::Element element) {
    const auto& reader = selection.reader();
    const auto cell = tree.keyOf(element);
    const auto key = isStack(column) ? reader.stackKey(column, cell) : reader.key(column, cell);
    if (!KeyReader::exists(column, key)) return std::nullopt;
    return key;
}

/// Visits the rows of some nodes.
class ValuePass {
  public:
    ValuePass(const RowSelection& selection, const NodeTree& tree, Column rowColumn,
              std::span<const NodeTree::NodeId> nodes)
        : selection_(selection),
          tree_(tree),
          column_(rowColumn),
          values_(selection.reader()),
          nodes_(nodes),
          nodesOfCells_(selection.cells().size()) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            for (const auto element : tree.elements(nodes[i])) {
                if ((element & NodeTree::kRow) == 0) nodesOfCells_.add(element, i);
            }
        }
        nodesOfCells_.finish();
    }

    bool run(DistinctValues& distinct, unsigned workers, const std::stop_token& stop) const {
        const auto& population = selection_.population();
        const bool finished =
            nodesOfCells_.isEmpty() ||
            population.visitMembers(workers, stop, [&](unsigned worker, std::span<const Member> members) {
                for (const auto& member : members) {
                    const auto nodes = nodesOfCells_.of(member.cell);
                    if (nodes.empty()) continue;
                    const auto value = values_.of(column_, population.numbersOf(member.row));
                    if (!value) continue;
                    for (const auto node : nodes) {
                        distinct.add(worker, node, *value);
                    }
                }
            });
        return finished && addRows(distinct, stop);
    }

  private:
    /// Adds the values of nodes whose elements are rows.
    bool addRows(DistinctValues& distinct, const std::stop_token& stop) const {
        std::uint32_t seen = 0;
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            for (const auto element : tree_.elements(nodes_[i])) {
                if ((element & NodeTree::kRow) == 0) continue;
                if (++seen % kStopEvery == 0 && stop.stop_requested()) return false;
                const auto row = selection_.population().numbersOf(element & ~NodeTree::kRow);
                if (const auto value = values_.of(column_, row)) distinct.add(0, i, *value);
            }
        }
        return true;
    }

    const RowSelection& selection_;
    const NodeTree& tree_;
    Column column_;
    RowValues values_;
    std::span<const NodeTree::NodeId> nodes_;
    NodesOfCells nodesOfCells_;
};

bool addKeys(const RowSelection& selection, const NodeTree& tree, Column column,
             std::span<const NodeTree::NodeId> nodes, DistinctValues& distinct, const std::stop_token& stop) {
    std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        for (const auto element : tree.elements(nodes[i])) {
            if (++seen % kStopEvery == 0 && stop.stop_requested()) return false;
            if (const auto key = keyOf(selection, tree, column, element)) distinct.add(0, i, *key);
        }
    }
    return true;
}

} // namespace

Result<std::vector<std::uint64_t>> countUnique(const RowSelection& selection, const NodeTree& tree, Column column,
                                               std::span<const NodeTree::NodeId> nodes, const std::stop_token& stop) {
    const auto rowColumn = RowValues::rowColumn(column);
    std::uint64_t expected = 0;
    for (const auto node : nodes) {
        expected += rowColumn ? tree.node(node).sums.rows : tree.elements(node).size();
    }
    const auto workers = rowColumn ? selection.population().workers() : 1;
    DistinctValues distinct(workers, nodes.size(), expected);
    std::optional<ValuePass> pass;
    if (rowColumn) pass.emplace(selection, tree, *rowColumn, nodes);
    while (!distinct.isDone()) {
        const bool added =
            pass ? pass->run(distinct, workers, stop) : addKeys(selection, tree, column, nodes, distinct, stop);
        if (!added || !distinct.endRound(stop)) return cancelled();
    }
    return distinct.counts();
}

} // namespace highwater::analysis
