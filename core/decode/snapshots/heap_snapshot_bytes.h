#pragma once

#include "core/base/byte_reader.h"
#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace highwater::decode {

/// A block listed by a Windows heap snapshot. The frames (innermost first) are only valid during the call.
struct HeapSnapshotBlock {
    Address heap = 0;
    Address address = 0;
    ByteCount size = 0;
    std::span<const Address> frames;
};

struct HeapSnapshotFacts {
    unsigned pointerBytes = 0; ///< pointer size of the process; 0 without heaps
    std::uint32_t heaps = 0;
    std::uint64_t blocks = 0;
    friend bool operator==(const HeapSnapshotFacts&, const HeapSnapshotFacts&) = default;
};

using HeapSnapshotBlocks = std::function<void(const HeapSnapshotBlock&)>;

/// Reads the bytes of a snapshot in the layout assumed in docs/etl-format.md 5.6. Returns nothing if the bytes do not
/// have that layout up to the last one, because their meaning is then unknown. Blocks are reported as they are found,
/// even if later bytes turn out to be invalid. Callers that need the blocks must first call it without `onBlock`. The
/// time depends on the number of bytes; never reads outside them.
[[nodiscard]] std::optional<HeapSnapshotFacts> readHeapSnapshot(ByteSpan bytes, const HeapSnapshotBlocks& onBlock = {});

} // namespace highwater::decode
