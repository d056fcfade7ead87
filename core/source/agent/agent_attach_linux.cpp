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

/// Longer than the search for a thread that can load the agent takes, and than most libraries take to be loaded.
constexpr auto kAnswerWithin = std::chrono::seconds(20);

/// As of a thread that made a child (vfork) which does not go on: it cannot be stopped before.
Error noAnswer(std::uint32_t pid) {
    return {ErrorKind::Io,
            fmt::format("Could not attach to process {} within {} seconds because all its threads are blocked. Try "
                        "again later, or start the program from here.",
                        pid, kAnswerWithin.count())};
}

Error stopped() { return {ErrorKind::Cancelled, "The recording was stopped before it began."}; }

/// Where programs may look into those only that they have started, and what these have started: we may where our
/// loader, which is no forefather of the program, may not.
bool maySeeDescendantsOnly() {
    int scope = 0;
    std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
    return scope == 1;
}

Result<void> loadByProgram(const std::filesystem::path& library, const AgentLoad& load, const std::stop_token& stop) {
    const auto loader =
        TRY(LoaderProcess::start(library, {"load", std::to_string(load.pid), load.library, load.channel}));
    const auto answer = loader.answer(kAnswerWithin, stop);
    if (answer) return resultOf(*answer);
    return stop.stop_requested() ? stopped() : noAnswer(load.pid);
}

/// On a thread of its own, with which the tracing ends. If that takes too long, it is left to put things in order. We
/// may be killed at any time, and nobody else does that then: only what needs none of it is done.
Result<void> loadHere(const AgentLoad& load, const std::stop_token& stop) {
    struct Shared {
        AgentLoad load;
        std::atomic<bool> isWanted = true;
        std::promise<Result<void>> result;
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

Result<AgentTarget> attachAgent(const AgentChannel& channel, std::uint32_t pid, const std::stop_token& stop) {
    TRY(checkAttachable(pid));
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (handle < 0) return Error{ErrorKind::NotFound, fmt::format("Process {} does not exist.", pid)};
    AgentTarget target(static_cast<int>(pid), handle);
    const AgentLoad load{pid, channel.library().string(), channel.path()};
    auto loaded = loadByProgram(channel.library(), load, stop);
    if (!loaded.hasValue() && loaded.error().kind == ErrorKind::AccessDenied && maySeeDescendantsOnly())
        loaded = loadHere(load, stop);
    TRY(loaded);
    return target;
}

} // namespace highwater::source
