// Measures how much the Linux agent slows down a program that it records, compared with heaptrack's recorder writing to
// /dev/null:
//
//     agent_benchmark [ALLOCATIONS_IN_MILLIONS=5] [ROUNDS=5]
//
// The program is heapload.cpp of the shared folder, built here. Each round runs every variant once; medians are
// compared. Guards: with stacks below heaptrack's 3.8x with one thread, at most a third of its 13x with two; no lost
// events.
//
// Then the same for whole recordings: highwater-cli record compared with heaptrack, both into a file, by the running
// time of the program itself, and the recorder's CPU time for a million events. Goals: at most 2.5x with one thread,
// 0.45 of heaptrack's time with one and 0.2 with two.

#include "core/source/agent/agent_launch_linux.h"
#include "tests/benchmarks/heapload.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace highwater::source;

namespace {

constexpr const char* kHeaptrack = "/usr/lib/heaptrack/libheaptrack_preload.so";

struct Measured {
    double seconds = 0;
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    double recorderSeconds = 0; ///< CPU time of the recorder
};

using Arguments = std::vector<std::string>;

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Runs it as it is, or with another library preloaded.
Measured runAlone(const Arguments& arguments, const char* preload) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments)
        pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        if (preload != nullptr) setenv("LD_PRELOAD", preload, 1);
        setenv("DUMP_HEAPTRACK_OUTPUT", "/dev/null", 1);
        execv(pointers[0], pointers.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {secondsSince(begin), 0, 0};
}

Measured runRecorded(const Arguments& arguments, const AgentOptions& options) {
    auto channel = AgentChannel::create(options);
    if (!channel.hasValue()) {
        fmt::print(stderr, "{}\n", channel.error().message);
        std::exit(1);
    }
    AgentLaunch launch;
    launch.program = arguments[0];
    launch.arguments.assign(arguments.begin() + 1, arguments.end());
    launch.errors = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const auto begin = std::chrono::steady_clock::now();
    auto target = launchUnderAgent(*channel.value(), launch);
    if (!target.hasValue()) {
        fmt::print(stderr, "{}\n", target.error().message);
        std::exit(1);
    }
    Measured measured;
    const auto sink = [&](std::span<const AgentEvent> events) {
        measured.events += events.size();
        if (measured.seconds == 0 && target.value().hasEnded()) measured.seconds = secondsSince(begin);
    };
    channel.value()->run(sink, {}, [&] {
        const bool isOver = target.value().hasEnded();
        if (isOver && measured.seconds == 0) measured.seconds = secondsSince(begin);
        return isOver;
    });
    target.value().waitForEnd();
    close(*launch.errors);
    measured.lost = channel.value()->losses().events;
    return measured;
}

/// Runs a program that records another one into a file. heapload prints its own time, which separates the two.
Measured runRecorder(const Arguments& recorder, const Arguments& arguments, const fs::path& said) {
    Arguments all = recorder;
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (const std::string& argument : all)
        pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, STDERR_FILENO);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execvp(pointers[0], pointers.data());
        _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    Measured measured;
    double ofProgram = 0;
    std::ifstream file(said);
    for (std::string word; file >> word;) {
        if (word == "wall") file >> measured.seconds;
        if (word == "cpu") file >> ofProgram;
    }
    measured.recorderSeconds = seconds(used.ru_utime) + seconds(used.ru_stime) - ofProgram;
    return measured;
}

Measured median(std::vector<Measured> runs) {
    std::ranges::sort(runs, {}, &Measured::seconds);
    return runs[runs.size() / 2];
}

void compare(const fs::path& program, double millions, int threads, int rounds) {
    const Arguments arguments{program.string(), std::to_string(millions), "200000", std::to_string(threads)};
    AgentOptions stacks;
    AgentOptions withoutStacks;
    withoutStacks.stacks = false;
    AgentOptions freeStacks;
    freeStacks.freeStacks = true;
    std::map<std::string, std::vector<Measured>> runs;
    for (int round = 0; round < rounds; ++round) {
        runs["1 alone"].push_back(runAlone(arguments, nullptr));
        runs["2 agent, no stacks"].push_back(runRecorded(arguments, withoutStacks));
        runs["3 agent"].push_back(runRecorded(arguments, stacks));
        runs["4 agent, stacks on free"].push_back(runRecorded(arguments, freeStacks));
        if (fs::exists(kHeaptrack)) runs["5 heaptrack"].push_back(runAlone(arguments, kHeaptrack));
    }
    const double alone = median(runs["1 alone"]).seconds;
    const double events = 2e6 * millions;
    fmt::print("{} thread{}, {:.0f} M events\n", threads, threads == 1 ? "" : "s", events / 1e6);
    for (const auto& [name, all] : runs) {
        const Measured one = median(all);
        fmt::print("  {:<24} {:7.3f} s  {:5.2f}x  {:+6.0f} ns/event  lost {}\n", name.substr(2), one.seconds,
                   one.seconds / alone, (one.seconds - alone) * 1e9 / events, one.lost);
    }
}

void compareRecordings(const fs::path& program, double millions, int threads, int rounds) {
    const Arguments arguments{program.string(), std::to_string(millions), "200000", std::to_string(threads)};
    const fs::path folder = program.parent_path();
    const auto said = folder / "said.txt";
    const auto file = (folder / "recorded.etl").string();
    const Arguments ours{HIGHWATER_CLI, "record", "-o", file};
    std::map<std::string, std::vector<Measured>> runs;
    for (int round = 0; round < rounds; ++round) {
        const auto run = [&](const char* name, Arguments recorder, const char* last) {
            if (last != nullptr) recorder.emplace_back(last);
            runs[name].push_back(runRecorder(recorder, arguments, said));
        };
        run("1 alone", {}, nullptr);
        run("2 highwater-cli record", ours, "--");
        auto plain = ours;
        plain.emplace_back("--plain");
        run("3 the same, --plain", plain, "--");
        if (fs::exists(kHeaptrack)) run("4 heaptrack", {"heaptrack", "-o", (folder / "heaptrack").string()}, nullptr);
    }
    const double alone = median(runs["1 alone"]).seconds;
    const double events = 2 * millions;
    fmt::print("whole recordings, {} thread{}, {:.0f} M events\n", threads, threads == 1 ? "" : "s", events);
    for (const auto& [name, all] : runs) {
        const Measured one = median(all);
        fmt::print("  {:<24} {:7.3f} s  {:5.2f}x  recorder {:.3f} s/M events\n", name.substr(2), one.seconds,
                   one.seconds / alone, name[0] == '1' ? 0.0 : one.recorderSeconds / events);
    }
    if (!fs::exists(kHeaptrack)) return fmt::print("  skipped: heaptrack is not installed\n");
    fmt::print("  against heaptrack {:.2f} (goal {}), times alone {:.2f}{}\n",
               median(runs["2 highwater-cli record"]).seconds / median(runs["4 heaptrack"]).seconds,
               threads == 1 ? "0.45" : "0.20", median(runs["2 highwater-cli record"]).seconds / alone,
               threads == 1 ? " (goal 2.5)" : "");
}

} // namespace

int main(int count, char** arguments) {
    const double millions = count > 1 ? std::atof(arguments[1]) : 5;
    const int rounds = count > 2 ? std::atoi(arguments[2]) : 5;
    const fs::path folder = fs::temp_directory_path() / fmt::format("agent_benchmark.{}", getpid());
    fs::create_directory(folder);
    const fs::path program = highwater::benchmarks::buildHeapload(folder);
    if (program.empty()) {
        fmt::print("skipped: there is no heapload.cpp beside the shared traces\n");
    } else {
        for (const int threads : {1, 2}) {
            compare(program, millions, threads, rounds);
            compareRecordings(program, millions, threads, rounds);
        }
    }
    fs::remove_all(folder);
    return 0;
}
