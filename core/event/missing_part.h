#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>

namespace highwater {

/// Events that a recording had, and its file has not: the disk could not take them. A value.
struct MissingPart {
    std::int64_t firstTicks = 0; ///< what came before is in the file
    std::int64_t lastTicks = 0;  ///< what came after is in the file, too, unless it ends there
    std::uint64_t events = 0;    ///< of memory; at least so many
    bool isEnd = false;          ///< the file has nothing that came after firstTicks, whatever happened later
    std::string reason{};        ///< UTF-8: what the system said
    friend bool operator==(const MissingPart&, const MissingPart&) = default;
};

/// A sentence about it, for those who read the file.
[[nodiscard]] std::string describe(const MissingPart& part, TraceTime first, TraceTime last);

} // namespace highwater
