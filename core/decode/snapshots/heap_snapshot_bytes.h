#pragma once

#include "core/base/byte_reader.h"
#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace highwater::decode {

/// A block that a heap snapshot of Windows says is there. The frames (innermost first) are valid during the call only.
struct HeapSnapshotBlock {
    Address heap = 0;
    Address address = 0;
    ByteCount size = 0;
    std::span<const Address> frames;
};

struct HeapSnapshotFacts {
    unsigned pointerBytes = 0; ///< of the process; 0: there is no heap
    std::uint32_t heaps = 0;
    std::uint64_t blocks = 0;
    friend bool operator==(const HeapSnapshotFacts&, const HeapSnapshotFacts&) = default;
};

using HeapSnapshotBlocks = std::function<void(const HeapSnapshotBlock&)>;

/// Reads the bytes of a snapshot, as docs/etl-format.md 5.6 assumes them. Nothing: they are not of that layout to the
/// last byte, and nobody knows what they say. Blocks are told as they are met, also of bytes that turn out to be wrong
/// behind them: whoever wants blocks asks without first. Takes time with the bytes; reads within them whatever they
/// say.
[[nodiscard]] std::optional<HeapSnapshotFacts> readHeapSnapshot(ByteSpan bytes, const HeapSnapshotBlocks& onBlock = {});

} // namespace highwater::decode
