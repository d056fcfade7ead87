#include "core/pipeline/picture_taker.h"

#include "core/pipeline/older_blocks.h"
#include "core/references/references.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>

#include <utility>

namespace highwater::pipeline {
namespace {

constexpr auto kLook = std::chrono::milliseconds(5);
/// For the events until the instant of a picture. The copy of the process lives longer.
constexpr auto kPatience = std::chrono::seconds(30);
/// For the first process of a recording. A stop waits for it.
constexpr auto kFirstPatience = std::chrono::seconds(5);

/// Adds the blocks of the process that are outstanding at that time.
void addBlocks(const store::PublishedTrace& trace, std::uint32_t pid, TraceTime time, references::Memory& memory) {
    const auto process = store::ProcessesByPid(*trace.processes).at(pid, time);
    if (!process) return;
    memory.hasUnknownBlocks = mayHaveOlderBlocks((*trace.processes)[*process], time);
    const auto& heap = trace.heap;
    for (RowId row = 0; row < heap.rows; ++row)
        if (heap.begin(row) < time && heap.end(row) >= time && trace.heapOf(heap.site(row)).process == *process)
            memory.blocks.push_back({heap.columns->rows.address(row), heap.size(row)});
}

Error late() {
    return {ErrorKind::Io, "No picture of memory was taken because the events of the recording arrived more than 30 "
                           "seconds late. Try again when the machine is less busy."};
}

} // namespace

PictureTaker::PictureTaker(const PicturePlan& plan, Copy copy) : plan_(plan), copy_(std::move(copy)) {}

PictureTaker::~PictureTaker() { end(); }

void PictureTaker::begin(Listener listener) {
    listener_ = std::move(listener);
    const std::lock_guard lock(mutex_);
    isBegun_ = true;
    thread_ = std::thread([this] { run(stop_.get_token()); });
}

void PictureTaker::ask() {
    {
        const std::lock_guard lock(mutex_);
        isAsked_ = true;
    }
    woken_.notify_all();
}

void PictureTaker::askAtExit(std::uint32_t pid) {
    {
        const std::lock_guard lock(mutex_);
        exiting_.push_back(pid);
    }
    woken_.notify_all();
}

bool PictureTaker::finish(std::function<void()> then) {
    {
        const std::lock_guard lock(mutex_);
        if (!isBegun_ || !(plan_.atStop || isAnyAsked() || isTaking_)) return false;
        if (!last_) last_ = std::move(then);
    }
    woken_.notify_all();
    return true;
}

bool PictureTaker::isBusy() const {
    const std::lock_guard lock(mutex_);
    return isAnyAsked() || isTaking_;
}

void PictureTaker::end() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    stop_.request_stop();
    woken_.notify_all();
    const std::lock_guard lock(joinMutex_);
    if (thread_.joinable()) thread_.join();
}

void PictureTaker::run(const std::stop_token& stop) {
    auto next = plan_.every ? Clock::now() + *plan_.every : Clock::time_point::max();
    std::unique_lock lock(mutex_);
    while (!isEnding_) {
        // A wait until the end of time overflows in some libraries.
        const auto until = std::min(next, Clock::now() + std::chrono::hours(1));
        woken_.wait_until(lock, until, [this] { return isEnding_ || isAnyAsked() || last_; });
        const bool isDue = Clock::now() >= next;
        const auto last = std::exchange(last_, nullptr);
        const auto exiting = std::exchange(exiting_, {});
        const bool isAsked = std::exchange(isAsked_, false);
        const bool isOfAll = isAsked || isDue || (last && plan_.atStop);
        isTaking_ = isOfAll || !exiting.empty();
        if (isTaking_) {
            lock.unlock();
            takeAll(isAsked ? firstProcesses(stop) : isOfAll ? listener_.processes() : exiting, stop);
            for (const auto pid : exiting)
                if (listener_.letEnd) listener_.letEnd(pid);
            lock.lock();
            isTaking_ = false;
        }
        if (isDue) next = Clock::now() + *plan_.every;
        if (!last) continue;
        lock.unlock();
        return last();
    }
}

/// The user may ask before the first events of the program have arrived.
std::vector<std::uint32_t> PictureTaker::firstProcesses(const std::stop_token& stop) const {
    const auto until = Clock::now() + kFirstPatience;
    while (true) {
        const bool isLast = listener_.isDone() || stop.stop_requested() || Clock::now() > until;
        auto pids = listener_.processes();
        if (pids.empty() && isLast)
            listener_.refused("No picture of memory was taken because no recorded process is running.");
        if (!pids.empty() || isLast) return pids;
        std::this_thread::sleep_for(kLook);
    }
}

void PictureTaker::takeAll(const std::vector<std::uint32_t>& pids, const std::stop_token& stop) {
    for (const auto pid : pids) {
        const auto taken = take(pid, stop);
        if (!taken.hasValue() && taken.error().kind != ErrorKind::Cancelled) listener_.refused(taken.error().message);
    }
}

Result<void> PictureTaker::take(std::uint32_t pid, const std::stop_token& stop) {
    const auto copy = TRY(copy_(pid, listener_.clock, stop));
    const auto ticks = copy->ticks();
    if (!ticks)
        return Error{ErrorKind::Unsupported, "No picture of memory was taken because the recording has no clock."};
    const auto time = listener_.timeOf(*ticks);
    const auto trace = traceAt(time, stop);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, ""};
    if (!trace) return late();
    auto memory = variables_.memoryOf(*copy);
    addBlocks(*trace, pid, time, memory);
    auto picture = TRY(references::findReferences(std::move(memory), stop));
    picture.time = time;
    picture.pid = pid;
    picture.unreadThreads = copy->unreadThreads();
    listener_.taken(picture, *ticks);
    return {};
}

/// Null: too late, or a stop was requested.
std::shared_ptr<const store::PublishedTrace> PictureTaker::traceAt(TraceTime time, const std::stop_token& stop) const {
    const auto begun = Clock::now();
    while (!stop.stop_requested()) {
        const bool isDone = listener_.isDone(); // before the newest part is asked for
        auto trace = listener_.latest();
        if (trace && (isDone || trace->horizon > time)) return trace;
        if (isDone || Clock::now() - begun > kPatience) return nullptr;
        std::this_thread::sleep_for(kLook);
    }
    return nullptr;
}

} // namespace highwater::pipeline
