#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/history_bar.h"

#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

struct HistoryBarStage {
    AnalysisState state;
    HistoryBar bar;

    HistoryBarStage() {
        state.reset({ms(0), ms(10'000)});
        bar.setState(&state);
        bar.resize(900, 26);
        bar.show();
    }
    QList<QToolButton*> crumbs() { return bar.findChildren<QToolButton*>("crumb"); }
    QStringList texts() {
        QStringList texts;
        for (const auto* crumb : crumbs()) {
            texts << crumb->text();
        }
        return texts;
    }
    QToolButton& button(const char* name) { return *bar.findChild<QToolButton*>(name); }
};

} // namespace

class HistoryBarTest : public QObject {
    Q_OBJECT
  private slots:
    void leadsBackToEveryStep() {
        HistoryBarStage stage;
        QCOMPARE(stage.texts(), QStringList{"Whole trace"});
        QVERIFY(!stage.button("historyBack").isEnabled());
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.state.zoomTo({ms(2000), ms(3000)});
        QCOMPARE(stage.crumbs().size(), 3);
        QVERIFY(stage.crumbs()[2]->font().bold() && !stage.crumbs()[0]->font().bold());
        QTest::mouseClick(stage.crumbs()[1], Qt::LeftButton);
        QCOMPARE(stage.state.visibleRange().start, ms(1000));
        QVERIFY(stage.crumbs()[1]->font().bold());
        QVERIFY(stage.crumbs()[2]->property("forward").toBool() && !stage.crumbs()[0]->property("forward").toBool());
        QTest::mouseClick(stage.crumbs()[2], Qt::LeftButton); // what was taken back can be had again
        QCOMPARE(stage.state.visibleRange().start, ms(2000));
    }
    void takesTheColoursOfAnotherTheme() {
        HistoryBarStage stage;
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.state.back();
        auto dark = stage.bar.palette();
        dark.setColor(QPalette::Disabled, QPalette::ButtonText, Qt::cyan);
        stage.bar.setPalette(dark);
        QVERIFY(stage.crumbs()[1]->property("forward").toBool());
        QCOMPARE(stage.crumbs()[1]->palette().color(QPalette::ButtonText), QColor(Qt::cyan));
    }
    void goesBackAndForwardByButtons() {
        HistoryBarStage stage;
        stage.state.zoomTo({ms(1000), ms(5000)});
        QTest::keyClick(&stage.button("historyBack"), Qt::Key_Space);
        QVERIFY(!stage.state.isZoomed());
        QTest::mouseClick(&stage.button("historyForward"), Qt::LeftButton);
        QCOMPARE(stage.state.visibleRange().end, ms(5000));
    }
    void keepsTheCurrentCrumbWhenThereIsLittleRoom() {
        HistoryBarStage stage;
        for (int i = 1; i <= 8; ++i) {
            stage.state.zoomTo({ms(i * 100), ms(9000 - i * 100)});
        }
        stage.bar.resize(420, 26);
        QVERIFY(stage.crumbs().size() < 9);
        QVERIFY(stage.crumbs().last()->font().bold());
        int right = 0;
        QTRY_VERIFY(stage.crumbs().last()->width() > 0);
        QTest::qWait(1);
        for (const auto* crumb : stage.crumbs()) {
            right = std::max(right, crumb->geometry().right());
        }
        QVERIFY(right <= stage.bar.width());
        auto* all = stage.button("allCrumbs").menu();
        QCOMPARE(all->actions().size(), 9);
        all->actions().first()->trigger();
        QVERIFY(!stage.state.isZoomed());
    }
    void saysThatAnInstantIsShownAndEndsIt() {
        HistoryBarStage stage;
        QVERIFY(!stage.button("instantChip").isVisible());
        stage.state.showInstant(ms(8550));
        QVERIFY(stage.button("instantChip").isVisible());
        QVERIFY(stage.button("instantChip").text().startsWith("at 8.55"));
        QTest::mouseClick(&stage.button("instantChip"), Qt::LeftButton);
        QVERIFY(!stage.state.instant());
        QVERIFY(!stage.button("instantChip").isVisible());
    }
    void followsAnotherAnalysis() {
        HistoryBarStage stage;
        AnalysisState other;
        other.reset({ms(0), ms(100)});
        other.zoomTo({ms(10), ms(20)});
        stage.bar.setState(&other);
        QCOMPARE(stage.crumbs().size(), 2);
        stage.state.zoomTo({ms(1000), ms(5000)});
        stage.state.zoomTo({ms(2000), ms(5000)});
        QCOMPARE(stage.crumbs().size(), 2);
        stage.bar.setState(nullptr);
        QCOMPARE(stage.crumbs().size(), 0);
    }
};
HIGHWATER_TEST(HistoryBarTest);
#include "history_bar_test.moc"
