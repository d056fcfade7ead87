#include "core/source/agent/agent_attach_linux.h"

#include "core/source/attach/loader_process_linux.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace highwater::source {
namespace {

/// Exceeds the time needed to find a thread that can load the agent and to load most libraries.
constexpr auto kAnswerWithin = std::chrono::seconds(20);

/// Happens, for example, if a thread waits for a vfork child that does not continue: such a thread cannot be stopped.
Error noAnswer(std::uint32_t pid) {
    return {ErrorKind::Io,
            fmt::format("Could not attach to process {} within {} seconds because all its threads are blocked. Try "
                        "again later, or start the program from here.",
                        pid, kAnswerWithin.count())};
}

Error stopped() { return {ErrorKind::Cancelled, "The recording was stopped before it began."}; }

/// Where programs may trace only their descendants, this process may trace the program it started, but the loader may
/// not because it is not an ancestor of the program.
bool maySeeDescendantsOnly() {
    int scope = 0;
    std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
    return scope == 1;
}

/// The first argument of highwater-attach.
std::string wordFor(AgentFunction function) {
    switch (function) {
    case AgentFunction::TryTrim:
        return "try-trim";
    case AgentFunction::Copy:
        return "copy";
    case AgentFunction::Start:
        break;
    }
    return "load";
}

Result<int> loadByProgram(const AgentLoad& load, const std::stop_token& stop) {
    const auto loader = TRY(LoaderProcess::start(
        load.library, {wordFor(load.function), std::to_string(load.pid), load.library, load.argument}));
    const auto answer = loader.answer(kAnswerWithin, stop);
    if (answer) return resultOf(*answer);
    return stop.stop_requested() ? stopped() : noAnswer(load.pid);
}

/// Runs on its own thread, and tracing ends with that thread. On a timeout the thread is left to restore the process.
/// This process may be killed at any time, and nothing would restore the traced process then. For this reason only
/// steps that need no restoring are done.
Result<int> loadHere(const AgentLoad& load, const std::stop_token& stop) {
    struct Shared {
        AgentLoad load;
        std::atomic<bool> isWanted = true;
        std::promise<Result<int>> result;
    };
    const auto shared = std::make_shared<Shared>();
    shared->load = load;
    shared->load.mayRunThreads = false;
    auto result = shared->result.get_future();
    std::thread([shared] {
        shared->result.set_value(loadAgent(shared->load, [shared] { return shared->isWanted.load(); }));
    }).detach();
    constexpr auto kLookAgain = std::chrono::milliseconds(50);
    for (const auto until = std::chrono::steady_clock::now() + kAnswerWithin;
         std::chrono::steady_clock::now() < until && !stop.stop_requested();) {
        if (result.wait_for(kLookAgain) == std::future_status::ready) return result.get();
    }
    shared->isWanted = false;
    return stop.stop_requested() ? stopped() : noAnswer(load.pid);
}

} // namespace

Result<int> callAgent(const AgentLoad& load, const std::stop_token& stop) {
    auto called = loadByProgram(load, stop);
    const bool isDenied = !called.hasValue() && called.error().kind == ErrorKind::AccessDenied;
    return isDenied && maySeeDescendantsOnly() ? loadHere(load, stop) : called;
}

Result<AgentTarget> attachAgent(const AgentChannel& channel, std::uint32_t pid, const std::stop_token& stop) {
    TRY(checkAttachable(pid));
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (handle < 0) return Error{ErrorKind::NotFound, fmt::format("Process {} does not exist.", pid)};
    AgentTarget target(static_cast<int>(pid), handle);
    TRY(callAgent({pid, channel.library().string(), channel.path()}, stop));
    return target;
}

} // namespace highwater::source
