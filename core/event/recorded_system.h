#pragma once

#include <cstdint>
#include <string>

namespace highwater {

/// What a trace says of the computer that it was recorded on (SystemConfig CPU; docs/etl-format.md 6.6). A value.
struct RecordedSystem {
    std::uint32_t processors = 0; ///< 0: not told
    std::string computer;         ///< its name; empty: not told
};

} // namespace highwater
