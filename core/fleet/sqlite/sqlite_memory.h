#pragma once

#include "core/sqlite/sqlite_connection.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace highwater::fleet {

// Resident memory of runs in an SQLite fleet. Fleets of earlier versions do not have its table until something writes
// to it. Errors remain in the connection.

/// Nothing is written if the memory is unknown.
void writeMemory(sqlite::SqliteConnection& connection, const summary::RunFacts& facts);
void removeMemory(sqlite::SqliteConnection& connection, const std::string& run);
/// By the database id of the run.
using MemoryOfRuns = std::unordered_map<std::int64_t, std::vector<summary::ResidentFacts>>;
[[nodiscard]] MemoryOfRuns readMemory(sqlite::SqliteConnection& connection);

} // namespace highwater::fleet
