#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/units.h"
#include "core/event/trace_health.h"
#include "core/event/trace_properties.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace highwater::formats {

/// The contents of an exported file. A plain value.
struct ExportSubject {
    std::vector<std::string> traces; ///< file names; empty: a recording that was not saved
    analysis::Table table = analysis::Table::Heap;
    TimeRange interval;
    std::vector<std::string> filters; ///< each option that filters rows, as specified
};

/// "highwater 1.2.3".
[[nodiscard]] std::string programText();
/// "Heap Allocations of app.etl, 0 s to 34 s, --filter x".
[[nodiscard]] std::string titleOf(const ExportSubject& subject);
/// Remarks on missing data, one sentence each; those that make totals bounds come first. Empty: nothing is missing.
[[nodiscard]] std::vector<std::string> sentencesOf(const HealthReport& health);
/// The title and these sentences.
[[nodiscard]] std::vector<std::string> linesOf(const ExportSubject& subject, const HealthReport& health);

/// A note for users who share a file with command lines of processes, which contain paths, user names and sometimes
/// passwords. Empty: there are none.
[[nodiscard]] std::string commandLinesNote(std::size_t commandLines);

/// A time of the trace as nanoseconds since 1970, UTC. nullopt: the start of the recording is unknown, or the time is
/// out of range.
[[nodiscard]] std::optional<std::int64_t> unixNanosOf(const TraceProperties& properties, TraceTime time);

} // namespace highwater::formats
