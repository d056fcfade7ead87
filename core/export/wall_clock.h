#pragma once

#include "core/base/units.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <optional>
#include <string>

namespace highwater::exports {

/// The clock on the wall where a trace was recorded: local time, with the bias that its zone had when it began. A plain
/// value.
class WallClock {
  public:
    /// Nothing: the trace does not say when it was recorded, or what makes no sense.
    [[nodiscard]] static std::optional<WallClock> of(const TraceProperties& properties);

    /// "2024-05-01 14:02:33.1234567": cut off, not rounded, as clocks do. Of times that are neither kBeforeTrace nor
    /// kNever.
    [[nodiscard]] std::string text(TraceTime time) const;

  private:
    explicit WallClock(std::int64_t localTicks) : localTicks_(localTicks) {}
    std::int64_t localTicks_; ///< at time 0, 100 ns since 1601
};

} // namespace highwater::exports
