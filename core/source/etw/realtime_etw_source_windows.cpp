#include "core/source/etw/realtime_etw_source_windows.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/files/mapped_file.h"
#include "core/source/contract/found_processes.h"
#include "core/source/etw/code_session_windows.h"
#include "core/source/etw/etw_consumer_windows.h"
#include "core/source/etw/etw_error.h"
#include "core/source/etw/etw_session_windows.h"
#include "core/source/etw/heap_session_extension.h"
#include "core/source/etw/heap_tracing_flag_windows.h"
#include "core/source/etw/system_rundown_windows.h"
#include "core/source/etw/target_process_windows.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/records/batch_builder.h"
#include "core/source/records/image_identity.h"
#include "core/source/records/live_merge.h"
#include "core/source/records/live_ring.h"
#include "core/source/records/machine_id.h"
#include "core/source/records/recorded_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace highwater::source {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kPause = 10ms;
constexpr auto kFlushEvery = 250ms;
constexpr auto kPatience = 2 * kFlushEvery; ///< for a session without records
constexpr auto kAskEvery = 1000ms;          ///< for losses
constexpr auto kNoData = 4s;
constexpr auto kLoaded = 1s; ///< time after which a launched program has loaded the libraries that it is linked with
/// Time for the records of children that the program started just before it ended.
constexpr auto kChildrenPatience = 2s;
/// Time limit for Windows to deliver the rest of a stopped session.
constexpr auto kDrainPatience = 10s;
constexpr auto kOneBeforePatience = 15s;
constexpr std::size_t kRingBytes = std::size_t{64} << 20;
constexpr std::size_t kBatchRecords = 4096;
/// Maximum number of records per round, so that other work gets its turn.
constexpr std::size_t kRoundRecords = 64 * kBatchRecords;

std::int64_t ticksNow() {
    LARGE_INTEGER now{};
    ::QueryPerformanceCounter(&now);
    return now.QuadPart;
}

std::int64_t ticksPerSecond() {
    LARGE_INTEGER frequency{};
    ::QueryPerformanceFrequency(&frequency);
    return frequency.QuadPart;
}

std::int64_t fileTimeNow() {
    FILETIME now{};
    ::GetSystemTimePreciseAsFileTime(&now);
    return static_cast<std::int64_t>(std::uint64_t{now.dwHighDateTime} << 32 | now.dwLowDateTime);
}

std::int32_t biasMinutes() {
    TIME_ZONE_INFORMATION zone{};
    const auto kind = ::GetTimeZoneInformation(&zone);
    const auto more = kind == TIME_ZONE_ID_DAYLIGHT ? zone.DaylightBias : zone.StandardBias;
    return static_cast<std::int32_t>(zone.Bias + more);
}

std::uint32_t osBuild() {
    using Version = LONG(NTAPI*)(OSVERSIONINFOW*);
    const auto ask = reinterpret_cast<Version>(
        reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion")));
    OSVERSIONINFOW version{};
    version.dwOSVersionInfoSize = sizeof(version);
    return ask != nullptr && ask(&version) >= 0 ? version.dwBuildNumber : 0;
}

/// Enables a privilege that an administrator's token has but that is disabled. Failing is not an error; less data is
/// visible.
void enablePrivilege(const wchar_t* name) {
    HANDLE opened = nullptr;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &opened)) return;
    const WindowsHandle token(opened);
    TOKEN_PRIVILEGES privileges{};
    privileges.PrivilegeCount = 1;
    privileges.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
    if (!::LookupPrivilegeValueW(nullptr, name, &privileges.Privileges[0].Luid)) return;
    ::AdjustTokenPrivileges(token.get(), FALSE, &privileges, 0, nullptr, nullptr);
}

/// Session names allow only one recording at a time.
class OneAtATime {
  public:
    static Result<std::unique_ptr<OneAtATime>> take() {
        auto& turn = state();
        std::unique_lock lock(turn.mutex);
        if (!turn.ended.wait_for(lock, kOneBeforePatience, [&turn] { return !turn.isTaken; })) {
            return Error{ErrorKind::Usage, "The previous recording is still ending. Try again in a moment."};
        }
        turn.isTaken = true;
        return std::unique_ptr<OneAtATime>(new OneAtATime);
    }
    ~OneAtATime() {
        {
            const std::lock_guard lock(state().mutex);
            state().isTaken = false;
        }
        state().ended.notify_one();
    }

  private:
    struct State {
        std::mutex mutex;
        std::condition_variable ended;
        bool isTaken = false;
    };
    OneAtATime() = default;
    static State& state() {
        static State state;
        return state;
    }
};

/// A session and the consumer thread that empties it.
struct Channel {
    std::unique_ptr<EtwSession> session;
    LiveRing ring{kRingBytes};
    std::unique_ptr<EtwConsumer> consumer; ///< goes first
    EtwLossCounter losses;

    Result<void> begin(const EtwApi& api, Result<std::unique_ptr<EtwSession>> started) {
        session = TRY(std::move(started));
        consumer = TRY(EtwConsumer::open(api, session->name(), ring));
        return {};
    }
    /// Another program has stopped the session.
    [[nodiscard]] bool hasEnded() const { return consumer != nullptr && consumer->hasEnded(); }
};

} // namespace

class RealtimeEtwSource::Impl {
  public:
    Impl(const EtwApi& api, const CaptureOptions& options)
        : api_(api), options_(options), code_(api_), processes_(options.children) {}
    ~Impl() {
        // Sessions before consumers, which then do not have to wait.
        if (heap_.session) heap_.session->stop();
        if (kernel_.session) kernel_.session->stop();
    }

    Result<void> launch(const CaptureLaunch& launch);
    Result<void> attach(std::uint32_t pid);
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, const std::stop_token& stop, Progress& progress);
    [[nodiscard]] const TraceProperties& properties() const { return properties_; }
    [[nodiscard]] std::uint32_t target() const { return target_->pid(); }
    [[nodiscard]] const std::optional<ProgramEnd>& programEnd() const { return programEnd_; }
    [[nodiscard]] const FoundProcesses& found() const { return found_; }

  private:
    Result<void> prepare();
    void describe();
    Result<void> startKernel();
    Result<void> startHeap(std::vector<std::uint32_t> pids);
    Result<void> flagIfNeeded(const CaptureLaunch& launch);

    void reportRunningState();
    void reportProcess(const SystemProcess& process);
    void reportImage(const SystemImage& image, std::int64_t ticks);
    void reportMissedModules();
    std::size_t deliverDue();
    void takeRecord(const etl::RawRecord& record);
    void say(const std::string& sentence);
    void send();
    void sendPart();
    void keepUp();
    void flushSessions();
    void keepUpWithCode();
    void askLosses();
    void reportLossRange(std::int64_t first, std::int64_t last, std::uint64_t events);
    void explainNoData();
    void followChildren();
    void restartHeap(const std::vector<std::uint32_t>& pids);
    [[nodiscard]] bool isOver();
    bool wasStoppedByOthers(Channel& channel, std::string_view what);
    void noteEnd();
    void finish(Progress& progress);
    void takeNames();
    void drain(Channel& channel);

    EtwApi api_;
    CaptureOptions options_;
    std::unique_ptr<OneAtATime> turn_; ///< must outlive the sessions
    TraceProperties properties_;
    std::unique_ptr<HeapTracingFlag> flag_;
    Channel kernel_, heap_;
    CodeSession code_;
    std::optional<TargetProcess> target_;

    RecordedProcesses processes_;
    FoundProcesses found_; ///< children
    ImageIdentities identities_;
    BatchBuilder builder_;
    etl::RecordBatch batch_;
    std::optional<LiveMerge> merge_;
    etl::RecordSink* sink_ = nullptr;
    TraceHealth* health_ = nullptr;
    std::int64_t lastTicks_ = 0;  ///< latest time of the delivered records
    std::int64_t askedTicks_ = 0; ///< time of the last query for losses
    SteadyClock::time_point begunAt_, flushedAt_, askedAt_;
    std::uint64_t lateReported_ = 0, droppedReported_ = 0;
    std::optional<SteadyClock::time_point> targetEndedAt_;
    std::optional<ProgramEnd> programEnd_;
    bool isNoDataExplained_ = false, areModulesReported_ = false, heapIsFull_ = false;
};

// ---- the start ----

Result<void> RealtimeEtwSource::Impl::prepare() {
    turn_ = TRY(OneAtATime::take());
    enablePrivilege(L"SeSystemProfilePrivilege"); // SE_SYSTEM_PROFILE_NAME, SE_DEBUG_NAME
    enablePrivilege(L"SeDebugPrivilege");
    (void)stopOrphanedSessions(api_);
    (void)restoreHeapTracingFlags(FlagOwner::NobodyAlive);
    describe();
    return {};
}

void RealtimeEtwSource::Impl::describe() {
    SYSTEM_INFO system{};
    ::GetSystemInfo(&system);
    properties_.osBuild = osBuild();
    properties_.pointerBytes = sizeof(void*);
    properties_.processors = std::max<std::uint32_t>(1, system.dwNumberOfProcessors);
    properties_.clock = ClockKind::Qpc;
    properties_.ticksPerSecond = ticksPerSecond();
    properties_.firstTicks = ticksNow();
    properties_.startFileTime = fileTimeNow();
    properties_.bootFileTime = properties_.startFileTime - static_cast<std::int64_t>(::GetTickCount64()) * 10'000;
    properties_.biasMinutes = biasMinutes();
}

Result<void> RealtimeEtwSource::Impl::startKernel() {
    auto begun = kernel_.begin(api_, EtwSession::startKernel(api_, options_.virtualAlloc));
    if (begun.hasValue()) properties_.sessionName = utf8Of(kernel_.session->name());
    return begun;
}

Result<void> RealtimeEtwSource::Impl::startHeap(std::vector<std::uint32_t> pids) {
    if (!options_.heap) return {};
    return heap_.begin(api_, EtwSession::startHeap(api_, std::move(pids), heapHooks(options_.stacksOnFree)));
}

/// For 32-bit programs, naming the process in the session may not be enough. The flag, which is read when the program
/// starts, is.
Result<void> RealtimeEtwSource::Impl::flagIfNeeded(const CaptureLaunch& launch) {
    if (!options_.heap) return {};
    const auto path = programFile(launch.program);
    const auto file = MappedFile::open(std::filesystem::path(path));
    if (!file.hasValue() || !isImage32Bit(file.value()->bytes())) return {};
    flag_ = TRY(HeapTracingFlag::set(path.substr(path.find_last_of(L"\\/") + 1)));
    return {};
}

// Starts the kernel session first, so that it sees the process start. The program runs only after both sessions have
// started.
Result<void> RealtimeEtwSource::Impl::launch(const CaptureLaunch& launch) {
    TRY(prepare());
    TRY(startKernel());
    TRY(flagIfNeeded(launch));
    auto target = TRY(TargetProcess::launch(launch));
    target_.emplace(std::move(target));
    processes_.add(target_->pid());
    TRY(startHeap({target_->pid()}));
    if (options_.managedNames) code_.start({target_->pid()}, false);
    target_->resume();
    return {};
}

Result<void> RealtimeEtwSource::Impl::attach(std::uint32_t pid) {
    auto target = TRY(TargetProcess::attach(pid));
    if (target.hasEnded()) {
        return Error{ErrorKind::NotFound, fmt::format("Process {} has ended.", pid)};
    }
    target_.emplace(std::move(target));
    TRY(prepare());
    TRY(startKernel());
    std::vector<std::uint32_t> pids{pid};
    if (options_.children) {
        const auto processes = systemProcesses(); // parents before children, unless pids were reused
        for (std::size_t i = 0; i < pids.size(); ++i) {
            for (const auto& process : processes) {
                const bool isKnown = std::find(pids.begin(), pids.end(), process.pid) != pids.end();
                if (process.parentPid == pids[i] && !isKnown) pids.push_back(process.pid);
            }
        }
    }
    for (const auto recorded : pids)
        processes_.add(recorded);
    found_.add(pids);
    TRY(startHeap(pids));
    if (options_.managedNames) code_.start(std::move(pids), true);
    return {};
}

// ---- state before the recording ----

void RealtimeEtwSource::Impl::reportRunningState() {
    const auto ticks = properties_.firstTicks;
    addMachine(builder_, ticks, machineId());
    addProcessors(builder_, ticks, properties_.processors);
    for (const auto& [ntPath, dosPath] : volumes())
        addVolume(builder_, ticks, ntPath, dosPath);
    for (const auto& image : kernelModules())
        reportImage(image, properties_.firstTicks);
    // A program that was just launched has not loaded anything yet, so the kernel's events report all its modules.
    if (!target_->wasLaunched()) {
        for (const auto& process : systemProcesses()) {
            if (processes_.running().contains(process.pid)) reportProcess(process);
        }
    }
    send();
}

void RealtimeEtwSource::Impl::reportProcess(const SystemProcess& process) {
    addRunningProcess(builder_, properties_.firstTicks, process.pid, process.parentPid, process.name, {});
    for (const auto& image : modulesOf(process.pid))
        reportImage(image, properties_.firstTicks);
    if (!options_.heap) return;
    addRemark(builder_, properties_.firstTicks, Severity::Note,
              fmt::format("Process {} ({}) was already running when its recording started. Its earlier heap blocks "
                          "are not shown, and frees of them count as unmatched.",
                          printable(process.name), process.pid));
}

void RealtimeEtwSource::Impl::reportImage(const SystemImage& image, std::int64_t ticks) {
    auto known = image;
    const auto identity = identities_.of(image);
    if (identity && known.timeDateStamp == 0) known.timeDateStamp = identity->timeDateStamp;
    addLoadedImage(builder_, ticks, known);
    if (identity) addImageIdentity(builder_, ticks, known, *identity);
    processes_.addImage(image.pid, image.base);
    code_.noteImage(image.pid, image.path);
}

/// Reports missing modules of a launched program; usually none, because the kernel's events report all of them.
void RealtimeEtwSource::Impl::reportMissedModules() {
    for (const auto& image : modulesOf(target_->pid())) {
        if (!processes_.isImageReported(image.pid, image.base)) reportImage(image, merge_->reached());
    }
}

// ---- while it records ----

void RealtimeEtwSource::Impl::takeRecord(const etl::RawRecord& record) {
    if (!processes_.takes(record)) return;
    lastTicks_ = std::max(lastTicks_, record.ticks);
    builder_.add(record);
    code_.note(record);
    const auto image = imageOfRecord(record);
    if (!image) return;
    code_.noteImage(image->pid, image->path);
    if (const auto identity = identities_.of(*image)) addImageIdentity(builder_, record.ticks, *image, *identity);
}

/// The sentence is also stored in the file, so that it is shown whenever the file is opened.
void RealtimeEtwSource::Impl::say(const std::string& sentence) {
    addRemark(builder_, std::max(lastTicks_, properties_.firstTicks), Severity::Bound, sentence);
}

/// Sends records without a reached time, because more of the same instant may follow.
void RealtimeEtwSource::Impl::sendPart() {
    builder_.moveTo(batch_);
    sink_->onBatch(batch_);
    batch_.recycle();
}

void RealtimeEtwSource::Impl::send() {
    if (merge_) batch_.reachedTicks = std::max(properties_.firstTicks, merge_->reached());
    sendPart();
}

/// Delivers the records that are due and returns their number.
std::size_t RealtimeEtwSource::Impl::deliverDue() {
    merge_->look(ticksNow());
    std::size_t count = 0;
    while (count < kRoundRecords) {
        auto* ring = merge_->next();
        if (ring == nullptr) break;
        takeRecord(ring->head());
        ring->pop();
        ++count;
        if (builder_.size() >= kBatchRecords) sendPart();
    }
    count < kRoundRecords ? send() : sendPart();
    if (merge_->late() > lateReported_) {
        health_->count(Loss::RecordsOutOfOrder, merge_->late() - lateReported_);
        lateReported_ = merge_->late();
    }
    return count;
}

void RealtimeEtwSource::Impl::flushSessions() {
    if (kernel_.session) kernel_.session->flush();
    if (heap_.session) heap_.session->flush();
    code_.flush();
}

void RealtimeEtwSource::Impl::keepUpWithCode() {
    code_.look();
    for (const auto& sentence : code_.takeSentences())
        say(sentence);
}

void RealtimeEtwSource::Impl::askLosses() {
    EtwLosses lost;
    for (auto* channel : {&kernel_, &heap_}) {
        if (!channel->session) continue;
        if (const auto told = channel->session->losses()) channel->losses.note(*told);
        if (channel->consumer) channel->losses.note(channel->consumer->losses());
        const auto told = channel->losses.tell(*health_);
        lost.events += told.events;
        lost.buffers += told.buffers;
    }
    const auto dropped = heap_.ring.dropped() + kernel_.ring.dropped();
    if (dropped > droppedReported_) health_->countAtLeast(Loss::EventsLost, dropped - droppedReported_);
    lost.events += dropped - std::min(dropped, droppedReported_);
    droppedReported_ = dropped;
    const auto now = ticksNow();
    if (lost.events + lost.buffers > 0) reportLossRange(askedTicks_, now, lost.events);
    askedTicks_ = now;
}

/// Also stored in the file. Losses may be reported late.
void RealtimeEtwSource::Impl::reportLossRange(std::int64_t first, std::int64_t last, std::uint64_t events) {
    addLossPlace(builder_, std::max(lastTicks_, properties_.firstTicks), first, last, events,
                 kLossMayBeEarlier | kLossIsAtLeast);
}

/// Periodic work.
void RealtimeEtwSource::Impl::keepUp() {
    const auto now = SteadyClock::now();
    if (now - flushedAt_ >= kFlushEvery) {
        flushedAt_ = now;
        flushSessions();
    }
    if (now - askedAt_ >= kAskEvery) {
        askedAt_ = now;
        askLosses();
    }
    if (!isNoDataExplained_ && now - begunAt_ >= kNoData) {
        isNoDataExplained_ = true;
        explainNoData();
    }
    if (!areModulesReported_ && now - begunAt_ >= kLoaded) {
        areModulesReported_ = true;
        if (target_->wasLaunched()) reportMissedModules();
    }
    followChildren();
    keepUpWithCode();
}

void RealtimeEtwSource::Impl::explainNoData() {
    if (!options_.heap || heap_.ring.accepted() > 0) return;
    if (target_->is32Bit() && !target_->wasLaunched()) {
        say("Windows may be unable to trace the heaps of a 32-bit program that was already running. End the program "
            "and launch it from here.");
    } else if (target_->tracesItsHeaps() == false) {
        say("Windows has not enabled heap tracing in the process. End the program and launch it from here.");
    }
}

// Adds children as soon as they are found; their first allocations are missing.
void RealtimeEtwSource::Impl::followChildren() {
    const auto children = processes_.takeNewChildren();
    if (children.empty()) return;
    found_.add(children);
    code_.add(children, processes_.running());
    if (!heap_.session) return;
    say("Recording of a child starts a moment after the child does, so its first heap blocks are missing.");
    if (heapIsFull_) return;
    std::vector<std::uint32_t> pids;
    for (const auto pid : heap_.session->pids()) {
        if (processes_.running().contains(pid)) pids.push_back(pid);
    }
    pids.insert(pids.end(), children.begin(), children.end());
    if (heap_.session->setPids(pids).hasValue()) return;
    restartHeap(pids);
}

/// The method that always works, at the price of a gap.
void RealtimeEtwSource::Impl::restartHeap(const std::vector<std::uint32_t>& pids) {
    askLosses();
    const auto stopped = ticksNow();
    heap_.session->stop();
    drain(heap_);
    heap_.consumer.reset();
    heap_.session.reset();
    heap_.losses = {};
    const auto started = startHeap(pids);
    if (!started.hasValue()) {
        say("Heap recording ended when a child was added: " + started.error().message);
        return;
    }
    say("This version of Windows cannot add a process to a heap recording, so the recording was restarted. "
        "Allocations and frees in between are missing.");
    health_->countAtLeast(Loss::EventsLost);
    reportLossRange(stopped, ticksNow(), 1);
    if (heap_.session->pids().size() == pids.size()) return;
    heapIsFull_ = true;
    say(fmt::format("Windows records the heaps of {} {} at once. Only VirtualAlloc is recorded for further children.",
                    heap_.session->pids().size(), byNumber(heap_.session->pids().size(), "process", "processes")));
}

bool RealtimeEtwSource::Impl::wasStoppedByOthers(Channel& channel, std::string_view what) {
    if (!channel.hasEnded()) return false;
    say(fmt::format("The recording ended early because another program stopped the session \"{}\", which recorded "
                    "{} (Windows error {}).",
                    utf8Of(channel.session->name()), what, channel.consumer->endCode()));
    return true;
}

bool RealtimeEtwSource::Impl::isOver() {
    if (wasStoppedByOthers(kernel_, "the system's events") || wasStoppedByOthers(heap_, "heaps")) return true;
    if (!targetEndedAt_ && target_->hasEnded()) {
        targetEndedAt_ = SteadyClock::now();
        processes_.noteEnd(target_->pid());
    }
    if (!targetEndedAt_ || !processes_.running().empty()) return false;
    return !options_.children || SteadyClock::now() - *targetEndedAt_ >= kChildrenPatience;
}

Result<void> RealtimeEtwSource::Impl::run(etl::RecordSink& sink, TraceHealth& health, const std::stop_token& stop,
                                          Progress& progress) {
    sink_ = &sink;
    health_ = &health;
    begunAt_ = flushedAt_ = askedAt_ = SteadyClock::now();
    askedTicks_ = properties_.firstTicks;
    reportRunningState();
    const auto patience = ticksPerSecond() * std::chrono::milliseconds(kPatience).count() / 1000;
    std::vector<LiveRing*> rings{&kernel_.ring};
    if (heap_.session) rings.push_back(&heap_.ring);
    merge_.emplace(std::move(rings), patience, properties_.firstTicks);
    merge_->addSeldom(code_.ring());
    while (!stop.stop_requested()) {
        const auto delivered = deliverDue();
        if (isOver()) {
            noteEnd();
            break;
        }
        keepUp();
        if (delivered == 0) std::this_thread::sleep_for(kPause);
    }
    finish(progress);
    return {};
}

// ---- the end ----

void RealtimeEtwSource::Impl::noteEnd() {
    if (!targetEndedAt_ || !target_->wasLaunched()) return;
    if (const auto code = target_->exitCode()) programEnd_ = {*code, 0};
}

/// Keeps delivering until the session is empty, because its last buffers need room in the ring.
void RealtimeEtwSource::Impl::drain(Channel& channel) {
    const auto until = SteadyClock::now() + kDrainPatience;
    while (!channel.hasEnded() && channel.consumer && SteadyClock::now() < until) {
        if (deliverDue() == 0) std::this_thread::sleep_for(kPause);
    }
    if (channel.consumer) channel.consumer->close();
}

/// Stops the heap session first, so that the kernel session still reports the modules that its stacks need.
void RealtimeEtwSource::Impl::finish(Progress& progress) {
    askLosses();
    for (auto* channel : {&heap_, &kernel_}) {
        if (!channel->session) continue;
        channel->session->stop();
        drain(*channel);
    }
    askLosses();
    heap_.consumer.reset(); // their threads have ended
    kernel_.consumer.reset();
    merge_->finish();
    while (deliverDue() > 0) {
    }
    code_.finish(processes_.running(), options_.skipNames, progress, [this] { takeNames(); });
    keepUpWithCode();
    flag_.reset();
    if (droppedReported_ > 0)
        say(fmt::format("{} {} dropped because events arrived faster than Highwater could read them.",
                        counted(droppedReported_, "event"), byNumber(droppedReported_, "was", "were")));
    sendPart();
}

/// Uses the end of the recording as the time; otherwise the recording would last until all names have arrived.
void RealtimeEtwSource::Impl::takeNames() {
    const auto end = std::max(lastTicks_, merge_->reached());
    for (auto& ring = code_.ring(); ring.headTicks(); ring.pop()) {
        auto record = ring.head();
        record.ticks = std::min(record.ticks, end);
        takeRecord(record);
        if (builder_.size() >= kBatchRecords) sendPart();
    }
    sendPart();
}

// ---- public interface ----

Result<std::unique_ptr<RealtimeEtwSource>> RealtimeEtwSource::launch(const EtwApi& api, const CaptureLaunch& launch,
                                                                     const CaptureOptions& options) {
    auto impl = std::make_unique<Impl>(api, options);
    TRY(impl->launch(launch));
    return std::unique_ptr<RealtimeEtwSource>(new RealtimeEtwSource(std::move(impl)));
}

Result<std::unique_ptr<RealtimeEtwSource>> RealtimeEtwSource::attach(const EtwApi& api, std::uint32_t pid,
                                                                     const CaptureOptions& options) {
    auto impl = std::make_unique<Impl>(api, options);
    TRY(impl->attach(pid));
    return std::unique_ptr<RealtimeEtwSource>(new RealtimeEtwSource(std::move(impl)));
}

RealtimeEtwSource::RealtimeEtwSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RealtimeEtwSource::~RealtimeEtwSource() = default;

const TraceProperties& RealtimeEtwSource::properties() const { return impl_->properties(); }

std::vector<std::uint32_t> RealtimeEtwSource::targets() const { return {impl_->target()}; }

std::function<std::vector<std::uint32_t>()> RealtimeEtwSource::foundProcesses() const { return impl_->found().taker(); }

std::optional<ProgramEnd> RealtimeEtwSource::programEnd() const { return impl_->programEnd(); }

std::function<std::int64_t()> RealtimeEtwSource::clock() const { return ticksNow; }

Result<void> RealtimeEtwSource::run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop,
                                    Progress& progress) {
    return impl_->run(sink, health, stop, progress);
}

} // namespace highwater::source
