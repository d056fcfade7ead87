#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <span>

namespace highwater::decode {

/// Receives every stack in the trace, regardless of its owner. For tests and statistics.
class StackObserver {
  public:
    virtual ~StackObserver() = default;
    /// Frames innermost first; one call per record (halves are not joined). Keys: called when the key is defined, once
    /// per reference, with the time and process of the reference.
    virtual void onStack(TraceTime time, std::uint32_t pid, std::span<const Address> frames) = 0;
};

} // namespace highwater::decode
