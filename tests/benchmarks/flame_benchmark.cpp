// Flame graphs of 200,000 frames: computing one compared with a plain loop over the same stacks, and its work in the
// GUI thread, which has 16.7 ms for a picture.
#include "core/analysis/flames/flame_search.h"
#include "core/analysis/flames/flames.h"
#include "tests/benchmarks/synthetic_trace.h"
#include "ui/view/flames/flame_canvas.h"

#include <QApplication>
#include <QMouseEvent>

#include <benchmark/benchmark.h>

using namespace highwater;
using namespace highwater::analysis;

namespace {

const std::shared_ptr<const store::PublishedTrace>& trace() {
    static const auto made = benchmarks::makeSyntheticTrace({.rows = 1'000'000, .stacks = 100'000, .processes = 4});
    return made;
}

FlameQuery stacks(std::uint64_t most) {
    FlameQuery query;
    query.interval = trace()->wholeRange();
    query.keys = {Column::Process, Column::Stack};
    query.measure = Column::Size;
    query.mostFrames = most;
    return query;
}

void compute(benchmark::State& state) {
    FrameLabels labels;
    std::uint64_t frames = 0;
    for (auto _ : state) {
        const auto tree = computeFlames(*trace(), labels, stacks(static_cast<std::uint64_t>(state.range(0))));
        frames = tree.value().nodes.size();
    }
    state.counters["nodes"] = static_cast<double>(frames);
}
BENCHMARK(compute)->Arg(0)->Arg(FlameQuery::kMostFrames)->Unit(benchmark::kMillisecond);

/// Reads every frame of every stack once, which is the minimum for any answer.
void plainLoop(benchmark::State& state) {
    const auto& nodes = trace()->columns->stacks;
    for (auto _ : state) {
        std::uint64_t sum = 0;
        for (std::uint32_t stack = 0; stack < trace()->stackCount; ++stack) {
            for (auto node = trace()->leaf(StackId{stack}); node.value != 0; node = nodes.node(node).parent)
                sum += nodes.node(node).depth;
        }
        benchmark::DoNotOptimize(sum);
    }
}
BENCHMARK(plainLoop)->Unit(benchmark::kMillisecond);

std::shared_ptr<const ui::FlameAnswer> answer() {
    static const auto made = [] {
        FrameLabels labels;
        const auto query = stacks(FlameQuery::kMostFrames);
        return std::make_shared<const ui::FlameAnswer>(
            ui::FlameAnswer{query, computeFlames(*trace(), labels, query).value()});
    }();
    return made;
}

struct CanvasStage {
    ui::FlameCanvas canvas;
    CanvasStage() {
        canvas.resize(1400, 900);
        canvas.show();
        canvas.setAnswer(answer());
        QApplication::processEvents();
    }
};

void takeAnswer(benchmark::State& state) {
    CanvasStage stage;
    for (auto _ : state)
        stage.canvas.setAnswer(answer());
    state.counters["nodes"] = static_cast<double>(answer()->tree.nodes.size());
}
BENCHMARK(takeAnswer)->Unit(benchmark::kMillisecond);

/// A picture from scratch, as after each zoom and each scroll step.
void paint(benchmark::State& state) {
    CanvasStage stage;
    std::uint32_t zoom = 0;
    for (auto _ : state) {
        stage.canvas.zoomTo(zoom = 1 - zoom);
        stage.canvas.viewport()->repaint();
    }
    state.counters["boxes"] = static_cast<double>(stage.canvas.paintedBoxes());
}
BENCHMARK(paint)->Unit(benchmark::kMillisecond);

void paintWithMatches(benchmark::State& state) {
    CanvasStage stage;
    ui::FlameSearch search{answer(), QStringLiteral("1"), findInFlames(answer()->tree, "1")};
    const auto shared = std::make_shared<const ui::FlameSearch>(std::move(search));
    for (auto _ : state) {
        stage.canvas.setSearch(shared);
        stage.canvas.viewport()->repaint();
    }
}
BENCHMARK(paintWithMatches)->Unit(benchmark::kMillisecond);

void hover(benchmark::State& state) {
    CanvasStage stage;
    int x = 0;
    for (auto _ : state) {
        x = (x + 37) % 1400;
        QMouseEvent move(QEvent::MouseMove, QPointF(x, 880 - x / 10), QPointF(), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(stage.canvas.viewport(), &move);
        stage.canvas.viewport()->repaint();
    }
}
BENCHMARK(hover)->Unit(benchmark::kMillisecond);

void search(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(findInFlames(answer()->tree, "function").width);
}
BENCHMARK(search)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
