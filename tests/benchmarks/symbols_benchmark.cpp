// Names for addresses, against the tools that people use for it. Targets (issue 4): 100,000 distinct addresses in at
// most 2/3 of the time of the better of llvm-symbolizer and addr2line; again from the cache at least 50 times faster
// than that; 50 frames within 1 s.
//
//   symbols_benchmark FILE [ADDRESSES]     FILE: an ELF program with DWARF, or a PDB with its image beside it
//
// Prints one line a measurement: what, seconds, and how often faster than the better tool. The tools are started with
// the same addresses in the same run; llvm-symbolizer of LLVM 19 if it is installed.
#include "core/symbols/function_name.h"
#include "core/symbols/module_resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>

using namespace highwater;
using namespace highwater::symbols;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

template <typename Work>
double secondsOf(const Work& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Addresses of functions' bytes: found by asking coarsely where names are.
std::vector<Rva> distinctAddresses(SymbolFile& file, std::size_t count) {
    std::vector<Rva> coarse;
    for (Rva address = 0x1000; address < (Rva{1} << 28); address += 4096)
        coarse.push_back(address);
    const auto names = file.resolve(coarse);
    std::vector<Rva> pages;
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        if (names.firstFrame[i] != names.firstFrame[i + 1]) pages.push_back(coarse[i]);
    }
    std::vector<Rva> all;
    for (const auto page : pages) {
        for (Rva address = page; address < page + 4096; ++address)
            all.push_back(address);
    }
    std::mt19937_64 random(7);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(std::min(count, all.size()));
    return all;
}

/// Seconds of a shell command; negative: it failed or is not there.
double secondsOfTool(const std::string& command) {
    int status = 0;
    const auto seconds = secondsOf([&] { status = std::system(command.c_str()); }); // NOLINT
    return status == 0 ? seconds : -1;
}

/// Memory that this program used at most so far, MB (Linux).
double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
    }
    return 0;
}

struct Tools {
    double better = -1;
    void add(const char* name, double seconds) {
        if (seconds < 0) {
            fmt::print("{:<34} -\n", name);
            return;
        }
        fmt::print("{:<34} {:8.3f} s\n", name, seconds);
        if (better < 0 || seconds < better) better = seconds;
    }
    void compare(const char* name, double seconds) const {
        fmt::print("{:<34} {:8.3f} s", name, seconds);
        if (better > 0) fmt::print("   {:6.1f} times faster than the better tool", better / seconds);
        fmt::print("\n");
    }
};

void run(const fs::path& path, std::size_t count) {
    auto opened = SymbolFile::open(path);
    if (!opened.hasValue()) {
        fmt::print(stderr, "{}\n", opened.error().message);
        std::exit(2);
    }
    const auto addresses = distinctAddresses(*opened.value(), count);
    fmt::print("{}: {} MB, {} distinct addresses\n", path.filename().string(), fs::file_size(path) >> 20,
               addresses.size());
    const auto folder = fs::temp_directory_path() / "highwater-symbols-benchmark";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const bool isPdb = path.extension() == ".pdb";
    auto image = path;
    if (isPdb) image.replace_extension(fs::exists(fs::path(path).replace_extension(".exe")) ? ".exe" : ".dll");
    {
        std::ofstream list(folder / "addresses");
        for (const auto address : addresses)
            list << fmt::format("0x{:x}\n", address);
    }
    const auto input = fmt::format(" < {} > {}", (folder / "addresses").string(), (folder / "out").string());
    Tools tools;
    tools.add("llvm-symbolizer", secondsOfTool(fmt::format("/usr/lib/llvm-19/bin/llvm-symbolizer --relative-address "
                                                           "--inlines --obj={}{} 2>/dev/null",
                                                           image.string(), input)));
    if (!isPdb)
        tools.add("addr2line -f -i -C",
                  secondsOfTool(fmt::format("addr2line -f -i -C -e {}{} 2>/dev/null", path.string(), input)));

    const std::vector<Rva> screen(addresses.begin(),
                                  addresses.begin() +
                                      static_cast<std::ptrdiff_t>(std::min<std::size_t>(50, addresses.size())));
    fmt::print("{:<34} {:8.3f} s\n", "50 frames, file just opened", secondsOf([&] {
                   auto fresh = SymbolFile::open(path);
                   (void)fresh.value()->resolve(screen);
               }));
    tools.compare("all, file just opened", secondsOf([&] {
                      auto fresh = SymbolFile::open(path);
                      const auto names = fresh.value()->resolve(addresses);
                      for (const auto& function : names.functions)
                          (void)readableName(function.linkageName, NameStyle::Full);
                  }));
    SymbolFetcher fetcher;
    const SymbolStore store(SymbolPath::parse(path.parent_path().string()), {folder / "cache", systemEnvironment(), {}},
                            fetcher);
    NameCache cache(folder / "names");
    const ModuleResolver resolver(store, cache);
    const SoughtImage sought{"", path.stem().string(), path.filename().string(), opened.value()->identity()};
    Progress progress;
    if (!isPdb) { // a program does not lie in a build-id folder here
        std::vector<Rva> sorted = addresses;
        std::sort(sorted.begin(), sorted.end());
        auto names = opened.value()->resolve(sorted);
        (void)cache
            .save(sought.identity, {ModuleNames(std::move(sorted), std::move(names)), NameCache::Quality::Private})
            .hasValue();
    } else {
        (void)resolver.resolve(sought, addresses, progress, {});
    }
    bool fromCache = false;
    tools.compare("all, from the cache of names",
                  secondsOf([&] { fromCache = resolver.resolve(sought, addresses, progress, {}).isFromCache; }));
    if (!fromCache) fmt::print("    (not from the cache: the file has no identity)\n");
    fmt::print("{:<34} {:8.0f} MB\n", "peak memory", peakMegabytes());
    fs::remove_all(folder);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "symbols_benchmark FILE [ADDRESSES]\n");
        return 1;
    }
    run(fs::absolute(argv[1]), argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100'000);
    return 0;
}
