// Measures how much the balance slows down a recorded program with a large heap:
//
//     balance_benchmark [MEGABYTES=2048] [ROUNDS=5]
//
// Each round records the program with samples of its resident memory and without them, once with one thread and once
// with two, and compares the smallest times, because other work on the machine can only add to them. The program's own
// time excludes the time in which other programs used the processors. Goal: at most 1.02.
// Then tries malloc_trim in the running program, and prints the longest time for which its only thread did not run in
// the best trial. Goal: at most 30 ms per GB.

#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/trim_trial.h"
#include "tests/benchmarks/programs/large_heap.h"

#include <sys/mman.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace highwater;
using namespace highwater::benchmarks;

namespace {

/// All threads together: some seconds, because the first sample is taken at once, and its cost must be spread.
constexpr int kRoundsOfWork = 20'000'000;
constexpr double kGoal = 1.02, kGoalMsPerGb = 30;

/// The shared file of a large_heap.
class SharedResult {
  public:
    explicit SharedResult(fs::path path) : path_(std::move(path)) {
        std::ofstream(path_) << std::string(sizeof(LargeHeap), '\0');
        const int file = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
        heap_ =
            static_cast<LargeHeap*>(::mmap(nullptr, sizeof(LargeHeap), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        ::close(file);
    }
    ~SharedResult() { ::munmap(heap_, sizeof(LargeHeap)); }
    SharedResult(const SharedResult&) = delete;
    SharedResult& operator=(const SharedResult&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }
    LargeHeap* operator->() const { return heap_; }

  private:
    fs::path path_;
    LargeHeap* heap_;
};

struct Measured {
    double seconds = 1e9;
    double ownSeconds = 1e9;
    std::size_t samples = 0;

    void takeSmaller(const Measured& other) {
        seconds = std::min(seconds, other.seconds);
        ownSeconds = std::min(ownSeconds, other.ownSeconds);
        samples = std::max(samples, other.samples);
    }
};

source::CaptureLaunch launchOf(int megabytes, int threads, int rounds, const SharedResult& result) {
    source::CaptureLaunch launch;
    launch.program = HIGHWATER_LARGE_HEAP;
    launch.arguments = {std::to_string(megabytes), std::to_string(threads), std::to_string(rounds),
                        result.path().string()};
    return launch;
}

Measured record(const fs::path& folder, int megabytes, int threads, bool isSampled) {
    const SharedResult result(folder / "result");
    pipeline::RecordingOptions options;
    options.spool = folder / "spool.etl";
    options.mayLag = true;
    if (!isSampled) options.ask.resident = [](std::uint32_t) { return std::optional<ResidentSample>(); };
    const auto launch = launchOf(megabytes, threads, kRoundsOfWork / threads, result);
    source::CaptureOptions capture;
    capture.mayLag = true;
    pipeline::Recording recording([&](TraceHealth&) { return source::startCapture(launch, capture); }, options);
    recording.wait();
    const auto trace = recording.trace().latest();
    return {result->seconds, result->ownSeconds, trace && trace->residentSamples ? trace->residentSamples->size() : 0};
}

void compareRecordings(const fs::path& folder, int megabytes, int threads, int rounds) {
    Measured with, without;
    for (int round = 0; round < rounds; ++round) {
        // In turn, so that neither is always the first.
        for (const bool isSampled : {round % 2 == 0, round % 2 != 0})
            (isSampled ? with : without).takeSmaller(record(folder, megabytes, threads, isSampled));
    }
    fmt::print(
        "{} MB, {} thread{}: with the balance {:.3f} s (own time {:.3f} s, at most {} samples), without {:.3f} s "
        "({:.3f} s): ratio {:.3f}, of own time {:.3f} (goal {})\n",
        megabytes, threads, threads == 1 ? "" : "s", with.seconds, with.ownSeconds, with.samples, without.seconds,
        without.ownSeconds, with.seconds / without.seconds, with.ownSeconds / without.ownSeconds, kGoal);
    std::fflush(stdout);
}

void measureTrials(const fs::path& folder, int megabytes, int trials) {
    const SharedResult result(folder / "result");
    const auto launch = launchOf(megabytes, 1, 0, result);
    pipeline::RecordingOptions options;
    options.spool = folder / "spool.etl";
    pipeline::Recording recording([&](TraceHealth&) { return source::startCapture(launch, {}); }, options);
    while (result->isReady == 0 && !recording.trace().isDone())
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto pid = recording.targets().at(0);
    constexpr double kNever = 1e9;
    double best = kNever, usual = kNever;
    for (int trial = 0; trial < trials; ++trial) {
        constexpr auto kQuiet = std::chrono::milliseconds(300); // the same time without a trial
        result->longestGapNs = 0;
        std::this_thread::sleep_for(kQuiet);
        usual = std::min(usual, static_cast<double>(result->longestGapNs.exchange(0)) / 1e6);
        const auto tried = source::tryTrim(pid);
        if (!tried.hasValue()) {
            fmt::print("{}\n", tried.error().message);
            continue;
        }
        best = std::min(best, static_cast<double>(result->longestGapNs) / 1e6);
    }
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    recording.wait();
    if (best == kNever) return;
    fmt::print(
        "{} MB: the best of {} trials stopped the program for {:.1f} ms, {:.1f} ms a GB (goal {}); without a trial "
        "it stopped for {:.1f} ms\n",
        megabytes, trials, best, best * 1024 / megabytes, kGoalMsPerGb, usual);
}

/// "0.40 0.50 0.60"
std::string loadOfMachine() {
    std::string load;
    std::getline(std::ifstream("/proc/loadavg"), load);
    return load;
}

} // namespace

int main(int count, char** arguments) {
    const int megabytes = count > 1 ? std::atoi(arguments[1]) : 2048;
    const int rounds = count > 2 ? std::atoi(arguments[2]) : 5;
    const fs::path folder = fs::temp_directory_path() / fmt::format("balance_benchmark.{}", ::getpid());
    fs::create_directory(folder);
    fmt::print("load of the machine: {}\n", loadOfMachine());
    for (const int threads : {1, 2})
        compareRecordings(folder, megabytes, threads, rounds);
    measureTrials(folder, megabytes, 2 * rounds);
    fmt::print("load of the machine: {}\n", loadOfMachine());
    fs::remove_all(folder);
    return 0;
}
