#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::pipeline {

/// When which process of a recording is sampled for its resident memory: each about once a second, and less often if
/// sampling would take more than 0.5 % of one processor, or its records more than 1 MB a second, for all processes
/// together. Requested samples (marks) come as soon as sampling has taken at most 5 %. One thread.
class ResidentSchedule {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kEvery{1};
    static constexpr int kPause = 200;       ///< multiple of the time that a sample took
    static constexpr int kPauseIfAsked = 20; ///< the same for requested samples
    static constexpr double kBytesPerSecond = 1 << 20;

    /// Processes that have begun; known ones are ignored. They are due at once.
    void add(const std::vector<std::uint32_t>& pids, Clock::time_point now);
    /// All processes are wanted as soon as possible.
    void ask();
    /// The process to sample now, the one that has waited longest; nothing if none is due.
    [[nodiscard]] std::optional<std::uint32_t> due(Clock::time_point now) const;
    /// Time of the next one; Clock::time_point::max() if there are no processes.
    [[nodiscard]] Clock::time_point next() const;
    [[nodiscard]] std::vector<std::uint32_t> processes() const;

    enum class Outcome : std::uint8_t {
        Sampled,
        Nothing, ///< it ends or executes another program; after the third time in a row it is not tried again
        Failed,  ///< not tried again
    };
    struct Cost {
        Clock::duration time{};  ///< processor time
        std::uint64_t bytes = 0; ///< size of its records
    };
    /// A process was sampled, which ended at `now`.
    void noteSampled(std::uint32_t pid, Outcome outcome, Cost cost, Clock::time_point now);

  private:
    struct Process {
        std::uint32_t pid = 0;
        Clock::time_point due;
        bool isAsked = false;
        int inVain = 0; ///< outcomes Nothing in a row
    };
    [[nodiscard]] Clock::time_point timeOf(const Process& process) const;
    [[nodiscard]] const Process* nextProcess() const;

    std::vector<Process> processes_;
    Clock::time_point free_ = Clock::time_point::min(); ///< earliest time within the limits
    Clock::time_point freeIfAsked_ = Clock::time_point::min();
};

} // namespace highwater::pipeline
