#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/benchmarks/heap_trace.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

// Goals (issue "Open a real .etl"): walk >= 25 M records/s on one thread; full load >= 8 M records/s on two;
// columns <= 40 bytes per allocation with its free; growth of anonymous memory <= 64 (pairing and indexes included).

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

std::uint64_t anonymousBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) * 1024;
    }
    return 0;
}

/// The highest anonymous memory while it lives, looked at every few milliseconds: what a load takes besides the file.
class AnonymousPeak {
  public:
    AnonymousPeak()
        : watcher_([this](std::stop_token stop) {
              while (!stop.stop_requested()) {
                  peak_ = std::max(peak_, anonymousBytes());
                  std::this_thread::sleep_for(std::chrono::milliseconds(5));
              }
          }) {}
    std::uint64_t finish() {
        watcher_.request_stop();
        watcher_.join();
        return peak_;
    }

  private:
    std::uint64_t peak_ = 0;
    std::jthread watcher_;
};

void walk(benchmark::State& state, bool compressed) {
    const auto path = heapTrace({.compressed = compressed});
    std::uint64_t records = 0;
    for (auto _ : state) {
        TraceHealth health;
        auto source = source::EtlFileSource::open({path}, health);
        TouchEverything sink;
        Progress progress;
        if (!source.hasValue() || !source.value()->run(sink, health, {}, progress).hasValue()) {
            state.SkipWithError("cannot read");
            return;
        }
        records += sink.records_;
        benchmark::DoNotOptimize(sink.sum_);
    }
    state.counters["records/s"] = benchmark::Counter(static_cast<double>(records), benchmark::Counter::kIsRate);
}

void load(benchmark::State& state, bool compressed) {
    const auto path = heapTrace({.compressed = compressed});
    std::uint64_t records = 0;
    double growth = 0;
    double columns = 0;
    double stacks = 0;
    for (auto _ : state) {
        const auto before = anonymousBytes();
        AnonymousPeak peak;
        pipeline::TraceLoader loader({path});
        loader.wait();
        if (loader.state() != pipeline::LoadState::Finished) {
            state.SkipWithError("cannot load");
            return;
        }
        state.PauseTiming();
        const auto trace = loader.latest();
        records += loader.facts().counts.total;
        const auto rows = static_cast<double>(trace->heap.rows);
        growth = static_cast<double>(peak.finish() - before) / rows;
        columns = static_cast<double>(trace->columns->heap.rows.bytesUsed()) / rows;
        stacks = static_cast<double>(trace->columns->stacks.bytesReserved()) / rows;
        state.ResumeTiming();
    }
    state.counters["records/s"] = benchmark::Counter(static_cast<double>(records), benchmark::Counter::kIsRate);
    state.counters["column_bytes/row"] = columns;
    state.counters["anonymous_bytes/row"] = growth; // with stacks, which the goal leaves apart:
    state.counters["stack_bytes/row"] = stacks;
}

BENCHMARK_CAPTURE(walk, plain, false)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(walk, compressed, true)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(load, plain, false)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(load, compressed, true)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

} // namespace
} // namespace highwater::benchmarks

BENCHMARK_MAIN();
