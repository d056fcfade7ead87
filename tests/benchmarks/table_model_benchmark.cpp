// The work of the GUI thread for a large answer: receiving it, laying it out, keeping rows open, scrolling.
#include "tests/ui/support/test_answer.h"
#include "ui/model/grouped_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/grouped_table_view.h"

#include <QApplication>
#include <QScrollBar>

#include <benchmark/benchmark.h>

using namespace highwater;
using namespace highwater::ui;
using analysis::Column;

namespace {

/// One process with this many distinct stacks of one frame each below it.
std::shared_ptr<const TableAnswer> manyStacks(std::uint32_t count) {
    std::vector<TableRow> frames;
    for (std::uint32_t key = 0; key < count; ++key) {
        frames.push_back(tests::keyRow(Column::Stack, 100 + key, QStringLiteral("module.dll!function_%1").arg(key)));
    }
    auto type = tests::keyRow(Column::ImpactingType, 2, QStringLiteral("Impacting"), std::move(frames));
    return tests::stackAnswerOf({tests::row(1, QStringLiteral("app.exe (1)"), 1, 1, {std::move(type)})});
}

/// Processes with one chain of three rows each.
std::shared_ptr<const TableAnswer> manyProcesses(std::uint32_t count) {
    std::vector<TableRow> processes;
    for (std::uint32_t key = 0; key < count; ++key) {
        auto frame = tests::keyRow(Column::Stack, 1'000'000 + key, QStringLiteral("module.dll!function"));
        auto type =
            tests::keyRow(Column::ImpactingType, 2'000'000 + key, QStringLiteral("Impacting"), {std::move(frame)});
        processes.push_back(tests::row(key + 1, QStringLiteral("app.exe (%1)").arg(key), 1, 1, {std::move(type)}));
    }
    return tests::stackAnswerOf(std::move(processes));
}

struct Stage {
    AnalysisState analysis;
    GraphState& graph = analysis.addGraph(analysis::Table::VirtualAlloc);
    SeriesColors colors;
    GroupedTableModel model{colors};
    GroupedTableView view{graph, model};

    explicit Stage(std::shared_ptr<const TableAnswer> answer) {
        view.resize(1400, 900);
        view.show();
        model.setAnswer(std::move(answer));
        view.expandAll();
        view.setCurrentIndex(model.index(0, 0));
        QApplication::processEvents();
    }
};

void replaceAnswer(benchmark::State& state, const std::shared_ptr<const TableAnswer>& answer) {
    Stage stage(answer);
    for (auto _ : state) {
        stage.model.setAnswer(answer);
        stage.view.layOutNow();
    }
}

void replaceAnswerOfManyStacks(benchmark::State& state) {
    replaceAnswer(state, manyStacks(static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(replaceAnswerOfManyStacks)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void replaceAnswerOfManyOpenProcesses(benchmark::State& state) {
    replaceAnswer(state, manyProcesses(static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(replaceAnswerOfManyOpenProcesses)->Arg(5'000)->Arg(30'000)->Unit(benchmark::kMillisecond);

/// Without the view: the model alone.
void setAnswer(benchmark::State& state) {
    SeriesColors colors;
    GroupedTableModel model(colors);
    const auto answer = manyStacks(100'000);
    for (auto _ : state) {
        model.setAnswer(answer);
        benchmark::DoNotOptimize(model.rowCount(model.index(0, 0, model.index(0, 0))));
    }
}
BENCHMARK(setAnswer)->Unit(benchmark::kMillisecond);

void scrollOnePage(benchmark::State& state) {
    Stage stage(manyStacks(100'000));
    auto* bar = stage.view.verticalScrollBar();
    int line = 0;
    for (auto _ : state) {
        line = (line + 40) % 90'000;
        bar->setValue(line);
        stage.view.viewport()->repaint();
    }
}
BENCHMARK(scrollOnePage)->Unit(benchmark::kMillisecond);

void askWhatIsOpen(benchmark::State& state) {
    Stage stage(manyProcesses(30'000));
    for (auto _ : state) {
        benchmark::DoNotOptimize(stage.view.expandedPaths());
    }
}
BENCHMARK(askWhatIsOpen)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
