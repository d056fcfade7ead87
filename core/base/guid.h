#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace highwater {

/// A GUID in Windows byte order, as stored in a record.
struct Guid {
    std::uint32_t data1 = 0;
    std::uint16_t data2 = 0;
    std::uint16_t data3 = 0;
    std::array<std::uint8_t, 8> data4{};
    friend constexpr auto operator<=>(const Guid&, const Guid&) = default;
};
static_assert(sizeof(Guid) == 16);

/// "def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"
[[nodiscard]] std::string toString(const Guid& guid);

} // namespace highwater
