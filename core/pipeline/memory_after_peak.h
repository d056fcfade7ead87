#pragma once

#include <chrono>
#include <cstdint>

namespace highwater::pipeline {

/// Determines when memory that a burst of records needed is returned to the system: once, when few records have arrived
/// for some seconds, so that everything queued is finished. Until then it is reused. One thread.
class MemoryAfterPeak {
  public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t kMany = 500'000;  ///< this many need enough memory to be worth returning
    static constexpr std::uint64_t kFew = 10'000;    ///< per second
    static constexpr std::chrono::seconds kQuiet{4}; ///< for this long

    explicit MemoryAfterPeak(Clock::time_point now) : secondBegin_(now), quietSince_(now) {}

    /// Call at least once per second. `records`: number since the last call. Returns true when memory should be
    /// returned.
    [[nodiscard]] bool isDue(std::uint64_t records, Clock::time_point now) {
        sinceGivenBack_ += records;
        inSecond_ += records;
        if (inSecond_ > kFew) quietSince_ = now;
        if (now - secondBegin_ >= std::chrono::seconds(1)) {
            secondBegin_ = now;
            inSecond_ = 0;
        }
        if (sinceGivenBack_ < kMany || now - quietSince_ < kQuiet) return false;
        sinceGivenBack_ = 0;
        return true;
    }

  private:
    Clock::time_point secondBegin_;
    Clock::time_point quietSince_;
    std::uint64_t inSecond_ = 0;
    std::uint64_t sinceGivenBack_ = 0;
};

} // namespace highwater::pipeline
