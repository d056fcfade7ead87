#include "core/analysis/rows/row_matcher.h"

#include <algorithm>

namespace highwater::analysis {

RowMatcher::RowMatcher(const RowFilter& filter, const KeyReader& reader) : reader_(reader) {
    for (const auto& clause : filter.clauses) {
        Clause sorted{clause.mode == RowFilter::Clause::Mode::Keep, {}};
        for (const auto& path : clause.anyOf) {
            sorted.anyOf.push_back(sortSteps(path, reader));
        }
        clauses_.push_back(std::move(sorted));
    }
    if (filter.hasConditions()) query_.emplace(*filter.query, reader);
}

RowMatcher::Path RowMatcher::sortSteps(const KeyPath& path, const KeyReader& reader) {
    Path sorted;
    for (const auto& step : path) {
        for (auto& stack : sorted.stacks) {
            stack.isWhole = stack.isWhole || stack.column != step.column;
        }
        if (isStack(step.column)) {
            auto known = std::find_if(sorted.stacks.begin(), sorted.stacks.end(),
                                      [&](const auto& stack) { return stack.column == step.column; });
            if (known == sorted.stacks.end()) known = sorted.stacks.insert(known, Stack{step.column, {}, {}});
            known->steps.push_back(step);
        } else if (isOfSingleRows(step.column)) {
            sorted.ofRows.push_back(step);
        } else {
            sorted.ofCells.push_back(KeyStep{step.column, reader.canonical(step.column, step.key)});
        }
    }
    for (auto& stack : sorted.stacks)
        renew(stack, reader);
    return sorted;
}

void RowMatcher::renew(Stack& stack, const KeyReader& reader) {
    stack.frames = reader.renewedFrames(stack.steps, stack.isWhole, LabelHistory::Wanted::All);
    for (const auto& frame : stack.frames) {
        stack.isRenamed = stack.isRenamed || frame.isRenewed;
        stack.isPlain = stack.isPlain && !frame.isRenewed && frame.alternatives.size() == 1;
    }
}

bool RowMatcher::beginsWith(const Stack& wanted, std::span<const std::uint32_t> stack) {
    if (!wanted.isPlain) return beginsWithFrames(wanted, stack);
    const auto& steps = wanted.steps;
    const bool fits = wanted.isWhole ? stack.size() == steps.size() : stack.size() >= steps.size();
    return fits && std::equal(steps.begin(), steps.end(), stack.begin(),
                              [](const auto& step, auto label) { return step.key == label; });
}

bool RowMatcher::beginsWithFrames(const Stack& wanted, std::span<const std::uint32_t> stack) {
    // The possible numbers of rows for the frames so far, because their alternatives differ in length.
    std::vector<std::size_t> ends{0};
    for (const auto& frame : wanted.frames) {
        std::vector<std::size_t> next;
        for (const auto begin : ends) {
            const auto rest = stack.subspan(begin);
            for (const auto& rows : frame.alternatives) {
                const bool fits =
                    rest.size() >= rows.size() && std::equal(rows.begin(), rows.end(), rest.begin(),
                                                             [](auto row, auto label) { return row.value == label; });
                const auto end = begin + rows.size();
                if (fits && std::find(next.begin(), next.end(), end) == next.end()) next.push_back(end);
            }
        }
        ends = std::move(next);
    }
    if (!wanted.isWhole) return !ends.empty();
    return std::find(ends.begin(), ends.end(), stack.size()) != ends.end();
}

bool RowMatcher::stackMatches(const Stack& wanted, const CellKey& cell) const {
    if (beginsWith(wanted, reader_.stack(wanted.column, cell))) return true;
    if (!wanted.isRenamed) return false;
    // New names change which frames are allocator frames, so the path may start before or after them.
    const auto whole = reader_.wholeStack(wanted.column, cell);
    for (std::size_t begin = 0; begin <= whole.skippable; ++begin) {
        if (beginsWith(wanted, whole.frames.subspan(begin))) return true;
    }
    return false;
}

bool RowMatcher::cellMatches(const Path& path, const CellKey& cell) const {
    const auto& steps = path.ofCells;
    if (!std::all_of(steps.begin(), steps.end(), [&](auto& s) { return reader_.key(s.column, cell) == s.key; })) {
        return false;
    }
    return std::all_of(path.stacks.begin(), path.stacks.end(),
                       [&](const auto& wanted) { return stackMatches(wanted, cell); });
}

bool RowMatcher::rowMatches(const Path& path, const RowFacts& row) const {
    const auto& steps = path.ofRows;
    return cellMatches(path, row.key) &&
           std::all_of(steps.begin(), steps.end(), [&](auto& s) { return reader_.key(s.column, row) == s.key; });
}

RowMatcher::Match RowMatcher::anyMatches(const Clause& clause, const CellKey& cell) const {
    auto best = Match::No;
    for (const auto& path : clause.anyOf) {
        if (!cellMatches(path, cell)) continue;
        if (path.ofRows.empty()) return Match::Yes;
        best = Match::NeedsRow;
    }
    return best;
}

RowMatcher::Match RowMatcher::clausesMatch(const CellKey& cell) const {
    auto all = Match::Yes;
    for (const auto& clause : clauses_) {
        const auto any = anyMatches(clause, cell);
        if (any == (clause.keep ? Match::No : Match::Yes)) return Match::No;
        if (any == Match::NeedsRow) all = Match::NeedsRow;
    }
    return all;
}

bool RowMatcher::clausesMatch(const RowFacts& row) const {
    return std::all_of(clauses_.begin(), clauses_.end(), [&](const auto& clause) {
        const bool any = std::any_of(clause.anyOf.begin(), clause.anyOf.end(),
                                     [&](const auto& path) { return rowMatches(path, row); });
        return any == clause.keep;
    });
}

RowMatcher::Match RowMatcher::matches(const CellKey& cell) {
    const auto clauses = clausesMatch(cell);
    if (clauses == Match::No || !query_) return clauses;
    const auto query = query_->matches(cell);
    if (query == Truth::False) return Match::No;
    return query == Truth::Unknown ? Match::NeedsRow : clauses;
}

bool RowMatcher::matches(const RowFacts& row) { return clausesMatch(row) && (!query_ || query_->matches(row)); }

} // namespace highwater::analysis
