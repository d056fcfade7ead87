#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "core/base/result.h"
#include "core/fleet/contract/fleet_store.h"

#include <QString>

#include <memory>

namespace highwater::app {

/// What a user typed as a place: a path is made whole, ~ is the home folder; user and password in an address
/// ("clickhouse://user:secret@host") are taken out of it, so that nobody keeps them.
[[nodiscard]] ui::FleetPlace placeOf(const QString& typed);
/// Whether a file is one by its name: what it is, whoever opens it says. For dialogs the same names.
[[nodiscard]] bool isFleetFile(const QString& path);
[[nodiscard]] QString fleetFileFilter();
/// Whether it is a server, which may ask who one is.
[[nodiscard]] bool isServer(const ui::FleetPlace& place);

/// The store at a place: a file of SQLite, or ClickHouse. An ui::OpenFleetFunction.
[[nodiscard]] Result<std::unique_ptr<fleet::FleetStore>> openSystemFleet(const ui::FleetPlace& place);

} // namespace highwater::app
