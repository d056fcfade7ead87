#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <memory>
#include <string>

namespace highwater::fleet {

/// The store at an address as users write it: the path of an SQLite file, or clickhouse://HOST:8123/DATABASE, with
/// clickhouses:// for TLS. Opens it on the first request. Error: Usage.
[[nodiscard]] Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place);
/// The same with a user and password for a server, instead of those of the environment; ignored for a file.
[[nodiscard]] Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place, const std::string& user,
                                                                 const std::string& password);

} // namespace highwater::fleet
