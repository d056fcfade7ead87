#include "core/analysis/table/table_search.h"

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/group_matcher.h"

#include <algorithm>
#include <vector>

namespace highwater::analysis {
namespace {

using NodeId = GroupedTable::NodeId;

/// Groups whose peaks are computed together, at 256 bytes each.
constexpr std::size_t kMostAtOnce = 1u << 16;

/// A position among siblings; `at` is -1 before the first, and their number after the last.
struct Level {
    const std::vector<NodeId>* siblings = nullptr;
    std::ptrdiff_t at = -1;
};

/// Adds every column that groups may share values of, because rows are distinguished only by requested columns.
Query withColumns(Query query, const QueryExpression& expression) {
    const auto missing = [&](Column column) {
        return std::find(query.keys.begin(), query.keys.end(), column) == query.keys.end() &&
               std::find(query.columns.begin(), query.columns.end(), column) == query.columns.end();
    };
    for (const auto column : columnsOf(query.table)) {
        if (isAggregate(column) || isStack(column) || !expression.columns().contains(column)) continue;
        if (missing(column)) query.columns.push_back(column);
    }
    return query;
}

} // namespace

class TableSearch::Impl {
  public:
    Impl(std::shared_ptr<GroupedTable> table, const QueryExpression& expression)
        : table_(std::move(table)), matcher_(*table_, expression) {}

    /// Starts at a path, before the first row, or after the last.
    Result<void> start(const KeyPath& from, Direction direction, const std::stop_token& stop);
    /// To the next match; nothing: no match.
    Result<std::optional<NodeId>> advance(Direction direction, const std::stop_token& stop);
    [[nodiscard]] KeyPath path(NodeId node) const { return table_->path(node); }
    /// Level by level instead of in row order, so that one sweep computes the peaks of many groups.
    Result<Hits> count(const std::stop_token& stop);
    Result<std::optional<std::vector<KeyPath>>> groups(std::size_t limit, const std::stop_token& stop);

  private:
    /// Its children, with their peaks if these matter. Nothing: stopped.
    const std::vector<NodeId>* open(NodeId node, const std::stop_token& stop);
    /// False: stopped.
    bool measure(const std::vector<NodeId>& nodes, const std::stop_token& stop);
    /// Counts the matches among the nodes, and adds the nodes to search below to `next`. False: stopped.
    bool countNodes(const std::vector<NodeId>& nodes, Hits& hits, std::vector<NodeId>& next,
                    const std::stop_token& stop);
    [[nodiscard]] NodeId current() const {
        return (*levels_.back().siblings)[static_cast<std::size_t>(levels_.back().at)];
    }
    /// To the next row in order, skipping nodes that cannot match. False: stopped; no levels: the end.
    bool moveForward(const std::stop_token& stop);
    bool moveBackward(const std::stop_token& stop);
    /// Into the current node, before its first or after its last child, if something may match there. Nothing: stopped.
    std::optional<bool> enter(Direction direction, const std::stop_token& stop);

    std::shared_ptr<GroupedTable> table_;
    GroupMatcher matcher_;
    std::vector<Level> levels_;
};

const std::vector<NodeId>* TableSearch::Impl::open(NodeId node, const std::stop_token& stop) {
    const auto& children = table_->children(node, stop);
    if (stop.stop_requested()) return nullptr;
    return measure(children, stop) ? &children : nullptr;
}

bool TableSearch::Impl::measure(const std::vector<NodeId>& nodes, const std::stop_token& stop) {
    std::vector<NodeId> unmeasured;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(unmeasured),
                 [&](auto node) { return matcher_.needsPeak(node); });
    return unmeasured.empty() || table_->computePeaks(unmeasured, stop).hasValue();
}

std::optional<bool> TableSearch::Impl::enter(Direction direction, const std::stop_token& stop) {
    const auto node = current();
    if (!matcher_.mayMatchBelow(node)) return false;
    const auto* children = open(node, stop);
    if (children == nullptr) return std::nullopt;
    levels_.push_back({children, direction == Direction::Forward ? -1 : std::ssize(*children)});
    return true;
}

Result<void> TableSearch::Impl::start(const KeyPath& from, Direction direction, const std::stop_token& stop) {
    levels_.clear();
    const auto* children = open(GroupedTable::kRoot, stop);
    if (children == nullptr) return cancelled();
    levels_.push_back({children, direction == Direction::Forward ? -1 : std::ssize(*children)});
    const auto path = table_->renewed(from);
    for (const auto& step : path) {
        const auto place = std::find_if(children->begin(), children->end(), [&](auto child) {
            return table_->column(child) == step.column && table_->key(child) == step.key;
        });
        if (place == children->end()) break;
        const Level level{children, place - children->begin()};
        if (&step == &path.front()) {
            levels_.back() = level;
        } else {
            levels_.push_back(level);
        }
        if (&step == &path.back()) break;
        children = open(*place, stop);
        if (children == nullptr) return cancelled();
    }
    return {};
}

bool TableSearch::Impl::moveForward(const std::stop_token& stop) {
    if (levels_.back().at >= 0 && !enter(Direction::Forward, stop)) return false;
    while (!levels_.empty() && ++levels_.back().at >= std::ssize(*levels_.back().siblings)) {
        levels_.pop_back();
    }
    return true;
}

bool TableSearch::Impl::moveBackward(const std::stop_token& stop) {
    if (levels_.back().at == 0) {
        levels_.pop_back(); // to the parent, which precedes its children
        return true;
    }
    for (;;) {
        --levels_.back().at;
        const auto entered = enter(Direction::Backward, stop);
        if (!entered) return false;
        if (!*entered) return true;
    }
}

Result<std::optional<NodeId>> TableSearch::Impl::advance(Direction direction, const std::stop_token& stop) {
    if (levels_.empty() || levels_.front().siblings->empty()) return std::optional<NodeId>();
    for (;;) {
        const bool finished = direction == Direction::Forward ? moveForward(stop) : moveBackward(stop);
        if (!finished || stop.stop_requested()) return cancelled();
        if (levels_.empty()) return std::optional<NodeId>();
        if (matcher_.matches(current())) return std::optional(current());
    }
}

bool TableSearch::Impl::countNodes(const std::vector<NodeId>& nodes, Hits& hits, std::vector<NodeId>& next,
                                   const std::stop_token& stop) {
    if (!measure(nodes, stop)) return false;
    for (const auto node : nodes) {
        if (stop.stop_requested()) return false;
        if (matcher_.matches(node) && hits.count++ == kMostCounted) {
            hits = {kMostCounted, true};
            return true;
        }
        if (matcher_.mayMatchBelow(node)) next.push_back(node);
    }
    return true;
}

Result<TableSearch::Hits> TableSearch::Impl::count(const std::stop_token& stop) {
    Hits hits;
    std::vector<NodeId> level{GroupedTable::kRoot};
    while (!level.empty() && !hits.isMore) {
        std::vector<NodeId> next;
        std::vector<NodeId> batch;
        for (std::size_t i = 0; i < level.size() && !hits.isMore; ++i) {
            const auto& children = table_->children(level[i], stop);
            if (stop.stop_requested()) return cancelled();
            batch.insert(batch.end(), children.begin(), children.end());
            if (batch.size() < kMostAtOnce && i + 1 < level.size()) continue;
            if (!countNodes(batch, hits, next, stop)) return cancelled();
            batch.clear();
        }
        level = std::move(next);
    }
    return hits;
}

Result<std::optional<std::vector<KeyPath>>> TableSearch::Impl::groups(std::size_t limit, const std::stop_token& stop) {
    std::vector<KeyPath> found;
    std::vector<NodeId> waiting{GroupedTable::kRoot};
    while (!waiting.empty()) {
        const auto node = waiting.back();
        waiting.pop_back();
        const auto* children = open(node, stop);
        if (children == nullptr) return cancelled();
        for (const auto child : *children) {
            if (stop.stop_requested()) return cancelled();
            if (!matcher_.matches(child)) {
                if (matcher_.mayMatchBelow(child)) waiting.push_back(child);
            } else if (found.size() == limit) {
                return std::optional<std::vector<KeyPath>>();
            } else {
                found.push_back(table_->path(child));
            }
        }
    }
    return std::optional(std::move(found));
}

TableSearch::TableSearch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableSearch::~TableSearch() = default;

Result<std::unique_ptr<TableSearch>> TableSearch::make(std::shared_ptr<const store::PublishedTrace> trace,
                                                       std::shared_ptr<FrameLabels> labels, Query query,
                                                       const QueryExpression& expression, std::stop_token stop) {
    if (expression.table() != query.table) {
        return Error{ErrorKind::Usage, "The query is for a different table than the one that is searched."};
    }
    auto table = TRY(
        GroupedTable::compute(std::move(trace), std::move(labels), withColumns(std::move(query), expression), stop));
    auto impl = std::make_unique<Impl>(std::move(table), expression);
    return std::unique_ptr<TableSearch>(new TableSearch(std::move(impl)));
}

Result<std::optional<KeyPath>> TableSearch::next(const KeyPath& from, Direction direction, std::stop_token stop) {
    TRY(impl_->start(from, direction, stop));
    const auto found = TRY(impl_->advance(direction, stop));
    if (!found) return std::optional<KeyPath>();
    return std::optional(impl_->path(*found));
}

Result<TableSearch::Hits> TableSearch::count(std::stop_token stop) { return impl_->count(stop); }

Result<std::optional<std::vector<KeyPath>>> TableSearch::groups(std::size_t limit, std::stop_token stop) {
    return impl_->groups(limit, stop);
}

} // namespace highwater::analysis
