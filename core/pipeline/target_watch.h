#pragma once

#include "core/base/units.h"
#include "core/source/contract/process_memory.h"

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
/// recording. Reports from its own thread. begin() may be called on another thread, end() on any number of others.
class TargetWatch {
  public:
    using Ask = std::function<std::optional<source::ProcessMemory>(std::uint32_t pid)>;
    struct Listener {
        /// Called once per second.
        std::function<void(std::uint32_t pid, const source::ProcessMemory& memory)> sampled;
        /// Called once, with a sentence about the limit that was reached.
        std::function<void(const std::string& sentence)> reached;
    };

    explicit TargetWatch(StopConditions conditions, Ask ask = source::memoryOf);
    ~TargetWatch();
    TargetWatch(const TargetWatch&) = delete;
    TargetWatch& operator=(const TargetWatch&) = delete;

    void begin(const std::vector<std::uint32_t>& pids, Listener listener);
    void end();

  private:
    struct Target {
        std::uint32_t pid = 0;
        std::optional<ByteCount> first;
    };
    void run();
    void look(bool isSample);
    void check(Target& target, ByteCount privateBytes);
    void tell(const std::string& sentence);

    StopConditions conditions_;
    Ask ask_;
    Listener listener_;
    std::vector<Target> targets_;
    std::chrono::steady_clock::time_point begun_;
    bool hasReported_ = false;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool isEnding_ = false;
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace highwater::pipeline
