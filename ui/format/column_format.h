#pragma once

#include <cstdint>

namespace highwater::ui {

/// In which unit a column is written. Own: what suits its kind (bytes adapt per cell, times in seconds).
enum class ColumnUnit : std::uint8_t {
    Own,
    Bytes,
    Kilobytes, ///< 1024 bytes, as WPA counts
    Megabytes,
    Gigabytes,
    Hexadecimal,
    Decimal, ///< addresses and handles as plain numbers
    Seconds,
    Milliseconds,
    Microseconds,
    WallClock, ///< date and time of day on the traced machine
};

/// How the numbers of a column are written. A plain value.
struct ColumnFormat {
    ColumnUnit unit = ColumnUnit::Own;
    int decimals = -1; ///< -1: as many as suit the unit
    friend bool operator==(const ColumnFormat&, const ColumnFormat&) = default;
};

} // namespace highwater::ui
