// A program that the agent's tests record: `agent_target CASE [N]` runs that case and, at its end, prints the events
// that the agent should have seen, one per line, between the two marks (allocated blocks of kMarkBytes).
#include "tests/core/agent/targets/agent_target.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>

namespace {

char expected[1 << 20]; // printed at the end only: printing allocates
std::size_t expectedBytes;

} // namespace

void expect(const char* what, const void* address, std::size_t bytes) {
    expectedBytes += static_cast<std::size_t>(
        std::snprintf(expected + expectedBytes, sizeof expected - expectedBytes, "%s %p %zu\n", what, address, bytes));
}

void mark() {
    void* volatile block = std::malloc(kMarkBytes);
    static_cast<void>(block);
}

void printExpected() {
    for (std::size_t at = 0; at < expectedBytes;)
        at += static_cast<std::size_t>(std::max<ssize_t>(write(STDOUT_FILENO, expected + at, expectedBytes - at), 0));
}

void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

int main(int count, char** arguments) {
    const std::map<std::string, int (*)(int)> cases{
        {"blocks", runBlocks},
        {"pages", runPages},
        {"threads", runThreads},
        {"forks", runForks},
        {"vfork", runVfork},
        {"plugin", runPlugin},
        {"signals", runSignals},
        {"exit", runExit},
        {"crash", runCrash},
        {"stacks", runStacks},
        {"many", runMany},
        {"closefrom", runClose},
        {"nested", runNested},
        {"rawfork", runRawFork},
        {"environment", runEnvironment},
        {"ordered", runOrdered},
        {"bursts", runBursts},
        {"backtrace", runBacktrace},
        {"execl", runExecl},
        {"execv", runExecv},
        {"execvp", runExecvp},
        {"execlp", runExeclp},
        {"execle", runExecle},
        {"execvpe", runExecvpe},
        {"fexecve", runFexecve},
        {"spawn", runSpawn},
        {"execveat", runExecveat},
        {"spawnp", runSpawnp},
        {"system", runSystem},
        {"vforkexec", runVforkExec},
        {"daemon", runDaemon},
        {"zombies", runZombies},
        {"blocked", runBlocked},
        {"numbers", runNumbers},
        {"starts", runStarts},
        {"strict", runStrict},
        {"forkedstrict", runForkedStrict},
        {"filtered", runFiltered},
        {"filterprobe", runFilterProbe},
        {"contestedfilter", runContestedFilter},
        {"contestedfilterofall", runContestedFilterOfAll},
        {"named", runNamed},
        {"generated", runGenerated},
        {"jumps", runJumps},
        {"jumpsfromstack", runJumpsFromStack},
        {"jumpsofthread", runJumpsOfThread},
        {"throws", runThrows},
        {"endings", runEndings},
        {"latedestructors", runLateDestructors},
        {"switches", runSwitches},
    };
    if (count < 2 || !cases.contains(arguments[1])) return 64;
    return cases.at(arguments[1])(count > 2 ? std::atoi(arguments[2]) : 0);
}
