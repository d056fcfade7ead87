#include "core/source/generated_code/code_watch_linux.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/source/generated_code/growing_file_linux.h"
#include "core/source/generated_code/hotspot_linux.h"
#include "core/source/generated_code/jitdump.h"
#include "core/source/generated_code/perf_map.h"
#include "core/source/generated_code/process_facts_linux.h"
#include "core/source/generated_code/standing_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kPause{100};
constexpr std::size_t kMostBytesOfPass = 2u << 20;           ///< per file: 20 MB a second
constexpr std::size_t kMostWaiting = 64 * 1024;              ///< pieces of code that were not taken yet
constexpr std::size_t kMostWaitingBytes = 16u << 20;         ///< total size of their names
constexpr std::uint64_t kMostTold = 2'000'000;               ///< pieces per process, in total
constexpr std::uint64_t kMostReportedNameBytes = 256u << 20; ///< total size of names of all processes
constexpr std::chrono::seconds kMostForTheRest{5};           ///< time limit for reading the rest at the end
constexpr std::chrono::seconds kMostForAnAnswer{5};          ///< time limit for an answer of HotSpot
constexpr std::chrono::seconds kFirstQuestion{2};            ///< time until the first request to HotSpot
constexpr std::chrono::seconds kLongestBetween{60};          ///< maximum time between requests to HotSpot
constexpr std::chrono::seconds kLongestToDump{30};           ///< maximum time between searches for a jitdump file
constexpr std::size_t kMostProcessesOfRemark = 8;

std::string_view textOf(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Removes the log that V8 writes next to the program whenever it writes a perf map.
void removeLogsOfV8(const ProcessFacts& facts) {
    const int folder = ::openat(facts.folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const list = folder < 0 ? nullptr : ::fdopendir(folder);
    if (list == nullptr) return;
    const auto end = fmt::format("-{}-v8.log", facts.ownPid);
    while (const auto* entry = ::readdir(list)) {
        const std::string_view name = entry->d_name;
        if (name.starts_with("isolate-0x") && name.ends_with(end)) ::unlinkat(folder, entry->d_name, 0);
    }
    ::closedir(list);
}

/// Lists the processes that a sentence is about.
class Processes {
  public:
    void add(std::uint32_t pid) {
        if (count_++ < kMostProcessesOfRemark) text_ += fmt::format("{}{}", text_.empty() ? "" : ", ", pid);
    }
    [[nodiscard]] bool isAny() const { return count_ > 0; }
    [[nodiscard]] std::string text() const {
        const auto more = count_ > kMostProcessesOfRemark
                              ? fmt::format(" and {} more", thousands(count_ - kMostProcessesOfRemark))
                              : std::string();
        return (count_ == 1 ? "process " : "processes ") + text_ + more;
    }

  private:
    std::string text_;
    std::uint64_t count_ = 0;
};

/// The state of a watched process. Watch's thread only.
struct Watched {
    Watched(std::uint32_t number, ProcessFacts asked)
        : pid(number),
          facts(std::move(asked)),
          map(facts.temporary.number(), fmt::format("perf-{}.map", facts.ownPid), facts.owner) {}

    std::uint32_t pid;
    ProcessFacts facts;
    Runtime runtime = Runtime::Unknown;
    GrowingFile map;
    PerfMapReader mapReader;
    std::optional<GrowingFile> dump;
    JitdumpReader dumpReader;
    StandingCode standing;
    std::map<std::string, std::uint64_t> modules; ///< their ids
    std::optional<SecondMapping> second;          ///< second mapping of V8's own functions
    bool isSecondKnown = false;
    std::uint64_t told = 0;
    std::uint64_t untold = 0; ///< beyond kMostTold
    Clock::time_point dumpDue = Clock::now();
    std::chrono::seconds dumpPause{1};
    std::optional<Clock::time_point> questionDue; ///< to HotSpot
    std::chrono::seconds questionPause = kFirstQuestion;
    std::string whyNoAnswer;
    bool isMapAsked = false; ///< it exists because HotSpot was asked for it
    bool lacksFramePointers = false;
};

/// Facts for the remarks about a process that is not read any more.
struct Read {
    std::uint32_t pid = 0;
    bool isOfOther = false; ///< one of its files belongs to another user
    bool isNotRegularFile = false;
    bool isUnread = false; ///< not read to its end
    bool exceededLimit = false;
    bool lacksFramePointers = false;
    bool reportsAtExit = false; ///< and is still running, or reported nothing
    std::uint64_t garbage = 0;
    std::string whyNoAnswer;
};

} // namespace

class CodeWatch::Impl {
  public:
    explicit Impl(Runtime ours) : ours_(ours) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }

    struct Order {
        enum class Kind { Begin, Module, End } kind;
        std::uint32_t pid = 0;
        std::string path;
        bool isProgram = false;
        std::optional<ProcessFacts> facts;
    };
    void order(Order order) {
        const std::lock_guard lock(mutex_);
        orders_.push_back(std::move(order));
        woken_.notify_all();
    }
    void noteSilent(std::string interpreter) { silent_.insert(std::move(interpreter)); }
    std::vector<FoundCode> take() {
        const std::lock_guard lock(mutex_);
        woken_.notify_all();
        foundBytes_ = 0;
        return std::exchange(found_, {});
    }
    void finish() {
        const std::lock_guard lock(mutex_);
        isFinishing_ = true;
        woken_.notify_all();
    }
    [[nodiscard]] bool isOver() const {
        const std::lock_guard lock(mutex_);
        return isOver_ && found_.empty();
    }
    [[nodiscard]] std::vector<std::pair<Severity, std::string>> remarks() const;

  private:
    void run(const std::stop_token& stop);
    void obey(Order& order, const std::stop_token& stop);
    void watch(Watched& process, const std::stop_token& stop);
    [[nodiscard]] bool readOn(Watched& process);
    void findDump(Watched& process);
    void ask(Watched& process, const std::stop_token& stop, std::chrono::milliseconds within);
    void readRemainder(Watched& process, Clock::time_point until, const std::stop_token& stop,
                       bool isFinishing = false);
    void finishAll(const std::stop_token& stop);
    void letGo(Watched& process, bool isUnread, bool isFinishing);
    void tell(Watched& process, Address start, std::uint32_t size, std::string_view text, std::int64_t timeNs);
    void addWithSecondMapping(Watched& process, const PerfMapLine& line);
    void addDumped(Watched& process, const JitdumpCode& code);
    [[nodiscard]] std::uint64_t moduleOf(Watched& process, const std::string& name, std::int64_t timeNs);
    void add(FoundCode found) { fresh_.push_back(std::move(found)); }
    void publish();
    void waitUntilTaken(const std::stop_token& stop);

    Runtime ours_;
    std::map<std::uint32_t, std::unique_ptr<Watched>> processes_;
    std::vector<Read> read_;       ///< processes with remarks
    std::set<std::string> silent_; ///< interpreters; used by the owner's thread
    std::vector<FoundCode> fresh_; ///< the results of the current piece
    std::uint64_t reportedNameBytes_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable_any woken_;
    std::vector<Order> orders_;
    std::vector<FoundCode> found_;
    std::size_t foundBytes_ = 0; ///< size of their names
    bool isFinishing_ = false;
    bool isOver_ = false;
    std::jthread thread_; ///< last, so that it ends before the members that it uses
};

void CodeWatch::Impl::obey(Order& order, const std::stop_token& stop) {
    const auto known = processes_.find(order.pid);
    if (order.kind != Order::Kind::Module && known != processes_.end()) {
        // It has ended meanwhile, after it wrote the map.
        if (known->second->map.exists()) known->second->whyNoAnswer.clear();
        readRemainder(*known->second, Clock::now() + kMostForTheRest, stop);
        processes_.erase(known);
    }
    if (order.kind == Order::Kind::Begin && order.facts)
        processes_.emplace(order.pid, std::make_unique<Watched>(order.pid, std::move(*order.facts)));
    if (order.kind != Order::Kind::Module || known == processes_.end()) return;
    auto& process = *known->second;
    const auto runtime = runtimeOf(order.path, order.isProgram);
    if (runtime == Runtime::Unknown || process.runtime == Runtime::HotSpot) return;
    process.runtime = runtime;
    if (runtime != Runtime::HotSpot) return;
    process.questionDue = Clock::now() + kFirstQuestion;
    process.lacksFramePointers = !keepsFramePointers(process.pid);
}

// ---- results ----

std::uint64_t CodeWatch::Impl::moduleOf(Watched& process, const std::string& name, std::int64_t timeNs) {
    if (name.empty()) return CodeEvent::kNoModule;
    const auto [entry, isNew] = process.modules.try_emplace(name, process.modules.size() + 1);
    if (isNew) {
        CodeEvent event;
        event.kind = CodeEvent::Kind::Module;
        event.pid = process.pid;
        event.module = entry->second;
        event.name = name;
        add({std::move(event), timeNs});
    }
    return entry->second;
}

void CodeWatch::Impl::tell(Watched& process, Address start, std::uint32_t size, std::string_view text,
                           std::int64_t timeNs) {
    auto name = codeNameOf(text, start, process.runtime);
    if (!name.isCode) return;
    text = startOfText(text, kMostCodeNameBytes); // longer names are not written
    if (process.told >= kMostTold || text.size() > kMostReportedNameBytes - reportedNameBytes_) {
        if (!process.standing.isKnown(start, size, text)) ++process.untold;
        return;
    }
    const auto occasion = process.standing.add(start, size, text);
    if (!occasion) return;
    ++process.told;
    reportedNameBytes_ += text.size();
    CodeEvent event;
    event.occasion = *occasion;
    event.pid = process.pid;
    event.start = start;
    event.size = size;
    event.module = moduleOf(process, std::string(startOfText(name.module, kMostCodeNameBytes)), timeNs);
    event.name = startOfText(name.function, kMostCodeNameBytes);
    event.signature = startOfText(name.arguments, kMostCodeNameBytes);
    add({std::move(event), timeNs});
}

/// V8 reports the addresses of its own functions in the program, but calls them where it has mapped them a second time.
void CodeWatch::Impl::addWithSecondMapping(Watched& process, const PerfMapLine& line) {
    tell(process, line.start, line.size, line.name, 0);
    if (!line.name.starts_with("Builtin:") && !line.name.starts_with("BytecodeHandler:")) return;
    if (!std::exchange(process.isSecondKnown, true)) process.second = secondMapping(process.pid);
    if (process.second && line.start >= process.second->begin && line.start < process.second->end)
        tell(process, line.start + process.second->moved, line.size, line.name, 0);
}

void CodeWatch::Impl::addDumped(Watched& process, const JitdumpCode& code) {
    if (code.movedFrom == 0) return tell(process, code.start, code.size, code.name, code.timeNs);
    if (const auto name = process.standing.nameAt(code.movedFrom))
        tell(process, code.start, code.size, *name, code.timeNs);
}

void CodeWatch::Impl::publish() {
    const std::lock_guard lock(mutex_);
    for (const auto& found : fresh_)
        foundBytes_ += found.event.name.size() + found.event.signature.size();
    std::move(fresh_.begin(), fresh_.end(), std::back_inserter(found_));
    fresh_.clear();
}

void CodeWatch::Impl::waitUntilTaken(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, stop, [this] { return found_.size() < kMostWaiting && foundBytes_ < kMostWaitingBytes; });
}

// ---- files ----

/// Reads a piece of each file; false: there was nothing new.
bool CodeWatch::Impl::readOn(Watched& process) {
    const GrowingFile::Reader ofMap{[&](ByteSpan bytes) {
                                        process.mapReader.take(textOf(bytes), [&](const PerfMapLine& line) {
                                            addWithSecondMapping(process, line);
                                        });
                                    },
                                    [&] { process.mapReader.restart(); }};
    auto count = process.map.read(ofMap, kMostBytesOfPass);
    publish();
    if (!process.dump || process.dumpReader.isOver()) return count > 0;
    const GrowingFile::Reader ofDump{[&](ByteSpan bytes) {
                                         process.dumpReader.take(
                                             bytes, [&](const JitdumpCode& code) { addDumped(process, code); });
                                     },
                                     [&] { process.dumpReader.restart(); }};
    count += process.dump->read(ofDump, kMostBytesOfPass);
    publish();
    return count > 0;
}

/// Writers of a jitdump file map it, usually when they start.
void CodeWatch::Impl::findDump(Watched& process) {
    if (process.dump || Clock::now() < process.dumpDue) return;
    process.dumpDue = Clock::now() + process.dumpPause;
    process.dumpPause = std::min(process.dumpPause * 2, kLongestToDump);
    if (const auto path = mappedJitdump(process.pid))
        process.dump.emplace(AT_FDCWD, fmt::format("/proc/{}/root{}", process.pid, *path), process.facts.owner);
}

// ---- HotSpot ----

void CodeWatch::Impl::ask(Watched& process, const std::stop_token& stop, std::chrono::milliseconds within) {
    process.questionPause = std::min(process.questionPause * 2, kLongestBetween);
    process.questionDue = Clock::now() + process.questionPause;
    const bool wasThere = process.map.exists();
    const auto answer = askHotSpotForPerfMap(process.pid, process.facts, within, stop);
    if (!answer.hasValue()) {
        process.whyNoAnswer = answer.error().message;
        return;
    }
    process.whyNoAnswer.clear();
    process.isMapAsked = process.isMapAsked || !wasThere;
    process.map.beginAnew();
}

void CodeWatch::Impl::watch(Watched& process, const std::stop_token& stop) {
    findDump(process);
    if (process.questionDue && Clock::now() >= *process.questionDue) ask(process, stop, kMostForAnAnswer);
    (void)readOn(process);
    waitUntilTaken(stop);
}

// ---- the thread ----

void CodeWatch::Impl::run(const std::stop_token& stop) {
    bool isLast = false;
    while (!stop.stop_requested() && !isLast) {
        std::vector<Order> orders;
        {
            std::unique_lock lock(mutex_);
            woken_.wait_for(lock, stop, kPause, [this] { return isFinishing_ || !orders_.empty(); });
            orders = std::exchange(orders_, {});
            isLast = isFinishing_;
        }
        for (auto& order : orders)
            obey(order, stop);
        for (auto& [pid, process] : processes_)
            if (!stop.stop_requested()) watch(*process, stop);
    }
    finishAll(stop);
    const std::lock_guard lock(mutex_);
    isOver_ = true;
}

void CodeWatch::Impl::readRemainder(Watched& process, Clock::time_point until, const std::stop_token& stop,
                                    bool isFinishing) {
    bool isMore = true;
    while (isMore && !stop.stop_requested() && Clock::now() < until) {
        isMore = readOn(process);
        waitUntilTaken(stop);
    }
    process.mapReader.finish();
    letGo(process, isMore, isFinishing);
}

/// The time limit applies to all processes together.
void CodeWatch::Impl::finishAll(const std::stop_token& stop) {
    const auto answersUntil = Clock::now() + kMostForAnAnswer;
    for (auto& [pid, process] : processes_) {
        const auto left = answersUntil - Clock::now();
        if (process->questionDue && process->whyNoAnswer.empty() && left.count() > 0 && !stop.stop_requested())
            ask(*process, stop, std::chrono::duration_cast<milliseconds>(left));
    }
    const auto until = Clock::now() + kMostForTheRest;
    for (auto& [pid, process] : processes_)
        readRemainder(*process, until, stop, true);
    processes_.clear();
}

void CodeWatch::Impl::letGo(Watched& process, bool isUnread, bool isFinishing) {
    using Refusal = GrowingFile::Refusal;
    Read read;
    read.pid = process.pid;
    read.isOfOther = process.map.refusal() == Refusal::OtherOwner ||
                     (process.dump && process.dump->refusal() == Refusal::OtherOwner);
    read.isNotRegularFile = process.map.refusal() == Refusal::NoPlainFile;
    read.isUnread = isUnread;
    read.exceededLimit = process.untold + process.standing.dropped() > 0;
    read.lacksFramePointers = process.lacksFramePointers;
    read.reportsAtExit = process.runtime == Runtime::Mono && (isFinishing || process.told == 0);
    read.garbage = process.mapReader.garbage() + process.dumpReader.garbage();
    read.whyNoAnswer = process.whyNoAnswer;
    const bool isWorthSaying = read.isOfOther || read.isNotRegularFile || isUnread || read.exceededLimit ||
                               read.lacksFramePointers || read.reportsAtExit || read.garbage > 0 ||
                               !read.whyNoAnswer.empty();
    if (isWorthSaying) read_.push_back(std::move(read));
    const bool isOurs = ours_ != Runtime::Unknown && process.runtime == ours_;
    if (isOurs || process.isMapAsked) process.map.remove();
    if (isOurs && ours_ == Runtime::V8) removeLogsOfV8(process.facts);
    if (isOurs && ours_ == Runtime::DotNet)
        ::unlinkat(process.facts.temporary.number(), fmt::format("perfinfo-{}.map", process.facts.ownPid).c_str(), 0);
}

std::vector<std::pair<Severity, std::string>> CodeWatch::Impl::remarks() const {
    Processes ofOthers, strange, unread, tooMany, damaged, withoutPointers, atTheirEnd;
    std::vector<std::pair<Severity, std::string>> remarks;
    const auto note = [&](std::string sentence) { remarks.emplace_back(Severity::Note, std::move(sentence)); };
    std::uint64_t garbage = 0;
    for (const auto& process : read_) {
        if (process.isOfOther) ofOthers.add(process.pid);
        if (process.isNotRegularFile) strange.add(process.pid);
        if (process.isUnread) unread.add(process.pid);
        if (process.exceededLimit) tooMany.add(process.pid);
        if (process.garbage > 0) damaged.add(process.pid);
        garbage += process.garbage;
        if (process.lacksFramePointers) withoutPointers.add(process.pid);
        if (process.reportsAtExit) atTheirEnd.add(process.pid);
        if (!process.whyNoAnswer.empty())
            note(fmt::format("Java did not report its function names in process {}: {}.", process.pid,
                             process.whyNoAnswer));
    }
    if (ofOthers.isAny())
        note(fmt::format("Names of generated functions were not read in {} because their file belongs to another user.",
                         ofOthers.text()));
    if (strange.isAny())
        note(fmt::format("Names of generated functions were not read in {} because their file is not a regular file.",
                         strange.text()));
    if (unread.isAny())
        note(
            fmt::format("Names of generated functions may be missing in {} because their file was not read to its end.",
                        unread.text()));
    if (tooMany.isAny())
        note(
            fmt::format("Names of generated functions are missing in {} because there were too many.", tooMany.text()));
    if (damaged.isAny())
        note(fmt::format("{} of the function names that runtimes wrote could not be read, in {}.",
                         counted(garbage, "line"), damaged.text()));
    if (atTheirEnd.isAny())
        note(fmt::format("Names of Mono functions may be missing in {} because Mono writes them only when it exits "
                         "normally.",
                         atTheirEnd.text()));
    if (withoutPointers.isAny())
        note(fmt::format("Java stacks may end early in {} because Java was started without -XX:+PreserveFramePointer.",
                         withoutPointers.text()));
    for (const auto& interpreter : silent_) {
        const auto reason = interpreter.starts_with("Python")
                                ? std::string("Python reports them only since version 3.12")
                                : fmt::format("{} does not report them", interpreter);
        note(fmt::format("Functions that {} runs have no names because {}. Stacks show the interpreter's own functions "
                         "instead.",
                         interpreter, reason));
    }
    return remarks;
}

// ---- public interface ----

CodeWatch::CodeWatch(Runtime ours) : impl_(std::make_unique<Impl>(ours)) {}
CodeWatch::~CodeWatch() = default;

void CodeWatch::begin(std::uint32_t pid) { impl_->order({Impl::Order::Kind::Begin, pid, {}, false, askProcess(pid)}); }
void CodeWatch::noteModule(std::uint32_t pid, std::string path, bool isProgram) {
    if (auto silent = silentInterpreter(path, isProgram); !silent.empty()) impl_->noteSilent(std::move(silent));
    if (runtimeOf(path, isProgram) == Runtime::Unknown) return;
    impl_->order({Impl::Order::Kind::Module, pid, std::move(path), isProgram, std::nullopt});
}
void CodeWatch::end(std::uint32_t pid) { impl_->order({Impl::Order::Kind::End, pid, {}, false, std::nullopt}); }
std::vector<FoundCode> CodeWatch::take() { return impl_->take(); }
void CodeWatch::finish() { impl_->finish(); }
bool CodeWatch::isOver() const { return impl_->isOver(); }
std::vector<std::pair<Severity, std::string>> CodeWatch::remarks() const { return impl_->remarks(); }

} // namespace highwater::source
