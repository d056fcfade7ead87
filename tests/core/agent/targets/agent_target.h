#pragma once

#include <cstddef>

inline constexpr std::size_t kMarkBytes = 54321;
/// For "starts".
inline constexpr std::size_t kSlicesOfStarts = 20;
inline constexpr int kBlocksOfSlice = 1000;
inline constexpr std::size_t kFirstSizeOfStarts = 100'000;
/// For "daemon", "zombies" and "numbers": size and number of the blocks in each process that allocates.
inline constexpr std::size_t kBytesOfProcess = 4343;
inline constexpr int kBlocksOfProcess = 10;
/// For "named".
inline constexpr std::size_t kFirstSizeOfNamed = 200'000;
inline constexpr std::size_t kShortOfNamed = 50;

/// Notes an event that the agent should report now.
void expect(const char* what, const void* address, std::size_t bytes);
void mark();
void printExpected();
[[noreturn]] void fail(const char* what);

int runBlocks(int);
int runPages(int);
int runThreads(int);
int runStarts(int);
int runNamed(int);
int runStrict(int);
int runForkedStrict(int);
int runFiltered(int);
int runFilterProbe(int);
int runContestedFilter(int);
int runContestedFilterOfAll(int);
int runForks(int);
int runRawFork(int);
int runExecl(int);
int runExecv(int);
int runExecvp(int);
int runExeclp(int);
int runExecle(int);
int runExecvpe(int);
int runFexecve(int);
int runExecveat(int);
int runSpawn(int);
int runSpawnp(int);
int runVforkExec(int);
int runSystem(int);
int runDaemon(int);
int runZombies(int);
int runBlocked(int);
int runNumbers(int);
int runVfork(int);
int runPlugin(int);
int runSignals(int);
int runBacktrace(int);
int runNested(int);
int runExit(int);
int runCrash(int);
int runStacks(int);
int runGenerated(int);
int runMany(int);
int runBursts(int);
int runOrdered(int);
int runClose(int);
int runEnvironment(int);
/// For cases that leave a function by a jump or otherwise: blocks made after that.
inline constexpr std::size_t kLaterBytes = 5555;
inline constexpr int kBlocksLater = 1000;
int runJumps(int);
int runJumpsFromStack(int);
int runJumpsOfThread(int);
int runThrows(int);
int runEndings(int);
int runLateDestructors(int);
int runSwitches(int);
