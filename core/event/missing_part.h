#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>

namespace highwater {

/// Events that were recorded but are not in the file because they could not be written to disk. A value.
struct MissingPart {
    std::int64_t firstTicks = 0; ///< everything before is in the file
    std::int64_t lastTicks = 0;  ///< everything after is in the file, unless isEnd
    std::uint64_t events = 0;    ///< number of memory events, at least
    bool isEnd = false;          ///< the file contains nothing after firstTicks
    std::string reason{};        ///< UTF-8: the error message of the system
    friend bool operator==(const MissingPart&, const MissingPart&) = default;
};

/// Describes the missing part for readers of the file.
[[nodiscard]] std::string describe(const MissingPart& part, TraceTime first, TraceTime last);

} // namespace highwater
