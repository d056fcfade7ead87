#include "core/pipeline/picture_taker.h"

#include "core/pipeline/older_blocks.h"
#include "core/references/references.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace highwater::pipeline {
namespace {

constexpr auto kPause = std::chrono::milliseconds(5);
/// The events until the instant of a copy are in the channel already, so that reading them ends. What remains of the
/// life of the copy is for examining it.
constexpr auto kPatience = source::kCopyLife - std::chrono::minutes(1);
/// Each keeps the memory of a process that may have ended. Further processes wait until one has been examined.
constexpr std::size_t kMostCopies = 8;
/// For the first process of a recording. A stop waits for it.
constexpr auto kFirstPatience = std::chrono::seconds(5);

/// Adds the blocks of the process that are outstanding at that time.
void addBlocks(const store::PublishedTrace& trace, std::uint32_t pid, TraceTime time, references::Memory& memory) {
    const auto process = store::ProcessesByPid(*trace.processes).at(pid, time);
    if (!process) return;
    memory.hasUnknownBlocks = mayHaveOlderBlocks(trace, *process, time);
    const auto& heap = trace.heap;
    for (RowId row = 0; row < heap.rows; ++row)
        if (heap.begin(row) < time && heap.end(row) >= time && trace.heapOf(heap.site(row)).process == *process)
            memory.blocks.push_back({heap.columns->rows.address(row), heap.size(row)});
}

Error late() {
    return {ErrorKind::Io,
            fmt::format("No picture of memory was taken because the events of the recording arrived more than {} "
                        "minutes late. Try again when the machine is less busy.",
                        std::chrono::duration_cast<std::chrono::minutes>(kPatience).count())};
}

} // namespace

PictureTaker::PictureTaker(const PicturePlan& plan, Copy copy) : plan_(plan), copy_(std::move(copy)) {}

PictureTaker::~PictureTaker() { end(); }

void PictureTaker::begin(Listener listener) {
    listener_ = std::move(listener);
    const std::lock_guard lock(mutex_);
    isBegun_ = true;
    copying_ = std::thread([this] { copyAsked(stop_.get_token()); });
    examining_ = std::thread([this] { examineCopied(stop_.get_token()); });
}

void PictureTaker::ask() {
    {
        const std::lock_guard lock(mutex_);
        isAsked_ = !hasCopiedLast_;
    }
    woken_.notify_all();
}

void PictureTaker::askAtExit(std::uint32_t pid) {
    {
        const std::lock_guard lock(mutex_);
        if (!hasCopiedLast_)
            exiting_.push_back(pid);
        else if (listener_.letEnd)
            listener_.letEnd(pid);
    }
    woken_.notify_all();
}

bool PictureTaker::finish(std::function<void()> then) {
    {
        const std::lock_guard lock(mutex_);
        if (!isBegun_ || !(plan_.atStop || isAnyAsked() || isCopying_)) return false;
        if (!last_) last_ = std::move(then);
    }
    woken_.notify_all();
    return true;
}

void PictureTaker::waitUntilTaken() {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return !isBegun_ || isEnding_ || !isBusyNow(); });
}

bool PictureTaker::isBusy() const {
    const std::lock_guard lock(mutex_);
    return isBusyNow();
}

void PictureTaker::end() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    stop_.request_stop();
    woken_.notify_all();
    const std::lock_guard lock(joinMutex_);
    for (auto* thread : {&copying_, &examining_})
        if (thread->joinable()) thread->join();
}

/// A periodic picture waits until the one before has been taken.
void PictureTaker::copyAsked(const std::stop_token& stop) {
    constexpr auto kLong = std::chrono::hours(1); // a wait until the end of time overflows in some libraries
    auto next = plan_.every ? Clock::now() + *plan_.every : Clock::time_point::max();
    const auto isDueNow = [&] { return Clock::now() >= next && !isExaminationDue(); };
    std::unique_lock lock(mutex_);
    while (!isEnding_) {
        while (!(isEnding_ || isAnyAsked() || last_ || isDueNow())) {
            const auto longest = Clock::now() + kLong;
            woken_.wait_until(lock, isExaminationDue() ? longest : std::min(next, longest));
        }
        const bool isDue = isDueNow();
        const auto last = std::exchange(last_, nullptr);
        const auto exiting = std::exchange(exiting_, {});
        const bool isAsked = std::exchange(isAsked_, false);
        const bool isOfAll = isAsked || isDue || (last && plan_.atStop);
        isCopying_ = true;
        lock.unlock();
        for (const auto pid : exiting) {
            copy(pid, stop);
            if (listener_.letEnd) listener_.letEnd(pid);
        }
        if (isOfAll)
            for (const auto pid : isAsked ? firstProcesses(stop) : listener_.processes())
                if (std::ranges::find(exiting, pid) == exiting.end()) copy(pid, stop);
        if (isDue) next = Clock::now() + *plan_.every;
        lock.lock();
        isCopying_ = false;
        woken_.notify_all();
        if (!last) continue;
        leaveOutLateRequests();
        lock.unlock();
        return last();
    }
}

/// A program may come to its end while the recording is being stopped.
void PictureTaker::leaveOutLateRequests() {
    hasCopiedLast_ = true;
    isAsked_ = false;
    for (const auto pid : std::exchange(exiting_, {}))
        if (listener_.letEnd) listener_.letEnd(pid);
}

void PictureTaker::examineCopied(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (true) {
        woken_.wait(lock, [this] { return isEnding_ || !copied_.empty(); });
        if (isEnding_) return copied_.clear();
        std::optional<Copied> next = std::move(copied_.front());
        copied_.pop_front();
        isExamining_ = true;
        lock.unlock();
        woken_.notify_all();
        report(examine(*next, stop), next->pid, next->copy->ticks());
        next.reset();
        lock.lock();
        isExamining_ = false;
        woken_.notify_all();
    }
}

/// The user may ask before the first events of the program have arrived.
std::vector<std::uint32_t> PictureTaker::firstProcesses(const std::stop_token& stop) const {
    const auto until = Clock::now() + kFirstPatience;
    while (true) {
        const bool isLast = listener_.isDone() || stop.stop_requested() || Clock::now() > until;
        auto pids = listener_.processes();
        if (pids.empty() && isLast)
            listener_.refused({"No picture of memory was taken because no recorded process is running.", 0, now()});
        if (!pids.empty() || isLast) return pids;
        std::this_thread::sleep_for(kPause);
    }
}

void PictureTaker::report(const Result<void>& taken, std::uint32_t pid, std::optional<std::int64_t> ticks) const {
    if (!taken.hasValue() && taken.error().kind != ErrorKind::Cancelled)
        listener_.refused({taken.error().message, pid, ticks});
}

std::optional<std::int64_t> PictureTaker::now() const {
    return listener_.clock ? std::optional(listener_.clock()) : std::nullopt;
}

void PictureTaker::copy(std::uint32_t pid, const std::stop_token& stop) {
    {
        std::unique_lock lock(mutex_);
        woken_.wait(lock, [this] { return isEnding_ || copied_.size() < kMostCopies; });
        if (isEnding_) return;
    }
    const auto begun = now();
    auto made = copy_(pid, listener_.clock, stop);
    if (!made.hasValue()) return report(made.error(), pid, begun);
    const std::lock_guard lock(mutex_);
    copied_.push_back({pid, std::move(made).value(), Clock::now()});
    woken_.notify_all();
}

Result<void> PictureTaker::examine(const Copied& copied, const std::stop_token& stop) {
    const auto& [pid, copy, copiedAt] = copied;
    const auto ticks = copy->ticks();
    if (!ticks)
        return Error{ErrorKind::Unsupported, "No picture of memory was taken because the recording has no clock."};
    const auto time = listener_.timeOf(*ticks);
    const auto trace = traceAt(time, copiedAt + kPatience, stop);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, ""};
    if (!trace) return late();
    auto memory = variables_.memoryOf(
        *copy, [&copy = *copy](Address from, std::span<std::byte> to) { return copy.read(from, to); });
    addBlocks(*trace, pid, time, memory);
    auto picture = TRY(references::findReferences(std::move(memory), stop));
    frameNames_.name(picture, copy->mappings());
    picture.time = time;
    picture.pid = pid;
    picture.unreadThreads = copy->unreadThreads();
    listener_.taken(picture, *ticks);
    return {};
}

/// Null: too late, or a stop was requested.
std::shared_ptr<const store::PublishedTrace> PictureTaker::traceAt(TraceTime time, Clock::time_point until,
                                                                   const std::stop_token& stop) const {
    while (!stop.stop_requested()) {
        const bool isDone = listener_.isDone(); // before the newest part is asked for
        auto trace = listener_.latest();
        if (trace && (isDone || trace->horizon > time)) return trace;
        if (isDone || Clock::now() > until) return nullptr;
        std::this_thread::sleep_for(kPause);
    }
    return nullptr;
}

} // namespace highwater::pipeline
