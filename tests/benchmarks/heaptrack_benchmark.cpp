// Measures how long it takes to open a heaptrack file of ten million events, compared with heaptrack's own programs:
//
//     heaptrack_benchmark [ROUNDS=3] [FILE...]
//
// heaptrack_gui does not report when it has opened a file. It runs without a screen, and counts as open at its last CPU
// use before it is idle for a second. Highwater loads the file; and its window, likewise without a screen, takes a
// picture of the loaded file and exits. Each round runs everything once; the best counts. Goal: Highwater has loaded
// the file before heaptrack_gui has. heaptrack_print parses the file without a window, and prints it.

#include "core/pipeline/trace_loader.h"
#include "tests/benchmarks/heaptrack_file.h"
#include "tests/benchmarks/load_measure.h"
#include "tests/benchmarks/measured_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace highwater::benchmarks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr auto kStill = std::chrono::seconds(1);
constexpr auto kMostPatience = std::chrono::seconds(120);

/// Nanoseconds of all threads.
std::uint64_t usedBy(pid_t process) {
    std::uint64_t sum = 0;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
        std::uint64_t nanoseconds = 0;
        std::ifstream(entry.path() / "schedstat") >> nanoseconds;
        sum += nanoseconds;
    }
    return sum;
}

/// From the start to the last CPU use before it is idle. A window is never fully idle: less than a fiftieth of a
/// processor counts as idle.
double secondsUntilStill(pid_t process, Clock::time_point begin) {
    constexpr auto kLookEvery = std::chrono::milliseconds(10);
    constexpr std::uint64_t kFew = 200'000; // ns
    auto busyAt = begin;
    for (std::uint64_t before = 0; Clock::now() - begin < kMostPatience;) {
        std::this_thread::sleep_for(kLookEvery);
        if (::waitpid(process, nullptr, WNOHANG) != 0) return kNever; // it crashed
        const auto used = usedBy(process);
        const auto now = Clock::now();
        if (used > before + kFew) busyAt = now;
        before = used;
        if (now - busyAt > kStill) return std::chrono::duration<double>(busyAt - begin).count();
    }
    return kNever;
}

/// Like a user who starts a window for the first time, and without a screen.
class FirstStart {
  public:
    FirstStart() {
        fs::create_directories(folder_);
        fs::permissions(folder_, fs::perms::owner_all);
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
        for (const auto* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
            ::setenv(name, folder_.c_str(), 1);
    }
    ~FirstStart() { fs::remove_all(folder_); }
    FirstStart(const FirstStart&) = delete;
    FirstStart& operator=(const FirstStart&) = delete;
    [[nodiscard]] const fs::path& folder() const { return folder_; }

  private:
    fs::path folder_ = fs::temp_directory_path() / fmt::format("heaptrack_benchmark.{}", ::getpid());
};

double secondsOfPeer(const fs::path& file) {
    const FirstStart start;
    const auto begin = Clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        const int nowhere = ::open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(nowhere, stream);
        ::execlp("heaptrack_gui", "heaptrack_gui", file.c_str(), nullptr);
        ::_exit(127);
    }
    if (child < 0) return kNever;
    const auto seconds = secondsUntilStill(child, begin);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return seconds;
}

double secondsToPicture(const fs::path& file) {
    const FirstStart start;
    const auto picture = (start.folder() / "picture.png").string();
    const auto measured =
        measureProcess({HIGHWATER_WINDOW, file.string(), "--screenshot", picture}, "/dev/null", "/dev/null");
    return measured.isFine() ? measured.seconds : kNever;
}

double secondsToLoad(const fs::path& file) {
    const auto measured = measureInProcess(Processors::All, [&file](Measured& m) {
        pipeline::TraceLoader loader({file});
        loader.wait();
        m.finish();
        m.records = loader.state() == pipeline::LoadState::Finished ? 1 : 0;
    });
    return measured.records == 1 ? measured.seconds : kNever;
}

double secondsToPrint(const fs::path& file) {
    const auto measured = measureProcess({"heaptrack_print", file.string()}, "/dev/null", "/dev/null");
    return measured.isFine() ? measured.seconds : kNever;
}

bool isInstalled(const std::string& program) {
    std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

void measure(const fs::path& file, int rounds) {
    bringIntoCache(file);
    const bool hasPeer = isInstalled("heaptrack_gui");
    double loaded = kNever, window = kNever, printed = kNever, peer = kNever;
    for (int round = 0; round < rounds; ++round) {
        loaded = std::min(loaded, secondsToLoad(file));
        window = std::min(window, secondsToPicture(file));
        if (!hasPeer) continue;
        printed = std::min(printed, secondsToPrint(file));
        peer = std::min(peer, secondsOfPeer(file));
    }
    fmt::print("{}\n  loaded {:.2f} s, window with picture {:.2f} s", file.string(), loaded, window);
    if (!hasPeer) {
        fmt::print("; no ratio: heaptrack_gui is not installed\n");
        return;
    }
    fmt::print(", heaptrack_print {:.2f} s, heaptrack_gui {:.2f} s\n", printed, peer);
    const auto ratio = loaded / peer;
    fmt::print("  Highwater : heaptrack_gui  {:.2f}  goal 1.00  {}\n", ratio, ratio < 1 ? "holds" : "MISSED");
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    using namespace highwater::benchmarks;
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
    std::vector<std::filesystem::path> files(argv + std::min(argc, 2), argv + argc);
    if (files.empty()) {
        files = {heaptrackFile({}), heaptrackFile({.outstanding = 200'000, .stacks = 7'500, .sizes = 8})};
    }
    for (const auto& file : files)
        measure(file, rounds);
}
