#include "core/source/agent/agent_source_linux.h"

#include "core/agent_linux/ticks.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/trace_notes.h"
#include "core/source/agent/agent_attach_linux.h"
#include "core/source/agent/agent_processes_linux.h"
#include "core/source/agent/agent_reading_pace.h"
#include "core/source/agent/agent_records.h"
#include "core/source/agent/idle_time_linux.h"
#include "core/source/attach/own_allocator_linux.h"
#include "core/source/attach/recordable_program_linux.h"
#include "core/source/generated_code/code_records.h"
#include "core/source/records/machine_id.h"
#include "core/source/records/system_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace highwater::source {
namespace {

constexpr auto kPause = std::chrono::milliseconds(10);
constexpr std::int64_t kUnixToFileTime = 116'444'736'000'000'000;
constexpr std::uint32_t kMostProcessors = 4096;
/// In one pass, even if everything is read at once: processes and threads that appear and end are found between passes.
constexpr std::size_t kMostEvents = 16 * 1024;

std::int64_t fileTimeNow() {
    using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<Ticks>(now).count() + kUnixToFileTime;
}

std::int32_t biasMinutes() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    tm local{};
    ::localtime_r(&now, &local);
    return static_cast<std::int32_t>(-local.tm_gmtoff / 60);
}

AgentProgram askProgram(std::uint32_t pid) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    AgentProgram program;
    std::error_code gone;
    const auto path = fs::read_symlink(folder / "exe", gone);
    if (gone) return program;
    program.name = path.filename().string();
    std::ifstream file(folder / "cmdline", std::ios::binary);
    std::ostringstream words;
    words << file.rdbuf();
    program.commandLine = words.str();
    while (!program.commandLine.empty() && program.commandLine.back() == '\0') {
        program.commandLine.pop_back();
    }
    for (auto& letter : program.commandLine) {
        if (letter == '\0') letter = ' ';
    }
    constexpr std::size_t kMostBytes = 8192; // it must fit into a record
    program.commandLine.resize(std::min(program.commandLine.size(), kMostBytes));
    return program;
}

/// Lists the checks of checkRecordable() and agent::NextProgram.
constexpr const char* kReasonUnknown =
    "The cause is unknown. The program file, its dynamic linker and C library, sanitizers, permissions and access to "
    "the recorder's memory were checked and are not the cause. Possible causes are memory limits (ulimit -v), an "
    "ignored LD_PRELOAD or a system call filter.";

std::string unrecordedSentence(const AgentUnrecorded& program) {
    const auto who =
        program.pid != 0 ? fmt::format("Process {} started", program.pid) : std::string("A process started");
    return fmt::format("{} {}, which is not recorded because {} Its events are missing.", who, program.file,
                       reasonFor(program.obstacle, program.detail));
}

/// "No picture of the memory of app (12) was taken at its end because ..."
std::string uncopiedSentence(const AgentUncopied& program) {
    return fmt::format("No picture of the memory of {} ({}) was taken at its end because {}",
                       program.name.empty() ? std::string("process") : fileName(program.name), program.pid,
                       program.hasWaited
                           ? "the recorder did not answer within 10 seconds. Try again when the machine is less busy."
                           : "it did not end by exit() or by returning from main.");
}

/// Describes processes that the program started and that are not recorded.
std::string describeChildren(std::uint64_t count, AgentOptions::Children asked) {
    const auto started =
        fmt::format("The program started {} {}", thousands(count), byNumber(count, "other process", "other processes"));
    const auto whichWere = byNumber(count, "which was", "which were");
    // libc starts programs with the environment of the process.
    if (asked == AgentOptions::Children::Recorded)
        return fmt::format("{} with system() or popen(), {} not recorded because a program that was already running, "
                           "or that cleared its environment, does not pass the recorder on.",
                           started, whichWere);
    return fmt::format("{}, {} not recorded. To record child processes, select \"Child processes\" (--children).",
                       started, whichWere);
}

/// Makes the program's runtime, if it has one, report function names.
RuntimeOptions addRuntimeOptions(AgentLaunch& launch) {
    const auto valueOf = [&](const std::string& name) {
        for (auto given = launch.environment.rbegin(); given != launch.environment.rend(); ++given)
            if (given->first == name) return given->second;
        const char* value = std::getenv(name.c_str());
        return std::string(value != nullptr ? value : "");
    };
    auto options = runtimeOptions(runtimeOfProgram(findProgram(launch.program), findProgram), valueOf);
    launch.environment.insert(launch.environment.end(), options.environment.begin(), options.environment.end());
    launch.arguments.insert(launch.arguments.begin(), options.arguments.begin(), options.arguments.end());
    return options;
}

} // namespace

/// Detects allocators whose calls the agent cannot see.
class AllocatorWatch {
  public:
    void note(std::span<const AgentEvent> events) {
        for (const auto& event : events) {
            if (event.op == AgentOp::Module && event.detail != nullptr) noteModule(event);
            if (event.op != AgentOp::Allocate || event.pid == lastSeen_) continue;
            lastSeen_ = event.pid;
            heapSeen_.insert(event.pid);
        }
    }

    /// One sentence for each module with such an allocator.
    [[nodiscard]] std::set<std::string> sentences() const {
        std::set<std::string> found;
        for (const auto& [pid, modules] : modules_) {
            const auto module = moduleWithOwnAllocator(modules, heapSeen_.contains(pid));
            if (module.empty()) continue;
            found.insert(fmt::format("This program has its own malloc (in {}). The recorder cannot see calls to a "
                                     "malloc that is linked into the calling code, so its blocks are missing. Record "
                                     "a build that uses the malloc of the C library, or one with the allocator as a "
                                     "shared library.",
                                     fileName(module)));
        }
        return found;
    }

  private:
    void noteModule(const AgentEvent& event) {
        auto& modules = modules_[event.pid];
        const auto& path = event.detail->path;
        const bool isProgram = event.flags == 1;
        if (std::ranges::find(modules, path, &AllocatorModule::path) != modules.end()) return;
        if (isProgram) modules.clear(); // the process continues as another program
        auto known = symbols_.find(path);
        if (known == symbols_.end()) known = symbols_.emplace(path, allocatorSymbolsIn(path)).first;
        modules.push_back({path, isProgram, known->second});
    }

    std::map<std::uint32_t, std::vector<AllocatorModule>> modules_;
    std::map<std::string, AllocatorSymbols> symbols_;
    std::set<std::uint32_t> heapSeen_;
    std::uint32_t lastSeen_ = 0;
};

/// Passes on the agent's events, merged with generated code that was found: at its own time if that is known and not
/// yet passed, otherwise as soon as possible. Code is reported slightly before its first call rather than after it.
class AgentSource::Delivery {
  public:
    Delivery(etl::RecordSink& sink, TraceHealth& health, CodeWatch* code, std::int64_t firstTicks)
        : sink_(sink), records_(health, askProgram), code_(code), reached_(firstTicks) {}

    void deliver(std::span<const AgentEvent> events) {
        std::size_t from = 0;
        while (!waiting_.empty()) {
            const auto next =
                std::find_if(events.begin() + static_cast<std::ptrdiff_t>(from), events.end(),
                             [&](const AgentEvent& event) { return event.timeNs >= waiting_.front().timeNs; });
            if (next == events.end()) break;
            const auto at = static_cast<std::size_t>(next - events.begin());
            translate(events.subspan(from, at - from));
            deliverCode(next->timeNs);
            from = at;
        }
        translate(events.subspan(from));
    }

    /// Queries the process at once, because it may have ended later.
    void noteProcess(std::uint32_t pid) {
        records_.noteProcess(pid);
        if (code_ != nullptr) code_->begin(pid);
    }

    void deliverOwn(BatchBuilder& own, std::int64_t reachedTicks = 0) {
        own.moveTo(batch_);
        if (reachedTicks != 0) batch_.reachedTicks = reachedTicks;
        sink_.onBatch(batch_);
        batch_.recycle();
    }

    /// Takes newly found code, and passes on the code before this time.
    void deliverFoundCode(std::int64_t ticks) {
        if (code_ == nullptr) return;
        for (auto& found : code_->take()) {
            hasCode_ = true;
            waiting_.push_back(std::move(found));
        }
        std::stable_sort(waiting_.begin(), waiting_.end(),
                         [](const FoundCode& a, const FoundCode& b) { return a.timeNs < b.timeNs; });
        reached_ = std::max(reached_, ticks);
        deliverCode(ticks);
    }
    /// Passes on all remaining code, because no events follow.
    void deliverAllCode() { deliverCode(kAll); }
    /// Whether any code was found.
    [[nodiscard]] bool hasCode() const { return hasCode_; }
    [[nodiscard]] const AllocatorWatch& allocators() const { return allocators_; }

  private:
    void translate(std::span<const AgentEvent> events) {
        if (events.empty()) return;
        reached_ = std::max(reached_, events.back().timeNs);
        allocators_.note(events);
        if (code_ != nullptr) notifyWatch(events);
        records_.translate(events, batch_);
        sink_.onBatch(batch_);
        batch_.recycle();
    }
    static constexpr auto kAll = std::numeric_limits<std::int64_t>::max();

    void notifyWatch(std::span<const AgentEvent> events) {
        for (const auto& event : events) {
            if (event.op == AgentOp::ProcessEnd) code_->end(event.pid);
            if (event.op == AgentOp::Module && event.detail != nullptr)
                code_->noteModule(event.pid, event.detail->path, event.flags == 1);
        }
    }
    void deliverCode(std::int64_t until) {
        BatchBuilder code;
        for (; !waiting_.empty() && waiting_.front().timeNs <= until; waiting_.pop_front()) {
            if (until != kAll) reached_ = std::max(reached_, waiting_.front().timeNs);
            addCode(code, reached_, waiting_.front().event);
        }
        if (code.size() > 0) deliverOwn(code);
    }

    etl::RecordSink& sink_;
    AgentRecords records_;
    CodeWatch* code_;
    etl::RecordBatch batch_;
    AllocatorWatch allocators_;
    std::deque<FoundCode> waiting_; ///< in time order
    std::int64_t reached_;          ///< no event before it will be passed on
    bool hasCode_ = false;
};

/// Reads the channel in passes.
class AgentSource::Reading {
  public:
    explicit Reading(AgentChannel& channel)
        : channel_(channel), isPaced_(channel.options().reading == AgentOptions::Reading::WhenIdle) {}
    /// The time of most code is only known as the time when it was found, so reading must not lag behind that.
    void readAtOnce() { isPaced_ = false; }

    void pass(const AgentChannel::Sink& sink, bool hasTargetEnded) {
        channel_.look();
        auto most = kMostEvents;
        if (isPaced_) {
            const auto program = hasTargetEnded && !channel_.isAnyRunning() ? AgentReadingPace::Program::IsOver
                                                                            : AgentReadingPace::Program::Runs;
            pace_.noteIdle(sinceBegin(), idleTime());
            most = pace_.most(channel_.backlog(), program);
        }
        events_ = channel_.read(sink, most);
    }
    /// Waits if the last pass had no events, even when hurrying.
    void waitForNext(std::stop_token stop) {
        if (events_ > 0 && (!isPaced_ || pace_.isHurrying())) return;
        std::unique_lock lock(mutex_);
        woken_.wait_for(lock, stop, kPause, [] { return false; });
    }
    /// All processes have ended, and everything has been read.
    [[nodiscard]] bool isOver() { return channel_.isOver(); }

  private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::chrono::milliseconds sinceBegin() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    }

    AgentChannel& channel_;
    bool isPaced_; ///< false: everything is read at once
    AgentReadingPace pace_{std::max(1u, std::thread::hardware_concurrency())};
    Clock::time_point begin_ = Clock::now();
    std::size_t events_ = 0;
    std::mutex mutex_;
    std::condition_variable_any woken_;
};

Result<std::unique_ptr<AgentSource>> AgentSource::launch(const AgentOptions& options, const AgentLaunch& launch) {
    auto channel = TRY(AgentChannel::create(options));
    const auto startNs = channel->nowNs();
    auto tuned = launch;
    auto added = options.managedNames ? addRuntimeOptions(tuned) : RuntimeOptions{};
    auto target = TRY(launchUnderAgent(*channel, tuned));
    std::unique_ptr<AgentSource> source(
        new AgentSource(std::move(channel), AgentTarget(std::move(target)), Relation::Child, startNs));
    source->runtimeOptions_ = std::move(added);
    return source;
}

Result<std::unique_ptr<AgentSource>> AgentSource::attach(const AgentOptions& options, std::uint32_t pid,
                                                         const std::stop_token& stop) {
    auto channel = TRY(AgentChannel::create(options));
    const auto startNs = channel->nowNs();
    auto target = TRY(attachAgent(*channel, pid, stop));
    return std::unique_ptr<AgentSource>(
        new AgentSource(std::move(channel), AgentTarget(std::move(target)), Relation::Stranger, startNs));
}

AgentSource::AgentSource(std::unique_ptr<AgentChannel> channel, AgentTarget target, Relation relation,
                         std::int64_t startNs)
    : channel_(std::move(channel)), target_(std::move(target)), relation_(relation) {
    properties_.pointerBytes = 8;
    properties_.processors = static_cast<std::uint32_t>(
        std::clamp<long>(::sysconf(_SC_NPROCESSORS_CONF), 1, static_cast<long>(kMostProcessors)));
    properties_.clock = ClockKind::Qpc;
    properties_.ticksPerSecond = 1'000'000'000;
    properties_.firstTicks = startNs;
    properties_.startFileTime = fileTimeNow();
    properties_.biasMinutes = biasMinutes();
    properties_.sessionName = kAgentSessionName;
}

Result<void> AgentSource::run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress&) {
    if (channel_->options().managedNames && channel_->options().stacks) code_.emplace(runtimeOptions_.runtime);
    Delivery delivery(sink, health, code_ ? &*code_ : nullptr, properties_.firstTicks);
    const auto deliver = [&](std::span<const AgentEvent> events) { delivery.deliver(events); };
    BatchBuilder own;
    addMachine(own, properties_.firstTicks, machineId());
    addProcessors(own, properties_.firstTicks, properties_.processors);
    noteRuntimeOptions(own);
    delivery.deliverOwn(own);
    channel_->whenProcessIsFound([&](std::uint32_t pid) {
        delivery.noteProcess(pid);
        found_.add({&pid, 1});
    });
    // A pass can take seconds, in which a busy program would be recorded further.
    const std::stop_callback stopAtOnce(stop, [this] { channel_->stopRecording(); });
    Reading reading(*channel_);
    if (runtimeOptions_.runtime != Runtime::Unknown) reading.readAtOnce();
    while (!stop.stop_requested()) {
        const bool hasEnded = target_.hasEnded();
        delivery.deliverFoundCode(endTicks());
        if (delivery.hasCode()) reading.readAtOnce();
        reading.pass(deliver, hasEnded);
        if (hasEnded && reading.isOver()) {
            noteEnd();
            break;
        }
        delivery.deliverOwn(own, endTicks());
        reading.waitForNext(stop);
    }
    channel_->stopRecording();
    channel_->drain(deliver);
    finishCode(delivery);
    if (const auto lost = channel_->losses().withoutRing; lost > 0) health.count(Loss::EventsLost, lost);
    addLosses(own);
    if (channel_->options().heap)
        for (const auto& sentence : delivery.allocators().sentences())
            addRemark(own, endTicks(), Severity::Bound, sentence);
    addEnd(own);
    if (own.size() > 0) delivery.deliverOwn(own);
    delivery.deliverOwn(own); // an empty batch, by which others know that this is the end
    return {};
}

void AgentSource::noteRuntimeOptions(BatchBuilder& own) const {
    if (runtimeOptions_.runtime == Runtime::Unknown) return;
    addRemark(own, properties_.firstTicks, Severity::Note,
              fmt::format("The program was started with {} so that its runtime reports function names.",
                          runtimeOptions_.text()));
}

/// The watch limits how long this takes, whatever the size of its files.
void AgentSource::finishCode(Delivery& delivery) {
    if (!code_) return;
    code_->finish();
    while (!code_->isOver()) {
        delivery.deliverFoundCode(endTicks());
        delivery.deliverAllCode();
        std::this_thread::sleep_for(kPause);
    }
    BatchBuilder own;
    for (const auto& [severity, sentence] : code_->remarks())
        addRemark(own, endTicks(), severity, sentence);
    if (own.size() > 0) delivery.deliverOwn(own);
    code_.reset();
}

std::function<std::int64_t()> AgentSource::clock() const {
    return [] { return static_cast<std::int64_t>(agent::monotonicNs()); };
}

void AgentSource::whenProcessWaits(std::function<void(std::uint32_t pid)> waits) {
    channel_->whenProcessWaits(std::move(waits));
}

std::function<void(std::uint32_t pid)> AgentSource::letsEnd() const {
    if (!channel_->options().waitsAtExit) return nullptr;
    return [waits = channel_->exitWaits()](std::uint32_t pid) { waits->letEnd(pid); };
}

std::int64_t AgentSource::endTicks() const { return std::max(properties_.firstTicks, channel_->reachedNs()); }

void AgentSource::noteEnd() {
    if (relation_ != Relation::Child) return; // only the parent learns how a process ended
    const auto end = target_.waitForEnd();
    programEnd_ = {static_cast<std::uint32_t>(end.exitCode), end.signal};
}

void AgentSource::addEnd(BatchBuilder& own) {
    if (relation_ != Relation::Child || !target_.hasEnded()) return;
    if (const auto end = target_.waitForEnd(); end.signal != 0) {
        addRemark(own, endTicks(), Severity::Note,
                  fmt::format("The program was terminated by signal {} ({}). Everything before that was recorded.",
                              end.signal, ::strsignal(end.signal)));
    }
}

void AgentSource::addLosses(BatchBuilder& own) const {
    const auto losses = channel_->losses();
    const auto bound = [&](const std::string& sentence) { addRemark(own, endTicks(), Severity::Bound, sentence); };
    if (losses.damagedRings > 0) {
        bound(fmt::format("{} ended in the middle of a record. The last events that {} wrote are missing.",
                          counted(losses.damagedRings, "thread"), byNumber(losses.damagedRings, "it", "they")));
    }
    if (losses.interrupted > 0) {
        bound(fmt::format("The recorder missed {} {} in signal handlers because the handlers interrupted it.",
                          thousands(losses.interrupted),
                          byNumber(losses.interrupted, "allocation or release", "allocations or releases")));
    }
    if (losses.unmapped > 0) {
        bound("Events were lost because the program may not map more memory (ulimit -v or -l), which the recorder "
              "needs to write them. Raise that limit.");
    }
    if (losses.unmappedPid != 0) {
        bound(fmt::format("Process {} was not recorded because it may not map the memory that the recorder needs "
                          "(about 2 MB; ulimit -v or -l). Raise that limit.",
                          losses.unmappedPid));
    }
    if (losses.processes > 0) {
        bound(fmt::format("{} {} not recorded because too many were running at the same time.",
                          thousands(losses.processes), byNumber(losses.processes, "process was", "processes were")));
    }
    for (const AgentUnrecorded& program : losses.unrecorded)
        bound(unrecordedSentence(program));
    if (losses.programsUnrecorded > agent::kMostUnrecorded) {
        const auto more = losses.programsUnrecorded - agent::kMostUnrecorded;
        bound(fmt::format("{} that cannot be recorded {} started. The memory that {} allocated is missing.",
                          counted(more, "more program"), byNumber(more, "was", "were"), byNumber(more, "it", "they")));
    }
    if (losses.unrecordable > 0 && target_.hasEnded()) {
        bound(fmt::format("The program replaced itself with another one, in which the recorder did not start. The "
                          "events of that program are missing. {}",
                          kReasonUnknown));
    }
    if (losses.unknownNumbers > 0) {
        addRemark(
            own, endTicks(), Severity::Note,
            fmt::format("{} {} in other PID namespaces ended before {} could be read. Here {} above {}, which the "
                        "system does not assign.",
                        thousands(losses.unknownNumbers), byNumber(losses.unknownNumbers, "process", "processes"),
                        byNumber(losses.unknownNumbers, "its process ID", "their process IDs"),
                        byNumber(losses.unknownNumbers, "it has an ID", "they have IDs"), AgentProcesses::kMostPid));
    }
    if (losses.stacksAtLimit > 0) {
        addRemark(own, endTicks(), Severity::Note,
                  fmt::format("{} {} cut at {} frames; the outermost frames are missing.",
                              counted(losses.stacksAtLimit, "stack"), byNumber(losses.stacksAtLimit, "was", "were"),
                              agent::kMostFrames));
    }
    for (const AgentRestriction& restriction : losses.restricted) {
        bound(fmt::format("Process {} restricted its own system calls (seccomp) at {:.3f} s and is not recorded after "
                          "that.",
                          restriction.pid, static_cast<double>(restriction.timeNs - properties_.firstTicks) / 1e9));
    }
    for (const AgentUncopied& program : losses.uncopied)
        addRemark(own, endTicks(), Severity::Note, uncopiedSentence(program));
    if (const auto more = losses.programsUncopied - losses.uncopied.size(); more > 0) {
        addRemark(own, endTicks(), Severity::Note,
                  fmt::format("No pictures of memory were taken at the end of {} for the same reasons.",
                              counted(more, "more program")));
    }
    if (losses.children > 0) {
        const auto& options = channel_->options();
        addRemark(own, endTicks(), Severity::Note, describeChildren(losses.children, options.children));
    }
    if (channel_->processesSeen() == 0 && losses.unrecorded.empty() && losses.unmappedPid == 0)
        bound(
            fmt::format("Nothing was recorded because the recorder did not start in the program. {}", kReasonUnknown));
}

} // namespace highwater::source
