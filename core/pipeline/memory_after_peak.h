#pragma once

#include <chrono>
#include <cstdint>

namespace highwater::pipeline {

/// When memory that a surge of records needed is given back to the system: once, as soon as few have come for some
/// seconds, so that all that was queued is done with. Until then it is used again all the time. One thread.
class MemoryAfterPeak {
  public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t kMany = 500'000;  ///< so many need memory that is worth giving back
    static constexpr std::uint64_t kFew = 10'000;    ///< a second
    static constexpr std::chrono::seconds kQuiet{4}; ///< for so long

    explicit MemoryAfterPeak(Clock::time_point now) : secondBegin_(now), quietSince_(now) {}

    /// To be called at least once a second. `records`: how many came since the last call. True: now.
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
