#pragma once

#include "core/sqlite/sqlite_statement.h"
#include "core/summary/run_summary.h"

#include <stop_token>

namespace highwater::fleet {

/// Writes a run that does not exist yet, inside a transaction. Errors are those of the connection. Reuses existing
/// stacks, frames and processes.
void addRunToSqlite(sqlite::SqliteConnection& connection, const summary::RunSummary& run);

} // namespace highwater::fleet
