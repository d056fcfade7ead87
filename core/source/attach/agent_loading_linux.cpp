#include "core/source/attach/agent_loading_linux.h"

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/programs/process_status.h"
#include "core/agent_linux/trial/copy_answer.h"
#include "core/base/units.h"
#include "core/files/owned_file_linux.h"
#include "core/source/attach/elf_parts_linux.h"
#include "core/source/attach/process_search_linux.h"
#include "core/source/attach/processor_breakpoints_linux.h"
#include "core/source/attach/recordable_program_linux.h"
#include "core/source/attach/stopped_thread_linux.h"
#include "core/source/attach/stopped_threads_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/futex.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace highwater::source {
namespace {

namespace fs = std::filesystem;
using agent::StartResult, agent::CopyRefusal;

constexpr auto kPatience = std::chrono::seconds(5);
/// Time for a running thread to reach an allocation before another one is tried.
constexpr int kRunMs = 200;
constexpr int kMostTurns = 100;
/// The most that all threads of a process are stopped before it is copied, and that the copy may take: about 20 ms a
/// GB.
constexpr std::chrono::milliseconds kStopTime(250), kCopyTime(10'000);
constexpr Address kStackNeeded = 64 * 1024;
constexpr std::string_view kNoCopy = "it did not make the copy within 10 seconds.";
constexpr char kLoaded = '+', kFirstKind = 'a';

/// A line of /proc/PID/maps.
struct Mapping {
    Address begin = 0;
    Address end = 0;
    bool isExecutable = false;
    std::uint64_t offset = 0;
    std::string file; ///< device and inode, which identify the file under any name
    std::string path;
};

std::vector<Mapping> mappingsOf(const std::string& process) {
    std::ifstream lines("/proc/" + process + "/maps");
    std::vector<Mapping> mappings;
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        Mapping mapping;
        std::string rights, device, inode;
        char dash = 0;
        fields >> std::hex >> mapping.begin >> dash >> mapping.end >> rights >> mapping.offset >> device >> inode;
        std::getline(fields >> std::ws, mapping.path);
        mapping.isExecutable = rights.size() > 2 && rights[2] == 'x';
        mapping.file = device + " " + inode;
        mappings.push_back(std::move(mapping));
    }
    return mappings;
}

const Mapping* mappingAt(const std::vector<Mapping>& mappings, Address address) {
    const auto found = std::ranges::find_if(
        mappings, [address](const Mapping& mapping) { return mapping.begin <= address && address < mapping.end; });
    return found == mappings.end() ? nullptr : &*found;
}

/// Start address of a file in memory.
Address baseOf(const std::vector<Mapping>& mappings, const std::string& file) {
    const auto found = std::ranges::find_if(
        mappings, [&file](const Mapping& mapping) { return mapping.file == file && mapping.offset == 0; });
    return found == mappings.end() ? 0 : found->begin;
}

/// The libc of this process, used to locate its functions in another process that maps the same file.
class SharedLibc {
  public:
    SharedLibc() : handle_(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)), own_(mappingsOf("self")) {
        if (const auto* mapping = mappingAt(own_, find("malloc"))) {
            file_ = mapping->file;
            base_ = baseOf(own_, file_);
        }
        const auto code = std::ranges::find_if(
            own_, [this](const Mapping& mapping) { return mapping.isExecutable && mapping.file == file_; });
        if (base_ == 0 || code == own_.end()) return;
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(code->begin);
        wayBack_ = WayBack::find({bytes, code->end - code->begin}, code->begin - base_);
    }
    SharedLibc(const SharedLibc&) = delete;
    SharedLibc& operator=(const SharedLibc&) = delete;
    ~SharedLibc() {
        if (handle_ != nullptr) dlclose(handle_);
    }
    [[nodiscard]] const std::string& file() const { return file_; }
    /// Offset of a function from the start of libc.
    [[nodiscard]] Address offsetOf(const char* name) const { return find(name) - base_; }
    /// Uses the libc that starts at `base`.
    [[nodiscard]] std::optional<WayBack> wayBack(Address base) const {
        auto back = wayBack_;
        if (back) {
            back->store += base;
            back->resume += base;
        }
        return back;
    }

  private:
    [[nodiscard]] Address find(const char* name) const {
        return handle_ != nullptr ? reinterpret_cast<Address>(dlsym(handle_, name)) : 0;
    }
    void* handle_;
    std::vector<Mapping> own_;
    std::string file_;
    Address base_ = 0;
    std::optional<WayBack> wayBack_; ///< with offsets from the start of libc
};

/// Places at which a thread can be made to load a library: not inside an allocation or the dynamic linker.
class SafePlaces {
  public:
    SafePlaces(const std::vector<Mapping>& mappings, const SharedLibc& libc, Address libcBase) {
        for (const auto& mapping : mappings) {
            const bool isLinker = fs::path(mapping.path).filename().string().starts_with("ld-");
            if (mapping.isExecutable && isLinker) linker_.emplace_back(mapping.begin, mapping.end);
        }
        for (const auto* name : {"malloc", "free", "calloc", "realloc"})
            entries_.push_back(libcBase + libc.offsetOf(name));
    }
    /// Start addresses of frequently called functions, because a thread does not hold any locks of theirs there.
    [[nodiscard]] const std::vector<Address>& entries() const { return entries_; }
    [[nodiscard]] bool isCalledByLinker(const StoppedThread& thread) const {
        const auto caller = thread.word(thread.stackPointer());
        return std::ranges::any_of(linker_,
                                   [caller](const auto& part) { return part.first <= caller && caller < part.second; });
    }
    /// Whether a thread waits for an external event, which allocators and the dynamic linker do not do.
    [[nodiscard]] static bool isIdle(const StoppedThread& thread) {
        static constexpr std::array kWaits{
            SYS_read, SYS_write, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_epoll_wait, SYS_epoll_pwait,
            SYS_nanosleep, SYS_wait4, SYS_waitid, SYS_accept, SYS_accept4, SYS_recvfrom, SYS_recvmsg, SYS_pause,
            SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_clock_nanosleep,
            // A sleep, a poll or a wait with a timeout that continues after the thread was stopped.
            SYS_restart_syscall};
        const auto call = thread.waitsIn();
        // FUTEX_WAIT_BITSET is used for conditions, semaphores and thread joins; libc waits for locks with plain
        // FUTEX_WAIT.
        if (call == SYS_futex) return (thread.secondArgument() & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
        return call && std::ranges::any_of(kWaits, [&](long wait) { return static_cast<long>(*call) == wait; });
    }

  private:
    std::vector<std::pair<Address, Address>> linker_;
    std::vector<Address> entries_;
};

std::string nameOf(std::uint32_t pid) {
    std::string name;
    std::ifstream file(fmt::format("/proc/{}/comm", pid));
    std::getline(file, name);
    return name;
}

std::string statusField(std::uint32_t pid, std::string_view field) {
    std::ifstream file(fmt::format("/proc/{}/status", pid));
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with(field) || line.size() < field.size() + 2) continue;
        return line.substr(line.find_first_not_of(" \t", field.size() + 1));
    }
    return {};
}

/// What was to be done with which process.
struct Asked {
    std::uint32_t pid = 0;
    AgentFunction function = AgentFunction::Start;
};

bool makesCopy(AgentFunction function) { return function != AgentFunction::Start; }

/// Sentences that say what to do instead. A process that was started by Highwater cannot be copied more easily.
struct Remedies {
    std::string_view ofRecording;
    std::string_view ofCopy = {};
};
constexpr Remedies kStartHere{" Start it from here instead."};

Error refused(Asked asked, ErrorKind kind, std::string_view why, Remedies remedies = {}) {
    const auto [pid, function] = asked;
    if (makesCopy(function))
        return {kind, fmt::format("{} ({}) cannot be copied because {}{}", nameOf(pid), pid, why, remedies.ofCopy)};
    return {kind, fmt::format("{} ({}) cannot be recorded: {}{}", nameOf(pid), pid, why, remedies.ofRecording)};
}

Error restricted(Asked asked) {
    return refused(asked, ErrorKind::Unsupported,
                   "it restricts its own system calls (seccomp) and would be terminated for those that the recorder "
                   "needs.",
                   {" Start it from here instead, which records it until it applies the restriction.",
                    " Start it without its sandbox."});
}

/// Reads the file "status" of a process or a thread.
std::uint32_t filtersOf(const std::string& status) {
    std::ifstream file(status);
    std::ostringstream text;
    text << file.rdbuf();
    return agent::filtersIn(text.str().c_str());
}

bool isInOurNamespace(std::uint32_t pid, const char* kind) {
    std::error_code unreadable;
    const auto theirs = fs::read_symlink(fmt::format("/proc/{}/ns/{}", pid, kind), unreadable);
    return unreadable || theirs == fs::read_symlink(fmt::format("/proc/self/ns/{}", kind), unreadable);
}

/// For a process that has not mapped our libc file.
Error withoutOurLibc(Asked asked, const std::vector<Mapping>& mappings) {
    const auto theirs = std::ranges::find_if(mappings, [](const Mapping& mapping) {
        const auto name = fs::path(mapping.path).filename().string();
        return name.starts_with("libc.so") || name.starts_with("libc-2.") || name.starts_with("ld-musl-");
    });
    const auto which = theirs == mappings.end() ? std::string("it has not loaded libc.so.6")
                                                : fmt::format("its C library is {}", theirs->path);
    return refused(asked, ErrorKind::Unsupported,
                   which + ", and the recorder can only be loaded into programs that use the same libc.so.6 file as "
                           "Highwater.",
                   {kStartHere.ofRecording, " Start it with the C library of this system."});
}

/// Explains why tracing is not permitted, with a remedy.
Error notPermitted(Asked asked) {
    int scope = 0;
    std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
    if (scope == 3) {
        return refused(asked, ErrorKind::AccessDenied,
                       "this system does not permit access to running programs (kernel.yama.ptrace_scope is 3).",
                       {kStartHere.ofRecording, " Restart the system with a lower value."});
    }
    if (scope > 0 && ::geteuid() != 0) {
        return refused(asked, ErrorKind::AccessDenied,
                       "this system permits only root to access running programs (kernel.yama.ptrace_scope).",
                       {" Start it from here instead, run Highwater as root, or set kernel.yama.ptrace_scope to 0.",
                        " Run Highwater as root, or set kernel.yama.ptrace_scope to 0."});
    }
    return refused(asked, ErrorKind::AccessDenied,
                   "the system does not permit Highwater to access it. It has elevated privileges or runs in a "
                   "sandbox, or this container lacks the capability SYS_PTRACE.",
                   {kStartHere.ofRecording, " Run Highwater as root, with that capability."});
}

std::vector<std::uint32_t> threadsOf(std::uint32_t pid) {
    auto threads = numbersIn(fmt::format("/proc/{}/task", pid));
    std::ranges::sort(threads);
    return threads;
}

/// Whether a thread has more system call filters than this program. Filters are per thread, and any thread may enter
/// the agent.
bool isRestricted(std::uint32_t pid) {
    const auto ours = filtersOf("/proc/self/status");
    return std::ranges::any_of(threadsOf(pid), [pid, ours](std::uint32_t tid) {
        return filtersOf(fmt::format("/proc/{}/task/{}/status", pid, tid)) > ours;
    });
}

/// 'R' running, 'S' sleeping; threads in other states cannot be stopped now.
char stateOf(std::uint32_t pid, std::uint32_t tid) {
    std::ifstream file(fmt::format("/proc/{}/task/{}/stat", pid, tid));
    std::string line;
    std::getline(file, line);
    const auto bracket = line.rfind(')');
    return bracket != std::string::npos && bracket + 2 < line.size() ? line[bracket + 2] : '\0';
}

/// States of an ended thread; '\0': it does not exist any more. The last thread of a process stays a zombie until its
/// parent waits for it.
bool isOver(char state) { return state == 'Z' || state == 'X' || state == '\0'; }

Error ended(std::uint32_t pid) { return {ErrorKind::NotFound, fmt::format("Process {} has ended.", pid)}; }

Error notWanted() { return {ErrorKind::Cancelled, "Attaching was cancelled."}; }

/// One attempt to load the agent into a process, on one thread: when that thread ends, the system detaches from all
/// threads that it traces.
class Attachment {
  public:
    Attachment(const AgentLoad& load, const std::function<bool()>& isWanted)
        : load_(load), isWanted_(isWanted), pid_(load.pid), asked_{load.pid, load.function} {}

    Result<int> run() {
        const auto number = TRY(tryThreads());
        return load_.function == AgentFunction::Copy ? withThreads(number) : number;
    }

  private:
    Result<int> tryThreads() {
        const auto begin = std::chrono::steady_clock::now();
        // Waiting threads are tried first, because they do not need breakpoints, which could be left behind.
        for (bool mayRun = false;; mayRun = load_.mayRunThreads) {
            const auto threads = threadsOf(pid_);
            if (std::ranges::all_of(threads, [this](std::uint32_t tid) { return isOver(stateOf(pid_, tid)); }))
                return ended(pid_);
            if (mayRun && !processorBreakpointsStop()) run_ = StoppedThread::Run::Stepwise;
            for (const auto tid : threads) {
                if (!isWanted_()) return notWanted();
                auto thread = stopSafely(tid, mayRun);
                if (thread) return load(*thread);
                if (isForbidden(tid)) return notPermitted(asked_);
            }
            if (std::chrono::steady_clock::now() - begin > kPatience) return noneFound();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    [[nodiscard]] Error noneFound() const {
        constexpr Remedies kTryLater{" Try again later, or start it from here.", " Try again later."};
        if (!load_.mayRunThreads) {
            return refused(asked_, ErrorKind::Io,
                           "none of its threads is waiting, and on this system attaching through a running thread is "
                           "a risk to the program (kernel.yama.ptrace_scope is 1).",
                           {" Try again later, start it from here, run Highwater as root, or set "
                            "kernel.yama.ptrace_scope to 0.",
                            " Try again later, run Highwater as root, or set kernel.yama.ptrace_scope to 0."});
        }
        if (run_ == StoppedThread::Run::Stepwise) {
            return refused(
                asked_, ErrorKind::Io,
                "none of its threads reached a point where the recorder can be loaded. They do not wait, and they "
                "allocate too rarely to be followed on this machine, where breakpoints do not work (it may be a "
                "virtual machine).",
                kTryLater);
        }
        return refused(
            asked_, ErrorKind::Io,
            "none of its threads reached a point where the recorder can be loaded, because they neither allocate nor "
            "wait.",
            kTryLater);
    }

    /// A thread that is just ending cannot be stopped either.
    [[nodiscard]] bool isForbidden(std::uint32_t tid) const {
        const auto state = stateOf(pid_, tid);
        return refusal_ == EPERM && (state == 'R' || state == 'S');
    }

    /// Stops a thread at a place from which it can be made to load a library. If that fails, the thread continues.
    std::optional<StoppedThread> stopSafely(std::uint32_t tid, bool mayRun) {
        refusal_ = 0;
        const auto state = stateOf(pid_, tid);
        if ((state != 'R' || !mayRun) && state != 'S') return std::nullopt;
        if (unstoppable_.contains(tid)) return std::nullopt;
        auto thread = StoppedThread::stop(tid, refusal_);
        if (!thread && refusal_ == 0) unstoppable_.insert(tid); // it stays traced until this thread ends
        if (!thread) return std::nullopt;
        const auto mappings = mappingsOf(std::to_string(pid_));
        libcBase_ = baseOf(mappings, libc_.file());
        if (libcBase_ == 0 || !thread->runsCodeOf64Bits()) return std::nullopt;
        if (!hasRoom(mappings, *thread)) return std::nullopt;
        const SafePlaces places(mappings, libc_, libcBase_);
        if (SafePlaces::isIdle(*thread)) return thread;
        for (int turn = 0; mayRun && isWanted_() && turn < kMostTurns; ++turn) {
            if (!thread->runTo(places.entries(), kRunMs, run_)) return std::nullopt;
            if (!places.isCalledByLinker(*thread) && hasRoom(mappings, *thread)) return thread;
        }
        return std::nullopt;
    }

    /// Checks its normal stack; the stack of a signal handler may be too small.
    static bool hasRoom(const std::vector<Mapping>& mappings, const StoppedThread& thread) {
        const auto* stack = mappingAt(mappings, thread.stackPointer());
        if (stack == nullptr) return false;
        return stack->path == "[stack]" || thread.stackPointer() - stack->begin >= kStackNeeded;
    }

    Result<std::uint64_t> call(StoppedThread& thread, Address function, std::initializer_list<std::uint64_t> arguments,
                               std::chrono::milliseconds within = StoppedThread::kCallTime) const {
        const auto back = libc_.wayBack(libcBase_);
        if (!back)
            return refused(asked_, ErrorKind::Unsupported, "it uses a C library that Highwater does not support.");
        if (!isWanted_()) return notWanted();
        return thread.call(function, arguments, *back, within);
    }
    Result<std::uint64_t> call(StoppedThread& thread, const char* function,
                               std::initializer_list<std::uint64_t> arguments) const {
        return call(thread, libcBase_ + libc_.offsetOf(function), arguments);
    }

    [[nodiscard]] const char* nameOfFunction() const {
        switch (load_.function) {
        case AgentFunction::TryTrim:
            return "highwaterAgentTryTrim";
        case AgentFunction::Copy:
            return "highwaterAgentCopy";
        case AgentFunction::Start:
            break;
        }
        return "highwaterAgentStart";
    }

    Result<int> load(StoppedThread& thread) {
        if (isRestricted(pid_)) return restricted(asked_);
        if (makesCopy(load_.function)) {
            if (hasAnotherAgent()) return anotherVersion();
            // The dynamic linker allocates memory even if the library is loaded already, and a recording would have it.
            if (const auto loaded = addressIfLoaded(); loaded != 0) return callAgent(thread, loaded);
        }
        const auto library = thread.push(load_.library);
        const auto name = thread.push(nameOfFunction());
        for (const auto* pushed : {&library, &name})
            TRY(*pushed);
        const auto handle = TRY(call(thread, "dlopen", {library.value(), RTLD_NOW | RTLD_LOCAL}));
        if (handle == 0) {
            const auto why = call(thread, "dlerror", {});
            return refused(asked_, ErrorKind::Io,
                           fmt::format("the recorder could not be loaded into it ({}).",
                                       why.hasValue() ? thread.text(why.value()) : std::string()));
        }
        const auto function = TRY(call(thread, "dlsym", {handle, name.value()}));
        if (function == 0) return anotherVersion();
        return callAgent(thread, function);
    }

    Result<int> callAgent(StoppedThread& thread, Address function) {
        const auto path = TRY(thread.push(load_.argument));
        if (load_.function == AgentFunction::Copy) return copy(thread, function, path);
        const auto returned = TRY(call(thread, function, {path}));
        const auto result = static_cast<int>(returned);
        return makesCopy(load_.function) ? judgeCopy(result) : judgeStart(static_cast<StartResult>(result));
    }

    /// The function makes system calls only, and waits for no lock that a stopped thread may have.
    Result<int> copy(StoppedThread& thread, Address function, Address path) {
        others_.emplace(pid_, thread.tid(), agent::kMostCopiedThreads, kStopTime);
        records_.push_back(recordOf(thread));
        for (const auto& other : others_->stopped())
            records_.push_back(recordOf(other));
        stop_.threads = records_.size();
        stop_.unreadThreads = others_->running();
        stop_.instantNs = nowNs();
        const auto returned = call(thread, function, {path}, kCopyTime);
        others_->resume();
        if (returned.hasValue()) return judgeCopy(static_cast<int>(returned.value()));
        if (isOver(stateOf(pid_, pid_))) return ended(pid_);
        return returned.error().kind == ErrorKind::Cancelled ? returned.error() : notCopied(ErrorKind::Io, kNoCopy);
    }

    static std::uint64_t nowNs() {
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
    }

    static agent::CopyThreadRecord recordOf(const StoppedThread& thread) {
        const auto& own = thread.registers();
        return {thread.tid(),
                own.rip,
                own.fs_base,
                {own.rax, own.rdx, own.rcx, own.rbx, own.rsi, own.rdi, own.rbp, own.rsp, own.r8, own.r9, own.r10,
                 own.r11, own.r12, own.r13, own.r14, own.r15}};
    }

    /// Adds the threads to the file when all of them run again.
    [[nodiscard]] Result<int> withThreads(int copy) const {
        const OwnedFile file(::open(load_.argument.c_str(), O_WRONLY | O_CLOEXEC));
        const auto put = [&file](const void* from, std::size_t bytes, std::size_t to) {
            return ::pwrite(file.number(), from, bytes, static_cast<off_t>(to)) == static_cast<ssize_t>(bytes);
        };
        if (put(records_.data(), records_.size() * sizeof records_.front(), sizeof(agent::CopyAnswer)) &&
            put(&stop_, sizeof stop_, offsetof(agent::CopyAnswer, stop)))
            return copy;
        return Error{ErrorKind::Io, "The registers of the threads could not be written to shared memory."};
    }

    [[nodiscard]] Error anotherVersion() const {
        return refused(asked_, ErrorKind::Io, "another version of the recorder is loaded in it.");
    }

    /// The address of the function; 0: the process has not loaded the library.
    [[nodiscard]] Address addressIfLoaded() const {
        const auto mappings = mappingsOf(std::to_string(pid_));
        const auto start = std::ranges::find_if(mappings, [this](const Mapping& mapping) {
            std::error_code isDeleted;
            return mapping.offset == 0 && mapping.path.starts_with('/') &&
                   fs::equivalent(mapping.path, load_.library, isDeleted);
        });
        if (start == mappings.end()) return 0;
        const auto offset = offsetOfFunction(load_.library, nameOfFunction());
        const auto address = offset ? start->begin + *offset : 0;
        const auto* const code = mappingAt(mappings, address);
        return code != nullptr && code->isExecutable && code->file == start->file ? address : 0;
    }

    /// Its initializer could record the process a second time.
    [[nodiscard]] bool hasAnotherAgent() const {
        const auto mappings = mappingsOf(std::to_string(pid_));
        return std::ranges::any_of(mappings, [this](const Mapping& mapping) {
            const auto isAgent = fs::path(mapping.path).filename().string().starts_with("libhighwater-agent.so");
            std::error_code isDeleted;
            return isAgent && !fs::equivalent(mapping.path, load_.library, isDeleted);
        });
    }

    [[nodiscard]] Error notCopied(ErrorKind kind, std::string_view why) const {
        return {kind, fmt::format("{} ({}) was not copied because {}", nameOf(pid_), pid_, why)};
    }

    [[nodiscard]] Result<int> judgeCopy(int result) const {
        if (result > 0) return result;
        switch (static_cast<CopyRefusal>(result)) {
        case CopyRefusal::NoFile:
            return notCopied(ErrorKind::AccessDenied, "it has no permission to open the file for the answer.");
        case CopyRefusal::Restricted:
            return restricted(asked_);
        case CopyRefusal::Adopting:
            return notCopied(ErrorKind::Unsupported,
                             "it would get the copy as its child: it is process 1 of its container, or adopts orphans "
                             "(PR_SET_CHILD_SUBREAPER).");
        }
        return notCopied(ErrorKind::Io, fmt::format("the system refused it ({}).", std::strerror(-result)));
    }

    [[nodiscard]] Result<int> judgeStart(StartResult result) const {
        switch (result) {
        case StartResult::Started:
            return 0;
        case StartResult::Recorded:
            return refused(asked_, ErrorKind::Io, "another instance of Highwater is recording it.");
        case StartResult::NoChannel:
            return refused(asked_, ErrorKind::AccessDenied,
                           "it has no permission to open the shared memory for its "
                           "events.");
        case StartResult::Refused:
            return refused(asked_, ErrorKind::Io, "no memory is available for its events.");
        case StartResult::Restricted:
            return restricted(asked_);
        case StartResult::NoCallsFound:
            break;
        }
        return refused(asked_, ErrorKind::Unsupported,
                       "no call to an allocation function was found in it (this needs glibc 2.35 or later).");
    }

    const AgentLoad& load_;
    const std::function<bool()>& isWanted_;
    std::uint32_t pid_;
    Asked asked_;
    std::set<std::uint32_t> unstoppable_; ///< threads that did not stop in time
    SharedLibc libc_;
    Address libcBase_ = 0;
    StoppedThread::Run run_ = StoppedThread::Run::AtFullSpeed;
    int refusal_ = 0;
    // Of a copy. Threads that have not stopped are waited for when all others have been continued.
    std::optional<StoppedThreads> others_;
    agent::CopyStop stop_;
    std::vector<agent::CopyThreadRecord> records_;
};

} // namespace

Result<void> checkAttachable(std::uint32_t pid, AgentFunction function) {
    const Asked asked{pid, function};
    struct stat owner {};
    if (pid == 0 || ::stat(fmt::format("/proc/{}", pid).c_str(), &owner) != 0)
        return Error{ErrorKind::NotFound, fmt::format("Process {} does not exist.", pid)};
    if (pid == static_cast<std::uint32_t>(::getpid()))
        return refused(asked, ErrorKind::Unsupported, "it is Highwater itself.");
    const auto state = stateOf(pid, pid);
    if (isOver(state)) return ended(pid);
    if (owner.st_uid != ::geteuid()) {
        return refused(asked, ErrorKind::AccessDenied, "it belongs to another user.",
                       {" Run Highwater as that user, or start it from here.", " Run Highwater as that user."});
    }
    if (!isInOurNamespace(pid, "pid") || !isInOurNamespace(pid, "mnt"))
        return refused(asked, ErrorKind::Unsupported, "it runs in another container. Run Highwater there.");
    const auto mappings = mappingsOf(std::to_string(pid));
    if (mappings.empty()) return notPermitted(asked);
    if (const auto obstacle = reasonAgainst(fmt::format("/proc/{}/exe", pid)); !obstacle.empty())
        return refused(asked, ErrorKind::Unsupported, obstacle);
    if (const auto tracer = statusField(pid, "TracerPid"); !tracer.empty() && tracer != "0")
        return refused(asked, ErrorKind::Unsupported, fmt::format("process {} is debugging it.", tracer));
    if (isRestricted(pid)) return restricted(asked);
    if (state == 'T') return refused(asked, ErrorKind::Unsupported, "it is suspended. Resume it first.");
    if (baseOf(mappings, SharedLibc().file()) == 0) return withoutOurLibc(asked, mappings);
    return {};
}

Result<int> loadAgent(const AgentLoad& load, const std::function<bool()>& isWanted) {
    return Attachment(load, isWanted).run();
}

// The first character encodes the kind of the error, or kLoaded; the rest is the sentence, or the number.
std::string answerFor(const Result<int>& loaded) {
    if (loaded.hasValue()) return kLoaded + std::to_string(loaded.value());
    return static_cast<char>(kFirstKind + static_cast<int>(loaded.error().kind)) + loaded.error().message;
}

Result<int> resultOf(const std::string& answer) {
    const auto* const end = answer.data() + answer.size();
    if (int number = 0; answer.size() >= 2 && answer.front() == kLoaded) {
        const auto read = std::from_chars(answer.data() + 1, end, number);
        if (read.ec == std::errc() && read.ptr == end) return number;
    }
    const auto kind = answer.empty() ? -1 : answer.front() - kFirstKind;
    if (kind < 0 || kind > static_cast<int>(ErrorKind::Usage) || answer.size() < 2)
        return Error{ErrorKind::Io, "The program highwater-attach ended before it had loaded the recorder."};
    return Error{static_cast<ErrorKind>(kind), answer.substr(1)};
}

} // namespace highwater::source
