#include "core/analysis/columns/cell_text.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/analysis/timeline/new_bytes.h"
#include "tests/core/analysis/random_query.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <utility>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr unsigned kSeeds = HIGHWATER_RANDOM_TRACES;

struct Group {
    std::vector<RecountRow> rows;
};

std::string describe(const TextPath& path) {
    std::string text;
    for (const auto& [column, key] : path) {
        text += fmt::format("/{}={}", columnName(Table::Heap, column), key);
    }
    return text;
}

std::string describe(const RecountSums& s) {
    return fmt::format("count {} size {} impacting {} allocated {} freed {} peak {}", s.count, s.size, s.impacting,
                       s.allocated, s.freed, s.peak);
}

std::int64_t number(const CellValue& value) {
    const auto* n = std::get_if<std::int64_t>(&value);
    return n == nullptr ? 0 : *n;
}

std::shared_ptr<FrameLabels> labelsWithTags() {
    auto tags = std::make_shared<StackTags>();
    if (!tags->add(kRecountedStackTags, "tags").hasValue()) qFatal("The tags are wrong.");
    auto labels = std::make_shared<FrameLabels>();
    labels->setStackTags(std::move(tags));
    return labels;
}

/// Compares one query with the recount; returns the first difference as text, "" if there is none.
class Comparison {
  public:
    Comparison(RandomTrace& random, const Publication& publication) : random_(random), publication_(publication) {
        query_.table = static_cast<Table>(random.pick(3));
        query_.interval = random.intervalOf(publication);
        query_.processExitFreesHeap = random.pick(3) == 0;
        query_.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
        query_.marks = std::make_shared<const std::vector<Mark>>(publication.model.marks);
        addLabels();
        const auto columns = recountedColumnsOf(query_.table);
        while (query_.keys.size() < 3 && random.pick(5) != 0) {
            const auto column = columns[random.pick(static_cast<unsigned>(columns.size()))];
            const bool isNew = std::find(query_.keys.begin(), query_.keys.end(), column) == query_.keys.end();
            if (!isAggregate(column) && isNew) query_.keys.push_back(column);
        }
        const bool asksForAll = random.pick(8) == 0;
        for (const auto column : columns) {
            if (!isAggregate(column) && (asksForAll || random.pick(8) == 0)) query_.columns.push_back(column);
            if (random.pick(3) == 0) query_.columns.push_back(anyAggregationOf(column));
        }
        while (query_.sort.size() < 4 && random.pick(2) == 0) {
            const auto by = anyAggregationOf(columns[random.pick(static_cast<unsigned>(columns.size()))]);
            query_.sort.push_back({by.column, random.pick(2) == 0, by.aggregation});
            if (!query_.keys.empty() && random.pick(3) == 0)
                query_.sort.push_back({query_.keys.back(), random.pick(2) == 0});
        }
    }

    /// Adds the table's columns that the query uses as keys or values, and those of its text query, if it has one.
    void addTo(std::map<Table, ColumnSet>& asked, std::map<Table, ColumnSet>& queried) const {
        for (const auto key : query_.keys)
            asked[query_.table].add(key);
        for (const auto& value : query_.columns)
            asked[query_.table].add(value.column);
        if (query_.filter.query) queried[query_.table].add(query_.filter.query->columns());
    }

    std::string run() {
        if (random_.pick(2) == 0) addQuery();
        auto difference = compareTable();
        if (difference.empty() && random_.pick(2) == 0) difference = compareFiltered();
        if (difference.empty()) difference = compareTimeline();
        if (difference.empty()) difference = compareOpenedTimeline();
        if (difference.empty() && query_.table != Table::Frees) difference = compareNewBytes();
        return difference.empty() ? difference : difference + " in " + describeQuery();
    }

  private:
    ValueColumn anyAggregationOf(Column column) {
        const auto offered = aggregationsOf(query_.table, column);
        return {column, offered[random_.pick(static_cast<unsigned>(offered.size()))]};
    }
    std::string describeQuery() const {
        auto text = fmt::format("{} {}..{} of {}{}, by", tableWord(query_.table), query_.interval.start.ns,
                                query_.interval.end.ns, publication_.trace->horizon.ns,
                                query_.processExitFreesHeap ? ", exit frees" : "");
        for (const auto column : query_.keys) {
            text += fmt::format(" [{}]", columnName(Table::Heap, column));
        }
        for (const auto& key : query_.sort) {
            text += fmt::format(" sorted by [{}]{}", valueColumnName(query_.table, key.value()),
                                key.descending ? " falling" : "");
        }
        for (const auto& path : filterPaths_) {
            text += " filter " + describe(path);
        }
        if (isRemoved()) text += " removed";
        if (text_.holds) text += " where " + text_.text;
        for (const auto& annotation : query_.annotations ? *query_.annotations : Annotations())
            text += " label " + annotation.label + " = " + annotation.text;
        return text;
    }
    bool isRemoved() const {
        const auto& clauses = query_.filter.clauses;
        return !clauses.empty() && clauses[0].mode == RowFilter::Clause::Mode::Remove;
    }
    void addQuery() {
        text_ = randomQuery(random_, query_.table, recount());
        const auto parsed = QueryExpression::parse(query_.table, text_.text);
        QVERIFY2(parsed.hasValue(), text_.text.c_str());
        query_.filter.query = parsed.value();
    }
    Recount recount() const {
        Recount recount(publication_.model, query_.table, query_.interval, publication_.trace->horizon,
                        query_.processExitFreesHeap, "D");
        recount.setLabels(labelsOfRows_);
        recount.setTags();
        return recount;
    }
    /// Some sets have a label twice, some leave rows without one, some match all remaining rows.
    void addLabels() {
        static const std::string kLabels[] = {"cache", "net", "Zebra", "(none)"};
        Annotations annotations;
        std::vector<Recount::Label> labels;
        while (annotations.size() < 4 && random_.pick(2) != 0) {
            const auto& label = kLabels[random_.pick(std::size(kLabels))];
            const bool isRest = random_.pick(8) == 0;
            auto query = randomQuery(random_, query_.table, recount(), Asking::NoLabels);
            if (isRest) query = {"", [](const Recount&, const RecountRow&) { return true; }};
            auto made = makeAnnotation(query_.table, label, query.text);
            QVERIFY2(made.hasValue(), query.text.c_str());
            annotations.push_back(std::move(made).value());
            labels.push_back({label, query.holds});
        }
        labelsOfRows_ = std::make_shared<const std::vector<Recount::Label>>(std::move(labels));
        if (!annotations.empty() || random_.pick(2) == 0)
            query_.annotations = std::make_shared<const Annotations>(std::move(annotations));
    }

    /// Rows that pass the filter, as the recount finds them.
    std::vector<RecountRow> filtered(std::vector<RecountRow> rows) const {
        if (text_.holds) std::erase_if(rows, [&](const auto& row) { return !text_.holds(recount(), row); });
        if (query_.filter.clauses.empty()) return rows;
        std::erase_if(rows, [&](const auto& row) {
            const bool any = std::any_of(filterPaths_.begin(), filterPaths_.end(), [&](const TextPath& wanted) {
                const auto path = recount().path(row, filterKeys_);
                return path.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), path.begin());
            });
            return any == isRemoved();
        });
        return rows;
    }

    std::string compareTable() {
        std::map<TextPath, std::vector<RecountRow>> expected;
        expected[{}] = {};
        for (const auto& row : filtered(recount().members())) {
            TextPath prefix;
            expected[prefix].push_back(row);
            for (const auto& step : recount().path(row, query_.keys)) {
                prefix.push_back(step);
                expected[prefix].push_back(row);
            }
        }
        auto table = GroupedTable::compute(publication_.trace, labels_, query_);
        if (!table.hasValue()) return table.error().message;
        table_ = table.value();
        std::size_t nodes = 0;
        auto difference = compareNode(GroupedTable::kRoot, {}, expected, nodes);
        if (!difference.empty()) return difference;
        if (nodes != expected.size()) return fmt::format("{} nodes instead of {}", nodes, expected.size());
        return {};
    }

    std::string compareNode(GroupedTable::NodeId node, const TextPath& path,
                            const std::map<TextPath, std::vector<RecountRow>>& expected, std::size_t& nodes) {
        ++nodes;
        const auto found = expected.find(path);
        if (found == expected.end()) return "unexpected node " + describe(path);
        const auto& rows = found->second;
        const bool canOpen = table_->hasChildren(node);
        const auto& children = table_->children(node);
        // Sometimes only the children, otherwise a node and its content at once, so that rows count in both.
        if (path.size() % 2 == 1 && !table_->computeValues(children).hasValue()) return "not computed";
        auto batch = children;
        batch.push_back(node);
        if (!table_->computeValues(batch).hasValue() || !table_->computePeaks(batch).hasValue()) return "not computed";
        RecountSums got;
        got.count = number(table_->value(node, Column::Count));
        got.size = number(table_->value(node, Column::Size));
        got.impacting = number(table_->value(node, Column::ImpactingSize));
        got.allocated = number(table_->value(node, Column::Allocated));
        got.freed = number(table_->value(node, Column::Freed));
        got.peak = number(table_->value(node, Column::PeakSize));
        const auto wanted = recount().sums(rows);
        if (!(got == wanted)) return describe(path) + ": " + describe(got) + " instead of " + describe(wanted);
        if (auto difference = compareValues(node, path, rows); !difference.empty()) return difference;
        if (canOpen == children.empty()) return describe(path) + ": hasChildren is wrong";
        if (auto difference = compareOrder(children); !difference.empty()) return describe(path) + difference;
        for (const auto child : children) {
            auto below = path;
            below.emplace_back(table_->column(child), table_->keyText(child));
            if (table_->parent(child) != node || table_->path(child).size() != below.size()) return "wrong parent";
            paths_[below] = table_->path(child);
            if (auto difference = compareNode(child, below, expected, nodes); !difference.empty()) return difference;
        }
        return {};
    }

    /// The shared value of every column that the query contains.
    std::string compareValues(GroupedTable::NodeId node, const TextPath& path,
                              const std::vector<RecountRow>& rows) const {
        for (const auto& asked : query_.columns) {
            const auto column = asked.column;
            if (asked.aggregation != Aggregation::Own || specOf(column).isOfWholeGroups) {
                const auto wanted = recount().valueText(rows, asked);
                const auto got = plainText(asked, table_->value(node, asked));
                if (got != wanted) {
                    return fmt::format("{}: {} is \"{}\" instead of \"{}\"", describe(path),
                                       valueColumnName(query_.table, asked), got, wanted);
                }
                continue;
            }
            if (isStack(column) || isAggregate(column)) continue;
            std::string wanted = rows.empty() ? "" : recount().keyText(rows[0], column);
            for (const auto& row : rows) {
                if (recount().keyText(row, column) != wanted) wanted.clear();
            }
            if (!wanted.empty() && readsAsNoValue(wanted)) wanted.clear(); // (outstanding) and the like are not values
            const auto got = plainText(column, table_->value(node, column));
            if (got != wanted) {
                return fmt::format("{}: {} is \"{}\" instead of \"{}\"", describe(path),
                                   columnName(query_.table, column), got, wanted);
            }
        }
        return {};
    }

    /// The value that the sort key reads from a group; a key column has its key, only on its own level.
    CellValue sortValue(GroupedTable::NodeId node, const SortKey& sort) const {
        const bool isKey = std::find(query_.keys.begin(), query_.keys.end(), sort.column) != query_.keys.end();
        if (!isKey || sort.aggregation != Aggregation::Own) return table_->value(node, sort.value());
        if (table_->column(node) != sort.column) return {};
        const auto text = table_->keyText(node);
        if (isStack(sort.column)) return text;
        const bool isNothing = readsAsNoValue(text);
        return isNothing ? CellValue() : table_->value(node, sort.column);
    }

    std::string compareOrder(const std::vector<GroupedTable::NodeId>& children) const {
        auto sort = query_.sort;
        const auto hasValue = [&](const SortKey& key) {
            const bool isKey = std::find(query_.keys.begin(), query_.keys.end(), key.column) != query_.keys.end();
            const auto isLevel = [&](auto child) { return table_->column(child) == key.column; };
            return !isKey || key.aggregation != Aggregation::Own ||
                   std::any_of(children.begin(), children.end(), isLevel);
        };
        if (std::none_of(sort.begin(), sort.end(), hasValue)) sort.push_back({Column::Size, true});
        for (std::size_t i = 1; i < children.size(); ++i) {
            if (auto difference = compareNeighbours(children[i - 1], children[i], sort); !difference.empty())
                return difference;
        }
        return {};
    }

    /// Trends have no order of their own.
    static SortKey bySlope(SortKey key) {
        if (key.column == Column::Trend) key.column = Column::Slope;
        return key;
    }

    static bool isLess(const SortKey& key, const CellValue& a, const CellValue& b) {
        if (valueKind(key.value()) != ValueKind::Hex) return a < b;
        return static_cast<std::uint64_t>(number(a)) < static_cast<std::uint64_t>(number(b));
    }

    std::string compareNeighbours(GroupedTable::NodeId first, GroupedTable::NodeId second,
                                  const std::vector<SortKey>& sort) const {
        for (const auto& key : sort) {
            const auto a = sortValue(first, bySlope(key));
            const auto b = sortValue(second, bySlope(key));
            if (a == b) continue;
            const bool isLast = b.index() == 0; // without a value
            const bool isOrdered = a.index() != 0 && (key.descending ? isLess(key, b, a) : isLess(key, a, b));
            if (isLast || isOrdered) return {};
            return " is not sorted by " + valueColumnName(query_.table, key.value());
        }
        const bool isProcess = table_->column(second) == Column::Process && table_->column(first) == Column::Process;
        if (isProcess && table_->keyText(first) >= table_->keyText(second)) return " is not sorted by key";
        return {};
    }

    /// Filters by some groups of the table just compared, under other keys.
    std::string compareFiltered() {
        if (paths_.empty()) return {};
        filterKeys_ = query_.keys;
        RowFilter::Clause clause;
        clause.mode = random_.pick(2) == 0 ? RowFilter::Clause::Mode::Keep : RowFilter::Clause::Mode::Remove;
        for (unsigned i = 0; i <= random_.pick(3); ++i) {
            const auto chosen = std::next(paths_.begin(), random_.pick(static_cast<unsigned>(paths_.size())));
            filterPaths_.push_back(chosen->first);
            clause.anyOf.push_back(chosen->second);
        }
        query_.filter.clauses.push_back(clause);
        std::rotate(query_.keys.begin(), query_.keys.begin() + 1, query_.keys.end());
        paths_.clear();
        return compareTable();
    }

    TimelineQuery timelineQuery() {
        TimelineQuery query;
        query.table = query_.table;
        query.interval = query_.interval;
        query.points = 1 + random_.pick(6);
        query.filter = query_.filter;
        query.processExitFreesHeap = query_.processExitFreesHeap;
        query.allocatorFrames = query_.allocatorFrames;
        query.marks = query_.marks;
        query.annotations = query_.annotations;
        return query;
    }

    std::string compareNewBytes() {
        auto query = timelineQuery();
        query.measure = TimelineMeasure::NewBytes;
        const auto timeline = computeTimeline(*publication_.trace, *labels_, query);
        if (!timeline.hasValue()) return timeline.error().message;
        const auto& series = timeline.value().series;
        const auto rows = filtered(recount().members());
        const auto wanted = recount().newBytes(rows, timeline.value().starts);
        if (series.size() != 2 || series[kFreedSeries].peaks != wanted.freed ||
            series[kKeptSeries].peaks != wanted.kept)
            return fmt::format("{} new and freed instead of {}, {} kept instead of {}", fmt::join(series[0].peaks, " "),
                               fmt::join(wanted.freed, " "), fmt::join(series[1].peaks, " "),
                               fmt::join(wanted.kept, " "));
        // All new bytes are the table's Allocated, and the kept ones its Impacting Size.
        auto total = query_;
        total.keys.clear();
        total.sort.clear();
        const auto sums = GroupedTable::compute(publication_.trace, labels_, total);
        if (!sums.hasValue()) return sums.error().message;
        const auto sum = [](const auto& numbers) {
            return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
        };
        const auto allocated = number(sums.value()->value(GroupedTable::kRoot, Column::Allocated));
        return sum(wanted.freed) + sum(wanted.kept) == allocated ? std::string() : "not all that was allocated";
    }

    std::string compareTimeline() {
        auto query = timelineQuery();
        const auto columns = recountedColumnsOf(query_.table);
        const auto by = columns[random_.pick(static_cast<unsigned>(columns.size()))];
        if (!isAggregate(by) && random_.pick(3) != 0) query.by = by;
        query.maxSeries = random_.pick(3);
        if (random_.pick(2) != 0) query.measure = TimelineMeasure::Count;
        std::map<std::string, std::vector<RecountRow>> groups;
        if (!query.by) groups["Total"];
        for (const auto& row : filtered(recount().drawn())) {
            groups[query.by ? recount().path(row, {*query.by})[0].second : "Total"].push_back(row);
        }
        auto timeline = computeTimeline(*publication_.trace, *labels_, query);
        if (!timeline.hasValue()) return timeline.error().message;
        return compareSeries(query, timeline.value(), groups);
    }

    std::string compareSeries(const TimelineQuery& query, const Timeline& timeline,
                              const std::map<std::string, std::vector<RecountRow>>& groups) const {
        const bool isCut = query.by && query.maxSeries > 0 && groups.size() > query.maxSeries;
        const auto count = isCut ? query.maxSeries + 1 : groups.size();
        if (timeline.series.size() != count)
            return fmt::format("{} series instead of {}", timeline.series.size(), count);
        std::vector<RecountRow> rest;
        for (const auto& [name, rows] : groups) {
            const auto same = [&, &key = name](const auto& series) {
                return series.name == key && series.isGroup == query.by.has_value();
            };
            const auto series = std::find_if(timeline.series.begin(), timeline.series.end(), same);
            if (series == timeline.series.end()) {
                if (!isCut) return "no series " + name;
                rest.insert(rest.end(), rows.begin(), rows.end());
                continue;
            }
            if (auto text = compareSlices(query, *series, rows, timeline.starts); !text.empty()) return text;
        }
        return isCut ? compareSlices(query, timeline.series.back(), rest, timeline.starts) : std::string();
    }

    /// Keys in the order of a table, opened by levels, and then at random places.
    std::string compareOpenedTimeline() {
        auto query = timelineQuery();
        const auto columns = recountedColumnsOf(query_.table);
        auto& opening = query.opening;
        while (opening.keys.size() < 3) {
            const auto column = columns[random_.pick(static_cast<unsigned>(columns.size()))];
            const bool isNew = std::find(opening.keys.begin(), opening.keys.end(), column) == opening.keys.end();
            if (!isAggregate(column) && isNew) opening.keys.push_back(column);
        }
        query.by = opening.keys.front();
        opening.levels = 1 + random_.pick(3);
        opening.withTotal = random_.pick(2) == 0;
        query.maxSeries = random_.pick(4);
        if (random_.pick(2) != 0) query.measure = TimelineMeasure::Count;
        const auto rows = filtered(recount().drawn());
        std::vector<TextPath> turned;
        for (int round = 0; round < 3; ++round) {
            const auto timeline = computeTimeline(*publication_.trace, *labels_, query);
            if (!timeline.hasValue()) return timeline.error().message;
            const OpenedLines lines{query, timeline.value(), turned};
            if (auto text = compareOpened(lines, rows); !text.empty())
                return fmt::format("{} with {} levels, {} lines, {} turned", text, opening.levels, query.maxSeries,
                                   turned.size());
            turnOne(timeline.value().series, opening, turned);
        }
        return {};
    }

    /// A timeline of opened groups, with the toggled groups as text.
    struct OpenedLines {
        const TimelineQuery& query;
        const Timeline& timeline;
        const std::vector<TextPath>& turned;

        /// By the definition, the keys of the first levels except stacks are open; toggled groups are the other way
        /// round.
        [[nodiscard]] bool isOpen(const TextPath& path) const {
            const auto& keys = query.opening.keys;
            const auto place = std::find(keys.begin(), keys.end(), path.back().first) - keys.begin();
            const bool byLevel = std::none_of(keys.begin(), keys.begin() + place + 1, isStack) &&
                                 place + 1 < static_cast<std::ptrdiff_t>(keys.size()) &&
                                 place + 1 < static_cast<std::ptrdiff_t>(query.opening.levels);
            return byLevel != (std::find(turned.begin(), turned.end(), path) != turned.end());
        }
    };

    void turnOne(const std::vector<TimelineSeries>& series, GroupOpening& opening, std::vector<TextPath>& turned) {
        TextPath path;
        std::vector<std::pair<KeyPath, TextPath>> known;
        for (const auto& one : series) {
            if (!one.isGroup) continue;
            path.resize(one.path.size() - 1);
            path.emplace_back(one.path.back().column, one.name);
            if (one.canOpen) known.emplace_back(one.path, path);
        }
        if (known.empty()) return;
        const auto& [keys, text] = known[random_.pick(static_cast<unsigned>(known.size()))];
        if (std::find(turned.begin(), turned.end(), text) != turned.end()) return;
        opening.turned.push_back(keys);
        turned.push_back(text);
    }

    std::string compareOpened(const OpenedLines& lines, const std::vector<RecountRow>& rows) const {
        std::size_t at = 0;
        const auto& series = lines.timeline.series;
        if (lines.query.opening.withTotal) {
            if (series.empty() || series[0].name != "Total" || series[0].isOpen == rows.empty()) return "no total";
            if (auto text = compareSlices(lines.query, series[0], rows, lines.timeline.starts); !text.empty())
                return text;
            ++at;
        }
        auto text = compareBelow(lines, {}, rows, at);
        return text.empty() && at != series.size() ? fmt::format("{} series instead of {}", series.size(), at) : text;
    }

    /// Compares the series from `at` on with the content of one group, and moves `at` behind them.
    std::string compareBelow(const OpenedLines& lines, const TextPath& path, const std::vector<RecountRow>& rows,
                             std::size_t& at) const {
        std::map<TextPath, std::vector<RecountRow>> groups;
        std::vector<RecountRow> own;
        for (const auto& row : rows) {
            auto below = recount().path(row, lines.query.opening.keys);
            if (below.size() > path.size()) below.resize(path.size() + 1);
            (below.size() > path.size() ? groups[below] : own).push_back(row);
        }
        const auto& series = lines.timeline.series;
        const auto first = at;
        const auto most = lines.query.maxSeries > 0 ? lines.query.maxSeries : groups.size();
        for (std::size_t i = 0; i < most && !groups.empty(); ++i) {
            if (at >= series.size() || !series[at].isGroup) return "a series is missing in" + describe(path);
            auto group = path;
            group.emplace_back(series[at].path.back().column, series[at].name);
            const auto found = groups.find(group);
            if (found == groups.end()) return "there is no group" + describe(group);
            const auto of = std::exchange(found->second, {});
            groups.erase(found);
            if (auto text = compareGroup(lines, group, of, at); !text.empty()) return text;
        }
        if (auto text = compareRest(lines, own, groups, at); !text.empty()) return text + " in" + describe(path);
        return path.empty() && !lines.query.opening.withTotal ? std::string() : compareSum(lines, first, at);
    }

    std::string compareGroup(const OpenedLines& lines, const TextPath& group, const std::vector<RecountRow>& rows,
                             std::size_t& at) const {
        const auto& series = lines.timeline.series[at++];
        if (auto text = compareSlices(lines.query, series, rows, lines.timeline.starts); !text.empty()) return text;
        const bool hasMore = std::any_of(rows.begin(), rows.end(), [&](const RecountRow& row) {
            return recount().path(row, lines.query.opening.keys).size() > group.size();
        });
        const bool isOpen = hasMore && lines.isOpen(group);
        if (series.canOpen != hasMore || series.isOpen != isOpen) return "not opened rightly:" + describe(group);
        return isOpen ? compareBelow(lines, group, rows, at) : std::string();
    }

    std::string compareRest(const OpenedLines& lines, const std::vector<RecountRow>& own,
                            const std::map<TextPath, std::vector<RecountRow>>& others, std::size_t& at) const {
        const auto& series = lines.timeline.series;
        const auto compare = [&](const std::string& name, const std::vector<RecountRow>& rows) {
            if (at >= series.size() || series[at].name != name || series[at].isGroup) return "no series " + name;
            return compareSlices(lines.query, series[at++], rows, lines.timeline.starts);
        };
        if (!own.empty()) {
            if (auto text = compare("(itself)", own); !text.empty()) return text;
        }
        if (others.empty()) return {};
        std::vector<RecountRow> rest;
        for (const auto& [path, rows] : others)
            rest.insert(rest.end(), rows.begin(), rows.end());
        return compare(fmt::format("({} more)", others.size()), rest);
    }

    /// At an instant, and for releases in a slice, the content of a group adds up to the group.
    std::string compareSum(const OpenedLines& lines, std::size_t first, std::size_t last) const {
        if (first == last || first == 0) return {};
        const auto& parent = lines.timeline.series[first - 1];
        std::uint64_t atEnd = 0;
        auto slices = std::vector<std::uint64_t>(parent.peaks.size(), 0);
        for (auto i = first; i < last; ++i) {
            const auto& one = lines.timeline.series[i];
            if (one.depth != parent.depth + 1) continue;
            atEnd += static_cast<std::uint64_t>(one.atEnd);
            for (std::size_t slice = 0; slice < slices.size(); ++slice)
                slices[slice] += static_cast<std::uint64_t>(one.peaks[slice]);
        }
        const bool isSum = lines.query.table == Table::Frees;
        const bool isRight = atEnd == static_cast<std::uint64_t>(parent.atEnd) &&
                             (!isSum || std::equal(slices.begin(), slices.end(), parent.peaks.begin(),
                                                   [](auto a, auto b) { return a == static_cast<std::uint64_t>(b); }));
        return isRight ? std::string() : "what is in " + parent.name + " does not add up to it";
    }

    std::string compareSlices(const TimelineQuery& query, const TimelineSeries& series,
                              const std::vector<RecountRow>& rows, std::vector<TraceTime> starts) const {
        // The last slice, which has no length, shows the state at the end of the interval; in Frees it is empty.
        starts.push_back(std::max(query.interval.start, query.interval.end));
        const auto wanted = query.measure == TimelineMeasure::Bytes ? recount().timeline(rows, starts)
                                                                    : recount().countTimeline(rows, starts);
        auto found = series.peaks;
        found.push_back(series.atEnd);
        if (found == wanted) return {};
        return fmt::format("series {}: {} instead of {}", series.name, fmt::join(found, " "), fmt::join(wanted, " "));
    }

    RandomTrace& random_;
    const Publication& publication_;
    std::shared_ptr<FrameLabels> labels_ = labelsWithTags();
    Query query_;
    std::shared_ptr<GroupedTable> table_;
    std::map<TextPath, KeyPath> paths_;
    std::vector<Column> filterKeys_;
    std::vector<TextPath> filterPaths_;
    RandomQuery text_; ///< the filter's; none: no query
    Recount::Labels labelsOfRows_ = std::make_shared<const std::vector<Recount::Label>>();
};

} // namespace

/// Random tables against a recount that follows the definitions literally.
class RandomTablesTest : public QObject {
    Q_OBJECT
  private slots:
    void equalTheRecount() {
        compare(kSeeds, RandomTrace::Cuts::None);
        for (const auto table : {Table::VirtualAlloc, Table::Heap, Table::Frees}) {
            for (const auto column : recountedColumnsOf(table)) {
                const auto name = fmt::format("{} of {}", columnName(table, column), tableWord(table));
                QVERIFY2(asked_[table].contains(column), name.c_str());
                QVERIFY2(specOf(column).isOfWholeGroups || queried_[table].contains(column), name.c_str());
            }
        }
    }
    void equalTheRecountOfTheWholeTraceInWhatIsKeptOfIt() { compare(kSeeds / 2, RandomTrace::Cuts::Some); }

  private:
    void compare(unsigned seeds, RandomTrace::Cuts cuts) {
        const auto first = qEnvironmentVariableIntValue("HIGHWATER_FIRST_SEED");
        for (unsigned seed = 0; seed < seeds; ++seed) {
            RandomTrace trace(static_cast<unsigned>(first) + seed, cuts);
            for (std::size_t i = 0; i < trace.publications().size(); ++i) {
                Comparison comparison(trace, trace.publications()[i]);
                const auto difference = comparison.run();
                comparison.addTo(asked_, queried_);
                QVERIFY2(difference.empty(),
                         fmt::format("seed {}, publication {}: {}", static_cast<unsigned>(first) + seed, i, difference)
                             .c_str());
            }
        }
    }

    std::map<Table, ColumnSet> asked_;   ///< keys and values of the compared tables
    std::map<Table, ColumnSet> queried_; ///< and the columns of their text queries
};
HIGHWATER_TEST(RandomTablesTest);
#include "random_tables_test.moc"
