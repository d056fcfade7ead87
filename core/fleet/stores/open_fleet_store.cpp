#include "core/fleet/stores/open_fleet_store.h"

#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/sqlite/sqlite_store.h"

#include <filesystem>

namespace highwater::fleet {

namespace {

bool isServer(const std::string& place) {
    return place.starts_with("clickhouse://") || place.starts_with("clickhouses://");
}

} // namespace

Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place) {
    if (place.empty())
        return Error{ErrorKind::Usage, "Specify the location of the fleet: a file or clickhouse://HOST:8123/DATABASE."};
    if (isServer(place)) {
        auto server = TRY(parseClickHouseAddress(place));
        return std::unique_ptr<FleetStore>(std::make_unique<ClickHouseStore>(std::move(server)));
    }
    if (place == ":memory:") return Error{ErrorKind::Usage, "A fleet cannot be stored in :memory:. Specify a file."};
    const std::filesystem::path file(std::u8string(place.begin(), place.end()));
    return std::unique_ptr<FleetStore>(std::make_unique<SqliteStore>(file));
}

Result<std::unique_ptr<FleetStore>> openFleetStore(const std::string& place, const std::string& user,
                                                   const std::string& password) {
    if (!isServer(place)) return openFleetStore(place);
    auto server = TRY(parseClickHouseAddress(place));
    server.user = user;
    server.password = password;
    return std::unique_ptr<FleetStore>(std::make_unique<ClickHouseStore>(std::move(server)));
}

} // namespace highwater::fleet
