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

/// Questions about a trace other than its tables.
enum class AnswerKind : std::uint8_t { Timeline, Leaks, Generations, Explanation, Histogram, Address, Heaps, Balance };

// All refusals for files that contain totals only, or not all data, are here.

/// Why a column is not meaningful for such a file, as a clause: "the file does not contain block addresses". Empty: it
/// is meaningful. Columns that separate their rows by it still do so, with made-up values.
[[nodiscard]] std::string_view whyNoColumn(ValueColumn asked, const TraceLacks& lacks);
/// The same for the columns of a table, as sentences without duplicates.
[[nodiscard]] std::vector<std::string> emptyColumns(Table table, std::span<const Column> keys,
                                                    std::span<const ValueColumn> values, const TraceLacks& lacks);
/// Why a question has no answer for such a file; nothing: it has one.
[[nodiscard]] std::optional<Error> whyNoAnswer(AnswerKind kind, const TraceLacks& lacks);
/// Whether a trace with this end has growth rates. It has none if its clock ticks so rarely that all of its times are
/// made up.
[[nodiscard]] bool hasRates(const TraceLacks& lacks, TraceTime end);
/// Why an answer that needs growth rates is not available; nothing: it is available.
[[nodiscard]] std::optional<Error> whyNoRates(const TraceLacks& lacks, TraceTime end);

} // namespace highwater::analysis
