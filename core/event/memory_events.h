#pragma once

#include "core/base/enum_table.h"
#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/base/units.h"

#include <cstdint>
#include <span>

namespace highwater {

/// A stack that events reference by a key before its definition has been read. Dense, from 0, assigned by the decoder;
/// EventSink::onPendingStackDefined delivers its frames later.
using PendingStackId = Id<struct PendingStackTag>;

/// The stack of an event: its frames (innermost first, kernel frames before user frames), the number of a deferred
/// stack whose frames follow later, or none. The span is valid only during the call that carries it. Known: the frames
/// equal those of an earlier event of the same process that had the same hash and was not a heap range event; only
/// memory events, stack definitions, snapshot blocks and reached times came in between. Known is used only when events
/// are passed between threads.
struct EventStack {
    enum class Kind : std::uint8_t { None, Frames, Pending, Known };
    Kind kind = Kind::None;
    PendingStackId pending{};
    std::span<const Address> frames;
    bool hasHash = false; ///< `hash` is the precomputed hash of the frames
    FramesHash hash{};
};

/// Operations on memory (docs/etl-format.md 5.1 to 5.3).
enum class MemoryOperation : std::uint8_t {
    VirtualAlloc,        ///< address, size, flags
    VirtualFree,         ///< address, size, flags
    VirtualRundownStart, ///< address, size, flags, oldSize = committed bytes: existed when the recording began
    VirtualRundownEnd,   ///< the same, when the recording ended
    HeapCreate,          ///< heap
    HeapAlloc,           ///< heap, address, size, source; oldSize: further objects that this sample represents, wraps
                         ///< around to mean none
    HeapReAlloc,         ///< heap, address and size (new), oldAddress, oldSize, source
    HeapFree,            ///< heap, address, source
    HeapDestroy,         ///< heap
    HeapRangeReserve,    ///< heap, address, size; also one per range of HRCreate and HRRundown
    HeapRangeRelease,    ///< heap, address, size
    HeapRangeDestroy,    ///< heap: all its ranges
    ManagedAlloc,        ///< size: the bytes that the sample represents; heap: number of its type, source: its kind
};

inline constexpr auto kMemoryOperationCount = enumeratorCount<MemoryOperation>();

/// The kind of memory that an operation concerns.
enum class MemoryKind : std::uint8_t {
    Virtual,   ///< pages of an address space
    Heap,      ///< a heap, or a block of one
    HeapRange, ///< pages owned by a heap
    Managed,   ///< garbage-collected objects: samples whose end of life is not reported
};
[[nodiscard]] constexpr MemoryKind memoryKind(MemoryOperation operation) {
    switch (operation) {
    case MemoryOperation::VirtualAlloc:
    case MemoryOperation::VirtualFree:
    case MemoryOperation::VirtualRundownStart:
    case MemoryOperation::VirtualRundownEnd:
        return MemoryKind::Virtual;
    case MemoryOperation::HeapCreate:
    case MemoryOperation::HeapAlloc:
    case MemoryOperation::HeapReAlloc:
    case MemoryOperation::HeapFree:
    case MemoryOperation::HeapDestroy:
        return MemoryKind::Heap;
    case MemoryOperation::ManagedAlloc:
        return MemoryKind::Managed;
    case MemoryOperation::HeapRangeReserve:
    case MemoryOperation::HeapRangeRelease:
    case MemoryOperation::HeapRangeDestroy:
        break;
    }
    return MemoryKind::HeapRange;
}

/// Flags of VirtualAlloc and VirtualFree events.
namespace virtual_flag {
inline constexpr std::uint32_t kCommit = 0x1000, kReserve = 0x2000, kDecommit = 0x4000, kRelease = 0x8000,
                               kReset = 0x80000;
}

/// Flags of ManagedAlloc events.
namespace managed_flag {
inline constexpr std::uint32_t kSample = 1; ///< found by random sampling, not by an allocator tick
}

/// One decoded event about memory, complete with its stack (or without one, and counted). Delivered in time order.
struct MemoryEvent {
    TraceTime time;
    Address address = 0;
    ByteCount size = 0;
    Address heap = 0; ///< heap handle
    Address oldAddress = 0;
    ByteCount oldSize = 0;
    std::uint32_t pid = 0;
    ThreadId tid;
    std::uint32_t flags = 0;
    MemoryOperation operation = MemoryOperation::VirtualAlloc;
    /// heap path: 1 lookaside, 2 LFH, 3 main, 4 slow, 6 segment heap; of ManagedAlloc 0 small, 1 large, 2 pinned
    std::uint8_t source = 0;
    std::uint16_t threadLife = 0; ///< which thread with this id, as ids are reused; determined by the store
    EventStack stack;
};

} // namespace highwater
