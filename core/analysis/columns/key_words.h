#pragma once

#include "core/analysis/columns/columns.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/site_table.h"

#include <array>
#include <cstdint>

namespace highwater::analysis {

/// The words of columns whose keys stand for words, for column_specs.cpp alone; others ask findWord().

template <typename Enum>
[[nodiscard]] constexpr std::uint64_t keyFor(Enum value) {
    return static_cast<std::uint64_t>(value);
}

inline constexpr std::array<KeyWord, 4> kTypeWords{{
    {keyFor(RowType::AIFI), "AIFI", "Allocated inside the interval, freed inside it: temporary."},
    {keyFor(RowType::AIFO), "AIFO",
     "Allocated inside the interval and not freed in it: outstanding. These may be leaks."},
    {keyFor(RowType::AOFI), "AOFI", "Allocated before the interval, freed inside it."},
    {keyFor(RowType::AOFO), "AOFO", "Allocated before the interval and not freed in it: there all the time."},
}};
inline constexpr std::array<KeyWord, 3> kImpactWords{{
    {keyFor(Impact::Impacting), "Impacting",
     "Changes the outstanding amount between the start and the end of the interval."},
    {keyFor(Impact::Transient), "Transient", "Allocated and freed inside the interval: changes nothing in the end."},
    {keyFor(Impact::Persistent), "Persistent",
     "Outstanding through the whole interval: allocated before it and not freed in it."},
}};
/// The heap's numbers of its paths (docs/etl-format.md 5.2).
inline constexpr std::array<KeyWord, 7> kSourceWords{{
    {0, "Unknown"},
    {1, "Lookaside"},
    {2, "Low fragmentation heap"},
    {3, "Main path"},
    {4, "Slow path"},
    {5, "Invalid"},
    {6, "Segment heap"},
}};
inline constexpr std::array<KeyWord, 2> kReallocWords{{{0, "False"}, {1, "True"}}};
inline constexpr std::array<KeyWord, 2> kTemporaryWords{{
    {0, "False"},
    {1, "True", "Its thread freed it before it did anything else with a heap: it could have been avoided, or kept."},
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
    {keyFor(store::EndKind::Exec), "Exec", "Its process executed another program, whose memory is new."},
    {kUnmatchedFreeType, "Unmatched free"},
}};
inline constexpr std::array<KeyWord, 2> kMemoryWords{{
    {keyFor(store::TableKind::VirtualAlloc), "VirtualAlloc"},
    {keyFor(store::TableKind::Heap), "Heap"},
}};

} // namespace highwater::analysis
