// Measures how responsive the window is with a trace from a file, which may be larger than memory:
// window_trace_benchmark FILE.etl opens it in the real main window and drives it as a user does, during loading and
// afterwards. For each action it prints the time to the painted answer, the longest time that the GUI thread was away
// from its event loop (goal: 50 ms), and memory: anonymous, and resident in total. Needs a display or
// QT_QPA_PLATFORM=offscreen. Linux only.
#include "app/settings/application_settings.h"
#include "app/window/main_window.h"
#include "core/base/huge_pages.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace highwater::benchmarks {
namespace {

using analysis::Column;

/// Ticks as fast as the event loop allows.
class GapWatch : public QObject {
  public:
    GapWatch() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] {
            gaps_.push_back(since_.nsecsElapsed());
            since_.restart();
        });
        timer_.start(1);
        begin();
    }
    void begin() {
        gaps_.clear();
        since_.restart();
    }
    [[nodiscard]] double longestMs() const {
        return gaps_.empty() ? 0 : static_cast<double>(*std::ranges::max_element(gaps_)) / 1e6;
    }
    [[nodiscard]] std::ptrdiff_t longerThan50Ms() const {
        return std::ranges::count_if(gaps_, [](auto gap) { return gap > 50'000'000; });
    }

  private:
    QTimer timer_;
    QElapsedTimer since_;
    std::vector<qint64> gaps_;
};

/// "RssAnon" or "VmRSS", in megabytes.
double memoryMb(const char* field) {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (auto line = status.readLine(); !line.isEmpty(); line = status.readLine()) {
        if (line.startsWith(field)) return line.simplified().split(' ').value(1).toDouble() / 1024;
    }
    return 0;
}

class TraceStage {
  public:
    TraceStage() : settings_(folder_.filePath("settings.ini")), window_(settings_) {
        window_.resize(1400, 900);
        window_.show();
        QTest::qWait(500); // its own first painting is not measured
    }
    void open(const QString& path) {
        window_.openTrace({path});
        wait([this] { return trace() != nullptr && panel().model().answer() != nullptr; });
        (void)window_.tabs().current().showGraph(analysis::Table::Heap);
        wait([this] { return panel().model().rowCount() > 0; });
        QObject::connect(
            &panel().runner(), &ui::QueryRunner::findAnswered, &watch_,
            [this](const ui::FindRequest& request, const auto&) { isFound_ = isFound_ || request.step.has_value(); });
    }
    /// Prints one action, and the events until `done`.
    void measure(const char* name, const std::function<void()>& action, const std::function<bool()>& done) {
        watch_.begin();
        QElapsedTimer timer;
        timer.start();
        action();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        wait(done);
        const auto ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QTest::qWait(50); // painted
        std::printf("%-34s %10.0f ms  longest gap %6.1f ms  (%td above 50)  RssAnon %6.0f MB  VmRSS %6.0f MB\n", name,
                    ms, watch_.longestMs(), watch_.longerThan50Ms(), memoryMb("RssAnon"), memoryMb("VmRSS"));
        std::fflush(stdout);
    }
    void measure(const char* name, const std::function<void()>& action) {
        measure(name, action, [this] { return isAnswered(); });
    }
    /// Ignores rows that the trace has gained meanwhile.
    [[nodiscard]] bool isAnswered() {
        if (!window_.opener().isLoading()) return window_.tabs().isUpToDate();
        const auto& answer = panel().model().answer();
        const auto wanted = panel().planner().tableQuery();
        const bool isZoomed = state().visibleRange() != state().wholeRange();
        return answer && answer->query().filter == wanted.filter && answer->query().keys == wanted.keys &&
               (!isZoomed || answer->query().interval == wanted.interval) &&
               (!isZoomed || panel().timeline().answer()->query.interval == wanted.interval);
    }
    [[nodiscard]] bool isLoaded() { return !window_.opener().isLoading() && window_.tabs().isUpToDate(); }
    ui::GraphPanel& panel() { return *window_.tabs().currentPanel(); }
    ui::AnalysisState& state() { return window_.tabs().current().state(); }
    const store::PublishedTrace* trace() { return panel().planner().trace().get(); }
    [[nodiscard]] TimeRange part(double from, double to) {
        const auto whole = static_cast<double>(trace()->horizon.ns);
        return {TraceTime{static_cast<std::int64_t>(from * whole)}, TraceTime{static_cast<std::int64_t>(to * whole)}};
    }
    void setKeys(const std::vector<Column>& keys) {
        auto layout = panel().graph().layout();
        layout.keys.assign(keys.begin(), keys.end());
        panel().graph().setLayout(std::move(layout));
    }
    void sortBy(Column column) {
        auto layout = panel().graph().layout();
        layout.sort = {{column, true}};
        panel().graph().setLayout(std::move(layout));
    }
    void keep(int row) {
        panel().table().setCurrentIndex(panel().model().index(row, 0));
        panel().table().filterSelection(analysis::RowFilter::Clause::Mode::Keep);
    }
    /// The next match; done when it is reported, or that there is none.
    void find(const QString& text) {
        isFound_ = false;
        panel().findBar().open();
        auto* box = panel().findBar().findChild<QLineEdit*>();
        box->setText(text);
        QTest::keyClick(box, Qt::Key_Return);
    }
    [[nodiscard]] bool isFound() { return isFound_ && isAnswered(); }
    void wait(const std::function<bool()>& done) {
        while (!done())
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }

  private:
    QTemporaryDir folder_;
    app::ApplicationSettings settings_;
    app::MainWindow window_;
    GapWatch watch_;
    bool isFound_ = false;
};

void actOn(TraceStage& stage) {
    stage.measure("zoom to a fifth", [&] { stage.state().zoomTo(stage.part(0.4, 0.6)); });
    stage.measure("show all", [&] { stage.state().showAll(); });
    stage.measure("keep the first row", [&] { stage.keep(0); });
    stage.measure("take that back", [&] { stage.panel().graph().undoFilter(); });
}

void measureTrace(const QString& path) {
    TraceStage stage;
    stage.measure(
        "first table", [&] { stage.open(path); }, [] { return true; });
    (void)stage.panel();
    stage.state().showAll();
    std::printf("while it loads:\n");
    actOn(stage);
    stage.measure(
        "loaded", [] {}, [&] { return stage.isLoaded(); });
    std::printf("then:\n");
    actOn(stage);
    stage.measure("by stack, bottom-up", [&] { stage.setKeys({Column::StackBottomUp}); });
    stage.measure("sort by count", [&] { stage.sortBy(Column::Count); });
    stage.measure("by process and stack", [&] { stage.setKeys({Column::Process, Column::Stack}); });
    stage.measure("by type", [&] { stage.setKeys({Column::Type, Column::Stack}); });
    stage.measure(
        "find", [&] { stage.find(QStringLiteral("0x")); }, [&] { return stage.isFound(); });
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("window_trace_benchmark FILE.etl\n", stderr);
        return 1;
    }
    highwater::releaseLargeMemoryImmediately(); // as the program itself
    QApplication application(argc, argv);
    highwater::benchmarks::measureTrace(QString::fromLocal8Bit(argv[1]));
    // Static parts of the window are destroyed before the application: no widget may outlive it.
    std::_Exit(0);
}
