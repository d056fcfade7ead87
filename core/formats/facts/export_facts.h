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

/// What a file is of. A plain value.
struct ExportSubject {
    std::vector<std::string> traces; ///< names of the files; empty: a recording that was not saved
    analysis::Table table = analysis::Table::Heap;
    TimeRange interval;
    std::vector<std::string> filters; ///< each option that leaves rows out, as it was given
};

/// "highwater 1.2.3".
[[nodiscard]] std::string programText();
/// "Heap Allocations of app.etl, 0 s to 34 s, --filter x".
[[nodiscard]] std::string titleOf(const ExportSubject& subject);
/// What is less than whole, what makes totals bounds first: a sentence each. Empty: nothing is missing.
[[nodiscard]] std::vector<std::string> sentencesOf(const HealthReport& health);
/// The title, and these sentences.
[[nodiscard]] std::vector<std::string> linesOf(const ExportSubject& subject, const HealthReport& health);

/// What whoever passes on a file must know that holds so many command lines of processes: they hold paths, names of
/// users and, now and then, passwords. Empty: there are none.
[[nodiscard]] std::string commandLinesNote(std::size_t commandLines);

/// A time of the trace as nanoseconds since 1970, UTC. Nothing: the trace does not say when it was recorded, or it is
/// no time that this can hold.
[[nodiscard]] std::optional<std::int64_t> unixNanosOf(const TraceProperties& properties, TraceTime time);

} // namespace highwater::formats
