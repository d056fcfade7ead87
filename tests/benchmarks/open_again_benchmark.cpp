#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/trace_loader.h"
#include "tests/benchmarks/heap_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>

// Measures reopening a trace of 1 GB, compared with opening it for the first time: open_again_benchmark [ROUNDS]
// The best of the rounds counts; goal (issue "Scale"): at most a fifth.

namespace highwater::benchmarks {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr double kMostOfFirstTime = 0.2;

/// Times of the best round.
struct Times {
    double opening = std::numeric_limits<double>::max(); ///< until the state is Finished
    double writing = std::numeric_limits<double>::max(); ///< the index, afterwards
    std::uint64_t rows = 0;
};

void open(const std::filesystem::path& trace, const pipeline::TraceIndexCache::Options& options, Times& best) {
    const auto begun = std::chrono::steady_clock::now();
    pipeline::TraceLoader loader({trace}, std::make_shared<pipeline::TraceIndexCache>(options));
    while (!loader.isDone())
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    const auto opened = std::chrono::steady_clock::now();
    loader.wait();
    const auto written = std::chrono::steady_clock::now();
    best.opening = std::min(best.opening, Seconds(opened - begun).count());
    best.writing = std::min(best.writing, Seconds(written - opened).count());
    best.rows = loader.latest() ? loader.latest()->heap.rows : 0;
}

int run(int rounds) {
    const auto trace = heapTrace({});
    const auto folder = std::filesystem::temp_directory_path() / "highwater_open_again";
    const pipeline::TraceIndexCache::Options options{.folder = folder};
    Times first;
    Times again;
    std::uint64_t bytes = 0;
    for (int round = 0; round < rounds; ++round) {
        std::filesystem::remove_all(folder);
        open(trace, options, first);
        open(trace, options, again);
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            bytes = entry.file_size();
    }
    std::filesystem::remove_all(folder);
    if (first.rows == 0 || again.rows != first.rows) {
        fmt::print(stderr, "The trace was not read whole.\n");
        return 1;
    }
    fmt::print("first {:7.1f} ms, its index written in {:.1f} ms: {:.1f} bytes a row\nagain {:7.1f} ms\n",
               first.opening * 1e3, first.writing * 1e3, static_cast<double>(bytes) / static_cast<double>(first.rows),
               again.opening * 1e3);
    const auto ratio = again.opening / first.opening;
    fmt::print("again : first {:6.3f}  goal {:.2f}  {}\n", ratio, kMostOfFirstTime,
               ratio <= kMostOfFirstTime ? "holds" : "MISSED");
    return 0;
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) { return highwater::benchmarks::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 3); }
