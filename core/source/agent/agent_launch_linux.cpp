#include "core/source/agent/agent_launch_linux.h"

#include "core/source/attach/spawn_settings_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <map>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace highwater::source {

namespace {

Error refused(const std::filesystem::path& program, const char* why) {
    return {ErrorKind::Unsupported, fmt::format("{} cannot be recorded: {}", program.string(), why)};
}

/// Why the dynamic linker would not load the agent into this file; null if it would, or if that cannot be told
/// (scripts).
const char* obstacleIn(const std::filesystem::path& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return nullptr;
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program; Highwater records 64-bit programs.";
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * sizeof segment));
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (!file) return nullptr;
        if (segment.p_type == PT_INTERP) return nullptr;
    }
    return "it is statically linked, so that nothing can be loaded into it.";
}

/// This process's environment, the launch's on top of it, and the agent's.
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

/// Signals that we ignore are not ignored in it either.
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

} // namespace

std::filesystem::path findProgram(const std::string& program) {
    if (program.find('/') != std::string::npos) return program;
    const char* folders = std::getenv("PATH");
    std::string_view rest = folders != nullptr ? folders : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        std::filesystem::path found = std::filesystem::path(folder.empty() ? "." : folder) / program;
        if (access(found.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(found)) return found;
    }
    return {};
}

Result<std::filesystem::path> checkRecordable(const std::string& program) {
    const std::filesystem::path path = findProgram(program);
    struct stat facts {};
    if (path.empty() || stat(path.c_str(), &facts) != 0)
        return Error{ErrorKind::NotFound, fmt::format("There is no program {}.", program)};
    if (!S_ISREG(facts.st_mode) || access(path.c_str(), X_OK) != 0)
        return Error{ErrorKind::AccessDenied, fmt::format("{} is not a program that may be started.", path.string())};
    if ((facts.st_mode & (S_ISUID | S_ISGID)) != 0 || getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
        return refused(path,
                       "it runs with rights of its own (setuid), and the system loads no recorder into such programs.");
    if (const char* why = obstacleIn(path)) return refused(path, why);
    return path;
}

Result<AgentTarget> launchUnderAgent(const AgentChannel& channel, const AgentLaunch& launch) {
    const auto path = checkRecordable(launch.program);
    if (!path.hasValue()) return path.error();
    std::vector<std::string> texts{launch.program};
    texts.insert(texts.end(), launch.arguments.begin(), launch.arguments.end());
    std::vector<std::string> variables = environmentOf(channel, launch);
    SpawnSettings settings;
    setUp(settings, launch);
    const std::string file = std::filesystem::absolute(path.value()).string(); // it may start in another folder
    pid_t pid = 0;
    const int error = settings.run(file, std::move(texts), SpawnSettings::pointersTo(variables).data(), pid);
    if (error != 0)
        return Error{ErrorKind::Io, fmt::format("{} could not be started: {}.", launch.program, std::strerror(error))};
    // It is our child and nobody has waited for it: the pid is still its own.
    return AgentTarget(pid, static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

AgentTarget::AgentTarget(AgentTarget&& other) noexcept
    : pid_(other.pid_), handle_(std::exchange(other.handle_, -1)), end_(other.end_) {}

AgentTarget::~AgentTarget() {
    if (handle_ >= 0) close(handle_);
}

bool AgentTarget::hasEnded() const {
    if (end_) return true;
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
