#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/references/process_memory.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <vector>

namespace highwater::pipeline {

/// Compares rows of a trace with the blocks that malloc of glibc has in the memory of a process.
class BlocksInMemory {
  public:
    /// Both must outlive the object. The mappings are valid.
    BlocksInMemory(const references::HeapChunks& chunks, const ResidentSample& mappings)
        : chunks_(chunks), mappings_(mappings) {}

    enum class Match : std::uint8_t {
        Same,    ///< there is a block that malloc returns for such a request
        None,    ///< the memory was not requested, or for a block of another size
        Unknown, ///< the memory belongs to no heap that was followed
    };
    [[nodiscard]] Match find(Address address, ByteCount bytes) const;

  private:
    const references::HeapChunks& chunks_;
    const ResidentSample& mappings_;
};

/// The blocks of a process at the instant of its core file.
struct CoreBlocks {
    TraceTime time;                        ///< the instant
    std::vector<references::Block> blocks; ///< that are outstanding in the trace then, and in memory
    std::uint64_t checked = 0;             ///< of these, blocks that malloc has
    std::uint64_t gone = 0;                ///< blocks that are outstanding in the trace then, but not in memory
    ByteCount goneBytes = 0;
};

/// Finds the instant in [.., last] at which the outstanding rows of the process agree best with the memory: most of
/// them are in memory, and fewest are not. The latest one of several. A core file has no time, and the process may have
/// continued after it. Time: O(n log n) for n rows. Any thread.
[[nodiscard]] CoreBlocks blocksAtCore(const store::PublishedTrace& trace, ProcessIndex process, TraceTime last,
                                      const BlocksInMemory& memory);

} // namespace highwater::pipeline
