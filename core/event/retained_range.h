#pragma once

#include "core/base/units.h"

#include <cstdint>

namespace highwater {

/// Allocations that are not in a trace any more, because they had ended before its window began.
struct Evicted {
    std::uint64_t rows = 0;
    ByteCount bytes = 0; ///< their sizes
};

/// A recording that kept only its newest part: what it says of the time before `start` is what was outstanding then.
struct RetainedRange {
    TraceTime start = kBeforeTrace;
    Evicted heap;
    Evicted virtualAlloc;
};

} // namespace highwater
