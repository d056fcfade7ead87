#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater {

/// Allocations that were dropped from a trace because they had ended before its window starts.
struct Evicted {
    std::uint64_t rows = 0;
    ByteCount bytes = 0; ///< their sizes
};

/// For a recording that kept only its newest part: allocations before `start` are those that were outstanding then.
struct RetainedRange {
    TraceTime start = kBeforeTrace;
    Evicted heap;
    Evicted virtualAlloc;
};

} // namespace highwater
