#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/resident_sample.h"
#include "core/pipeline/resident_schedule.h"
#include "core/source/contract/process_memory.h"
#include "core/source/contract/resident_memory.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace highwater::pipeline {

/// When a recording ends by itself; never if nothing is set.
struct StopConditions {
    std::optional<ByteCount> privateBytesAbove{};  ///< for any recorded process
    std::optional<ByteCount> privateBytesGrowth{}; ///< the same, since its first sample
    std::optional<std::chrono::milliseconds> after{};
    [[nodiscard]] bool isAny() const { return privateBytesAbove || privateBytesGrowth || after; }
    friend bool operator==(const StopConditions&, const StopConditions&) = default;
};

/// Checks the memory of the recorded processes once per second, and ten times per second if a limit can end the
/// recording. Samples their resident memory as ResidentSchedule determines. Reports from its own thread. begin() may be
/// called on another thread, the other functions on any number of others.
class TargetWatch {
  public:
    struct Questions {
        std::function<std::optional<source::ProcessMemory>(std::uint32_t pid)> memory = source::memoryOf;
        std::function<Result<std::optional<ResidentSample>>(std::uint32_t pid)> resident = source::residentMemoryOf;
    };
    struct Listener {
        /// Called once per second.
        std::function<void(std::uint32_t pid, const source::ProcessMemory& memory)> sampled;
        /// Called once, with a sentence about the limit that was reached.
        std::function<void(const std::string& sentence)> reached;
        /// A sample of resident memory, and its time in ticks if known. Returns the size of its records. Null: there
        /// are no samples.
        std::function<std::uint64_t(const ResidentSample& sample, std::optional<std::int64_t> ticks)> resident{};
        /// Called once for each process whose resident memory cannot be sampled, with a sentence.
        std::function<void(const std::string& sentence)> notSampled{};
        /// The current time in ticks; null: not known.
        std::function<std::int64_t()> clock{};
        /// Pids of recorded processes that were found since the last call; null: there are only the first ones.
        std::function<std::vector<std::uint32_t>()> found{};
    };

    explicit TargetWatch(StopConditions conditions, Questions questions);
    ~TargetWatch();
    TargetWatch(const TargetWatch&) = delete;
    TargetWatch& operator=(const TargetWatch&) = delete;

    void begin(const std::vector<std::uint32_t>& pids, Listener listener);
    /// Samples the resident memory of all processes soon, for a mark.
    void sampleSoon();
    /// Samples the resident memory of all processes a last time, then calls `then`, on the thread of this object. False
    /// if it does not sample, then nothing is called. Only the first call matters.
    bool sampleLast(std::function<void()> then);
    void end();

  private:
    using Clock = std::chrono::steady_clock;
    struct Target {
        std::uint32_t pid = 0;
        std::optional<ByteCount> first;
    };
    void run();
    void look(bool isSample);
    void check(Target& target, ByteCount privateBytes);
    void tell(const std::string& sentence);
    void sampleLastNow();
    [[nodiscard]] std::function<void()> endSampling();
    void add(std::uint32_t pid);
    void addFound();
    void sampleDue();
    void sampleAll();
    void sampleResident(std::uint32_t pid);
    [[nodiscard]] std::optional<std::int64_t> ticks() const;

    StopConditions conditions_;
    Questions questions_;
    Listener listener_;
    std::vector<Target> targets_;
    ResidentSchedule schedule_; ///< empty: resident memory is not sampled
    Clock::time_point begun_;
    int looks_ = 0;
    bool hasReported_ = false;
    std::mutex mutex_; ///< guards the next five
    std::condition_variable woken_;
    bool isEnding_ = false;
    bool isSampling_ = false; ///< the thread runs, and takes samples of resident memory
    bool isAsked_ = false;
    std::function<void()> last_;
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace highwater::pipeline
