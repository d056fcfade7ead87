// Names for addresses of large debug files, compared with the usual tools. Goals: 100,000 distinct addresses in at most
// 2/3 of the time of the better of llvm-symbolizer and addr2line; again from our cache at least 50 times faster than
// that tool; the 50 frames of a screen within 1 s.
//
//   cmake --build BUILD --target large_programs symbols_benchmark && BUILD/tests/benchmarks/symbols_benchmark
//
// The files are those of large_programs (or of the folder HIGHWATER_LARGE_PROGRAMS), and every file named in
// HIGHWATER_SYMBOL_FILES, separated by ':' - Highwater's own debug build, for example. Each measurement is a process of
// its own, all get the same sorted addresses; a tool's time is that of its process, ours is the time from opening the
// file to readable names. The fastest of several runs are compared: share = of the better tool's time, times_faster =
// its reciprocal. peak_MB = resident memory of the process with the pages of the mapped file.
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/resolver/module_resolver.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/benchmarks/measured_process.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

namespace highwater::benchmarks {
namespace {

using namespace symbols;
namespace fs = std::filesystem;

constexpr std::size_t kAddresses = 100'000;
constexpr std::size_t kFramesOnScreen = 50;

// ------------------------------------------------------------------------------------------- the measured processes

/// Random bytes of code that has names: found by a coarse search for names.
std::vector<Rva> distinctAddresses(SymbolFile& file) {
    std::vector<Rva> coarse;
    for (Rva address = 0x1000; address < (Rva{1} << 28); address += 4096)
        coarse.push_back(address);
    const auto names = file.resolve(coarse);
    std::vector<Rva> all;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        if (names.firstFrame[i] == names.firstFrame[i + 1]) continue;
        for (Rva address = coarse[i]; address < coarse[i] + 4096; ++address)
            all.push_back(address);
    }
    std::mt19937_64 random(7);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(kAddresses, all.size()));
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<Rva> readAddresses(std::istream& in) {
    std::vector<Rva> addresses;
    for (std::string line; std::getline(in, line);)
        addresses.push_back(std::strtoull(line.c_str(), nullptr, 16));
    return addresses;
}

/// The names in a table: every name once.
std::size_t readableBytes(const ResolvedAddresses& names) {
    std::size_t bytes = 0;
    for (const auto& function : names.functions)
        bytes += readableName(function.linkageName, NameStyle::Full).size();
    return bytes;
}

bool answer(const fs::path& path, const std::vector<Rva>& addresses) {
    const auto file = openSymbolFile(path);
    return file.hasValue() && readableBytes(file.value()->resolve(addresses)) > 0;
}

bool fillCache(const fs::path& path, const std::vector<Rva>& addresses, const fs::path& folder) {
    const auto file = openSymbolFile(path);
    if (!file.hasValue()) return false;
    NameCache cache(folder);
    return cache
        .save(file.value()->identity(),
              {ModuleNames(addresses, file.value()->resolve(addresses)), NameCache::Quality::Private})
        .hasValue();
}

/// Without any debug file: the cache contains everything.
bool answerFromCache(const SymbolIdentity& identity, const std::vector<Rva>& addresses, const fs::path& folder) {
    SymbolFetcher fetcher;
    const SymbolStore store(SymbolPath(), {folder, systemEnvironment()}, fetcher);
    NameCache cache(folder);
    Progress progress;
    const auto names = ModuleResolver(store, cache).resolve({"", "", "", identity}, addresses, progress, {});
    return names.isFromCache && readableBytes(names.names) > 0;
}

/// symbols_benchmark --step=NAME FILE FOLDER: reads addresses, prints the seconds it took.
int runStep(const std::string& step, const fs::path& path, const fs::path& folder) {
    if (step == "addresses") {
        const auto file = openSymbolFile(path);
        if (!file.hasValue()) return 1;
        for (const auto address : distinctAddresses(*file.value()))
            fmt::print("0x{:x}\n", address);
        return 0;
    }
    auto addresses = readAddresses(std::cin);
    if (addresses.empty()) return 1;
    SymbolIdentity identity;
    if (step == "cached") {
        const auto file = openSymbolFile(path);
        if (!file.hasValue() || !file.value()->identity().isKnown()) return 1;
        identity = file.value()->identity();
    }
    if (step == "screen") { // those on a screen are anywhere
        std::mt19937_64 random(11);
        std::shuffle(addresses.begin(), addresses.end(), random);
        addresses.resize(std::min(kFramesOnScreen, addresses.size()));
    }
    const auto begin = std::chrono::steady_clock::now();
    const bool isFine = step == "fill"     ? fillCache(path, addresses, folder)
                        : step == "cached" ? answerFromCache(identity, addresses, folder)
                                           : answer(path, addresses);
    fmt::print("{}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return isFine ? 0 : 1;
}

// ------------------------------------------------------------------------------------------------ the measurements

/// One debug file, and the data that its measurements share.
class Subject {
  public:
    explicit Subject(fs::path path) : path_(std::move(path)), folder_(makeFolder()) {
        const auto found = measureProcess({"/proc/self/exe", "--step=addresses", path_, folder_}, "/dev/null", list());
        hasAddresses_ = found.isFine();
        // All measurements find the file in the page cache, in any order.
        std::ifstream file(path_, std::ios::binary);
        std::vector<char> room(1 << 20);
        while (file.read(room.data(), static_cast<std::streamsize>(room.size()))) {
        }
    }
    ~Subject() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] bool hasAddresses() const { return hasAddresses_; }
    /// llvm-symbolizer needs the image that a PDB belongs to.
    [[nodiscard]] fs::path image() const {
        if (path_.extension() != ".pdb") return path_;
        const auto program = fs::path(path_).replace_extension(".exe");
        return fs::exists(program) ? program : fs::path(path_).replace_extension(".dll");
    }

    [[nodiscard]] MeasuredProcess runTool(const std::vector<std::string>& command) {
        const auto result = measureProcess(command, list(), folder_ / "out");
        if (result.isFine() && (better_ == 0 || result.seconds < better_)) better_ = result.seconds;
        return result;
    }
    /// The step prints the seconds.
    [[nodiscard]] MeasuredProcess runStep(const std::string& step) const {
        auto result = measureProcess({"/proc/self/exe", "--step=" + step, path_, folder_}, list(), folder_ / "out");
        std::ifstream(folder_ / "out") >> result.seconds;
        return result;
    }
    /// Among the tools that ran so far; 0 if none did.
    [[nodiscard]] double secondsOfBetterTool() const { return better_; }

  private:
    static fs::path makeFolder() {
        std::random_device random;
        const auto folder = fs::temp_directory_path() / fmt::format("highwater-symbols-{:08x}", random());
        fs::create_directories(folder);
        return folder;
    }
    [[nodiscard]] fs::path list() const { return folder_ / "addresses"; }

    fs::path path_;
    fs::path folder_;
    bool hasAddresses_ = false;
    double better_ = 0;
};

Subject& subject(const fs::path& path) {
    static std::map<fs::path, std::unique_ptr<Subject>> all;
    auto& found = all[path];
    if (!found) found = std::make_unique<Subject>(path);
    return *found;
}

void tell(benchmark::State& state, const MeasuredProcess& result, const std::string& name) {
    if (!result.isInstalled) {
        state.SkipWithError((name + " is not installed (installer/packages-test.txt)").c_str());
    } else if (!result.isFine()) {
        state.SkipWithError((name + " failed").c_str());
    } else {
        state.SetIterationTime(result.seconds);
        state.counters["peak_MB"] = result.peakMegabytes;
    }
}

bool isReady(benchmark::State& state, const Subject& file) {
    if (!file.hasAddresses()) state.SkipWithError("the file cannot be read");
    return file.hasAddresses();
}

void measureTool(benchmark::State& state, const fs::path& path, const std::string& name) {
    auto& file = subject(path);
    for (auto _ : state) {
        if (!isReady(state, file)) return;
        const auto command = name == "addr2line" ? std::vector<std::string>{name, "-f", "-i", "-C", "-e", path}
                                                 : std::vector<std::string>{name, "--relative-address", "--inlines",
                                                                            "--obj=" + file.image().string()};
        tell(state, file.runTool(command), name);
    }
}

void measureStep(benchmark::State& state, const fs::path& path, const std::string& step) {
    auto& file = subject(path);
    if (step == "cached" && file.hasAddresses() && !file.runStep("fill").isFine()) {
        state.SkipWithError("the names cannot be kept");
        return;
    }
    double best = 0;
    for (auto _ : state) {
        if (!isReady(state, file)) return;
        const auto result = file.runStep(step);
        tell(state, result, "the file has no identity, or reading it");
        if (!result.isFine()) return;
        if (best == 0 || result.seconds < best) best = result.seconds;
    }
    state.counters["best_ms"] = best * 1000;
    if (file.secondsOfBetterTool() == 0 || step == "screen") return;
    const auto share = best / file.secondsOfBetterTool();
    state.counters["share"] = share;
    state.counters["times_faster"] = 1 / share;
}

void registerFile(const fs::path& path) {
    const auto add = [&](const std::string& name, auto measure, const std::string& what, int iterations) {
        benchmark::RegisterBenchmark((path.filename().string() + "/" + name).c_str(),
                                     [=](benchmark::State& state) { measure(state, path, what); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(iterations);
    };
    // The tools come first because ours are compared with them.
    add("llvm-symbolizer", measureTool, "llvm-symbolizer-19", 2);
    if (path.extension() != ".pdb") add("addr2line", measureTool, "addr2line", 2);
    add("Highwater", measureStep, "all", 5);
    add("HighwaterFromCache", measureStep, "cached", 5);
    add("HighwaterScreen", measureStep, "screen", 5);
}

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

void registerFiles() {
    const fs::path folder = environment("HIGHWATER_LARGE_PROGRAMS", HIGHWATER_LARGE_PROGRAMS);
    for (const auto* name : {"large.elf", "large4.elf", "large.pdb"}) {
        if (fs::exists(folder / name)) {
            registerFile(folder / name);
        } else {
            std::cerr << folder / name << " is not there: build the target large_programs (clang-19, lld-19, g++)\n";
        }
    }
    std::istringstream more(environment("HIGHWATER_SYMBOL_FILES", ""));
    for (std::string path; std::getline(more, path, ':');)
        registerFile(fs::absolute(path));
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    using namespace highwater::benchmarks;
    constexpr std::string_view kStep = "--step=";
    if (argc == 4 && std::string_view(argv[1]).starts_with(kStep))
        return runStep(argv[1] + kStep.size(), argv[2], argv[3]);
    benchmark::Initialize(&argc, argv);
    registerFiles();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
