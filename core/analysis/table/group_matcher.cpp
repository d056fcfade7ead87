#include "core/analysis/table/group_matcher.h"

#include "core/analysis/rows/key_reader.h"

#include <algorithm>
#include <limits>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNotAsked = 0xFFFFFFFFu;
constexpr Outcomes kUnknownOutcome{false, false, true};
constexpr Outcomes kAnything{true, true, true};
constexpr Outcomes kAlwaysFails{false, true, false};

Outcomes certain(bool holds) { return {holds, !holds, false}; }

/// The outcomes for groups, some of which may be unknown.
Outcomes possible(bool canHold) { return {canHold, true, true}; }

std::optional<std::int64_t> numberIn(const CellValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

Outcomes ofRange(const QueryCondition& condition, std::int64_t first, std::int64_t last) {
    const auto* test = std::get_if<NumberCondition>(&condition.test);
    if (test == nullptr) return kAlwaysFails; // an aggregate has a value
    // Matching values form a range: if both ends match, all values between them do.
    return {test->matchesAny(first, last), !(test->matches(first) && test->matches(last)), false};
}

} // namespace

GroupMatcher::GroupMatcher(const GroupedTable& table, const QueryExpression& query)
    : table_(table),
      query_(query),
      usesPeak_(query.columns().contains(Column::PeakSize)),
      answers_(query.textConditionCount()) {}

GroupMatcher::Place GroupMatcher::placeOf(NodeId node) const {
    Place place{table_.path(node), 0, 0};
    if (place.path.empty()) return place;
    const auto column = place.path.back().column;
    const auto& keys = table_.query().keys;
    place.nextKey = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), column) - keys.begin()) + 1;
    if (isStack(column)) {
        place.depth = static_cast<std::size_t>(std::count_if(place.path.begin(), place.path.end(),
                                                             [&](const auto& step) { return step.column == column; }));
    }
    return place;
}

bool GroupMatcher::isKey(Column column) const {
    const auto& keys = table_.query().keys;
    return std::find(keys.begin(), keys.end(), column) != keys.end();
}

Column GroupMatcher::keyFor(Column column) const {
    if (isKey(column)) return column;
    const auto turned = reversedStack(column);
    return isKey(turned) ? turned : column;
}

bool GroupMatcher::matches(NodeId node) {
    const auto place = placeOf(node);
    const auto holds = [&](Scope scope) {
        const auto of = [&](const QueryCondition& condition) { return ofNode(condition, node, place, scope); };
        return query_.outcomes(of) == certain(true);
    };
    if (!holds(Scope::All)) return false;
    return !holds(Scope::Inherited) || holds(Scope::Own);
}

bool GroupMatcher::needsPeak(NodeId node) {
    if (!usesPeak_ || !hasLevels(table_.query().table) || numberIn(table_.value(node, Column::PeakSize))) return false;
    const auto place = placeOf(node);
    const auto isOpen = [&](Scope scope) {
        const auto of = [&](const QueryCondition& condition) { return ofNode(condition, node, place, scope); };
        const auto outcomes = query_.outcomes(of);
        return outcomes.canHold && outcomes != certain(true);
    };
    return isOpen(Scope::All) || isOpen(Scope::Own);
}

bool GroupMatcher::mayMatchBelow(NodeId node) {
    if (!table_.hasChildren(node)) return false;
    const auto place = placeOf(node);
    const auto outcomes = [&](Scope scope) {
        const auto of = [&](const QueryCondition& condition) { return below(condition, node, place, scope); };
        return query_.outcomes(of);
    };
    if (!outcomes(Scope::All).canHold) return false;
    return outcomes(Scope::Inherited) != certain(true) || outcomes(Scope::Own).canHold;
}

Outcomes GroupMatcher::ofNode(const QueryCondition& condition, NodeId node, const Place& place, Scope scope) {
    if (place.path.empty()) return kUnknownOutcome;
    const auto& step = place.path.back();
    switch (condition.target) {
    case QueryCondition::Target::Column:
        return ofColumn(condition, keyFor(condition.column), node, place, scope);
    case QueryCondition::Target::AnyText:
        if (scope == Scope::Inherited) return kUnknownOutcome;
        return certain(textMatches(std::get<TextCondition>(condition.test), step));
    case QueryCondition::Target::SeriesName:
        break;
    }
    if (scope == Scope::Inherited) return kUnknownOutcome;
    return certain(std::get<TextCondition>(condition.test).matches(columnName(table_.query().table, step.column)));
}

Outcomes GroupMatcher::ofColumn(const QueryCondition& condition, Column column, NodeId node, const Place& place,
                                Scope scope) {
    const auto& own = place.path.back();
    if (own.column == column) return scope == Scope::Inherited ? kUnknownOutcome : certain(keyHolds(condition, own));
    if (isKey(column)) {
        const auto step = std::find_if(place.path.begin(), place.path.end(),
                                       [&](const auto& above) { return above.column == column; });
        if (step == place.path.end() || scope == Scope::Own) return kUnknownOutcome;
        return certain(isStack(column) ? frameOfPathHolds(condition, column, place) : keyHolds(condition, *step));
    }
    if (scope == Scope::Inherited || isStack(column)) return kUnknownOutcome;
    if (isAggregate(column)) return ofAggregate(condition, node);
    const auto shared = table_.sharedValue(node, column);
    return shared ? certain(holds(condition, *shared)) : kUnknownOutcome;
}

Outcomes GroupMatcher::ofAggregate(const QueryCondition& condition, NodeId node) const {
    const auto value = table_.value(node, condition.column);
    const bool isMeasured = condition.column != Column::PeakSize || !hasLevels(table_.query().table);
    if (isMeasured || numberIn(value)) return certain(holds(condition, value));
    return ofRange(condition, 0, numberIn(table_.value(node, Column::Size)).value_or(0));
}

Outcomes GroupMatcher::below(const QueryCondition& condition, NodeId node, const Place& place, Scope scope) {
    switch (condition.target) {
    case QueryCondition::Target::Column:
        return columnBelow(condition, keyFor(condition.column), node, place, scope);
    case QueryCondition::Target::AnyText:
        if (scope == Scope::Inherited) return kUnknownOutcome;
        return possible(anyTextBelow(std::get<TextCondition>(condition.test), node, place));
    case QueryCondition::Target::SeriesName:
        break;
    }
    if (scope == Scope::Inherited) return kUnknownOutcome;
    return seriesBelow(std::get<TextCondition>(condition.test), node, place);
}

Outcomes GroupMatcher::columnBelow(const QueryCondition& condition, Column column, NodeId node, const Place& place,
                                   Scope scope) {
    if (!isKey(column)) {
        if (scope == Scope::Inherited || isStack(column)) return kUnknownOutcome;
        if (isAggregate(column)) return aggregateBelow(condition, node);
        if (column == Column::SourceLine) return kAnything; // frames below have their own lines
        const auto shared = table_.sharedValue(node, column);
        return shared ? certain(holds(condition, *shared)) : kAnything;
    }
    const auto* test = std::get_if<TextCondition>(&condition.test);
    const bool isOwn = !place.path.empty() && place.path.back().column == column;
    if (isOwn && isStack(column)) {
        // There may be further frames, and groups to the right that have all frames.
        if (scope == Scope::Inherited) return kUnknownOutcome;
        const bool deeper = test != nullptr && anyKeyBelow(*test, column, node, place.depth, false);
        return possible(deeper || (scope == Scope::All && frameOfPathHolds(condition, column, place)));
    }
    const auto step =
        std::find_if(place.path.begin(), place.path.end(), [&](const auto& above) { return above.column == column; });
    if (step != place.path.end()) {
        if (scope == Scope::Own) return kUnknownOutcome;
        return certain(isStack(column) ? frameOfPathHolds(condition, column, place) : keyHolds(condition, *step));
    }
    if (scope == Scope::Inherited) return kUnknownOutcome;
    return possible(test == nullptr || anyKeyBelow(*test, column, node, 0, false));
}

Outcomes GroupMatcher::aggregateBelow(const QueryCondition& condition, NodeId node) const {
    const auto size = numberIn(table_.value(node, Column::Size)).value_or(0);
    const auto value = table_.value(node, condition.column);
    const auto number = numberIn(value);
    if (condition.column == Column::ImpactingSize && number) return impactBelow(condition, node);
    if (condition.column == Column::PeakSize && !number && hasLevels(table_.query().table))
        return ofRange(condition, 0, size);
    // The parts of a sum of amounts, and their peaks, do not exceed the whole.
    return number ? ofRange(condition, 0, *number) : certain(holds(condition, value));
}

Outcomes GroupMatcher::impactBelow(const QueryCondition& condition, NodeId node) const {
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
    std::int64_t lost = 0;
    std::int64_t won = 0;
    (void)table_.anyCell(node, [&](const auto& cell) {
        const auto impact = static_cast<std::int64_t>(cell.sums.impacting);
        auto& sum = impact < 0 ? lost : won;
        if (__builtin_add_overflow(sum, impact, &sum)) sum = impact < 0 ? kLowest : kHighest;
        return false;
    });
    return ofRange(condition, lost, won);
}

Outcomes GroupMatcher::seriesBelow(const TextCondition& condition, NodeId node, const Place& place) const {
    Outcomes outcomes;
    const auto add = [&](Column column) {
        const bool holds = condition.matches(columnName(table_.query().table, column));
        outcomes.canHold = outcomes.canHold || holds;
        outcomes.canFail = outcomes.canFail || !holds;
    };
    if (place.depth > 0) add(table_.column(node));
    const auto& keys = table_.query().keys;
    std::for_each(keys.begin() + static_cast<std::ptrdiff_t>(place.nextKey), keys.end(), add);
    return outcomes;
}

bool GroupMatcher::anyTextBelow(const TextCondition& condition, NodeId node, const Place& place) {
    if (place.depth > 0 && anyKeyBelow(condition, table_.column(node), node, place.depth, true)) return true;
    const auto& keys = table_.query().keys;
    return std::any_of(keys.begin() + static_cast<std::ptrdiff_t>(place.nextKey), keys.end(),
                       [&](auto column) { return anyKeyBelow(condition, column, node, 0, true); });
}

bool GroupMatcher::anyKeyBelow(const TextCondition& condition, Column column, NodeId node, std::size_t depth,
                               bool asText) {
    if (isOfSingleRows(column)) return true;
    if (isStack(column)) {
        return table_.anyCell(node,
                              [&](const auto& cell) { return deepestMatch(condition, column, cell.key) > depth; });
    }
    return table_.anyCell(node, [&](const auto& cell) {
        const KeyStep step{column, table_.reader().key(column, cell.key)};
        return asText ? textMatches(condition, step) : valueMatches(condition, step);
    });
}

bool GroupMatcher::keyHolds(const QueryCondition& condition, KeyStep step) {
    if (const auto* text = std::get_if<TextCondition>(&condition.test)) return valueMatches(*text, step);
    if (isStack(step.column)) return step.key == FrameLabels::kNoStack.value;
    return holds(condition, table_.reader().value(step.column, step.key));
}

bool GroupMatcher::frameOfPathHolds(const QueryCondition& condition, Column column, const Place& place) {
    return std::any_of(place.path.begin(), place.path.end(),
                       [&](const auto& step) { return step.column == column && keyHolds(condition, step); });
}

bool GroupMatcher::valueMatches(const TextCondition& condition, KeyStep step) {
    if (isStack(step.column)) return textMatches(condition, step);
    auto& known = answers_[condition.index()].ofKeys[step.column];
    if (const auto found = known.find(step.key); found != known.end()) return found->second;
    const auto value = table_.reader().value(step.column, step.key);
    const auto* text = std::get_if<std::string>(&value);
    const bool holds = condition.matches(text == nullptr ? std::string_view() : std::string_view(*text));
    known.emplace(step.key, holds);
    return holds;
}

bool GroupMatcher::textMatches(const TextCondition& condition, KeyStep step) {
    auto& known = answers_[condition.index()].ofTexts[step.column];
    if (const auto found = known.find(step.key); found != known.end()) return found->second;
    const bool holds = table_.reader().textMatches(step.column, step.key, condition);
    known.emplace(step.key, holds);
    return holds;
}

std::uint32_t GroupMatcher::deepestMatch(const TextCondition& condition, Column column, const CellKey& cell) {
    auto& known = answers_[condition.index()].deepestOfStacks[column];
    const auto id = table_.reader().stackId(column, cell).value;
    if (id >= known.size()) known.resize(id + std::size_t{1}, kNotAsked);
    if (known[id] == kNotAsked) {
        const auto frames = table_.reader().stack(column, cell);
        const auto last = std::find_if(frames.rbegin(), frames.rend(), [&](auto label) {
            return textMatches(condition, {column, label});
        });
        known[id] = static_cast<std::uint32_t>(frames.rend() - last);
    }
    return known[id];
}

} // namespace highwater::analysis
