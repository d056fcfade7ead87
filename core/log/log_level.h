#pragma once

#include <cstdint>

namespace highwater {

/// Importance of a line, in ascending order.
enum class LogLevel : std::uint8_t {
    Debug,       ///< each step of a search: paths that were tried and do not exist
    Information, ///< completed operations
    Warning,     ///< something is missing, was refused, or failed
    Error,       ///< a requested operation failed
    Off,         ///< as the minimum level: no lines
};

/// The subject of a line.
enum class LogArea : std::uint8_t {
    Program,   ///< start and end, the log itself
    Open,      ///< opened traces, their size and duration
    Loss,      ///< missing data of a trace that makes its totals bounds
    Note,      ///< remarks about a trace whose totals are right
    Symbols,   ///< paths of debug files and the results
    Recording, ///< programs, sessions, flags: set and restored
    Save,      ///< files written for the user
    Message,   ///< sentences shown to the user
};

} // namespace highwater
