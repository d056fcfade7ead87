#pragma once

#include "core/base/result.h"
#include "core/formats/sqlite/sqlite_database.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <string>

namespace highwater::formats {

/// The SQL that creates the tables of resident memory.
[[nodiscard]] std::string sqlOfResidentTables();

/// Writes the samples of resident memory in the interval, with their layers, and the mappings at the highest Rss of
/// each process. Nothing if the trace has no balance. Any thread. Errors: Cancelled; errors of the database remain
/// there.
[[nodiscard]] Result<void> writeResident(const store::PublishedTrace& trace, TimeRange interval,
                                         SqliteDatabase& database, const std::stop_token& stop);

} // namespace highwater::formats
