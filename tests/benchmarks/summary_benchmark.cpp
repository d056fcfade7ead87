#include "core/pipeline/trace_loader.h"
#include "core/summary/summarize.h"
#include "tests/benchmarks/heap_trace.h"
#include "tests/benchmarks/load_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

// Measures summing up a trace, compared with reading it: summary_benchmark [ROUNDS]
// Both in one process, a new one each round; the best of the rounds counts for each.

namespace highwater::benchmarks {
namespace {

/// Reading and summing up together, divided by reading.
constexpr double kMost = 1.1;

void readAndSum(const std::filesystem::path& path, Measured& measured) {
    const auto begin = Measured::Clock::now();
    pipeline::TraceLoader loader({path});
    loader.wait();
    measured.firstSeconds = std::chrono::duration<double>(Measured::Clock::now() - begin).count();
    if (loader.state() != pipeline::LoadState::Finished) return;
    const auto trace = loader.latest();
    analysis::FrameLabels labels;
    const auto facts = loader.facts();
    const auto notes = loader.notes();
    const auto summary = summary::summarize({*trace, labels, facts.properties, facts.system, notes->marks}, {});
    measured.finish();
    if (!summary.hasValue()) return;
    measured.sum = summary.value().samples.size();
    measured.rows = summary.value().stacks.size();
    measured.records = trace->heap.rows;
}

int run(int rounds) {
    const auto path = heapTrace({});
    bringIntoCache(path);
    double load = 0, summary = 0;
    Measured last;
    for (int round = 0; round < rounds; ++round) {
        last = measureInProcess(Processors::All, [&](Measured& m) { readAndSum(path, m); });
        if (last.records == 0) {
            fmt::print(stderr, "Cannot read {}\n", path.string());
            return 1;
        }
        const auto summed = last.seconds - last.firstSeconds;
        load = round == 0 ? last.firstSeconds : std::min(load, last.firstSeconds);
        summary = round == 0 ? summed : std::min(summary, summed);
    }
    const auto ratio = (load + summary) / load;
    fmt::print("load {:.1f} ms, summary {:.1f} ms ({} rows, {} stacks, {} samples)\n", load * 1e3, summary * 1e3,
               last.records, last.rows, last.sum);
    fmt::print("load and summary : load {:6.2f}  goal {:5.2f}  {}\n", ratio, kMost,
               ratio <= kMost ? "holds" : "MISSED");
    return 0;
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) { return highwater::benchmarks::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 5); }
