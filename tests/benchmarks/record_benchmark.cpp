// Measures how responsive the window is while it records. The real main window takes heap events (each allocation with
// its stack) at a given rate for HIGHWATER_SECONDS (20) seconds: from heapload.cpp of the shared folder, which runs
// beside it under the Linux agent and whose names are loaded meanwhile, and from the replay of a file that Highwater
// wrote about a similar program. With HIGHWATER_TRACE it measures instead how responsive the window is while all names
// of that trace arrive. Goals: 1 M events a second live and 2 M by replay, no losses, and no gap beyond 50 ms. Gaps are
// times in which the GUI thread was away from its event loop. For the longest one it prints the CPU time of the thread,
// and how long the thread was runnable without a processor, which is the machine's fault when it is busy with other
// things. Needs a display or QT_QPA_PLATFORM=offscreen.
#include "app/recording/record_controller.h"
#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "app/window/main_window.h"
#include "tests/benchmarks/heap_trace.h"
#include "tests/benchmarks/heapload.h"
#include "ui/format/qt_text.h"

#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>

namespace highwater::benchmarks {
namespace {

constexpr double kGoalMs = 50;
constexpr int kNamesAfterMs = 2000;

/// CPU time of the calling thread, and its waiting time for a processor.
class ThreadTimes {
  public:
    ThreadTimes() { (void)queue_.open(QIODevice::ReadOnly | QIODevice::Unbuffered); }

    [[nodiscard]] double computedMs() const {
#ifdef CLOCK_THREAD_CPUTIME_ID
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
#else
        return 0;
#endif
    }
    [[nodiscard]] double queuedMs() {
        if (!queue_.isOpen() || !queue_.seek(0)) return 0;
        const auto fields = queue_.readLine().split(' ');
        return fields.size() > 1 ? fields[1].toDouble() / 1e6 : 0;
    }

  private:
    QFile queue_{"/proc/thread-self/schedstat"}; ///< exists on Linux only
};

struct Gap {
    double ms = 0;
    double computedMs = 0;
    double queuedMs = 0;
};

/// A timer that ticks each millisecond if it can.
class Heartbeat : public QObject {
  public:
    Heartbeat() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] { beat(); });
        timer_.start(1);
        begin();
    }
    void begin() {
        longest_ = {};
        beyondGoal_ = 0;
        mostComputedMs_ = 0;
        last_ = now();
    }
    [[nodiscard]] Gap longest() const { return longest_; }
    [[nodiscard]] int beyondGoal() const { return beyondGoal_; }
    [[nodiscard]] double mostComputedMs() const { return mostComputedMs_; }

  private:
    [[nodiscard]] Gap now() {
        return {static_cast<double>(clock_.nsecsElapsed()) / 1e6, times_.computedMs(), times_.queuedMs()};
    }
    void beat() {
        const auto at = now();
        const Gap gap{at.ms - last_.ms, at.computedMs - last_.computedMs, at.queuedMs - last_.queuedMs};
        last_ = at;
        mostComputedMs_ = std::max(mostComputedMs_, gap.computedMs);
        beyondGoal_ += gap.ms > kGoalMs;
        if (gap.ms > longest_.ms) longest_ = gap;
    }

    QTimer timer_;
    QElapsedTimer clock_ = [] {
        QElapsedTimer started;
        started.start();
        return started;
    }();
    ThreadTimes times_;
    Gap last_, longest_;
    int beyondGoal_ = 0;
    double mostComputedMs_ = 0;
};

/// Runs the event loop until the condition holds, or for this long.
void runUntil(const std::function<bool()>& isOver, double seconds) {
    QElapsedTimer passed;
    passed.start();
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (isOver() || static_cast<double>(passed.elapsed()) / 1000 >= seconds) loop.quit();
    });
    look.start(10);
    loop.exec();
}

struct Measured {
    double events = 0;
    double seconds = 0;
    int publications = 0;
    std::uint64_t lost = 0;
};

Measured record(app::MainWindow& window, const std::function<void()>& start, double seconds, Heartbeat& heart) {
    auto& session = window.recordController().session();
    Measured measured;
    std::uint64_t events = 0;
    const auto counting = QObject::connect(&session, &app::RecordingSession::published, &window,
                                           [&](const std::shared_ptr<const store::PublishedTrace>& trace) {
                                               ++measured.publications;
                                               events = trace->heap.events;
                                           });
    start();
    // Not QTest::qWait(), which sleeps 10 ms at a time.
    runUntil([&] { return events > 0 || !(session.isStarting() || session.isRecording()); },
             std::numeric_limits<double>::max());
    heart.begin();
    QElapsedTimer timer;
    timer.start();
    const auto eventsBefore = events;
    runUntil([&] { return !session.isRecording(); }, seconds);
    measured.seconds = static_cast<double>(timer.elapsed()) / 1000;
    measured.events = static_cast<double>(events - eventsBefore);
    measured.lost = session.facts().eventsLost;
    QObject::disconnect(counting);
    return measured;
}

void measure(const char* what, double wanted, double seconds,
             const std::function<void(app::MainWindow& window)>& start) {
    QTemporaryDir folder;
    app::ApplicationSettings settings(folder.filePath("settings.ini"));
    app::MainWindow window(settings);
    window.resize(1400, 900);
    window.show();
    Heartbeat heart;
    const auto measured = record(
        window, [&] { start(window); }, seconds, heart);
    const auto longest = heart.longest();
    fmt::print(
        "{}, wanted {:.1f} M/s: took {:.2f} M/s for {:.1f} s, lost {}, {} publications, {} gaps beyond {} ms, "
        "longest {:.1f} ms (computed {:.1f}, without a processor {:.1f}), computed at most {:.1f} ms at a time\n",
        what, wanted / 1e6, measured.events / measured.seconds / 1e6, measured.seconds, measured.lost,
        measured.publications, heart.beyondGoal(), kGoalMs, longest.ms, longest.computedMs, longest.queuedMs,
        heart.mostComputedMs());
    std::fflush(stdout);
    window.recordController().session().discard();
}

/// The names of all frames of a trace (HIGHWATER_TRACE) are loaded and shown, none of them from a cache.
void measureNames(const QString& trace) {
    QTemporaryDir folder;
    app::ApplicationSettings settings(folder.filePath("settings.ini"));
    app::MainWindow window(settings);
    window.resize(1400, 900);
    window.show();
    auto& symbols = window.symbolSession();
    auto choices = symbols.choices();
    choices.cacheFolder = folder.path();
    symbols.setChoices(choices);
    bool isSettled = false;
    QObject::connect(&window, &app::MainWindow::settled, &window, [&] { isSettled = true; });
    window.openTrace({trace});
    constexpr double kPatience = 600;
    runUntil([&] { return isSettled; }, kPatience);
    Heartbeat heart;
    symbols.loadNow();
    runUntil([&] { return symbols.isLoading(); }, kPatience);
    QElapsedTimer timer;
    timer.start();
    runUntil([&] { return !symbols.status().isBusy; }, kPatience);
    const auto seconds = static_cast<double>(timer.elapsed()) / 1000;
    runUntil([&] { return false; }, 1); // the last names are shown
    const auto longest = heart.longest();
    fmt::print("names of {} modules, {:.1f} s: {} gaps beyond {} ms, longest {:.1f} ms (computed {:.1f}, without a "
               "processor {:.1f}), computed at most {:.1f} ms at a time\n",
               symbols.status().modules.size(), seconds, heart.beyondGoal(), kGoalMs, longest.ms, longest.computedMs,
               longest.queuedMs, heart.mostComputedMs());
    std::fflush(stdout);
}

/// heapload runs longer than it is measured: half of its events are allocations.
void measureLive(double wanted, double seconds) {
    QTemporaryDir folder;
    const auto program = buildHeapload(ui::toPath(folder.path()));
    if (program.empty()) return fmt::print("live: skipped, there is no heapload.cpp beside the shared traces\n");
    ui::RecordChoices choices;
    choices.program = QString::fromStdString(program.string());
    const auto millions = (seconds + 10) * wanted / 2 / 1e6;
    choices.arguments = QStringLiteral("%1 200000 1 1 %2").arg(millions).arg(wanted / 2, 0, 'f', 0);
    measure("live", wanted, seconds, [&](app::MainWindow& window) {
        window.recordController().start(choices);
        auto& symbols = window.symbolSession();
        QTimer::singleShot(kNamesAfterMs, &symbols, [&symbols] { symbols.loadNow(); });
    });
}

void measureReplay(const std::filesystem::path& path, double wanted, double seconds) {
    measure("replay", wanted, seconds, [&](app::MainWindow& window) {
        window.recordController().startReplay(QString::fromStdString(path.string()),
                                              wanted / kHeapTraceEventsPerSecond);
    });
}

double secondsWanted() {
    const char* text = std::getenv("HIGHWATER_SECONDS");
    return text == nullptr ? 20 : std::atof(text);
}

} // namespace
} // namespace highwater::benchmarks

int main(int argc, char** argv) {
    using namespace highwater::benchmarks;
    QApplication application(argc, argv);
    const auto seconds = secondsWanted();
    if (const char* trace = std::getenv("HIGHWATER_TRACE")) {
        measureNames(QString::fromLocal8Bit(trace));
        return 0;
    }
    measureLive(1e6, seconds);
    HeapTraceShape shape; // heapload's
    shape.allocations = static_cast<std::uint64_t>((seconds + 4) * 1e6);
    shape.compressed = true;
    shape.form = HeapTraceShape::Form::Highwater;
    shape.stacksOnFree = false;
    shape.threads = 1;
    shape.sameStackInARow = 4;
    const auto path = heapTrace(shape);
    for (const double wanted : {1e6, 2e6})
        measureReplay(path, wanted, seconds);
    return 0;
}
