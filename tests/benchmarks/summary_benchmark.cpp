#include "core/pipeline/trace_loader.h"
#include "core/summary/summarize.h"
#include "tests/benchmarks/heap_trace.h"
#include "tests/benchmarks/load_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

// What a trace costs to be summed up, against reading it alone: summary_benchmark [ROUNDS]
// Both in turn, each time in a process of its own; the best of the rounds counts.

namespace highwater::benchmarks {
namespace {

/// Reading and summing up together, against reading.
constexpr double kMost = 1.1;

void read(const std::filesystem::path& path, Measured& measured, bool isSummed) {
    pipeline::TraceLoader loader({path});
    loader.wait();
    if (loader.state() != pipeline::LoadState::Finished) return;
    const auto trace = loader.latest();
    if (isSummed) {
        analysis::FrameLabels labels;
        const auto facts = loader.facts();
        const auto notes = loader.notes();
        const auto summary = summary::summarize({*trace, labels, facts.properties, facts.system, notes->marks}, {});
        measured.finish();
        if (!summary.hasValue()) return;
        measured.sum = summary.value().samples.size();
        measured.rows = summary.value().stacks.size();
    } else {
        measured.finish();
    }
    measured.records = trace->heap.rows;
}

int run(int rounds) {
    const auto path = heapTrace({});
    bringIntoCache(path);
    Measured alone, summed;
    const auto keepBest = [](Measured& best, const Measured& measured) {
        if (best.records == 0 || measured.seconds < best.seconds) best = measured;
    };
    for (int round = 0; round < rounds; ++round) {
        keepBest(alone, measureInProcess(Processors::All, [&](Measured& m) { read(path, m, false); }));
        keepBest(summed, measureInProcess(Processors::All, [&](Measured& m) { read(path, m, true); }));
    }
    if (alone.records == 0 || summed.records == 0) {
        fmt::print(stderr, "Cannot read {}\n", path.string());
        return 1;
    }
    const auto ratio = summed.seconds / alone.seconds;
    fmt::print("load {:.1f} ms, load and summary {:.1f} ms ({} rows, {} stacks, {} samples)\n", alone.seconds * 1e3,
               summed.seconds * 1e3, summed.records, summed.rows, summed.sum);
    fmt::print("load and summary : load {:6.2f}  goal {:5.2f}  {}\n", ratio, kMost,
               ratio <= kMost ? "holds" : "MISSED");
    return 0;
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) { return highwater::benchmarks::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 5); }
