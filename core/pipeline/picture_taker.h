#pragma once

#include "core/base/result.h"
#include "core/event/memory_picture.h"
#include "core/pipeline/frame_names.h"
#include "core/pipeline/picture_variables.h"
#include "core/source/contract/process_copy.h"
#include "core/store/published/published_trace.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
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
    std::optional<ByteCount> onGrowth{};              ///< see MemoryGrowth
    bool atStop = false;                              ///< when the recording is stopped
    bool atExit = false;                              ///< when a recorded program ends by itself
    [[nodiscard]] bool isAny() const { return every || onGrowth || atStop || atExit; }
    friend bool operator==(const PicturePlan&, const PicturePlan&) = default;
};

/// Why a picture was not taken.
struct PictureRefusal {
    std::string sentence;
    std::uint32_t pid = 0;                  ///< 0: of all recorded processes
    std::optional<std::int64_t> ticks = {}; ///< of the clock of the recording; nothing: it has none
};

/// Takes pictures of the memory of the recorded processes: copies each process, waits until the trace has reached that
/// instant, and finds the references between the outstanding blocks. One thread makes the copies, so that a process
/// never waits for more than its own copy, and another one examines them, one after the other. begin() may be called on
/// another thread, the other functions on any number of others.
class PictureTaker {
  public:
    using Copy = std::function<Result<std::unique_ptr<source::ProcessCopy>>(
        std::uint32_t pid, const std::function<std::int64_t()>& clock, const std::stop_token& stop)>;
    struct Listener {
        std::function<std::vector<std::uint32_t>()> processes; ///< the pids of the recorded processes
        std::function<std::int64_t()> clock;                   ///< of the recording
        std::function<TraceTime(std::int64_t ticks)> timeOf;
        std::function<std::shared_ptr<const store::PublishedTrace>()> latest;
        std::function<bool()> isDone; ///< latest() has everything that was recorded
        /// A picture was taken, at this time in ticks.
        std::function<void(const MemoryPicture& picture, std::int64_t ticks)> taken;
        /// A process that waited at its end may end. Null: none waits.
        std::function<void(std::uint32_t pid)> letEnd;
        /// A picture could not be taken. Two threads may call it at once.
        std::function<void(const PictureRefusal& refusal)> refused;
    };

    explicit PictureTaker(const PicturePlan& plan, Copy copy = source::copyProcess);
    ~PictureTaker();
    PictureTaker(const PictureTaker&) = delete;
    PictureTaker& operator=(const PictureTaker&) = delete;

    void begin(Listener listener);
    /// Requests a picture of all recorded processes. Requests that wait for the same picture are one.
    void ask();
    /// Requests a picture of a process that waits at its end, and lets it end as soon as it is copied.
    void askAtExit(std::uint32_t pid);
    /// Makes the requested copies, and one more if the plan asks for it, and then calls `then`, on a thread of this
    /// object. Later requests are left out. False if there is nothing to copy; then nothing is called. Only the first
    /// call matters.
    bool finish(std::function<void()> then);
    /// Waits until all requested pictures are taken or refused.
    void waitUntilTaken();
    /// Whether a picture is requested or being taken.
    [[nodiscard]] bool isBusy() const;
    void end();

  private:
    using Clock = std::chrono::steady_clock;
    /// The copy of a process that waits until it is examined.
    struct Copied {
        std::uint32_t pid = 0;
        std::unique_ptr<source::ProcessCopy> copy;
        Clock::time_point at;
    };
    void copyAsked(const std::stop_token& stop);
    void leaveOutLateRequests();
    void examineCopied(const std::stop_token& stop);
    [[nodiscard]] bool isAnyAsked() const { return isAsked_ || !exiting_.empty(); }
    [[nodiscard]] bool isExaminationDue() const { return isExamining_ || !copied_.empty(); }
    [[nodiscard]] bool isBusyNow() const { return isAnyAsked() || isCopying_ || isExaminationDue(); }
    [[nodiscard]] std::vector<std::uint32_t> firstProcesses(const std::stop_token& stop) const;
    void copy(std::uint32_t pid, const std::stop_token& stop);
    void report(const Result<void>& taken, std::uint32_t pid, std::optional<std::int64_t> ticks) const;
    [[nodiscard]] std::optional<std::int64_t> now() const;
    [[nodiscard]] Result<void> examine(const Copied& copied, const std::stop_token& stop);
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> traceAt(TraceTime time, Clock::time_point until,
                                                                       const std::stop_token& stop) const;

    PicturePlan plan_;
    Copy copy_;
    Listener listener_;
    PictureVariables variables_; ///< of the thread that examines
    FrameNames frameNames_;
    mutable std::mutex mutex_; ///< guards the next ten
    std::condition_variable woken_;
    bool isBegun_ = false;
    bool isEnding_ = false;
    bool isAsked_ = false;
    bool isCopying_ = false;
    bool isExamining_ = false;
    bool hasCopiedLast_ = false;         ///< what is requested now is left out
    std::vector<std::uint32_t> exiting_; ///< processes that wait at their end
    std::deque<Copied> copied_;          ///< oldest first
    std::function<void()> last_;
    std::mutex joinMutex_;
    std::stop_source stop_;
    std::thread copying_;
    std::thread examining_;
};

} // namespace highwater::pipeline
