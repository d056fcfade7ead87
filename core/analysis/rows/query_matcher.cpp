#include "core/analysis/rows/query_matcher.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

/// An aggregate of a group with only this row.
CellValue aggregateOf(const Sums& sums, Table table, Column column) {
    const auto number = [](std::uint64_t value) { return CellValue(static_cast<std::int64_t>(value)); };
    const bool releases = !hasLevels(table);
    switch (column) {
    case Column::Count:
        return number(sums.count);
    case Column::Size:
        return number(sums.size);
    case Column::Freed:
        return hasColumn(table, Column::Freed) ? number(sums.freed) : CellValue();
    case Column::ImpactingSize:
        return releases ? CellValue() : number(sums.impacting);
    case Column::Allocated:
        return hasColumn(table, Column::Allocated) ? number(sums.allocated) : CellValue();
    // A row has its peak at its start or at the start of the interval.
    case Column::PeakSize:
        return releases ? CellValue() : number(std::max(sums.opening, sums.allocated));
    default:
        return {};
    }
}

ColumnSet columnsOfCells(Table table) {
    ColumnSet columns;
    for (const auto column : columnsOf(table)) {
        if (!isAggregate(column) && !isOfSingleRows(column)) columns.add(column);
    }
    return columns;
}

} // namespace

/// A cell, or a row of it, for the evaluation of a query.
class QueryMatcher::Values final : public QueriedRow {
  public:
    Values(QueryMatcher& matcher, const CellKey& cell, const RowFacts* row)
        : matcher_(matcher), cell_(cell), row_(row) {}

    [[nodiscard]] CellValue value(Column column) const override {
        if (isAggregate(column)) return aggregateOf(row_->sums, matcher_.query_.table(), column);
        return matcher_.reader_.value(column, key(column));
    }
    [[nodiscard]] bool textMatches(Column column, const TextCondition& condition) const override {
        return matcher_.keyMatches(column, key(column), condition);
    }
    [[nodiscard]] bool anyFrame(Column column, const TextCondition& condition) const override {
        return matcher_.stackMatches(column, cell_, condition);
    }
    [[nodiscard]] std::span<const std::string_view> frames(Column column) const override {
        const auto stack = matcher_.reader_.stack(column, cell_);
        auto& texts = matcher_.frameTexts_;
        texts.clear();
        for (const auto label : stack) {
            if (label != FrameLabels::kNoStack.value) texts.push_back(matcher_.reader_.text(column, label));
        }
        matcher_.frames_.assign(texts.begin(), texts.end());
        return matcher_.frames_;
    }

  private:
    /// Not for aggregates, which are not keys.
    [[nodiscard]] std::uint64_t key(Column column) const {
        return isOfSingleRows(column) ? matcher_.reader_.key(column, *row_) : matcher_.reader_.key(column, cell_);
    }

    QueryMatcher& matcher_;
    const CellKey& cell_;
    const RowFacts* row_; ///< null: only values of the cell are read
};

QueryMatcher::QueryMatcher(const QueryExpression& query, const KeyReader& reader)
    : query_(query), reader_(reader), ofCells_(columnsOfCells(query.table())), answers_(query.textConditionCount()) {}

Truth QueryMatcher::matches(const CellKey& cell) { return query_.evaluate(Values(*this, cell, nullptr), ofCells_); }

bool QueryMatcher::matches(const RowFacts& row) { return query_.matches(Values(*this, row.key, &row)); }

bool QueryMatcher::keyMatches(Column column, std::uint64_t key, const TextCondition& condition) {
    auto& known = answers_[condition.index()].ofKeys[column];
    if (const auto found = known.find(key); found != known.end()) return found->second;
    const auto value = reader_.value(column, key);
    const auto* text = std::get_if<std::string>(&value);
    // The displayed text counts: also "(outstanding)", although [] matches it as no value, and "n/a" for stack tags
    // because users search for rows without one. "(no source)", "(no name)" and "(none)" do not match as text.
    const bool isNothing = column == Column::SourceLine || column == Column::ThreadName || column == Column::Annotation;
    const auto shown = text == nullptr && !isNothing ? reader_.text(column, key) : std::string();
    const bool holds = condition.matches(text == nullptr ? shown : *text);
    known.emplace(key, holds);
    return holds;
}

bool QueryMatcher::stackMatches(Column column, const CellKey& cell, const TextCondition& condition) {
    auto& known = answers_[condition.index()].ofStacks[column];
    const auto id = reader_.stackId(column, cell).value;
    if (id >= known.size()) known.resize(id + std::size_t{1}, Memo::NotAsked);
    if (known[id] == Memo::NotAsked) {
        const auto stack = reader_.stack(column, cell);
        const bool holds =
            std::any_of(stack.begin(), stack.end(), [&](auto label) { return labelMatches(label, condition); });
        known[id] = holds ? Memo::Yes : Memo::No;
    }
    return known[id] == Memo::Yes;
}

bool QueryMatcher::labelMatches(std::uint32_t label, const TextCondition& condition) {
    auto& known = answers_[condition.index()].ofLabels;
    if (label >= known.size()) known.resize(label + std::size_t{1}, Memo::NotAsked);
    if (known[label] == Memo::NotAsked) {
        const bool holds = reader_.textMatches(Column::Stack, label, condition);
        known[label] = holds ? Memo::Yes : Memo::No;
    }
    return known[label] == Memo::Yes;
}

} // namespace highwater::analysis
