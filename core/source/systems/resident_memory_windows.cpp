#include "core/source/contract/resident_memory.h"

namespace highwater::source {

/// Not available yet. Recordings contain the private bytes of each process (memoryOf).
Result<std::optional<ResidentSample>> residentMemoryOf(std::uint32_t /*pid*/) {
    return std::optional<ResidentSample>();
}

} // namespace highwater::source
