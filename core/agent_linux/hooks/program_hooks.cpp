#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/real_functions.h"
#include "core/agent_linux/launch_variables.h"
#include "core/agent_linux/process_facts.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/system_calls.h"
#include "core/event/agent_names.h"

#include <alloca.h>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

// Programs that the recorded program executes in its place (exec), and those that it starts. For the user, a program
// that a script executes at its end is still the launched program, so it gets the agent in its environment whether
// children are recorded or not. Nothing here allocates, because a vfork child runs here in its parent's memory.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))

using namespace highwater::agent;

namespace {

constexpr std::size_t kMostPathBytes = 4096;
/// Larger environments are not copied to a stack of unknown size; the program is then not recorded.
constexpr std::size_t kMostVariables = 8192;
constexpr std::size_t kMostPreloadBytes = 16 * 1024;

char channelLine[kMostPathBytes]; ///< NAME=value
char libraryPath[kMostPathBytes];
const char* channelFile = ""; ///< within channelLine
std::uint64_t channelInode;

using Arguments = char* const*;

std::size_t lengthOf(Arguments texts) {
    std::size_t length = 0;
    while (texts != nullptr && texts[length] != nullptr)
        ++length;
    return length;
}

char** variableIn(Arguments environment, const char* name) {
    return findVariable(const_cast<char**>(environment), name);
}
bool hasChannel(Arguments environment) { return variableIn(environment, kChannelVariable) != nullptr; }

/// Whether a program with this environment loads the agent, for this recording or another one. Programs that set or
/// unset LD_PRELOAD leave the channel variable unchanged.
bool hasAgent(Arguments environment) {
    char** const channel = variableIn(environment, kChannelVariable);
    if (channel == nullptr) return false;
    if (channelLine[0] == '\0' || std::strcmp(*channel, channelLine) != 0) return true;
    char** const preload = variableIn(environment, "LD_PRELOAD");
    const std::size_t bytes = std::strlen(libraryPath);
    const char* place = preload != nullptr ? std::strstr(*preload, libraryPath) : nullptr;
    for (; place != nullptr; place = std::strstr(place + 1, libraryPath))
        if (std::strchr("=: ", place[-1]) != nullptr && std::strchr(": ", place[bytes]) != nullptr) return true;
    return false;
}
bool areChildrenRecorded() { return (recording.options & kChildren) != 0; }

void countMissed() { recording.channel.header().childrenMissed.fetch_add(1, std::memory_order_relaxed); }

/// Calls with this environment plus the agent's variables.
template <typename Call>
int withAgent(Arguments environment, const Call& call) {
    if (channelLine[0] == '\0' || hasAgent(environment)) return call(environment);
    const std::size_t count = lengthOf(environment);
    char** const channel = variableIn(environment, kChannelVariable);
    char** const found = variableIn(environment, "LD_PRELOAD");
    const char* const others = found != nullptr ? std::strchr(*found, '=') + 1 : "";
    const std::size_t bytes = sizeof "LD_PRELOAD=:" + std::strlen(libraryPath) + std::strlen(others);
    if (count > kMostVariables || bytes > kMostPreloadBytes) return call(environment);
    auto* const preload = static_cast<char*>(alloca(bytes));
    char* end = stpcpy(stpcpy(preload, "LD_PRELOAD="), libraryPath);
    if (*others != '\0') stpcpy(stpcpy(end, ":"), others);
    auto** const variables = static_cast<char**>(alloca((count + 3) * sizeof(char*)));
    std::size_t used = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (environment + i != found && environment + i != channel) variables[used++] = environment[i];
    variables[used++] = channelLine;
    variables[used++] = preload;
    variables[used] = nullptr;
    return call(variables);
}

/// Calls with this environment without the agent's variables, for a program that they would harm.
template <typename Call>
int withoutAgent(Arguments environment, const Call& call) {
    const std::size_t count = lengthOf(environment);
    char** const found = variableIn(environment, "LD_PRELOAD");
    const std::size_t bytes = found != nullptr ? std::strlen(*found) + 1 : 0;
    if (!hasChannel(environment) || count > kMostVariables || bytes > kMostPreloadBytes) return call(environment);
    auto** const variables = static_cast<char**>(alloca((count + 1) * sizeof(char*)));
    std::memcpy(variables, environment, (count + 1) * sizeof(char*));
    if (found != nullptr) {
        auto* const preload = static_cast<char*>(alloca(bytes));
        std::memcpy(preload, *found, bytes);
        variables[found - environment] = preload;
    }
    hideFromPrograms(variables);
    return call(variables);
}

/// The reason why the next program could not reach the channel and the agent at their current paths. Permissions are
/// those after the call, which drops the ones that only programs of root get.
Obstacle obstacleOnTheWay() {
    if (channelFile[0] == '\0') return Obstacle::None;
    struct stat facts {};
    for (const char* file : {static_cast<const char*>(libraryPath), channelFile}) {
        const long error =
            systemCall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(file), reinterpret_cast<long>(&facts), 0);
        if (error == -EACCES || error == -EPERM) return Obstacle::OtherUser;
        if (error != 0) return Obstacle::OutOfReach;
    }
    if (facts.st_ino != channelInode) return Obstacle::OutOfReach;
    const long user = systemCall(SYS_geteuid);
    const bool mayAnyway =
        user == 0 || systemCall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_SYS_PTRACE, 0, 0) > 0;
    return mayAnyway || user == static_cast<long>(facts.st_uid) ? Obstacle::None : Obstacle::OtherUser;
}

/// In the reader's pid namespace; 0: unknown.
std::uint32_t numberForReader() {
    const auto own = static_cast<std::uint32_t>(systemCall(SYS_getpid));
    return own == recording.pid.load() ? recording.readerPid : recording.pid.load() == recording.readerPid ? own : 0;
}

/// Makes a call that replaces the program in this process, or in a vfork child. Counted before the call, because it
/// returns only if it fails, perhaps as one of several attempts.
template <typename Call>
int execute(Arguments environment, const char* path, const Call& call) {
    if (!isRecording()) return call(environment);
    const bool isChild = static_cast<std::uint32_t>(systemCall(SYS_getpid)) != recording.pid.load();
    ChannelHeader& header = recording.channel.header();
    if (isChild && !areChildrenRecorded()) {
        header.childrenMissed.fetch_add(1, std::memory_order_relaxed);
        const int result = call(environment);
        header.childrenMissed.fetch_sub(1, std::memory_order_relaxed);
        return result;
    }
    NextProgram next(path, obstacleOnTheWay());
    if (next.hasObstacle())
        next.note(numberForReader());
    else if (!isChild)
        header.programsExecuted.fetch_add(1, std::memory_order_relaxed);
    const int result = next.takesAgent() ? withAgent(environment, call) : withoutAgent(environment, call);
    if (next.hasObstacle())
        next.withdraw();
    else if (!isChild)
        header.programsExecuted.fetch_sub(1, std::memory_order_relaxed);
    return result;
}

/// Makes a call that starts another program.
template <typename Call>
int start(Arguments environment, const char* path, const Call& call) {
    if (!isRecording()) return call(environment);
    if (!areChildrenRecorded()) {
        const int error = call(environment);
        if (error == 0) countMissed();
        return error;
    }
    NextProgram next(path, obstacleOnTheWay());
    if (next.hasObstacle()) next.note(numberForReader());
    const int error = next.takesAgent() ? withAgent(environment, call) : withoutAgent(environment, call);
    if (error != 0) next.withdraw();
    return error;
}

/// Programs that libc starts get the environment of this process, which has no agent if this process was already
/// running.
void noteStartedByLibc() {
    if (isRecording() && !(areChildrenRecorded() && hasAgent(environ))) countMissed();
}

int executeFile(const char* path, Arguments arguments, Arguments environment) {
    return execute(environment, path, [=](Arguments with) { return real().execve(path, arguments, with); });
}
int executeFound(const char* name, Arguments arguments, Arguments environment) {
    char path[kMostPathBytes] = {};
    if (isRecording() && name != nullptr) findInPath(name, path, sizeof path);
    return execute(environment, path, [=](Arguments with) { return real().execvpe(name, arguments, with); });
}

/// The path of an open descriptor, or of a path relative to it.
void pathAt(int folder, const char* path, int flags, char* into, std::size_t size) {
    const bool isBelow = path != nullptr && path[0] != '\0';
    if (isBelow && (path[0] == '/' || folder == AT_FDCWD)) return copyText(into, path, size);
    if (!isBelow && (flags & AT_EMPTY_PATH) == 0) return;
    std::snprintf(into, size, "/proc/self/fd/%d%s%s", folder, isBelow ? "/" : "", isBelow ? path : "");
}

/// Number of variadic arguments up to a null.
std::size_t countArguments(va_list list) {
    std::size_t count = 1;
    while (va_arg(list, char*) != nullptr)
        ++count;
    return count;
}
/// For one of the functions the environment follows the null.
Arguments takeArguments(char** into, const char* first, std::size_t count, va_list list) {
    into[0] = const_cast<char*>(first);
    for (std::size_t i = 1; i <= count; ++i)
        into[i] = va_arg(list, char*);
    return into;
}

} // namespace

// Copies variadic arguments to an array on the stack of the calling function.
#define HIGHWATER_TAKE_ARGUMENTS(arguments, first, list)                                                               \
    va_list list;                                                                                                      \
    va_start(list, first);                                                                                             \
    const std::size_t list##Count = countArguments(list);                                                              \
    va_end(list);                                                                                                      \
    va_start(list, first);                                                                                             \
    const Arguments arguments =                                                                                        \
        takeArguments(static_cast<char**>(alloca((list##Count + 1) * sizeof(char*))), first, list##Count, list)

HIGHWATER_HOOK int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
    return executeFile(path, arguments, environment);
}

HIGHWATER_HOOK int execv(const char* path, char* const* arguments) noexcept {
    return executeFile(path, arguments, environ);
}

HIGHWATER_HOOK int execvp(const char* name, char* const* arguments) noexcept {
    return executeFound(name, arguments, environ);
}

HIGHWATER_HOOK int execvpe(const char* name, char* const* arguments, char* const* environment) noexcept {
    return executeFound(name, arguments, environment);
}

HIGHWATER_HOOK int execl(const char* path, const char* first, ...) noexcept {
    HIGHWATER_TAKE_ARGUMENTS(arguments, first, list);
    va_end(list);
    return executeFile(path, arguments, environ);
}

HIGHWATER_HOOK int execlp(const char* name, const char* first, ...) noexcept {
    HIGHWATER_TAKE_ARGUMENTS(arguments, first, list);
    va_end(list);
    return executeFound(name, arguments, environ);
}

HIGHWATER_HOOK int execle(const char* path, const char* first, ...) noexcept {
    HIGHWATER_TAKE_ARGUMENTS(arguments, first, list);
    auto* const environment = va_arg(list, char* const*);
    va_end(list);
    return executeFile(path, arguments, environment);
}

HIGHWATER_HOOK int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
    char path[kMostPathBytes] = {};
    pathAt(file, nullptr, AT_EMPTY_PATH, path, sizeof path);
    return execute(environment, path, [=](Arguments with) { return real().fexecve(file, arguments, with); });
}

HIGHWATER_HOOK int execveat(int folder, const char* path, char* const* arguments, char* const* environment,
                            int flags) noexcept {
    char file[kMostPathBytes] = {};
    pathAt(folder, path, flags, file, sizeof file);
    return execute(environment, file,
                   [=](Arguments with) { return real().execveat(folder, path, arguments, with, flags); });
}

HIGHWATER_HOOK int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
    return start(environment, path,
                 [=](Arguments with) { return real().posix_spawn(pid, path, actions, attributes, arguments, with); });
}

HIGHWATER_HOOK int posix_spawnp(pid_t* pid, const char* name, const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
    char path[kMostPathBytes] = {};
    if (isRecording()) findInPath(name, path, sizeof path);
    return start(environment, path,
                 [=](Arguments with) { return real().posix_spawnp(pid, name, actions, attributes, arguments, with); });
}

HIGHWATER_HOOK int system(const char* command) {
    const int status = real().system(command);
    if (command != nullptr && status != -1) noteStartedByLibc();
    return status;
}

HIGHWATER_HOOK FILE* popen(const char* command, const char* mode) {
    FILE* const stream = real().popen(command, mode);
    if (stream != nullptr) noteStartedByLibc();
    return stream;
}

HIGHWATER_OURS(execve);
HIGHWATER_OURS(execv);
HIGHWATER_OURS(execvp);
HIGHWATER_OURS(execvpe);
HIGHWATER_OURS(execl);
HIGHWATER_OURS(execlp);
HIGHWATER_OURS(execle);
HIGHWATER_OURS(fexecve);
HIGHWATER_OURS(execveat);
HIGHWATER_OURS(posix_spawn);
HIGHWATER_OURS(posix_spawnp);
HIGHWATER_OURS(system);
HIGHWATER_OURS(popen);

namespace highwater::agent {

// Hooks that do not wrap a function of their own: only calls are redirected, not pointers.
#define HIGHWATER_PLAIN_ROW(name)                                                                                      \
    Hook { #name, reinterpret_cast < void*>(&highwater_##name), nullptr }

const Hook programHooks[] = {HIGHWATER_HOOK_ROW(execve, &realFunctions.execve),
                             HIGHWATER_PLAIN_ROW(execv),
                             HIGHWATER_PLAIN_ROW(execvp),
                             HIGHWATER_HOOK_ROW(execvpe, &realFunctions.execvpe),
                             HIGHWATER_PLAIN_ROW(execl),
                             HIGHWATER_PLAIN_ROW(execlp),
                             HIGHWATER_PLAIN_ROW(execle),
                             HIGHWATER_HOOK_ROW(fexecve, &realFunctions.fexecve),
                             HIGHWATER_HOOK_ROW(execveat, &realFunctions.execveat),
                             HIGHWATER_HOOK_ROW(posix_spawn, &realFunctions.posix_spawn),
                             HIGHWATER_HOOK_ROW(posix_spawnp, &realFunctions.posix_spawnp),
                             HIGHWATER_HOOK_ROW(system, &realFunctions.system),
                             HIGHWATER_HOOK_ROW(popen, &realFunctions.popen),
                             {}};

char** findVariable(char** environment, const char* name) {
    const std::size_t bytes = std::strlen(name);
    for (char** variable = environment; variable != nullptr && *variable != nullptr; ++variable)
        if (std::strncmp(*variable, name, bytes) == 0 && (*variable)[bytes] == '=') return variable;
    return nullptr;
}

namespace {

void removeVariable(char** variable) {
    do {
        variable[0] = variable[1];
    } while (*++variable != nullptr);
}

/// Whether an entry of LD_PRELOAD is this library: others may have been added before it, or may replace it.
bool isAgent(const char* entry, const char* end) {
    constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof kAgentLibraryFile) - 1;
    return end - entry > kBytes && end[-kBytes - 1] == '/' &&
           std::memcmp(end - kBytes, kAgentLibraryFile, static_cast<std::size_t>(kBytes)) == 0;
}

} // namespace

void hideFromPrograms(char** environment) {
    if (char** channel = findVariable(environment, kChannelVariable)) removeVariable(channel);
    char** const preload = findVariable(environment, "LD_PRELOAD");
    if (preload == nullptr) return;
    char* const first = std::strchr(*preload, '=') + 1;
    for (char* entry = first; *entry != '\0';) {
        char* const end = entry + std::strcspn(entry, ": ");
        if (!isAgent(entry, end)) {
            entry = *end != '\0' ? end + 1 : end;
            continue;
        }
        if (*end != '\0') return void(std::memmove(entry, end + 1, std::strlen(end + 1) + 1));
        if (entry == first) return removeVariable(preload);
        entry[-1] = '\0';
        return;
    }
}

bool readChannelVariable(const char* value, std::uint32_t& filters, const char*& path) {
    char* end = nullptr;
    const unsigned long count = std::strtoul(value, &end, 10);
    if (end == value || *end != kAfterFilters || count > UINT32_MAX) return false;
    filters = static_cast<std::uint32_t>(count);
    path = end + 1;
    return true;
}

void rememberForNextProgram(const char* channelPath, std::uint32_t filters) {
    Dl_info agent{};
    constexpr std::size_t kMostDigits = 10;
    if (std::strlen(kChannelVariable) + 2 + kMostDigits + std::strlen(channelPath) >= sizeof channelLine) return;
    if (dladdr(channelLine, &agent) == 0 || std::strlen(agent.dli_fname) >= sizeof libraryPath) return;
    std::strcpy(libraryPath, agent.dli_fname);
    char digits[kMostDigits + 1] = {};
    char* first = digits + kMostDigits;
    do {
        *--first = static_cast<char>('0' + filters % 10);
    } while ((filters /= 10) != 0);
    char* const end = stpcpy(stpcpy(stpcpy(channelLine, kChannelVariable), "="), first);
    *end = kAfterFilters;
    std::strcpy(end + 1, channelPath);
    struct stat facts {};
    if (systemCall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(channelPath), reinterpret_cast<long>(&facts), 0) !=
        0)
        return;
    channelInode = facts.st_ino;
    channelFile = end + 1;
}

} // namespace highwater::agent
