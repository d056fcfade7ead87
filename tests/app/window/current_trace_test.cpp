#include "app/window/current_trace.h"

#include "app/recording/trace_sources.h"
#include "app/window/analysis_settings.h"
#include "app/window/start_view_controller.h"
#include "app/window/trace_tools.h"
#include "tests/app/window/pages_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/window/status_line.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using app::CurrentTrace;

namespace {

struct CurrentTraceStage : PagesStage {
    app::TraceSources& sources = *new app::TraceSources({settings, symbols, tabs, start}, window);
    app::AnalysisSettings& analysis = *new app::AnalysisSettings(settings, tabs, symbols, window);
    app::TraceTools& tools = *new app::TraceTools({tabs, sources, symbols, settings, analysis}, {}, window);
    app::StartViewController& view = *new app::StartViewController(tabs, tools, &window);
    ui::StatusLine& status = *new ui::StatusLine(&window);
    CurrentTrace& trace = *new CurrentTrace({sources, tabs, symbols, pages, view, status}, &window);
    QSignalSpy beginning{&trace, &CurrentTrace::beginning};
    QSignalSpy loaded{&trace, &CurrentTrace::loaded};
    QSignalSpy saved{&trace, &CurrentTrace::saved};
    QSignalSpy failed{&trace, &CurrentTrace::openFailed};
    QSignalSpy settling{&trace, &CurrentTrace::settling};
    QStringList messages;

    CurrentTraceStage() {
        QObject::connect(&trace, &CurrentTrace::messageWanted, &trace,
                         [this](const ui::Message& message) { messages << message.text; });
    }
    QString note() const { return status.findChild<QLabel*>("traceNote")->text(); }
    bool load(const QString& path) {
        settling.clear();
        trace.load({path}, "exercise2.etl");
        return QTest::qWaitFor([this] { return !settling.isEmpty(); }, 20'000);
    }
};

} // namespace

class CurrentTraceTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }
    void isNotThereBeforeOneIsWanted() {
        CurrentTraceStage stage;
        QVERIFY(!stage.trace.isThere() && !stage.trace.hasEnded() && stage.trace.files().isEmpty());
    }
    void showsPublishedTraces() {
        CurrentTraceStage stage;
        stage.trace.load({path_}, "exercise2.etl");
        QVERIFY(stage.trace.isThere() && !stage.trace.hasEnded());
        QVERIFY(!stage.pages.isTraceShown()); // nothing to show yet
        QCOMPARE(stage.beginning.size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(stage.settling.size(), 1, 20'000);
        QVERIFY(stage.pages.isTraceShown() && stage.tabs.shown().trace() && !stage.tabs.shown().isLoading());
        QVERIFY(stage.trace.hasEnded());
        QCOMPARE(stage.loaded.size(), 1);
        QCOMPARE(stage.trace.files(), QStringList{path_});
        QCOMPARE(stage.window.windowTitle(), "exercise2.etl - Highwater");
        QCOMPARE(stage.messages, QStringList());
    }
    void goesBackToTheTraceBeforeWhenItCannotBeRead() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        QSignalSpy loadFailed(&stage.trace, &CurrentTrace::loadFailed);
        stage.trace.load({folder_.filePath("none.etl")}, "none.etl");
        QCOMPARE(stage.tabs.shown().name(), "none.etl");
        QTRY_COMPARE(stage.failed.size(), 1);
        QCOMPARE(loadFailed.size(), 1);
        QCOMPARE(stage.messages, QStringList{stage.failed[0][0].toString()});
        QVERIFY(stage.pages.isTraceShown() && stage.tabs.shown().trace());
        QCOMPARE(stage.tabs.shown().name(), "exercise2.etl");
        QCOMPARE(stage.window.windowTitle(), "exercise2.etl - Highwater");
    }
    /// The trace on screen is the first one until the second one has something to show.
    void namesTheTraceOnScreenWhenAnotherOneFails() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        stage.trace.load({path_}, "second.etl");
        stage.trace.load({folder_.filePath("none.etl")}, "none.etl");
        QTRY_COMPARE(stage.failed.size(), 1);
        QCOMPARE(stage.window.windowTitle(), "exercise2.etl - Highwater");
        QVERIFY(stage.note().endsWith("nothing lost"));
    }
    void showsThatATraceIsPartlyLoaded() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        const auto part = stage.tabs.shown().trace();
        stage.trace.load({path_}, "second.etl");
        emit stage.sources.published(part, std::make_shared<analysis::FrameLabels>()); // the first of several
        stage.trace.load({folder_.filePath("none.etl")}, "none.etl");
        QTRY_COMPARE(stage.failed.size(), 1);
        QCOMPARE(stage.window.windowTitle(), "second.etl (partly loaded) - Highwater");
        QVERIFY2(stage.note().endsWith("partly loaded"), qPrintable(stage.note()));
        QVERIFY(stage.tabs.shown().trace()->health.totalsAreBounds());
        QVERIFY(stage.load(path_)); // the next one is complete
        QCOMPARE(stage.window.windowTitle(), "exercise2.etl - Highwater");
        QVERIFY(stage.note().endsWith("nothing lost"));
    }
    void showsThatLoadingWasCancelled() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        emit stage.sources.opener().ended(pipeline::LoadState::Cancelled, {});
        QVERIFY(stage.window.windowTitle().contains("(partly loaded)"));
        QVERIFY(stage.note().endsWith("partly loaded"));
        const auto& health = stage.tabs.shown().trace()->health;
        QVERIFY(health.totalsAreBounds()); // Losses and Notes, explain and exports report it
        QCOMPARE(health.wholeBefore(), std::optional(stage.tabs.shown().trace()->horizon));
    }
    void keepsTheNamesOfItsFunctionsWhenAnotherOneFails() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        const auto labels = stage.symbols.labels();
        QVERIFY(labels);
        stage.trace.load({folder_.filePath("none.etl")}, "none.etl");
        QTRY_COMPARE(stage.failed.size(), 1);
        QCOMPARE(stage.symbols.labels(), labels);
        QCOMPARE(stage.symbols.traces(), QStringList{path_});
    }
    void isDescribedOnTheStartPage() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        stage.pages.goToStart();
        QVERIFY(stage.start.findChild<QPushButton*>("backToTrace")->isVisible());
        QVERIFY(stage.load(path_)); // again
        QVERIFY(stage.pages.isTraceShown() && !stage.pages.isAway());
    }
    void refusesAViewThatTheTraceDoesNotHave() {
        CurrentTraceStage stage;
        app::StartView view;
        view.process = "nobody.exe";
        stage.view.setView(view);
        QVERIFY(stage.load(path_));
        QCOMPARE(stage.messages, QStringList{"The trace does not contain a process nobody.exe."});
        QCOMPARE(stage.failed.size(), 1);
        QVERIFY(stage.load(path_)); // the view belonged to the first
        QCOMPARE(stage.failed.size(), 1);
    }
    void isCalledByTheFileThatItWasSavedAs() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        emit stage.sources.saved("/x/saved.etl");
        QCOMPARE(stage.saved.size(), 1);
        QCOMPARE(stage.trace.files(), QStringList{"/x/saved.etl"});
        QCOMPARE(stage.window.windowTitle(), "saved.etl - Highwater");
        QCOMPARE(stage.messages, QStringList{"Saved as /x/saved.etl."});
    }
    void isGoneWhenItWasDiscarded() {
        CurrentTraceStage stage;
        QVERIFY(stage.load(path_));
        emit stage.sources.discarded();
        QVERIFY(!stage.trace.isThere() && !stage.tabs.shown().trace() && stage.trace.files().isEmpty());
        QVERIFY(stage.start.isVisible());
        QCOMPARE(stage.beginning.size(), 2);
        QCOMPARE(stage.window.windowTitle(), "Highwater");
    }

  private:
    QTemporaryDir folder_;
    QString path_;
};
HIGHWATER_TEST(CurrentTraceTest);
#include "current_trace_test.moc"
