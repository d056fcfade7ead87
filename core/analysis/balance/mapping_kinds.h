#pragma once

#include "core/analysis/balance/memory_layer.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/event/resident_sample.h"
#include "core/store/published/process_table.h"

#include <string_view>
#include <vector>

namespace highwater::analysis {

/// The use of a mapping's pages, as inferred from its name, its flags and its neighbours.
struct MappingKind {
    MemoryLayer layer = MemoryLayer::Unknown; ///< layer of its pages without blocks and rows; Returnable: it is a heap
    bool isDivided = false; ///< blocks and rows are looked up for each of its pages; otherwise all pages are `layer`
    /// The mapping from here to its end is a heap of glibc, apart from the rest. The end of the mapping: none of it is.
    Address arena = 0;
    /// Heaps of this system request their memory by VirtualAlloc, whose rows then are not memory of the program's own.
    bool mayBeHeapInRows = false;
    /// The file of the program or library to which the mapping belongs, or if it is private memory without a file, its
    /// pages of that layer (.bss). Of the sample; empty: none.
    std::string_view module = {};
};

/// For each mapping of the sample. `images`: of its process at that time.
[[nodiscard]] std::vector<MappingKind> kindsOf(const ResidentSample& sample, const PageRanges& images);

/// The pages of modules that were loaded in the process at that time: those of the agent, and all others.
struct ImagePages {
    PageRanges agent;
    PageRanges others;
};
[[nodiscard]] ImagePages imagesAt(const store::ProcessTable& processes, ProcessIndex process, TraceTime time);

/// Whether the mapping is private memory without a file, which may have blocks.
[[nodiscard]] bool isAnonymous(const ResidentSample& sample, const Mapping& mapping);

} // namespace highwater::analysis
