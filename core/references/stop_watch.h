#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <stop_token>
#include <utility>

namespace highwater::references {

inline Error cancelled() { return {ErrorKind::Cancelled, "The search for references was cancelled."}; }

/// Asks a stop token once in many steps of a loop.
class StopWatch {
  public:
    explicit StopWatch(std::stop_token stop) : stop_(std::move(stop)) {}
    [[nodiscard]] bool isStopped() { return (++steps_ & (kSteps - 1)) == 0 && stop_.stop_requested(); }

  private:
    static constexpr std::uint32_t kSteps = 1 << 15;
    std::stop_token stop_;
    std::uint32_t steps_ = 0;
};

} // namespace highwater::references
