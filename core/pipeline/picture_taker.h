#pragma once

#include "core/base/result.h"
#include "core/event/memory_picture.h"
#include "core/pipeline/picture_variables.h"
#include "core/source/contract/process_copy.h"
#include "core/store/published/published_trace.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace highwater::pipeline {

/// When a recording takes pictures of memory by itself; never if nothing is set.
struct PicturePlan {
    static constexpr std::chrono::seconds kShortest{5};

    std::optional<std::chrono::milliseconds> every{}; ///< at least kShortest
    bool atStop = false;                              ///< when the recording is stopped
    bool atExit = false;                              ///< when a recorded program ends by itself
    [[nodiscard]] bool isAny() const { return every || atStop || atExit; }
    friend bool operator==(const PicturePlan&, const PicturePlan&) = default;
};

/// Takes pictures of the memory of the recorded processes: copies each process, waits until the trace has reached that
/// instant, and finds the references between the outstanding blocks. One picture after the other, on its own thread.
/// begin() may be called on another thread, the other functions on any number of others.
class PictureTaker {
  public:
    using Copy = std::function<Result<std::unique_ptr<source::ProcessCopy>>(
        std::uint32_t pid, const std::function<std::int64_t()>& clock, const std::stop_token& stop)>;
    struct Listener {
        std::function<std::vector<std::uint32_t>()> processes; ///< the pids of the recorded processes
        std::function<std::int64_t()> clock;                   ///< of the recording
        std::function<TraceTime(std::int64_t ticks)> timeOf;
        std::function<std::shared_ptr<const store::PublishedTrace>()> latest;
        std::function<bool()> isDone; ///< nothing more will arrive
        /// A picture was taken, at this time in ticks.
        std::function<void(const MemoryPicture& picture, std::int64_t ticks)> taken;
        /// A process that waited at its end may end. Null: none waits.
        std::function<void(std::uint32_t pid)> letEnd;
        /// A picture could not be taken; a sentence.
        std::function<void(const std::string& sentence)> refused;
    };

    explicit PictureTaker(const PicturePlan& plan, Copy copy = source::copyProcess);
    ~PictureTaker();
    PictureTaker(const PictureTaker&) = delete;
    PictureTaker& operator=(const PictureTaker&) = delete;

    void begin(Listener listener);
    /// Requests a picture of all recorded processes. Requests that wait for the same picture are one.
    void ask();
    /// Requests a picture of a process that waits at its end, and lets it end then.
    void askAtExit(std::uint32_t pid);
    /// Takes the requested pictures, and one more if the plan asks for it, and then calls `then`, on the thread of this
    /// object. False if there is nothing to take; then nothing is called. Only the first call matters.
    bool finish(std::function<void()> then);
    /// Whether a picture is requested or being taken.
    [[nodiscard]] bool isBusy() const;
    void end();

  private:
    using Clock = std::chrono::steady_clock;
    void run(const std::stop_token& stop);
    [[nodiscard]] bool isAnyAsked() const { return isAsked_ || !exiting_.empty(); }
    [[nodiscard]] std::vector<std::uint32_t> firstProcesses(const std::stop_token& stop) const;
    void takeAll(const std::vector<std::uint32_t>& pids, const std::stop_token& stop);
    [[nodiscard]] Result<void> take(std::uint32_t pid, const std::stop_token& stop);
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> traceAt(TraceTime time,
                                                                       const std::stop_token& stop) const;

    PicturePlan plan_;
    Copy copy_;
    Listener listener_;
    PictureVariables variables_;
    mutable std::mutex mutex_; ///< guards the next seven
    std::condition_variable woken_;
    bool isBegun_ = false;
    bool isEnding_ = false;
    bool isAsked_ = false;
    bool isTaking_ = false;
    std::vector<std::uint32_t> exiting_; ///< processes that wait at their end
    std::function<void()> last_;
    std::mutex joinMutex_;
    std::stop_source stop_;
    std::thread thread_;
};

} // namespace highwater::pipeline
