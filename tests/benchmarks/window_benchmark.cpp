// Measures how responsive the window is: the real main window over 20 million allocations (HIGHWATER_ROWS), driven as
// by a user. Time is measured from the input to the painted answer, table and graph; gap_ms is the longest time that
// the GUI thread was away from its event loop meanwhile; first_paint_ms the longest time until the graph showed an
// answer, rough or exact, among actions that change the graph; rough is the number of those that showed a rough one
// first. Goals: 100 ms with sums and counts, 500 ms with Peak or Unique Count, gap 50 ms, first_paint_ms 50; for pages
// that are opened: first_paint_ms 200. A search of all rows and a leaf of a million rows only have the gap as a goal:
// the user waits for them, with the rest in use. Finally, a table compares all measurements with these goals. Takes a
// minute. Needs a display or QT_QPA_PLATFORM=offscreen.
#include "app/settings/application_settings.h"
#include "app/window/main_window.h"
#include "core/base/huge_pages.h"
#include "tests/benchmarks/synthetic_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <benchmark/benchmark.h>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace highwater::benchmarks {
namespace {

using analysis::Aggregation;
using analysis::Column;
using analysis::ValueColumn;

/// Records how long the event loop does not run, and when something was painted.
class Watch : public QObject {
  public:
    Watch() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &Watch::tick);
        timer_.start(1);
        since_.start();
    }
    void begin() {
        since_.restart();
        longest_ = 0;
    }
    [[nodiscard]] double longestGapMs() const { return static_cast<double>(longest_) / 1e6; }
    void expectPaint() { painted_ = false; }
    [[nodiscard]] bool painted() const { return painted_; }

  protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) painted_ = true;
        return false;
    }

  private:
    void tick() {
        longest_ = std::max(longest_, since_.nsecsElapsed());
        since_.restart();
    }

    QTimer timer_;
    QElapsedTimer since_;
    qint64 longest_ = 0;
    bool painted_ = false;
};

/// Records when the graph shows another answer, and whether the first one was rough.
class FirstAnswer : public QObject {
  public:
    FirstAnswer(ui::TimelineView& graph, const QElapsedTimer& timer)
        : graph_(graph), timer_(timer), before_(graph.answer()) {
        graph_.installEventFilter(this);
    }
    [[nodiscard]] double ms() const { return ms_; } ///< 0: it shows the previous one
    [[nodiscard]] bool isRough() const { return isRough_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Paint || ms_ > 0 || graph_.answer() == before_) return false;
        isRough_ = graph_.isCoarse();
        watched->removeEventFilter(this);
        // After it has been painted, not when painting starts.
        QTimer::singleShot(0, this, [this] { ms_ = static_cast<double>(timer_.nsecsElapsed()) / 1e6; });
        return false;
    }

  private:
    ui::TimelineView& graph_;
    const QElapsedTimer& timer_;
    std::shared_ptr<const ui::TimelineAnswer> before_; ///< kept alive: no other one gets its address
    double ms_ = 0;
    bool isRough_ = false;
};

constexpr double kSumGoalMs = 100;
constexpr double kSweepGoalMs = 500; ///< Peak, Unique Count
constexpr double kFirstPaintGoalMs = 50;
constexpr double kPageGoalMs = 200;
constexpr double kGapGoalMs = 50;

/// A measurement and its goal; a goal of 0: none.
class Goals {
  public:
    struct Of {
        double value = 0;
        double goal = 0;
    };
    struct Action {
        std::string name;
        Of answer; ///< everything painted; the mean
        double longest = 0;
        Of firstPaint;
        double gap = 0;
    };
    static Goals& shared() {
        static Goals goals;
        return goals;
    }
    void add(Action action) { actions_.push_back(std::move(action)); }
    void print() const {
        if (actions_.empty()) return;
        std::printf(
            "\nAll in ms. Exact: the mean until table and graph are painted, and the longest; first paint of the "
            "graph\nand gap of the GUI thread: the longest. Behind each its goal, and its share of it.\n"
            "%-22s %-36s %-29s %s\n",
            "", "exact", "first paint", "gap");
        for (const auto& action : actions_) {
            std::printf("%-22s", action.name.c_str());
            print(action.answer);
            std::printf(" %7.1f", action.longest);
            print(action.firstPaint);
            print({action.gap, kGapGoalMs});
            std::printf("\n");
        }
    }

  private:
    static void print(const Of& of) {
        if (of.goal == 0 || of.value == 0) return void(std::printf(" %28s", ""));
        std::printf(" %6.1f %4.2f %-9s", of.goal, of.value / of.goal, of.value <= of.goal ? "holds" : "missed");
    }
    std::vector<Action> actions_;
};

/// The window with a trace.
class Stage {
  public:
    explicit Stage(const SyntheticTrace& shape) : settings_(folder_.filePath("settings.ini")), window_(settings_) {
        window_.resize(1400, 900);
        window_.show();
        trace_ = makeSyntheticTrace(shape);
        emit window_.opener().published(trace_, std::make_shared<analysis::FrameLabels>());
        emit window_.opener().ended(pipeline::LoadState::Finished, {});
        panel().table().viewport()->installEventFilter(&watch_);
        (void)window_.tabs().current().showGraph(analysis::Table::Heap);
        for (auto* graph : analysisState().graphs()) {
            if (graph->table() != analysis::Table::Heap) analysisState().removeGraph(*graph);
        }
        panel().table().viewport()->installEventFilter(&watch_);
        settle();
        rest();
    }
    ui::AnalysisState& analysisState() { return window_.tabs().current().state(); }
    ui::GraphPanel& panel() { return *window_.tabs().currentPanel(); }
    ui::GraphState& graph() { return panel().graph(); }
    TimeRange part(double from, double to) const {
        const auto whole = static_cast<double>(trace_->horizon.ns);
        return {TraceTime{static_cast<std::int64_t>(from * whole)}, TraceTime{static_cast<std::int64_t>(to * whole)}};
    }
    /// Runs one action; the time until its answer was on screen.
    void measure(benchmark::State& state, double& gap, const std::function<void()>& action,
                 const std::function<bool()>& done) {
        QElapsedTimer timer;
        const FirstAnswer first(panel().timeline(), timer);
        watch_.begin();
        timer.start();
        action();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1); // the planner asks in the next turn
        waitFor(done);
        watch_.expectPaint();
        panel().table().viewport()->update();
        if (panel().timeline().isVisible()) panel().timeline().update(); // both in one go, the table first
        waitFor([this] { return watch_.painted(); });
        lastMs_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        state.SetIterationTime(lastMs_ / 1e3);
        gap = std::max(gap, watch_.longestGapMs());
        rest();
        firstAnswerMs_ = first.ms();
        firstWasRough_ = first.isRough();
    }
    /// For the action measured last.
    [[nodiscard]] double lastMs() const { return lastMs_; }
    [[nodiscard]] double firstAnswerMs() const { return firstAnswerMs_; }
    [[nodiscard]] bool firstWasRough() const { return firstWasRough_; }
    bool isUpToDate() { return window_.tabs().isUpToDate(); }
    QDockWidget& dock(const char* name) { return *window_.findChild<QDockWidget*>(QLatin1String(name)); }
    /// Opens the page; the time until its first paint, and until its answer. Optionally by another action than its own,
    /// and with an action in the page.
    void measurePage(benchmark::State& state, const char* name, double& firstPaint, double& gap,
                     const char* action = nullptr, const std::function<void()>& then = {}) {
        auto& page = dock(name);
        if (page.isVisible()) page.toggleViewAction()->trigger();
        settle();
        rest();
        for (auto* widget : page.findChildren<QWidget*>()) {
            widget->removeEventFilter(&watch_);
            widget->installEventFilter(&watch_);
        }
        QElapsedTimer timer;
        watch_.expectPaint();
        watch_.begin();
        timer.start();
        auto* command =
            action == nullptr ? page.toggleViewAction() : window_.findChild<QAction*>(QLatin1String(action));
        command->trigger();
        if (then) then();
        waitFor([this] { return watch_.painted(); });
        firstPaint = std::max(firstPaint, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        waitFor([this] { return window_.isSettled(); });
        lastMs_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        state.SetIterationTime(lastMs_ / 1e3);
        gap = std::max(gap, watch_.longestGapMs());
        rest();
    }
    void settle() {
        QCoreApplication::processEvents();
        waitFor([this] { return isUpToDate(); });
    }

  private:
    void waitFor(const std::function<bool()>& done) {
        while (!done()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        }
    }
    /// Background work of the action (thumbnails, opened rows) must not count for the next one.
    static void rest() { QTest::qWait(50); }

    QTemporaryDir folder_;
    app::ApplicationSettings settings_;
    app::MainWindow window_;
    Watch watch_;
    std::shared_ptr<const store::PublishedTrace> trace_;
    double lastMs_ = 0;
    double firstAnswerMs_ = 0;
    bool firstWasRough_ = false;
};

std::uint64_t rowCount() {
    const char* rows = std::getenv("HIGHWATER_ROWS");
    return rows == nullptr ? 20'000'000 : std::strtoull(rows, nullptr, 10);
}

Stage& bigStage() {
    static Stage stage({.rows = rowCount()});
    return stage;
}

/// Times of all turns of an action.
class Tally {
  public:
    void add(double ms) {
        sum_ += ms;
        longest_ = std::max(longest_, ms);
        ++count_;
    }
    /// A first paint of 0: the action does not have one.
    void tell(const char* name, double goal, Goals::Of firstPaint, double gap) const {
        Goals::shared().add({name, {count_ == 0 ? 0 : sum_ / count_, goal}, longest_, firstPaint, gap});
    }

  private:
    double sum_ = 0;
    double longest_ = 0;
    int count_ = 0;
};

/// Actions take turns so that each one changes something.
using Actions = std::vector<std::function<void(Stage&)>>;

void run(benchmark::State& state, const char* name, Stage& stage, const Actions& actions, double goal = kSumGoalMs) {
    double gap = 0, firstPaint = 0, rough = 0;
    std::size_t turn = 0;
    Tally tally;
    for (auto _ : state) {
        stage.measure(
            state, gap, [&] { actions[turn++ % actions.size()](stage); }, [&] { return stage.isUpToDate(); });
        firstPaint = std::max(firstPaint, stage.firstAnswerMs());
        rough += stage.firstWasRough() ? 1 : 0;
        tally.add(stage.lastMs());
    }
    state.counters["first_paint_ms"] = firstPaint;
    state.counters["rough"] = rough;
    state.counters["gap_ms"] = gap;
    tally.tell(name, goal, {firstPaint, kFirstPaintGoalMs}, gap);
}

void selectAndPressEnter(Stage& stage, double from, double to) {
    stage.analysisState().select(stage.part(from, to));
    QTest::keyClick(&stage.panel().timeline(), Qt::Key_Return);
}

void Zoom(benchmark::State& state) {
    auto& stage = bigStage();
    run(state, "zoom", stage,
        {[](Stage& s) { selectAndPressEnter(s, 0.2, 0.8); }, [](Stage& s) { selectAndPressEnter(s, 0.4, 0.5); },
         [](Stage& s) { QTest::keyClick(&s.panel().timeline(), Qt::Key_Home); }});
    stage.analysisState().showAll();
    stage.settle();
}

void setKeys(Stage& stage, const std::vector<Column>& keys) {
    auto layout = stage.graph().layout();
    layout.keys.assign(keys.begin(), keys.end());
    stage.graph().setLayout(std::move(layout));
}

void Regroup(benchmark::State& state) {
    run(state, "regroup", bigStage(),
        {[](Stage& s) {
             setKeys(s, {Column::Process, Column::Handle, Column::ImpactingType, Column::Stack});
         },
         [](Stage& s) {
             setKeys(s, {Column::Process, Column::Type, Column::Stack});
         },
         [](Stage& s) {
             setKeys(s, {Column::Stack, Column::Process});
         },
         [](Stage& s) { setKeys(s, {Column::StackBottomUp}); }});
}

/// One process of nine lines is opened, which makes twelve.
void OpenLine(benchmark::State& state) {
    auto& stage = bigStage();
    setKeys(stage, {Column::Process, Column::Thread, Column::Stack});
    stage.settle();
    run(state, "open a line", stage,
        {[](Stage& s) { s.graph().turnSeries(s.panel().timeline().answer()->timeline.series[0].path); },
         [](Stage& s) { selectAndPressEnter(s, 0.4, 0.5); },
         [](Stage& s) { QTest::keyClick(&s.panel().timeline(), Qt::Key_Home); },
         [](Stage& s) { s.graph().openSeriesTo(1); }});
    stage.analysisState().showAll();
    stage.settle();
}

/// All processes are opened: 33 lines, which each zoom queries again; one of them down to its stacks.
void OpenLines(benchmark::State& state) {
    auto& stage = bigStage();
    setKeys(stage, {Column::Process, Column::Thread, Column::Stack});
    stage.settle();
    run(state, "open lines", stage,
        {[](Stage& s) { s.graph().openSeriesTo(2); },
         [](Stage& s) { s.graph().turnSeries(s.panel().timeline().answer()->timeline.series[1].path); },
         [](Stage& s) { selectAndPressEnter(s, 0.4, 0.5); },
         [](Stage& s) { QTest::keyClick(&s.panel().timeline(), Qt::Key_Home); },
         [](Stage& s) { s.graph().openSeriesTo(1); }});
    stage.analysisState().showAll();
    stage.settle();
}

void setSort(Stage& stage, Column column, bool descending) {
    auto layout = stage.graph().layout();
    layout.sort = {{column, descending}};
    stage.graph().setLayout(std::move(layout));
}

void Sort(benchmark::State& state) {
    run(state, "sort", bigStage(),
        {[](Stage& s) { setSort(s, Column::Count, true); }, [](Stage& s) { setSort(s, Column::Count, false); },
         [](Stage& s) { setSort(s, Column::Size, true); }});
}

void BottomUp(benchmark::State& state) {
    setKeys(bigStage(), {Column::Stack});
    bigStage().settle();
    run(state, "bottom-up", bigStage(),
        {[](Stage& s) { setKeys(s, {Column::StackBottomUp}); }, [](Stage& s) { setKeys(s, {Column::Stack}); }});
}

/// In turns a function that is in the table, and rows that do not exist: the next match is selected, or it is reported
/// that there is none.
void Find(benchmark::State& state) {
    auto& stage = bigStage();
    setKeys(stage, {Column::Process, Column::Stack});
    stage.settle();
    bool isFound = false;
    const auto listener = QObject::connect(
        &stage.panel().runner(), &ui::QueryRunner::findAnswered,
        [&](const ui::FindRequest& request, const auto&) { isFound = isFound || request.step.has_value(); });
    double gap = 0;
    int turn = 0;
    Tally tally;
    for (auto _ : state) {
        isFound = false;
        stage.measure(
            state, gap,
            [&] {
                stage.panel().findBar().open();
                auto* box = stage.panel().findBar().findChild<QLineEdit*>();
                box->setText(turn++ % 2 == 0 ? QStringLiteral("0x") : QStringLiteral("no such function"));
                QTest::keyClick(box, Qt::Key_Return);
            },
            [&] { return isFound && stage.isUpToDate(); });
        tally.add(stage.lastMs());
    }
    QObject::disconnect(listener);
    stage.panel().findBar().close();
    state.counters["gap_ms"] = gap;
    tally.tell("find", 0, {}, gap);
}

void Filter(benchmark::State& state) {
    const auto filter = [](Stage& stage) {
        stage.panel().table().setCurrentIndex(stage.panel().model().index(3, 0));
        stage.panel().table().filterSelection(analysis::RowFilter::Clause::Mode::Keep);
    };
    setKeys(bigStage(), {Column::Process, Column::Handle, Column::ImpactingType, Column::Stack});
    bigStage().settle();
    run(state, "filter", bigStage(), {filter, [](Stage& s) { s.graph().undoFilter(); }});
    bigStage().graph().clearFilter();
    bigStage().settle();
}

/// A preset sets other keys and other columns.
void setPreset(Stage& stage, const std::vector<Column>& keys, const std::vector<ValueColumn>& columns) {
    auto layout = stage.graph().layout();
    layout.keys.assign(keys.begin(), keys.end());
    layout.columns.assign(columns.begin(), columns.end());
    layout.graphed = 1;
    layout.sort = {{columns.back().column, true, columns.back().aggregation}};
    stage.graph().setLayout(std::move(layout));
}

void SwitchPreset(benchmark::State& state) {
    const std::vector<ValueColumn> sums{Column::Count, Column::ImpactingSize, Column::Size};
    run(state, "preset", bigStage(),
        {[&](Stage& s) {
             setPreset(s, {Column::Process, Column::Handle, Column::Stack}, sums);
         },
         [&](Stage& s) {
             setPreset(s, {Column::Type, Column::Stack}, sums);
         }});
}

void SwitchToPeakPreset(benchmark::State& state) {
    const std::vector<ValueColumn> peaks{Column::Count, {Column::Size, Aggregation::Peak}};
    run(state, "preset with Peak", bigStage(),
        {[&](Stage& s) {
             setPreset(s, {Column::Process, Column::Stack}, peaks);
         },
         [&](Stage& s) { setPreset(s, {Column::Stack}, peaks); }},
        kSweepGoalMs);
}

void SwitchToUniqueCountPreset(benchmark::State& state) {
    const std::vector<ValueColumn> unique{{Column::Thread, Aggregation::UniqueCount}, Column::Count, Column::Size};
    run(state, "preset with Unique Count", bigStage(),
        {[&](Stage& s) {
             setPreset(s, {Column::Process, Column::Stack}, unique);
         },
         [&](Stage& s) { setPreset(s, {Column::Stack}, unique); }},
        kSweepGoalMs);
}

/// A row is opened to its first fork, by the key.
void Expand(benchmark::State& state) {
    auto& stage = bigStage();
    double gap = 0;
    Tally tally;
    int turn = 0;
    for (auto _ : state) {
        state.PauseTiming();
        setKeys(stage, turn++ % 2 == 0 ? std::vector{Column::Process, Column::Stack}
                                       : std::vector{Column::Handle, Column::Stack});
        setSort(stage, Column::Size, true);
        stage.settle();
        const auto row = stage.panel().model().index(5, 0);
        stage.panel().table().setCurrentIndex(row);
        stage.panel().table().collapse(row);
        state.ResumeTiming();
        stage.measure(
            state, gap, [&] { QTest::keyClick(&stage.panel().table(), Qt::Key_Right); },
            [&] {
                const auto now = stage.panel().model().index(5, 0);
                return stage.panel().model().rowCount(now) > 0;
            });
        tally.add(stage.lastMs());
    }
    state.counters["gap_ms"] = gap;
    tally.tell("open a row", kSumGoalMs, {}, gap);
}

/// 100,000 stacks open below 5,000 processes: a page at a time.
void Scroll(benchmark::State& state) {
    static Stage stage({.rows = std::min<std::uint64_t>(rowCount(), 2'000'000), .stacks = 100'000, .processes = 5'000});
    static bool opened = false;
    if (!opened) {
        setKeys(stage, {Column::Process, Column::Address});
        stage.settle();
        opened = true;
    }
    auto& bar = *stage.panel().table().verticalScrollBar();
    double gap = 0;
    Tally tally;
    for (auto _ : state) {
        stage.measure(
            state, gap,
            [&] { bar.setValue(bar.value() + bar.pageStep() < bar.maximum() ? bar.value() + bar.pageStep() : 0); },
            [] { return true; });
        tally.add(stage.lastMs());
    }
    state.counters["gap_ms"] = gap;
    tally.tell("scroll", kSumGoalMs, {}, gap);
}

/// All allocations of one process, which are single rows of one leaf: the first page of them, by the key.
void OpenLeaf(benchmark::State& state) {
    auto& stage = bigStage();
    auto& model = stage.panel().model();
    double gap = 0;
    Tally tally;
    int turn = 0;
    for (auto _ : state) {
        state.PauseTiming();
        setKeys(stage, {Column::Process});
        setSort(stage, turn++ % 2 == 0 ? Column::Size : Column::RowSize, true); // the previous answer is forgotten
        stage.settle();
        stage.panel().table().collapseEverything();
        stage.panel().table().setCurrentIndex(model.index(0, 0));
        state.ResumeTiming();
        stage.measure(
            state, gap, [&] { QTest::keyClick(&stage.panel().table(), Qt::Key_Right); },
            [&] { return model.rowCount(model.index(0, 0)) > 0; });
        tally.add(stage.lastMs());
    }
    state.counters["rows"] =
        static_cast<double>(model.index(0, 0).isValid() ? model.rowOf(model.index(0, 0))->rowCount : 0);
    state.counters["gap_ms"] = gap;
    tally.tell("open a leaf", 0, {}, gap);
}

/// Scrolls through that leaf, each time to the end of the loaded rows: another page arrives.
void ScrollLeaf(benchmark::State& state) {
    auto& stage = bigStage();
    auto& model = stage.panel().model();
    auto& bar = *stage.panel().table().verticalScrollBar();
    double gap = 0;
    Tally tally;
    for (auto _ : state) {
        const auto before = model.rowCount(model.index(0, 0));
        stage.measure(
            state, gap,
            [&] {
                const auto last = model.index(before - 1, 0, model.index(0, 0));
                stage.panel().table().scrollTo(last);
                bar.setValue(bar.value() + 1);
            },
            [&] { return model.rowCount(model.index(0, 0)) > before; });
        tally.add(stage.lastMs());
    }
    state.counters["gap_ms"] = gap;
    tally.tell("scroll in a leaf", kSumGoalMs, {}, gap);
}

void OpenPage(benchmark::State& state, const char* dock) {
    auto& stage = bigStage();
    double firstPaint = 0;
    double gap = 0;
    for (auto _ : state)
        stage.measurePage(state, dock, firstPaint, gap);
    state.counters["first_paint_ms"] = firstPaint;
    state.counters["gap_ms"] = gap;
    Tally().tell(dock, 0, {firstPaint, kPageGoalMs}, gap);
    stage.dock(dock).hide();
}

/// Two halves of the time compared: from the command to the painted page, and to its answer.
void Compare(benchmark::State& state) {
    auto& stage = bigStage();
    auto& analysis = stage.analysisState();
    analysis.select(stage.part(0, 0.5));
    analysis.highlightSelection();
    analysis.select(stage.part(0.5, 1));
    stage.settle();
    double firstPaint = 0;
    double gap = 0;
    for (auto _ : state)
        stage.measurePage(state, "compareDock", firstPaint, gap, "compareHighlight");
    state.counters["first_paint_ms"] = firstPaint;
    state.counters["gap_ms"] = gap;
    Tally().tell("compare", 0, {firstPaint, kPageGoalMs}, gap);
    stage.dock("compareDock").toggleViewAction()->trigger();
    analysis.clearHighlight();
    analysis.showAll();
    stage.settle();
}

/// Callers and callees of the function that most stacks go through.
void Callers(benchmark::State& state) {
    auto& stage = bigStage();
    auto& model = stage.panel().model();
    setKeys(stage, {Column::Stack});
    stage.settle();
    const auto function = model.rowOf(model.index(0, 0))->text;
    double firstPaint = 0;
    double gap = 0;
    for (auto _ : state) {
        stage.measurePage(state, "callersDock", firstPaint, gap, nullptr, [&] {
            auto& box = *stage.dock("callersDock").findChild<QLineEdit*>();
            box.setText(function);
            QTest::keyClick(&box, Qt::Key_Return);
        });
    }
    state.counters["first_paint_ms"] = firstPaint;
    state.counters["gap_ms"] = gap;
    Tally().tell("callers", 0, {firstPaint, kPageGoalMs}, gap);
    stage.dock("callersDock").hide();
}

/// The flames are painted: measure() waits for the answer, and for the table below them.
void SwitchToFlames(benchmark::State& state) {
    run(state, "flame graph", bigStage(),
        {[](Stage& s) { s.graph().setChart(ui::ChartType::Flames); },
         [](Stage& s) { s.graph().setChart(ui::ChartType::Line); }});
    bigStage().graph().setChart(ui::ChartType::Line);
    bigStage().settle();
}

BENCHMARK(Zoom)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);
BENCHMARK(Regroup)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(8);
BENCHMARK(OpenLine)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(8);
BENCHMARK(OpenLines)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);
BENCHMARK(Sort)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);
BENCHMARK(BottomUp)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);
BENCHMARK(Find)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);
BENCHMARK(Filter)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);
BENCHMARK(SwitchPreset)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);
BENCHMARK(Expand)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);
BENCHMARK(SwitchToPeakPreset)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(4);
BENCHMARK(SwitchToUniqueCountPreset)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(4);
BENCHMARK(Scroll)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(50);
BENCHMARK(OpenLeaf)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(4);
BENCHMARK(ScrollLeaf)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20);
BENCHMARK(SwitchToFlames)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(4);
BENCHMARK_CAPTURE(OpenPage, leaks, "leaksDock")->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(OpenPage, generations, "generationsDock")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK_CAPTURE(OpenPage, histogram, "histogramDock")->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(OpenPage, heaps, "heapsDock")->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(OpenPage, addressMap, "addressMapDock")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK(Callers)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK(Compare)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    highwater::releaseLargeMemoryImmediately(); // as the program itself
    benchmark::Initialize(&argc, argv);
    QApplication application(argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    highwater::benchmarks::Goals::shared().print();
    std::fflush(stdout);
    // Static windows are destroyed before the application: no widget may outlive it.
    std::_Exit(0);
}
