#pragma once

#include <cstdint>
#include <string>

namespace highwater {

/// The computer on which a trace was recorded (SystemConfig CPU; docs/etl-format.md 6.6). A value.
struct RecordedSystem {
    std::uint32_t processors = 0; ///< 0: not known
    std::string computer;         ///< computer name; empty: not known
};

} // namespace highwater
