#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/store/trace_store.h"
#include "tests/benchmarks/heap_trace.h"
#include "tests/benchmarks/load_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Measures reading a trace, compared with a plain loop over the same bytes: load_benchmark [ROUNDS] [NAME]
// Measurements take turns, each in a process of its own, and the best of the rounds counts. NAME: only that one, for
// profiling. Goals (issue "Scale"): see kGoals.

namespace highwater::benchmarks {
namespace {

/// Reads every frame and payload byte, eight at a time, as a decoder would at least.
class TouchEverything final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            const auto* at = record.payload;
            for (std::uint32_t i = 0; i + 8 <= record.payloadBytes; i += 8) {
                sum_ += loadUnchecked<std::uint64_t>(at + i);
            }
        }
        records_ += batch.records.size();
        batch.recycle();
    }
    std::uint64_t sum_ = 0;
    std::uint64_t records_ = 0;
};

bool walkAll(const std::filesystem::path& path, TouchEverything& sink) {
    TraceHealth health;
    Progress progress;
    auto source = source::EtlFileSource::open({path}, health);
    return source.hasValue() && source.value()->run(sink, health, {}, progress).hasValue();
}

void walk(const std::filesystem::path& path, Measured& measured) {
    TouchEverything sink;
    if (!walkAll(path, sink)) return;
    measured.finish();
    measured.records = sink.records_;
    measured.sum = sink.sum_;
}

void load(const std::filesystem::path& path, Measured& measured) {
    pipeline::TraceLoader loader({path});
    loader.wait();
    measured.finish();
    if (loader.state() != pipeline::LoadState::Finished) return;
    const auto trace = loader.latest();
    const auto rows = trace->heap.rows;
    measured.records = loader.facts().counts.total;
    measured.rows = rows;
    measured.columnBytes = trace->columns->heap.rows.bytesUsed();
    measured.stackBytes = trace->columns->stacks.bytesReserved();
}

/// Like `highwater-cli info`.
void count(const std::filesystem::path& path, Measured& measured) {
    pipeline::TraceLoader loader({path}, nullptr, store::BlockRows::Counted);
    loader.wait();
    measured.finish();
    if (loader.state() == pipeline::LoadState::Finished) measured.records = loader.facts().counts.total;
}

struct Subject {
    const char* name;
    void (*run)(const std::filesystem::path&, Measured&);
    bool isCompressed;
    Processors processors;
};
constexpr Subject kSubjects[] = {
    {"loop", loopOverBuffers, false, Processors::All},     {"walk/plain", walk, false, Processors::All},
    {"load/plain", load, false, Processors::All},          {"info/plain", count, false, Processors::All},
    {"walk/compressed", walk, true, Processors::All},      {"load/compressed", load, true, Processors::All},
    {"loop/one", loopOverBuffers, false, Processors::One}, {"load/plain/one", load, false, Processors::One},
    {"load/compressed/one", load, true, Processors::One},
};

/// One measure divided by another, and its limit.
struct Goal {
    const char* subject;
    const char* against;
    double most;
};
constexpr Goal kGoals[] = {
    {"walk/plain", "loop", 1.6},
    {"load/plain", "loop", 5.5},
    {"info/plain", "walk/plain", 1.5},
    {"load/plain/one", "loop/one", 8.5},
    {"load/compressed", "load/plain", 1.15},
};
constexpr double kMostBytesPerRow = 45;

void print(const char* name, const Measured& measured) {
    fmt::print("{:20} {:7.1f} ms {:7.1f} ms CPU {:6.2f} M records/s", name, measured.seconds * 1e3,
               measured.cpuSeconds * 1e3, static_cast<double>(measured.records) / measured.seconds / 1e6);
    if (measured.rows > 0) {
        const auto ofRow = [&measured](std::uint64_t bytes) {
            return static_cast<double>(bytes) / static_cast<double>(measured.rows);
        };
        fmt::print("  a row: {:.1f} bytes at the peak, {:.1f} at the end (columns {:.1f}, stacks {:.1f})  threads:",
                   ofRow(measured.peakBytes), ofRow(measured.endBytes), ofRow(measured.columnBytes),
                   ofRow(measured.stackBytes));
        for (const auto seconds : measured.threadSeconds) {
            if (seconds >= 0.001) fmt::print(" {:.0f}", seconds * 1e3);
        }
        fmt::print(" ms");
    }
    fmt::print("\n");
}

using Best = std::map<std::string_view, Measured>;

bool measure(const Subject& subject, Best& best) {
    const auto path = heapTrace({.compressed = subject.isCompressed});
    auto& known = best[subject.name];
    if (known.records == 0) bringIntoCache(path);
    const auto measured = measureInProcess(subject.processors, [&](Measured& m) { subject.run(path, m); });
    if (known.records == 0 || measured.seconds < known.seconds) known = measured;
    if (measured.records == 0) fmt::print(stderr, "{}: cannot read {}\n", subject.name, path.string());
    return measured.records != 0;
}

int run(int rounds, std::string_view only) {
    Best best;
    // Those on one processor run separately: after them, Linux leaves all threads of the next ones there for a while.
    for (const auto processors : {Processors::All, Processors::One}) {
        for (int round = 0; round < rounds; ++round) {
            for (const auto& subject : kSubjects) {
                const bool isMeant = subject.processors == processors && (only.empty() || only == subject.name);
                if (isMeant && !measure(subject, best)) return 1;
            }
        }
    }
    for (const auto& subject : kSubjects) {
        if (best.contains(subject.name)) print(subject.name, best[subject.name]);
    }
    if (!only.empty()) return 0;
    if (best["loop"].records != best["walk/plain"].records || best["loop"].sum != best["walk/plain"].sum) {
        fmt::print(stderr, "The plain loop and the walk did not read the same.\n");
        return 1;
    }
    const auto tell = [](const std::string& what, double is, double most) {
        fmt::print("{:32} {:6.2f}  goal {:5.2f}  {}\n", what, is, most, is <= most ? "holds" : "MISSED");
    };
    for (const auto& goal : kGoals)
        tell(fmt::format("{} : {}", goal.subject, goal.against),
             best[goal.subject].seconds / best[goal.against].seconds, goal.most);
    const auto& loaded = best["load/plain"];
    tell("anonymous bytes a row, peak", static_cast<double>(loaded.peakBytes) / static_cast<double>(loaded.rows),
         kMostBytesPerRow);
    return 0;
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    return highwater::benchmarks::run(rounds, argc > 2 ? argv[2] : "");
}
