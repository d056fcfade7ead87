#pragma once

#include "core/fleet/contract/fleet_store.h"
#include "core/sqlite/sqlite_connection.h"

#include <cstddef>
#include <vector>

namespace highwater::fleet {

/// Names functions in a fleet's file, inside a transaction, and updates the keys of their stacks: FleetStore::name.
/// Errors are those of the connection. Returns the number of renamed stacks.
[[nodiscard]] std::size_t nameInSqlite(sqlite::SqliteConnection& connection, const std::vector<NamedFrame>& frames,
                                       const PlumbingTest& isPlumbing);

} // namespace highwater::fleet
