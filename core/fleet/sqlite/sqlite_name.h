#pragma once

#include "core/fleet/contract/fleet_store.h"
#include "core/sqlite/sqlite_connection.h"

#include <cstddef>
#include <vector>

namespace highwater::fleet {

/// Names functions in a fleet's file, inside a transaction, and gives the stacks that have them their keys:
/// FleetStore::name. What fails is the connection's error. Returns how many stacks have other names.
[[nodiscard]] std::size_t nameInSqlite(sqlite::SqliteConnection& connection, const std::vector<NamedFrame>& frames,
                                       const PlumbingTest& isPlumbing);

} // namespace highwater::fleet
