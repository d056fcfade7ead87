#pragma once

#include "core/base/guid.h"

#include <cstdint>
#include <optional>

namespace highwater::etl {

/// The group that records of a classic event class have in their kernel form (docs/etl-format.md 4). Nothing for GUIDs
/// of providers without a group. The heap range class maps to memory, the heap summary class to heap.
[[nodiscard]] std::optional<std::uint8_t> groupOfClass(const Guid& guid);

/// The class GUID of a group, for writing a classic record in a form without a group. Nothing for unknown groups.
[[nodiscard]] std::optional<Guid> classOfGroup(std::uint8_t group);

} // namespace highwater::etl
