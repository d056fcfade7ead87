#pragma once

#include "core/sqlite/sqlite_statement.h"
#include "core/summary/run_summary.h"

#include <stop_token>

namespace highwater::fleet {

/// Writes a run that is not there, inside a transaction. What fails is the connection's error. Stacks, frames and
/// processes that are there are used.
void addRunToSqlite(sqlite::SqliteConnection& connection, const summary::RunSummary& run);

} // namespace highwater::fleet
