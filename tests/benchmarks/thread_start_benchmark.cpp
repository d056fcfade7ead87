// Recording programs that start threads while they allocate, and opening the recordings, on the command line:
//
//     thread_start_benchmark
//
// The same number of blocks is shared by 1 to 64 threads. `record_ratio` and `info_ratio` compare with one thread in
// the same run. Guard: at most 1.5.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr int kBlocks = 640'000;

double secondsOf(const std::string& command) {
    const auto begin = std::chrono::steady_clock::now();
    const int status = std::system((command + " >/dev/null 2>&1").c_str());
    if (status != 0) {
        std::fprintf(stderr, "ended with %d: %s\n", status, command.c_str());
        std::exit(1);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void recordThreads(benchmark::State& state) {
    static std::map<std::string, double> ofOneThread;
    const auto threads = state.range(0);
    const fs::path file = fs::temp_directory_path() / fmt::format("thread_start_benchmark.{}.etl", getpid());
    double record = 0;
    double info = 0;
    for (auto _ : state) {
        const double seconds = secondsOf(fmt::format("'{}' record -o '{}' -- '{}' {} {}", HIGHWATER_CLI, file.string(),
                                                     HIGHWATER_THREAD_STARTS, threads, kBlocks));
        state.SetIterationTime(seconds);
        record += seconds;
        info += secondsOf(fmt::format("'{}' info '{}'", HIGHWATER_CLI, file.string()));
    }
    fs::remove(file);
    const auto runs = static_cast<double>(state.iterations());
    if (threads == 1) ofOneThread = {{"record", record / runs}, {"info", info / runs}};
    state.counters["record_ratio"] = record / runs / ofOneThread["record"];
    state.counters["info_s"] = info / runs;
    state.counters["info_ratio"] = info / runs / ofOneThread["info"];
    state.counters["ns_per_block"] = record / runs * 1e9 / kBlocks;
}

BENCHMARK(recordThreads)
    ->Arg(1)
    ->Arg(4)
    ->Arg(8)
    ->Arg(64)
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond)
    ->ArgName("threads");

} // namespace

BENCHMARK_MAIN();
