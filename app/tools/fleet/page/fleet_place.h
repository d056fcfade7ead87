#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "core/base/result.h"
#include "core/fleet/contract/fleet_store.h"

#include <QString>

#include <memory>

namespace highwater::app {

/// Parses a typed address: makes paths absolute, expands ~ to the home folder, and separates user and password from an
/// address ("clickhouse://user:secret@host") so that they are not stored with it.
[[nodiscard]] ui::FleetPlace placeOf(const QString& typed);
/// Whether a file name looks like a fleet; opening it decides. Dialogs filter by the same names.
[[nodiscard]] bool isFleetFile(const QString& path);
[[nodiscard]] QString fleetFileFilter();
/// Whether the place is a server, which may require credentials.
[[nodiscard]] bool isServer(const ui::FleetPlace& place);

/// Opens the store at a place: an SQLite file or ClickHouse. A ui::OpenFleetFunction.
[[nodiscard]] Result<std::unique_ptr<fleet::FleetStore>> openSystemFleet(const ui::FleetPlace& place);

} // namespace highwater::app
