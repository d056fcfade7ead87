#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <memory>
#include <string>

namespace highwater::fleet {

/// The store at a place as users write it: the path of a file of SQLite, or clickhouse://HOST:8123/DATABASE, with
/// clickhouses:// over TLS. Nothing is opened before it is asked. Error: Usage.
[[nodiscard]] Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place);
/// The same as a user of a server, whom the environment does not name; a file has none.
[[nodiscard]] Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place, const std::string& user,
                                                                 const std::string& password);

} // namespace highwater::fleet
