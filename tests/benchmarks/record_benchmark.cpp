// How the window feels while it records: the real main window takes a replayed trace at so many heap events a second
// (each with its stack), for so many seconds (HIGHWATER_SECONDS, 20). Gaps are times in which the GUI thread was away
// from its event loop: the longest, and how many were beyond 50 ms, the goal; and the most that it computed itself
// between two beats, which also a machine that is busy with other things tells right. Needs a display or
// QT_QPA_PLATFORM=offscreen.
#include "app/application_settings.h"
#include "app/main_window.h"
#include "app/record_pages.h"
#include "core/pipeline/trace_loader.h"
#include "tests/benchmarks/heap_trace.h"
#include "ui/view/analysis_tabs.h"
#include "ui/view/analysis_view.h"

#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace highwater::benchmarks {
namespace {

constexpr double kGoalMs = 50;

/// What the calling thread has computed.
double threadMs() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
#else
    return 0;
#endif
}

/// A heart that beats each millisecond, when it is let.
class Heartbeat : public QObject {
  public:
    Heartbeat() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] {
            gaps_.push_back(static_cast<double>(since_.nsecsElapsed()) / 1e6);
            since_.restart();
            const auto computed = threadMs();
            mostMs_ = std::max(mostMs_, computed - computedMs_);
            computedMs_ = computed;
        });
        since_.start();
        timer_.start(1);
    }
    void begin() {
        gaps_.clear();
        mostMs_ = 0;
        computedMs_ = threadMs();
        since_.restart();
    }
    [[nodiscard]] double mostComputedMs() const { return mostMs_; }
    [[nodiscard]] double longestMs() const { return gaps_.empty() ? 0 : *std::max_element(gaps_.begin(), gaps_.end()); }
    [[nodiscard]] long beyondGoal() const {
        return std::count_if(gaps_.begin(), gaps_.end(), [](double gap) { return gap > kGoalMs; });
    }

  private:
    QTimer timer_;
    QElapsedTimer since_;
    std::vector<double> gaps_;
    double computedMs_ = threadMs();
    double mostMs_ = 0;
};

/// Heap events a second of the trace, played as it was recorded.
double eventsPerSecond(const std::filesystem::path& path) {
    pipeline::TraceLoader loader({path});
    loader.wait();
    const auto trace = loader.latest();
    return static_cast<double>(trace->heap.events) / trace->wholeRange().end.seconds();
}

struct Measured {
    double events = 0;
    double seconds = 0;
    int publications = 0;
};

Measured record(app::MainWindow& window, const std::filesystem::path& path, double speed, double seconds,
                Heartbeat& heart) {
    auto& session = window.recordPages().session();
    Measured measured;
    std::uint64_t events = 0;
    const auto counting = QObject::connect(&session, &app::RecordingSession::published, &window,
                                           [&](const std::shared_ptr<const store::PublishedTrace>& trace) {
                                               ++measured.publications;
                                               events = trace->heap.events;
                                           });
    window.recordPages().startReplay(QString::fromStdString(path.string()), speed);
    while (measured.publications == 0 && session.isRecording()) {
        QTest::qWait(10);
    }
    heart.begin();
    QElapsedTimer timer;
    timer.start();
    const auto eventsBefore = events;
    while (session.isRecording() && static_cast<double>(timer.elapsed()) < seconds * 1000) {
        QTest::qWait(10);
    }
    measured.seconds = static_cast<double>(timer.elapsed()) / 1000;
    measured.events = static_cast<double>(events - eventsBefore);
    QObject::disconnect(counting);
    return measured;
}

void measure(const std::filesystem::path& path, double usual, double wanted, double seconds) {
    QTemporaryDir folder;
    app::ApplicationSettings settings(folder.filePath("settings.ini"));
    app::MainWindow window(settings);
    window.resize(1400, 900);
    window.show();
    Heartbeat heart;
    const auto measured = record(window, path, wanted / usual, seconds, heart);
    fmt::print(
        "wanted {:.1f} M/s: took {:.2f} M/s for {:.1f} s, {} publications, longest gap {:.1f} ms, {} gaps beyond "
        "{} ms, computed at most {:.1f} ms at a time\n",
        wanted / 1e6, measured.events / measured.seconds / 1e6, measured.seconds, measured.publications,
        heart.longestMs(), heart.beyondGoal(), kGoalMs, heart.mostComputedMs());
    std::fflush(stdout);
    window.recordPages().session().discard();
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
    HeapTraceShape shape;
    shape.allocations = static_cast<std::uint64_t>(seconds * 1.2e6); // 2.4 M events for each second
    const auto path = heapTrace(shape);
    const auto usual = eventsPerSecond(path);
    for (const double wanted : {1e6, 2e6}) {
        measure(path, usual, wanted, seconds);
    }
    return 0;
}
