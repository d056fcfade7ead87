#include "tests/support/test_registry.h"
#include "tests/ui/view/timeline/timeline_view_stage.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/timeline/series_legend_view.h"

#include <QAction>
#include <QFileDialog>
#include <QImage>
#include <QTemporaryDir>
#include <QThread>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Table;

namespace {

std::shared_ptr<TimelineAnswer> coarse(SignedByteCount level) {
    auto answer = std::make_shared<TimelineAnswer>(*spikyTimeline(level));
    answer->timeline.isCoarse = true;
    return answer;
}

/// A panel whose exact lines are held back.
struct CoarseLinesStage {
    std::atomic<bool> isHeld{false};
    SmallTrace trace;
    SeriesColors colors;
    TraceOnScreen shown;
    AnalysisView view{shown, colors, nullptr, functions()};
    GraphPanel& panel = view.showGraph(Table::VirtualAlloc);

    CoarseLinesStage() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage).commit(200, 1, 0x90000, 8 * kPage);
        trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
        view.resize(1000, 640);
        view.show();
        shown.show(trace.publish(1000), std::make_shared<analysis::FrameLabels>());
        (void)QTest::qWaitFor([this] { return view.isUpToDate(); });
    }
    ~CoarseLinesStage() { isHeld = false; }
    QueryFunctions functions() {
        QueryFunctions functions;
        functions.timeline = [this](const TimelineRequest& request, std::stop_token stop) {
            while (isHeld && !stop.stop_requested())
                QThread::msleep(1);
            return answerTimeline(request, std::move(stop));
        };
        return functions;
    }
    [[nodiscard]] QString name(int line) const { return panel.legend().topLevelItem(line)->text(0); }
};

} // namespace

/// Until the exact lines arrive, coarse ones are on screen, and marked as such.
class CoarseLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void comeFirstWhereTheExactOnesTakeLong() {
        CoarseLinesStage stage;
        auto& timeline = stage.panel.timeline();
        QVERIFY(!timeline.isCoarse());
        QCOMPARE(stage.panel.legend().topLevelItemCount(), 2);
        stage.isHeld = true;
        stage.view.state().zoomTo({ms(150), ms(450)});
        QTRY_VERIFY(timeline.isCoarse());
        QVERIFY(timeline.answer()->query.interval == (TimeRange{ms(150), ms(450)}));
        QTRY_VERIFY(stage.panel.model().answer()->query().interval.start == ms(150));
        QVERIFY(!stage.view.isUpToDate()); // code that waits for it, like screenshots, still waits
        stage.isHeld = false;
        QTRY_VERIFY(stage.view.isUpToDate());
        QVERIFY(!timeline.isCoarse());
        QCOMPARE(stage.panel.legend().topLevelItemCount(), 2);
    }
    void doNotComeWhereTheExactOnesAreFast() {
        CoarseLinesStage stage;
        int coarseOnes = 0;
        connect(&stage.panel.runner(), &QueryRunner::coarseTimelineAnswered, this, [&] { ++coarseOnes; });
        for (int i = 0; i < 3; ++i) {
            stage.view.state().zoomTo({ms(100 + i), ms(450)});
            QTest::qWait(1);
            QTRY_VERIFY(stage.view.isUpToDate());
        }
        QTest::qWait(2 * QueryRunner::kCoarseAfterMs);
        QCOMPARE(coarseOnes, 0);
    }
    void areOneLineOfEverythingWhereNothingElseIsKnown() {
        CoarseLinesStage stage;
        stage.isHeld = true;
        auto& graph = stage.panel.graph();
        graph.addFilter(
            {{}, "Size:>4096", analysis::QueryExpression::parse(Table::VirtualAlloc, "Size:>4096").value()});
        QTRY_VERIFY(stage.panel.timeline().isCoarse());
        QCOMPARE(stage.name(0), "(everything)");
        QCOMPARE(stage.panel.legend().topLevelItem(0)->text(1), "≤ 52.0 KB");
        QVERIFY(stage.panel.legend().topLevelItem(0)->toolTip(1).contains("≤"));
        stage.isHeld = false;
        QTRY_VERIFY(stage.view.isUpToDate());
        QCOMPARE(stage.name(0), "a.exe (1)");
        QCOMPARE(stage.panel.legend().topLevelItem(0)->text(1), "48.0 KB");
    }
    void areDrawnLighter() {
        TimelineViewStage stage;
        const auto exact = stage.view.scene().shapes.front().color;
        stage.view.setAnswer(coarse(1 << 20));
        QVERIFY(stage.view.isCoarse());
        const auto lighter = stage.view.scene().shapes.front().color;
        QCOMPARE(lighter.rgb(), exact.rgb());
        QVERIFY(lighter.alphaF() < 0.6 && lighter.alphaF() > 0.3);
        stage.view.setAnswer(spikyTimeline(1 << 20));
        QCOMPARE(stage.view.scene().shapes.front().color, exact);
    }
    void giveOutNoColours() {
        SeriesColors colors;
        const auto answer = coarse(1 << 20);
        const auto& series = answer->timeline.series.front();
        QCOMPARE(colors.colorOf(*answer, series), SeriesColors::neutralColor());
        QVERIFY(!colors.knownColorOf(series.path).isValid());
        const auto given = colors.colorOf(series.path);
        QCOMPARE(colors.colorOf(*answer, series), given);
    }
    void areMarkedAsCoarseInTextAndForScreenReaders() {
        TimelineViewStage stage;
        QVERIFY(!stage.view.spokenValue().contains("preliminary"));
        stage.view.setAnswer(coarse(1 << 20));
        QVERIFY(stage.view.spokenValue().contains("preliminary: lines show upper bounds"));
        stage.hover(300);
        QCOMPARE(stage.view.words().value(1), "Preliminary, at most:");
        QCOMPARE(stage.view.words().last(), "app.exe (1) 1.0 MB");
        QVERIFY(stage.view.spokenValue().contains("Preliminary, at most:"));
        stage.view.setAnswer(spikyTimeline(1 << 20));
        stage.hover(301);
        QVERIFY(!stage.view.words().contains("Preliminary, at most:"));
    }
    void picturesWaitForTheExactOnes() {
        TimelineViewStage stage;
        QTemporaryDir folder;
        stage.view.setAnswer(coarse(1 << 20));
        stage.view.exportAction()->trigger();
        auto* dialog = stage.view.findChild<QFileDialog*>("exportDialog");
        QVERIFY(dialog);
        const auto file = folder.filePath("graph.png");
        emit dialog->fileSelected(file);
        QVERIFY(!QFile::exists(file));
        stage.view.setAnswer(coarse(1 << 21)); // another coarse one
        QVERIFY(!QFile::exists(file));
        stage.view.setAnswer(spikyTimeline(1 << 20));
        QCOMPARE(QImage(file).width(), stage.view.width() * 2);
        QVERIFY(QFile::remove(file));
        stage.view.setAnswer(spikyTimeline(1 << 20));
        QVERIFY(!QFile::exists(file)); // once
    }
};
HIGHWATER_TEST(CoarseLinesTest);
#include "coarse_lines_test.moc"
