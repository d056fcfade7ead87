#pragma once

#include "core/agent_linux/launch_variables.h"
#include "core/agent_linux/programs/process_status.h"
#include "core/agent_linux/programs/program_file.h"
#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/system_calls.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/// Facts about the own process, and about programs that are about to be executed, which the agent queries from the
/// system.
namespace highwater::agent {

/// The contents of /proc/self/status; empty: not readable. Uses only openat, read and close, which the dynamic linker
/// has just used to load the agent.
struct OwnStatus {
    OwnStatus() {
        const long file =
            systemCall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/status"), O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        const long bytes = systemCall(SYS_read, file, reinterpret_cast<long>(text), sizeof text - 1);
        systemCall(SYS_close, file);
        text[bytes > 0 ? bytes : 0] = '\0';
    }
    char text[8192] = {};
};

/// Whether valgrind emulates this process. It answers a request that has no effect on a processor (RUNNING_ON_VALGRIND
/// in valgrind.h): rdi is rotated by 128 bits.
inline bool isEmulatedByValgrind() {
    constexpr std::uint64_t kRunningOnValgrind = 0x1001;
    const volatile std::uint64_t request[6] = {kRunningOnValgrind};
    std::uint64_t answer = 0;
    asm volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                 : "=d"(answer)
                 : "a"(&request[0]), "0"(answer)
                 : "cc", "memory");
    return answer != 0;
}

/// The device of /proc as seen by this process; 0: none.
inline std::uint64_t procDevice() {
    struct stat facts {};
    const long error =
        systemCall(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>("/proc/self"), reinterpret_cast<long>(&facts), 0);
    return error == 0 ? facts.st_dev : 0;
}

/// The number at the end of a link in this /proc; 0: another /proc is visible.
inline std::uint32_t numberInProc(const char* link, std::uint64_t device) {
    if (device == 0 || procDevice() != device) return 0;
    char target[64];
    const long bytes =
        systemCall(SYS_readlink, reinterpret_cast<long>(link), reinterpret_cast<long>(target), sizeof target - 1);
    if (bytes <= 0) return 0;
    target[bytes] = '\0';
    const char* const last = std::strrchr(target, '/');
    return static_cast<std::uint32_t>(std::strtoul(last != nullptr ? last + 1 : target, nullptr, 10));
}

/// The name of the file that this process was started as. Not set if the system uses that name for another file.
inline void copyProgramName(char* into, std::size_t size) {
    std::memset(into, 0, size);
    const auto* const file = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    if (file == nullptr || std::strncmp(file, "/proc/", 6) == 0 || std::strncmp(file, "/dev/fd/", 8) == 0) return;
    const char* const last = std::strrchr(file, '/');
    std::strncpy(into, last != nullptr ? last + 1 : file, size - 1);
}

/// A program's file, for examineProgram().
class OpenedProgram {
  public:
    explicit OpenedProgram(const char* path)
        : file_(systemCall(SYS_open, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}
    OpenedProgram(const OpenedProgram&) = delete;
    OpenedProgram& operator=(const OpenedProgram&) = delete;
    ~OpenedProgram() {
        if (isOpen()) systemCall(SYS_close, file_);
    }
    [[nodiscard]] bool isOpen() const { return file_ >= 0; }
    [[nodiscard]] bool isMissing() const { return file_ == -ENOENT || file_ == -ENOTDIR; }
    [[nodiscard]] long read(std::uint64_t offset, void* into, std::size_t bytes) const {
        return systemCall(SYS_pread64, file_, reinterpret_cast<long>(into), static_cast<long>(bytes),
                          static_cast<long>(offset));
    }
    [[nodiscard]] bool givesRights() const {
        struct stat facts {};
        if (systemCall(SYS_fstat, file_, reinterpret_cast<long>(&facts)) != 0) return false;
        const bool hasCapabilities =
            systemCall(SYS_fgetxattr, file_, reinterpret_cast<long>("security.capability"), 0, 0) > 0;
        return agent::givesRights(facts, hasCapabilities, static_cast<uid_t>(systemCall(SYS_getuid)),
                                  static_cast<gid_t>(systemCall(SYS_getgid)));
    }

  private:
    long file_;
};

/// The file that execvp would find through PATH: the first executable one. The name itself if it contains a slash or
/// nothing is found.
inline void findInPath(const char* name, char* into, std::size_t size) {
    copyText(into, name, size);
    char** const variable = findVariable(environ, "PATH");
    if (std::strchr(name, '/') != nullptr || variable == nullptr) return;
    const std::size_t nameBytes = std::strlen(name) + 1;
    for (const char* folder = std::strchr(*variable, '=') + 1; folder != nullptr;) {
        const char* const end = std::strchr(folder, ':');
        const std::size_t bytes = end != nullptr ? static_cast<std::size_t>(end - folder) : std::strlen(folder);
        if (bytes + 1 + nameBytes < size) {
            std::memcpy(into, folder, bytes);
            into[bytes] = '/';
            std::memcpy(into + bytes + (bytes != 0 ? 1 : 0), name, nameBytes);
            if (systemCall(SYS_access, reinterpret_cast<long>(into), X_OK) == 0) return;
        }
        folder = end != nullptr ? end + 1 : nullptr;
    }
    copyText(into, name, size);
}

/// A program that is about to be executed or started. If the agent cannot be loaded into it, this object manages its
/// entry in the recorder's list.
class NextProgram {
  public:
    /// `onTheWay`: an obstacle that applies to any program, because it cannot reach the channel and the library.
    NextProgram(const char* path, Obstacle onTheWay) : isInReach_(onTheWay == Obstacle::None) {
        if (path != nullptr) examineProgram<OpenedProgram>(path, finding_);
        if (finding_.obstacle == Obstacle::None) finding_.obstacle = onTheWay;
    }
    /// The dynamic linker would complain about a library that it cannot open.
    [[nodiscard]] bool takesAgent() const { return isInReach_ && !isHarmedByAgent(finding_.obstacle); }
    /// False for a file that the system will not start.
    [[nodiscard]] bool hasObstacle() const {
        return finding_.obstacle != Obstacle::None &&
               (finding_.obstacle <= Obstacle::OwnRights || finding_.obstacle >= Obstacle::OutOfReach);
    }
    /// Call it before exec, which does not return if it succeeds.
    void note(std::uint32_t pid) {
        ChannelHeader& header = recording.channel.header();
        const std::uint32_t index = header.programsUnrecorded.fetch_add(1, std::memory_order_relaxed);
        if (index >= kMostUnrecorded) return;
        UnrecordedProgram& entry = header.unrecorded[index];
        entry.obstacle = static_cast<std::uint32_t>(finding_.obstacle);
        entry.pid = pid;
        copyEnd(entry.path, finding_.file, sizeof entry.path);
        copyEnd(entry.detail, finding_.detail, sizeof entry.detail);
        entry.state.store(kSlotUsed, std::memory_order_release);
        noted_ = &entry;
    }
    /// The program was not started after all.
    void withdraw() {
        if (noted_ != nullptr) noted_->state.store(kSlotFree, std::memory_order_release);
    }

  private:
    static void copyEnd(char* into, const char* text, std::size_t size) {
        const std::size_t length = std::strlen(text);
        copyText(into, text + (length < size ? 0 : length + 1 - size), size);
    }
    bool isInReach_;
    ProgramFinding finding_;
    UnrecordedProgram* noted_ = nullptr;
};

} // namespace highwater::agent
