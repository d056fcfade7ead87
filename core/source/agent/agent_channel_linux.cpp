#include "core/source/agent/agent_channel_linux.h"

#include "core/event/opcodes.h"
#include "core/source/agent/agent_channel_memory_linux.h"
#include "core/source/agent/agent_chunks_linux.h"
#include "core/source/agent/agent_merge_linux.h"
#include "core/source/agent/agent_processes_linux.h"
#include "core/source/agent/agent_thread_names_linux.h"
#include "core/source/attach/agent_library_linux.h"
#include "core/source/attach/loader_process_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <unistd.h>

namespace highwater::source {

namespace {

/// Upper bound of the time until a store of another processor is visible. Younger events wait for the next drain.
constexpr std::int64_t kVisibleAfterNs = 100'000;
/// Time limit for a thread that is delayed inside the agent and holds up all others. Where many threads share few
/// processors, it may take part of a second until the thread runs again. If memory is short, the shorter limit applies.
constexpr std::int64_t kMostWaitNs = 2'000'000'000;
constexpr std::int64_t kMostWaitWithoutRoomNs = 50'000'000;
constexpr std::int64_t kThreadCheckNs = 1'000'000'000;
constexpr std::size_t kMostRestrictions = 16; ///< number of restrictions that are reported individually
constexpr std::size_t kMostUncopied = 3;      ///< the same for programs without a copy
/// Small enough for the results of a batch to stay in the cache until the recorder has written them.
constexpr std::size_t kBatchEvents = 4 * 1024;
constexpr std::size_t kManyEvents = 16 * 1024; ///< if a pass finds that many events, the next pass follows at once

/// Uses the thread id that the thread reports. Otherwise searches the threads of its process. A thread that has already
/// ended keeps the id in its own pid namespace.
AgentRingReader::Thread threadOf(const AgentProcess& process, const agent::ThreadSlot& slot) {
    if (slot.readerTid != 0) return {process.pid, slot.readerTid};
    if (slot.tid == process.ownPid) return {process.pid, process.pid};
    const auto found =
        findByOwnNumber(fmt::format("/proc/{}/task", process.pid), slot.tid, [](std::uint32_t) { return true; });
    return {process.pid, found != 0 ? found : slot.tid};
}

/// The path in /proc of this pid namespace.
std::string pathOf(const AgentChannelMemory& memory) { return fmt::format("/proc/{}/fd/{}", getpid(), memory.file()); }

} // namespace

class AgentChannel::Impl {
  public:
    Impl(const AgentOptions& options, AgentLibrary library, const AgentClock& clock, AgentChannelMemory memory)
        : options_(options),
          library_(std::move(library)),
          clock_(clock),
          memory_(std::move(memory)),
          chunks_(memory_),
          processes_(memory_.view(), {memory_.inode(), pathOf(memory_)}) {
        batch_.reserve(kBatchEvents);
    }

    void startWatch();
    [[nodiscard]] const std::shared_ptr<AgentExitWaits>& exitWaits() const { return processes_.exitWaits(); }
    void look();
    std::size_t read(const Sink& sink, std::size_t most);
    [[nodiscard]] AgentBacklog backlog() const;
    void sleep(std::size_t events) { processes_.findEnded(events > kManyEvents ? 1 : 5); }
    [[nodiscard]] bool allEnded() const {
        return processes_.list().empty() && processes_.heldBackFrom() == ~std::uint64_t{0};
    }

    [[nodiscard]] bool isOver() {
        const bool mayRegister = options_.children == AgentOptions::Children::Recorded;
        return allEnded() && !(mayRegister && processes_.isAnySilent());
    }
    [[nodiscard]] bool isAnyRunning() const { return processes_.isAnyRunning(); }
    [[nodiscard]] AgentLosses losses() const;

    const AgentOptions options_;
    AgentLibrary library_;
    AgentClock clock_;
    AgentChannelMemory memory_;
    FoundProcess foundProcess_;
    ProcessWaits processWaits_;
    std::optional<LoaderProcess> watch_; ///< empties the channel, which targets keep mapped, if this process is killed
    std::atomic<bool> isStopped_ = false;
    std::atomic<std::size_t> seen_ = 0;
    std::atomic<std::size_t> running_ = 0;
    AgentLosses losses_;
    std::int64_t reachedNs_ = 0;

  private:
    [[nodiscard]] agent::ChannelView view() const { return memory_.view(); }
    void findProcesses();
    void findWaiting();
    void findRings();
    void declareEndedRings();
    void checkThreads(std::uint64_t now);
    void addStart(AgentEvent event, std::uint64_t tick, const std::string& name = {});
    [[nodiscard]] bool isStartPending(AgentOp op, std::uint32_t pid, std::uint32_t tid) const;
    [[nodiscard]] bool hasOtherRing(const AgentRingReader& ring) const;
    [[nodiscard]] bool isMemoryShort() const;
    [[nodiscard]] std::uint64_t mostWait(std::uint64_t now, std::uint64_t until) const;
    [[nodiscard]] std::uint64_t completeUntil(std::uint64_t now) const;
    [[nodiscard]] bool isBehind() const { return mergedUntil_ < wholeUntil_; }
    /// True if the merge has not reached this tick. Tick 0 means an unknown time, after everything written so far.
    [[nodiscard]] bool isAhead(std::uint64_t endTick) const {
        return isBehind() && (endTick == 0 || endTick > mergedUntil_);
    }
    void deliverWaiting(std::uint64_t until, const Sink& sink);
    std::uint64_t merge(std::uint64_t until, std::size_t most, const Sink& sink);
    void lookAtNames(const Sink& sink);
    void addName(const AgentRingReader& ring, std::string name);
    void reportName(const AgentRingReader& ring, const std::optional<std::string>& name, const Sink& sink);
    void endRings(const Sink& sink);
    void endProcesses(const Sink& sink);
    void noteUncopied(const AgentProcess& process);
    AgentEvent& append(AgentOp op, std::uint64_t tick, const Sink& sink);
    void reach(std::uint64_t tick);
    void flush(const Sink& sink);
    void reportLoss(AgentRingReader& ring, const Sink& sink);

    /// An event created by the reader that waits for its place in time order.
    struct Waiting {
        std::uint64_t tick;
        AgentEvent event;
        std::optional<AgentDetail> detail{};
    };

    AgentChunks chunks_;
    AgentProcesses processes_;
    std::vector<std::unique_ptr<AgentRingReader>> rings_;
    std::bitset<agent::kMostThreads> known_; ///< slots that have a reader
    std::deque<Waiting> waiting_;            ///< starts, and names that precede unread events. Sorted while merging.
    AgentThreadNames names_;
    AgentMerge merge_;
    std::vector<AgentEvent> batch_;
    std::deque<AgentDetail> details_;
    std::size_t delivered_ = 0;
    std::uint64_t replaced_ = 0; ///< includes processes that executed another recorded program
    std::uint64_t lookTick_ = 0;
    std::uint64_t wholeUntil_ = 0;  ///< everything before this tick has been written
    std::uint64_t mergedUntil_ = 0; ///< everything before this tick has been read
    std::uint64_t threadsCheckedAt_ = 0;
    std::uint64_t lastTick_ = 0;
    std::int64_t lastNs_ = 0;
};

/// A tick in the future cannot come from a clock. It is limited so that the start does not delay the end of its thread
/// or process.
void AgentChannel::Impl::addStart(AgentEvent event, std::uint64_t tick, const std::string& name) {
    waiting_.push_back({std::min(tick, clock_.now()), event});
    if (!name.empty()) waiting_.back().detail = AgentDetail{{}, name, {}};
}

bool AgentChannel::Impl::isStartPending(AgentOp op, std::uint32_t pid, std::uint32_t tid) const {
    return std::ranges::any_of(waiting_, [=](const Waiting& waiting) {
        return waiting.event.op == op && waiting.event.pid == pid && waiting.event.tid == tid;
    });
}

/// Optional: recording works the same without it.
void AgentChannel::Impl::startWatch() {
    const std::vector<std::string> arguments{"watch", std::to_string(memory_.chunksAt()),
                                             std::to_string(memory_.chunkBytes())};
    auto watch = LoaderProcess::start(library_.path(), arguments, memory_.file());
    if (!watch.hasValue()) return;
    watch_.emplace(std::move(watch).value());
    processes_.setWatch(static_cast<std::uint32_t>(watch_->pid()));
}

void AgentChannel::Impl::findProcesses() {
    for (std::size_t i = processes_.findNew(); i < processes_.list().size(); ++i) {
        const AgentProcess& process = processes_.list()[i];
        AgentEvent event;
        event.op = AgentOp::ProcessStart;
        event.pid = process.pid;
        event.flags = process.origin;
        event.oldAddress = process.parentPid;
        addStart(event, process.startTick, process.name);
        if (foundProcess_) foundProcess_(process.pid);
        ++seen_;
    }
}

void AgentChannel::Impl::findWaiting() {
    if (!options_.waitsAtExit) return;
    for (const auto pid : processes_.findWaiting())
        processWaits_ ? processWaits_(pid) : exitWaits()->letEnd(pid);
}

/// A thread may use a second ring for its last destructors, after it has returned the first one.
bool AgentChannel::Impl::hasOtherRing(const AgentRingReader& ring) const {
    return std::ranges::any_of(rings_, [&](const auto& other) {
        return other != nullptr && other.get() != &ring && known_[other->slotIndex()] && other->pid() == ring.pid() &&
               other->tid() == ring.tid();
    });
}

/// A slot that is not in use when it is examined here does not hold back any records: its thread reads the time of its
/// first record after it marks the slot as used. Only its start time may be earlier.
void AgentChannel::Impl::findRings() {
    const std::uint32_t used = std::min(view().header().threadsUsed.load(), agent::kMostThreads);
    for (std::uint32_t i = 0; i < used; ++i) {
        if (known_[i]) continue;
        const std::uint32_t state = view().thread(i).state.load(std::memory_order_acquire);
        if (state != agent::kSlotUsed && state != agent::kSlotDone) continue;
        const auto& slot = view().thread(i);
        const auto* const process = processes_.find(slot.processSlot, slot.pid);
        if (process == nullptr) continue; // found in the pass that finds its process
        auto ring = std::make_unique<AgentRingReader>(chunks_, i, threadOf(*process, slot));
        known_[i] = true;
        const bool isThreadNew = !hasOtherRing(*ring);
        rings_.push_back(std::move(ring));
        if (!isThreadNew) continue;
        AgentEvent event;
        event.op = AgentOp::ThreadStart;
        event.pid = rings_.back()->pid();
        event.tid = rings_.back()->tid();
        addStart(event, rings_.back()->startTick());
    }
}

void AgentChannel::Impl::declareEndedRings() {
    for (const AgentProcess& process : processes_.list()) {
        if (!process.hasEnded) continue;
        for (const auto& ring : rings_)
            if (ring->processSlot() == process.slot && ring->pid() == process.pid) ring->declareEnded();
    }
}

/// Finds threads that ended without notice: by a direct system call, or because another thread called exec.
void AgentChannel::Impl::checkThreads(std::uint64_t now) {
    if (now - threadsCheckedAt_ < clock_.ticksOf(kThreadCheckNs)) return;
    threadsCheckedAt_ = now;
    for (const auto& ring : rings_)
        if (!ring->headTick() && !ring->hasEnded() && !threadExists(ring->pid(), ring->tid())) ring->declareEnded();
}

/// Whether unread events occupy half of the memory.
bool AgentChannel::Impl::isMemoryShort() const { return chunks_.inUse() >= view().usableChunks() / 2; }

/// Each thread holds one chunk that it is writing.
AgentBacklog AgentChannel::Impl::backlog() const {
    AgentBacklog backlog;
    const auto writing = static_cast<std::uint32_t>(rings_.size());
    const std::uint32_t used = chunks_.inUse();
    backlog.bytes = std::uint64_t{used - std::min(used, writing)} * agent::kChunkBytes;
    backlog.mostBytes = std::uint64_t{view().usableChunks()} * agent::kChunkBytes;
    if (isBehind()) backlog.lagNs = clock_.nsAt(lookTick_) - clock_.nsAt(mergedUntil_);
    backlog.threads = writing;
    backlog.processes = static_cast<std::uint32_t>(processes_.list().size());
    backlog.isProcessHeldBack = processes_.heldBackFrom() != ~std::uint64_t{0};
    return backlog;
}

/// The longest time to wait for a thread. The memory is checked only after some waiting.
std::uint64_t AgentChannel::Impl::mostWait(std::uint64_t now, std::uint64_t until) const {
    const std::uint64_t least = clock_.ticksOf(kMostWaitWithoutRoomNs);
    return now - until > least && isMemoryShort() ? least : clock_.ticksOf(kMostWaitNs);
}

std::uint64_t AgentChannel::Impl::completeUntil(std::uint64_t now) const {
    const std::uint64_t most = std::min(now, processes_.heldBackFrom());
    if (isStopped_) return most;
    std::uint64_t until = most;
    for (const auto& ring : rings_)
        if (ring->heldUpFor(now) <= clock_.ticksOf(kMostWaitNs)) until = std::min(until, ring->completeUntil());
    const std::uint64_t wait = mostWait(now, until);
    return std::max(until, std::min(most, now > wait ? now - wait : 0));
}

void AgentChannel::Impl::look() {
    clock_.adjust();
    const std::uint64_t tick = lookTick_ = clock_.now();
    view().header().heartbeatTick.store(tick, std::memory_order_relaxed);
    const std::uint64_t margin = clock_.ticksOf(kVisibleAfterNs);
    const std::uint64_t now = tick > margin ? tick - margin : 0;
    // Ended processes first, so that everything they wrote and all slots they claimed are visible below.
    processes_.findEnded(0);
    processes_.noteEnded(tick);
    findProcesses();
    findWaiting();
    findRings();
    declareEndedRings();
    checkThreads(tick);
    for (const auto& ring : rings_)
        ring->look(now);
    wholeUntil_ = std::max(wholeUntil_, completeUntil(now));
}

std::size_t AgentChannel::Impl::read(const Sink& sink, std::size_t most) {
    delivered_ = 0;
    mergedUntil_ = std::max(mergedUntil_, merge(wholeUntil_, most, sink));
    lookAtNames(sink);
    endRings(sink);
    for (const auto& [pid, restrictedTick] : processes_.findRestricted())
        if (losses_.restricted.size() < kMostRestrictions)
            losses_.restricted.push_back({pid, clock_.nsAt(std::min(restrictedTick, lookTick_))});
    endProcesses(sink);
    flush(sink);
    reach(mergedUntil_);
    losses_.withoutRing = view().header().lostWithoutSlot.load(std::memory_order_relaxed);
    losses_.processes = view().header().processesRefused.load(std::memory_order_relaxed);
    const auto executed = view().header().programsExecuted.load(std::memory_order_relaxed);
    losses_.unrecordable = executed - std::min(executed, replaced_);
    losses_.unmapped = view().header().chunksUnmapped.load(std::memory_order_relaxed);
    losses_.unmappedPid = static_cast<std::uint32_t>(view().header().unmappedProcess.load(std::memory_order_relaxed));
    losses_.children = view().header().childrenMissed.load(std::memory_order_relaxed);
    // A process that is held back has not ended.
    running_ = std::max<std::size_t>(processes_.list().size(), allEnded() ? 0 : 1);
    return delivered_;
}

AgentLosses AgentChannel::Impl::losses() const {
    auto losses = losses_;
    losses.unknownNumbers = processes_.unknownNumbers();
    const auto& header = view().header();
    losses.programsUnrecorded = header.programsUnrecorded.load(std::memory_order_relaxed);
    for (const auto& entry : header.unrecorded) {
        if (entry.state.load(std::memory_order_acquire) != agent::kSlotUsed) continue;
        // Checked, because a faulty target may write anything there.
        const std::uint32_t obstacle = entry.obstacle;
        if (obstacle == 0 || obstacle >= agent::kObstacles) continue;
        losses.unrecorded.push_back({static_cast<agent::Obstacle>(obstacle), entry.pid,
                                     std::string(entry.path, strnlen(entry.path, sizeof entry.path)),
                                     std::string(entry.detail, strnlen(entry.detail, sizeof entry.detail))});
    }
    return losses;
}

AgentEvent& AgentChannel::Impl::append(AgentOp op, std::uint64_t tick, const Sink& sink) {
    if (batch_.size() == kBatchEvents) flush(sink);
    const std::int64_t ns = clock_.nsAt(tick);
    AgentEvent& event = batch_.emplace_back();
    event.op = op;
    event.timeNs = lastNs_ = std::max(ns, lastNs_);
    return event;
}

/// No earlier event is expected after this; one that arrives anyway is late.
void AgentChannel::Impl::reach(std::uint64_t tick) {
    lastTick_ = std::max(lastTick_, tick);
    lastNs_ = std::max(lastNs_, clock_.nsAt(tick));
    reachedNs_ = lastNs_;
}

void AgentChannel::Impl::flush(const Sink& sink) {
    if (!batch_.empty()) sink(batch_);
    delivered_ += batch_.size();
    batch_.clear();
    details_.clear();
    // A slow sink must not make the target assume that the reader is gone, nor delay the end times of processes, nor
    // their ends.
    const std::uint64_t tick = clock_.now();
    view().header().heartbeatTick.store(tick, std::memory_order_relaxed);
    processes_.noteEnded(tick);
    findWaiting();
}

/// Delivers the events before `until` only: a later one would raise the time of everything that still has to come
/// before it.
void AgentChannel::Impl::deliverWaiting(std::uint64_t until, const Sink& sink) {
    for (; !waiting_.empty() && waiting_.front().tick < until; waiting_.pop_front()) {
        Waiting& next = waiting_.front();
        AgentEvent& event = append(next.event.op, next.tick, sink);
        next.event.timeNs = event.timeNs;
        event = next.event;
        if (next.detail) event.detail = &details_.emplace_back(*std::move(next.detail));
    }
}

/// Returns the tick up to which everything is delivered: `until`, or the tick of the earliest remaining event.
std::uint64_t AgentChannel::Impl::merge(std::uint64_t until, std::size_t most, const Sink& sink) {
    std::ranges::stable_sort(waiting_, {}, &Waiting::tick);
    merge_.begin(rings_, until);
    std::uint64_t limit = 0;
    std::size_t taken = 0;
    while (AgentRingReader* ring = merge_.next(limit)) {
        for (auto tick = ring->headTick(); tick && *tick < until && *tick <= limit; tick = ring->headTick()) {
            if (taken++ == most) {
                deliverWaiting(*tick, sink);
                return *tick;
            }
            if (!waiting_.empty()) deliverWaiting(*tick + 1, sink);
            if (*tick < lastTick_)
                ++losses_.late;
            else
                lastTick_ = *tick;
            AgentEvent& event = append(AgentOp::Allocate, *tick, sink);
            ring->take(event, details_);
            if (event.op == AgentOp::Stack && event.detail->frames.size() >= agent::kMostFrames)
                ++losses_.stacksAtLimit;
        }
    }
    deliverWaiting(until, sink);
    return until;
}

void AgentChannel::Impl::reportLoss(AgentRingReader& ring, const Sink& sink) {
    // The start of a thread precedes all its events.
    if (isStartPending(AgentOp::ThreadStart, ring.pid(), ring.tid())) return;
    const AgentRingReader::Loss loss = ring.takeLoss();
    losses_.interrupted += loss.nested;
    if (loss.events == 0) return;
    losses_.events += loss.events;
    AgentEvent& event = append(AgentOp::Lost, mergedUntil_, sink);
    event.pid = ring.pid();
    event.tid = ring.tid();
    event.size = loss.events;
    event.oldAddress = static_cast<Address>(clock_.nsAt(loss.fromTick));
    event.address = static_cast<Address>(clock_.nsAt(loss.toTick));
}

void AgentChannel::Impl::reportName(const AgentRingReader& ring, const std::optional<std::string>& name,
                                    const Sink& sink) {
    if (!name) return;
    AgentEvent& event = append(AgentOp::ThreadName, mergedUntil_, sink);
    event.pid = ring.pid();
    event.tid = ring.tid();
    event.detail = &details_.emplace_back(AgentDetail{{}, *name, {}});
}

/// Places the name after everything that has been written so far, and after the start of the thread.
void AgentChannel::Impl::addName(const AgentRingReader& ring, std::string name) {
    AgentEvent event;
    event.op = AgentOp::ThreadName;
    event.pid = ring.pid();
    event.tid = ring.tid();
    waiting_.push_back({std::max(wholeUntil_, ring.startTick()), event, AgentDetail{{}, std::move(name), {}}});
}

/// Names of running threads; a thread that ends reports its name itself.
void AgentChannel::Impl::lookAtNames(const Sink& sink) {
    const std::int64_t nowNs = clock_.nsAt(clock_.now());
    const bool mustWait = isBehind(); // the current name of a thread cannot be queried later
    names_.beginPass();
    for (const auto& ring : rings_) {
        if (ring->hasEnded()) continue;
        if (!mustWait && isStartPending(AgentOp::ThreadStart, ring->pid(), ring->tid())) continue;
        auto name = isStopped_ ? names_.lookAtLast(ring->slotIndex(), ring->pid(), ring->tid())
                               : names_.look(ring->slotIndex(), ring->pid(), ring->tid(), nowNs);
        if (mustWait && name)
            addName(*ring, *std::move(name));
        else
            reportName(*ring, name, sink);
    }
}

void AgentChannel::Impl::endRings(const Sink& sink) {
    for (const auto& ring : rings_)
        if (!isBehind()) reportLoss(*ring, sink);
    std::erase_if(rings_, [&](const std::unique_ptr<AgentRingReader>& ring) {
        if (!ring->hasEnded() || ring->headTick() || isAhead(ring->endTick())) return false;
        if (isStartPending(AgentOp::ThreadStart, ring->pid(), ring->tid())) return false;
        reportLoss(*ring, sink);
        if (ring->isDamaged()) ++losses_.damagedRings;
        losses_.stacksCut += ring->stacksCut();
        reportName(*ring, names_.end(ring->slotIndex(), ring->endName()), sink);
        if (!hasOtherRing(*ring)) {
            AgentEvent& event = append(AgentOp::ThreadEnd, std::min(ring->endTick(), mergedUntil_), sink);
            event.pid = ring->pid();
            event.tid = ring->tid();
        }
        known_[ring->slotIndex()] = false;
        ring->handBack();
        return true;
    });
}

void AgentChannel::Impl::endProcesses(const Sink& sink) {
    for (std::size_t i = processes_.list().size(); i-- > 0;) {
        const AgentProcess process = processes_.list()[i];
        const auto isOfProcess = [&](const std::unique_ptr<AgentRingReader>& ring) {
            return ring->processSlot() == process.slot && ring->pid() == process.pid;
        };
        if (!process.hasEnded || std::ranges::any_of(rings_, isOfProcess) || isAhead(process.endTick)) continue;
        if (isStartPending(AgentOp::ProcessStart, process.pid, 0)) continue;
        const std::uint64_t end = process.endTick != 0 ? process.endTick : mergedUntil_;
        AgentEvent& event = append(AgentOp::ProcessEnd, std::min(end, mergedUntil_), sink);
        event.pid = process.pid;
        event.flags = process.isReplaced ? 1 : 0;
        replaced_ += event.flags;
        noteUncopied(process);
        processes_.release(i);
    }
}

/// A process that executes another program continues as that one. Forks never wait.
void AgentChannel::Impl::noteUncopied(const AgentProcess& process) {
    const bool mustWait = options_.waitsAtExit && process.origin == static_cast<std::uint32_t>(agent::Origin::Program);
    if (!mustWait || process.hasWaited || process.isReplaced || process.isRestricted || isStopped_) return;
    const bool hasWaited = view().process(process.slot).exitWait.load() != agent::kExitRuns;
    if (++losses_.programsUncopied <= kMostUncopied) losses_.uncopied.push_back({process.pid, process.name, hasWaited});
}

namespace {

std::filesystem::path ownProgram() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error); // empty: not known
}

/// The system appends this to the name of a program whose file was deleted.
bool isReplaced(const std::filesystem::path& program) { return program.native().ends_with(" (deleted)"); }

} // namespace

Result<std::unique_ptr<AgentChannel>> AgentChannel::create(const AgentOptions& options, std::filesystem::path library) {
    std::error_code error;
    if (library.empty()) library = findAgentLibrary();
    if (library.empty() && isReplaced(ownProgram()))
        return Error{ErrorKind::NotFound, "The Highwater program file was replaced or deleted while it was running. "
                                          "Restart Highwater."};
    if (library.empty() || !std::filesystem::exists(library, error))
        return Error{ErrorKind::NotFound, "The recorder for Linux programs (libhighwater-agent.so) is not installed "
                                          "with Highwater, or other users could have changed it. Reinstall Highwater."};
    const AgentClock clock;
    auto memory = TRY(AgentChannelMemory::make(options, clock));
    auto preloadable = TRY(AgentLibrary::make(std::filesystem::absolute(library)));
    auto impl = std::make_unique<Impl>(options, std::move(preloadable), clock, std::move(memory));
    impl->startWatch();
    return std::unique_ptr<AgentChannel>(new AgentChannel(std::move(impl)));
}

AgentChannel::AgentChannel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AgentChannel::~AgentChannel() {
    stopRecording();
    impl_->memory_.emptyChunks();
    // Programs started later would otherwise make their dynamic linker complain on stderr about the missing library.
    if (impl_->allEnded()) impl_->library_.removeLink();
}

std::vector<std::pair<std::string, std::string>> AgentChannel::environment(const std::string& preload) const {
    std::string libraries = impl_->library_.preloadPath().string();
    if (!preload.empty()) libraries += ":" + preload;
    const auto channel = fmt::format("{}{}{}", impl_->memory_.filters(), agent::kAfterFilters, path());
    return {{agent::kChannelVariable, channel}, {"LD_PRELOAD", libraries}};
}

std::string AgentChannel::path() const { return pathOf(impl_->memory_); }
const std::filesystem::path& AgentChannel::library() const { return impl_->library_.path(); }
const AgentOptions& AgentChannel::options() const { return impl_->options_; }
void AgentChannel::look() { impl_->look(); }
std::size_t AgentChannel::read(const Sink& sink, std::size_t most) { return impl_->read(sink, most); }
AgentBacklog AgentChannel::backlog() const { return impl_->backlog(); }
void AgentChannel::whenProcessIsFound(FoundProcess found) { impl_->foundProcess_ = std::move(found); }
void AgentChannel::whenProcessWaits(ProcessWaits waits) { impl_->processWaits_ = std::move(waits); }
std::shared_ptr<AgentExitWaits> AgentChannel::exitWaits() const { return impl_->exitWaits(); }
std::size_t AgentChannel::drain(const Sink& sink) {
    look();
    return read(sink, kAll);
}

void AgentChannel::run(const Sink& sink, std::stop_token stop, const std::function<bool()>& isLaunchOver) {
    while (!stop.stop_requested()) {
        const bool canMoreCome = !isLaunchOver();
        const std::size_t events = drain(sink);
        if (!canMoreCome && impl_->isOver()) return;
        impl_->sleep(events);
    }
    stopRecording();
    // Gives the latest events time to become complete.
    std::this_thread::sleep_for(std::chrono::nanoseconds(2 * kVisibleAfterNs));
    drain(sink);
}

void AgentChannel::stopRecording() {
    impl_->memory_.view().header().isRecording.store(0, std::memory_order_relaxed);
    impl_->isStopped_ = true;
}

std::size_t AgentChannel::runningProcesses() const { return impl_->running_; }
std::size_t AgentChannel::processesSeen() const { return impl_->seen_; }
bool AgentChannel::isOver() { return impl_->isOver(); }
bool AgentChannel::isAnyRunning() const { return impl_->isAnyRunning(); }
AgentLosses AgentChannel::losses() const { return impl_->losses(); }
std::int64_t AgentChannel::reachedNs() const { return impl_->reachedNs_; }
std::int64_t AgentChannel::nowNs() const { return impl_->clock_.nsAt(impl_->clock_.now()); }

std::filesystem::path findAgentLibrary() {
    const auto program = ownProgram();
    return program.empty() ? std::filesystem::path() : agentLibraryFor(program);
}

const char* name(AgentOp op) {
    static constexpr const char* kNames[] = {"Allocate",       "Free",         "Reallocate",  "ReallocateRelease",
                                             "ReallocateMake", "Map",          "Unmap",       "Remap",
                                             "Protect",        "Advise",       "Break",       "Stack",
                                             "Module",         "ModuleGone",   "ThreadStart", "ThreadEnd",
                                             "ThreadName",     "ProcessStart", "ProcessEnd",  "Lost"};
    const auto index = static_cast<std::size_t>(op);
    return index < std::size(kNames) ? kNames[index] : "?";
}

} // namespace highwater::source
