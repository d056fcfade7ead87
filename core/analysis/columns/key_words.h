#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/gc_events.h"
#include "core/event/memory_picture.h"
#include "core/store/published/page_owners.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/site_table.h"

#include <array>
#include <cstdint>

namespace highwater::analysis {

/// The words for keys of columns, for column_specs.cpp only; other code calls findWord().

template <typename Enum>
[[nodiscard]] constexpr std::uint64_t keyFor(Enum value) {
    return static_cast<std::uint64_t>(value);
}

inline constexpr std::array<KeyWord, 4> kTypeWords{{
    {keyFor(RowType::AIFI), "AIFI", "Allocated and freed inside the interval: temporary."},
    {keyFor(RowType::AIFO), "AIFO",
     "Allocated inside the interval and not freed in it: outstanding. These may be leaks."},
    {keyFor(RowType::AOFI), "AOFI", "Allocated before the interval and freed inside it."},
    {keyFor(RowType::AOFO), "AOFO", "Allocated before the interval and not freed in it: outstanding throughout."},
}};
inline constexpr std::array<KeyWord, 3> kImpactWords{{
    {keyFor(Impact::Impacting), "Impacting",
     "Changes the outstanding amount between the start and the end of the interval."},
    {keyFor(Impact::Transient), "Transient", "Allocated and freed inside the interval: no net change."},
    {keyFor(Impact::Persistent), "Persistent",
     "Outstanding throughout the interval: allocated before it and not freed in it."},
}};
/// The path numbers of the heap (docs/etl-format.md 5.2).
inline constexpr std::array<KeyWord, 7> kSourceWords{{
    {0, "Unknown"},
    {1, "Lookaside"},
    {2, "Low fragmentation heap"},
    {3, "Main path"},
    {4, "Slow path"},
    {5, "Invalid"},
    {6, "Segment heap"},
}};
/// Keys are those of Reachability and one more; 0: in no picture.
inline constexpr std::array<KeyWord, kReachabilities + 1> kReachabilityWords{{
    {0, "(not in a picture)",
     "The block was not outstanding when the newest picture of memory in the interval was taken."},
    {keyFor(Reachability::Reachable) + 1, "Reachable", "Pointers to the start of blocks lead to it."},
    {keyFor(Reachability::Possible) + 1, "Possibly reachable",
     "Only pointers into the middle of a block, or values that may not be pointers, lead to it."},
    {keyFor(Reachability::Unreachable) + 1, "Unreachable",
     "Nothing refers to it except blocks that it leads to itself, so it is a leak."},
    {keyFor(Reachability::OnlyLeaked) + 1, "Indirectly leaked", "Only unreachable blocks refer to it."},
}};
inline constexpr std::array<KeyWord, 2> kReallocWords{{{0, "False"}, {1, "True"}}};
inline constexpr std::array<KeyWord, 2> kTemporaryWords{{
    {0, "False"},
    {1, "True", "Its thread freed it in the next heap operation: the allocation could have been avoided or reused."},
}};
inline constexpr std::array<KeyWord, 10> kFreeTypeWords{{
    {keyFor(store::EndKind::None), "(outstanding)"},
    {keyFor(store::EndKind::Free), "Free"},
    {keyFor(store::EndKind::ReAlloc), "ReAlloc"},
    {keyFor(store::EndKind::HeapDestroy), "Heap destroyed"},
    {keyFor(store::EndKind::FreeLost), "Free lost"},
    {keyFor(store::EndKind::Decommit), "Decommit"},
    {keyFor(store::EndKind::Release), "Release"},
    {keyFor(store::EndKind::ProcessExit), "Process exit"},
    {keyFor(store::EndKind::Exec), "Exec", "The process executed another program, which starts with new memory."},
    {kUnmatchedFreeType, "Unmatched free"},
}};
inline constexpr std::array<KeyWord, 2> kMemoryWords{{
    {keyFor(store::TableKind::VirtualAlloc), "VirtualAlloc"},
    {keyFor(store::TableKind::Heap), "Heap"},
}};
inline constexpr std::array<KeyWord, 5> kOwnerWords{{
    {keyFor(store::PageOwner::GcHeap), "[GC heap]", "In a segment of a garbage-collected heap."},
    {keyFor(store::PageOwner::Heap), "heap", "In an address range of a Windows heap."},
    {keyFor(store::PageOwner::Stack), "stack", "In a thread stack."},
    {keyFor(store::PageOwner::Image), "image", "In the address range of a program or library."},
    {keyFor(store::PageOwner::Unknown), "unknown", "No event identifies the owner."},
}};
/// The numbers of the runtime (docs/etl-format.md 6.7).
inline constexpr std::array<KeyWord, 3> kManagedKindWords{{
    {0, "Small", "On the small object heap, whose objects move through the generations."},
    {1, "Large", "On the large object heap: objects of 85,000 bytes or more."},
    {2, "Pinned", "On the pinned object heap: objects that do not move."},
}};
inline constexpr std::array<KeyWord, kGcGenerations> kGcGenerationWords{{
    {keyFor(GcGeneration::Gen0), "Gen 0",
     "Objects that have not survived a collection, such as those allocated since the last one."},
    {keyFor(GcGeneration::Gen1), "Gen 1", "Objects that survived one collection."},
    {keyFor(GcGeneration::Gen2), "Gen 2", "Objects that survived more than one collection."},
    {keyFor(GcGeneration::Large), "Large", "The large object heap: objects of 85,000 bytes or more."},
    {keyFor(GcGeneration::Pinned), "Pinned", "The pinned object heap: objects that do not move."},
}};

} // namespace highwater::analysis
