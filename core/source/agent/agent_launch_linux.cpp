#include "core/source/agent/agent_launch_linux.h"

#include "core/source/attach/recordable_program_linux.h"
#include "core/source/attach/spawn_settings_linux.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace highwater::source {

namespace {

/// The environment of this process, overridden by the launch's and the agent's variables.
std::vector<std::string> environmentOf(const AgentChannel& channel, const AgentLaunch& launch) {
    std::map<std::string, std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    for (const auto& [name, value] : launch.environment)
        variables[name] = value;
    const std::string preload = variables.contains("LD_PRELOAD") ? variables["LD_PRELOAD"] : std::string();
    for (const auto& [name, value] : channel.environment(preload))
        variables[name] = value;
    std::vector<std::string> lines;
    for (const auto& [name, value] : variables)
        lines.push_back(name + "=" + value);
    return lines;
}

/// Restores the default handling of signals that this process ignores.
void setUp(SpawnSettings& settings, const AgentLaunch& launch) {
    auto* const actions = settings.actions();
    if (!launch.folder.empty()) posix_spawn_file_actions_addchdir_np(actions, launch.folder.c_str());
    if (launch.output) posix_spawn_file_actions_adddup2(actions, *launch.output, STDOUT_FILENO);
    if (launch.errors) posix_spawn_file_actions_adddup2(actions, *launch.errors, STDERR_FILENO);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(settings.attributes(), &usual);
    settings.setFlags(POSIX_SPAWN_SETSIGDEF);
}

Error startError(const std::string& program, const std::string& file, int error) {
    if (error != ENOEXEC)
        return {ErrorKind::Io, fmt::format("{} cannot be started: {}.", program, std::strerror(error))};
    return {ErrorKind::Unsupported, fmt::format("{} cannot be started because {}", program, systemReasonFor(file))};
}

} // namespace

Result<AgentTarget> launchUnderAgent(const AgentChannel& channel, const AgentLaunch& launch) {
    const auto path = TRY(checkRecordable(launch.program, channel.library()));
    std::vector<std::string> texts{launch.program};
    texts.insert(texts.end(), launch.arguments.begin(), launch.arguments.end());
    std::vector<std::string> variables = environmentOf(channel, launch);
    SpawnSettings settings;
    setUp(settings, launch);
    const std::string file = std::filesystem::absolute(path).string(); // it may start in another folder
    pid_t pid = 0;
    const int error = settings.run(file, std::move(texts), SpawnSettings::pointersTo(variables).data(), pid);
    if (error != 0) return startError(launch.program, file, error);
    // The pid still refers to our child because it has not been waited for.
    return AgentTarget(pid, static_cast<int>(syscall(SYS_pidfd_open, pid, 0)), AgentTarget::Reaped::ByUs);
}

AgentTarget::AgentTarget(AgentTarget&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      handle_(std::exchange(other.handle_, -1)),
      reaped_(other.reaped_),
      end_(other.end_) {}

/// Waits for a child that outlives the target. It would otherwise be a zombie from its end until ours.
AgentTarget::~AgentTarget() {
    if (handle_ >= 0) close(handle_);
    if (pid_ <= 0 || end_ || reaped_ == Reaped::ByOthers) return;
    try {
        std::thread([pid = pid_] {
            while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
            }
        }).detach();
    } catch (const std::system_error&) { // no thread can be created: the child stays a zombie
    }
}

bool AgentTarget::hasEnded() const {
    if (end_) return true;
    if (handle_ < 0) { // Linux before 5.3, or too many open files
        siginfo_t ended{};
        return waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0;
    }
    pollfd wait{handle_, POLLIN, 0};
    return poll(&wait, 1, 0) > 0;
}

AgentTarget::End AgentTarget::waitForEnd() {
    if (end_) return *end_;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    end_ = WIFSIGNALED(status) ? End{0, WTERMSIG(status)} : End{WEXITSTATUS(status), 0};
    return *end_;
}

} // namespace highwater::source
