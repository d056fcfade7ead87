#pragma once

#include <cstdint>

namespace highwater {

/// How much a line matters; the order counts.
enum class LogLevel : std::uint8_t {
    Debug,       ///< each step of a search: what was looked at and not there
    Information, ///< what was done
    Warning,     ///< something is missing, was refused, or did not work
    Error,       ///< what was asked for failed
    Off,         ///< as the least level: no line at all
};

/// What a line is about.
enum class LogArea : std::uint8_t {
    Program,   ///< begin and end, the log itself
    Open,      ///< traces: what was opened, how large it is and how long it took
    Loss,      ///< what a trace lacks
    Symbols,   ///< places of debug files and their outcomes
    Recording, ///< programs, sessions, flags: set and taken back
    Save,      ///< files that were written for the user
    Message,   ///< sentences that the user was shown
};

} // namespace highwater
