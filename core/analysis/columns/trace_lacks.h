#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// What is asked of a trace beside its tables.
enum class AnswerKind : std::uint8_t { Timeline, Leaks, Generations, Explanation, Histogram, Address, Heaps };

// What makes no sense of a file that sums up, or does not tell all, is said here and nowhere else.

/// Why a column says nothing of such a file: a clause, "its file tells no addresses of blocks". Empty: it says what it
/// says. Columns that keep their rows apart by it still do, with what was made up.
[[nodiscard]] std::string_view whyNoColumn(ValueColumn asked, const TraceLacks& lacks);
/// The same of what a table is asked for, as sentences, each once.
[[nodiscard]] std::vector<std::string> emptyColumns(Table table, std::span<const Column> keys,
                                                    std::span<const ValueColumn> values, const TraceLacks& lacks);
/// Why a question has no answer there; nothing: it has one.
[[nodiscard]] std::optional<Error> whyNoAnswer(AnswerKind kind, const TraceLacks& lacks);
/// Whether a trace that ends there has rates of growth: not where its clock ticks so rarely that all of its times are
/// made up.
[[nodiscard]] bool hasRates(const TraceLacks& lacks, TraceTime end);
/// Why it has none, of what is nothing without them. Nothing: it has.
[[nodiscard]] std::optional<Error> whyNoRates(const TraceLacks& lacks, TraceTime end);

} // namespace highwater::analysis
