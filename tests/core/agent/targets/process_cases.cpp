#include "tests/core/agent/targets/agent_target.h"

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

void makeAndFree(std::size_t bytes, int times = 1) {
    for (int i = 0; i < times; ++i) {
        void* volatile block = std::malloc(bytes);
        std::free(block);
    }
}

void waitFor(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) fail("the child failed");
}

} // namespace

/// N threads at the same time, each making 10 blocks of its own.
int runThreads(int count) {
    std::barrier allAreHere(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&allAreHere] {
            allAreHere.arrive_and_wait();
            makeAndFree(777, 10);
            allAreHere.arrive_and_wait();
        });
    for (auto& thread : threads)
        thread.join();
    return 0;
}

/// Blocks go from thread to thread, so each address is reused by other threads.
int runOrdered(int count) {
    static std::atomic<void*> places[4];
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, count] {
            for (int i = 0; i < count; ++i) {
                void* block = std::malloc(2000 + static_cast<std::size_t>(t));
                block = std::realloc(block, i % 2 == 0 ? 3000 : 200'000);
                std::free(places[i % 4].exchange(block));
            }
        });
    for (auto& thread : threads)
        thread.join();
    for (auto& place : places)
        std::free(place.load());
    return 0;
}

int runForks(int count) {
    for (int i = 0; i < count; ++i) {
        makeAndFree(1111);
        const pid_t child = fork();
        if (child == 0) {
            makeAndFree(2222, 5);
            std::thread([] { makeAndFree(3333); }).join();
            _exit(0);
        }
        waitFor(child);
    }
    return 0;
}

/// libc does not notice: no handler of pthread_atfork runs.
int runRawFork(int count) {
    for (int i = 0; i < count; ++i) {
        makeAndFree(1111);
        const auto child = static_cast<pid_t>(syscall(SYS_fork));
        if (child == 0) {
            makeAndFree(2222, 5);
            _exit(0);
        }
        waitFor(child);
    }
    return 0;
}

int runVfork(int count) {
    for (int i = 0; i < count; ++i) {
        makeAndFree(1111);
        const pid_t child = vfork();
        if (child == 0) _exit(0);
        waitFor(child);
    }
    return 0;
}

namespace {

constexpr const char* kSelf = "/proc/self/exe";
char selfName[] = "agent_target";
char many[] = "many";
char hundred[] = "100";
char exitWord[] = "exit";
char ten[] = "10";
char* const makeHundred[] = {selfName, many, hundred, nullptr};
char* const exitAfterTen[] = {selfName, exitWord, ten, nullptr};

int exitCodeOf(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

} // namespace

int runExecl(int) {
    makeAndFree(1111);
    execl(kSelf, selfName, many, hundred, static_cast<char*>(nullptr));
    return 65;
}

int runExecv(int) {
    makeAndFree(1111);
    execv(kSelf, makeHundred);
    return 65;
}

int runExecvp(int) {
    makeAndFree(1111);
    execvp(kSelf, makeHundred);
    return 65;
}

int runExeclp(int) {
    makeAndFree(1111);
    execlp(kSelf, selfName, many, hundred, static_cast<char*>(nullptr));
    return 65;
}

int runExecle(int) {
    makeAndFree(1111);
    execle(kSelf, selfName, many, hundred, static_cast<char*>(nullptr), environ);
    return 65;
}

int runExecvpe(int) {
    makeAndFree(1111);
    execvpe(kSelf, makeHundred, environ);
    return 65;
}

int runFexecve(int) {
    makeAndFree(1111);
    fexecve(open(kSelf, O_RDONLY | O_CLOEXEC), makeHundred, environ);
    return 65;
}

int runExecveat(int) {
    makeAndFree(1111);
    execveat(AT_FDCWD, kSelf, makeHundred, environ, 0);
    return 65;
}

int runSpawn(int) {
    makeAndFree(1111);
    pid_t child = 0;
    if (posix_spawn(&child, kSelf, nullptr, nullptr, exitAfterTen, environ) != 0) return 65;
    return exitCodeOf(child);
}

int runSpawnp(int) {
    makeAndFree(1111);
    pid_t child = 0;
    if (posix_spawnp(&child, kSelf, nullptr, nullptr, exitAfterTen, environ) != 0) return 65;
    return exitCodeOf(child);
}

/// As programs do that look for a name in several folders.
int runVforkExec(int) {
    makeAndFree(1111);
    const pid_t child = vfork();
    if (child == 0) {
        execv("/nowhere/at/all", exitAfterTen);
        execv(kSelf, exitAfterTen);
        _exit(65);
    }
    return exitCodeOf(child);
}

int runSystem(int) {
    if (std::system("exit 0") != 0) return 65;
    std::FILE* const output = popen("exit 0", "r");
    return output != nullptr ? pclose(output) : 65;
}

/// Becomes a daemon and makes nothing that is recorded until its parents have ended, after this many ms.
int runDaemon(int milliseconds) {
    if (syscall(SYS_fork) != 0) _exit(0);
    setsid();
    if (syscall(SYS_fork) != 0) _exit(0);
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    makeAndFree(kBytesOfProcess, kBlocksOfProcess);
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    _exit(0);
}

/// Children that are never waited for end before their parent.
int runZombies(int milliseconds) {
    for (int i = 0; i < 3; ++i) {
        if (fork() != 0) continue;
        makeAndFree(kBytesOfProcess, kBlocksOfProcess);
        _exit(0);
    }
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    return 0;
}

/// Cannot be stopped for this long, because a vfork child has its memory; then it makes a block every 10 ms.
int runBlocked(int milliseconds) {
    const pid_t child = vfork();
    if (child == 0) {
        usleep(static_cast<useconds_t>(milliseconds) * 1000);
        _exit(0);
    }
    waitFor(child);
    for (int i = 0; i < 3000; ++i) {
        makeAndFree(kBytesOfProcess);
        usleep(10'000);
    }
    return 0;
}

/// Prints its pid and the id of a thread as /proc shows them, which may differ in another pid namespace.
int runNumbers(int milliseconds) {
    const auto print = [](const char* link) {
        char target[64];
        const auto bytes = readlink(link, target, sizeof target - 1);
        target[bytes > 0 ? bytes : 0] = '\0';
        std::printf("%s\n", target);
    };
    print("/proc/self");
    std::thread([&print] {
        makeAndFree(kBytesOfProcess, kBlocksOfProcess);
        print("/proc/thread-self");
    }).join();
    std::fflush(stdout);
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    return 0;
}
