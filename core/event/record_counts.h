#pragma once

#include "core/base/guid.h"

#include <array>
#include <cstdint>
#include <map>

namespace highwater {

/// Windows' own heap snapshots (docs/etl-format.md 5.6).
struct HeapSnapshotCounts {
    std::uint64_t instances = 0;
    std::uint64_t bytes = 0;     ///< bytes that arrived for them
    std::uint64_t decoded = 0;   ///< instances whose blocks are known
    std::uint64_t undecoded = 0; ///< incomplete instances, or instances with an unknown layout
};

/// Events of runtimes about their generated code (docs/etl-format.md 6.7).
struct CodeCounts {
    std::uint64_t methods = 0; ///< loads, unloads and rundowns with a name
    std::uint64_t ilMaps = 0;
    std::uint64_t ilMapEntries = 0;
    std::uint64_t stacks = 0;          ///< stacks in the CLR's own events
    std::uint64_t allocationTicks = 0; ///< in the managed heap, like the following counts
    std::uint64_t allocationSamples = 0;
    std::uint64_t collections = 0; ///< finished collections; some runtimes report a start twice
    std::uint64_t heapStats = 0;   ///< sizes of the generations
    std::uint64_t segments = 0;    ///< created and freed
};

/// Number of records of each kind in a trace. The decoder increments one counter per record; `info` reads them.
/// Pipeline thread only; copy it to pass it on.
struct RecordCounts {
    std::uint64_t total = 0;                      ///< all records, including the header record
    std::array<std::uint64_t, 32> byHeaderType{}; ///< index = header type of docs/etl-format.md 2
    std::array<std::array<std::uint64_t, 256>, 32>
        byGroup{};                            ///< [group][opcode], classic records (GUID classes mapped)
    std::map<Guid, std::uint64_t> byProvider; ///< provider records of classes without a group
    std::uint64_t extendedStacks = 0;         ///< stacks in extended data items
    std::uint64_t messages = 0;               ///< WPP messages
    std::uint64_t imageIds = 0;               ///< KernelTraceControl ImageID records of any opcode
    HeapSnapshotCounts heapSnapshots;
    CodeCounts code;

    [[nodiscard]] std::uint64_t group(std::uint8_t g) const {
        std::uint64_t sum = 0;
        for (auto n : byGroup[g & 31u])
            sum += n;
        return sum;
    }
};

} // namespace highwater
