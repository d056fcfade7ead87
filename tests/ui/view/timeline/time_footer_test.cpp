#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"
#include "ui/view/timeline/time_footer.h"
#include "ui/view/timeline/time_ruler.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using tests::ms;

namespace {

struct TimeFooterStage {
    AnalysisState state;
    TimeFooter footer{state};
    QLineEdit* start = footer.findChild<QLineEdit*>("startTime");
    QLineEdit* end = footer.findChild<QLineEdit*>("endTime");
    QLineEdit* duration = footer.findChild<QLineEdit*>("duration");
    QLabel* problem = footer.findChild<QLabel*>("timeProblem");
    QLabel* amount = footer.findChild<QLabel*>("selectionAmount");
    TimeRuler* ruler = footer.findChild<TimeRuler*>();

    TimeFooterStage() {
        state.reset({ms(0), ms(34'000)});
        footer.resize(1200, footer.sizeHint().height());
        footer.show();
        (void)QTest::qWaitForWindowExposed(&footer);
    }
    static void type(QLineEdit* field, const QString& text) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
};

} // namespace

class TimeFooterTest : public QObject {
    Q_OBJECT
  private slots:
    void showsTheVisibleRangeToTheNanosecond() {
        TimeFooterStage stage;
        stage.state.zoomTo({{14'000'000'001}, {16'000'000'000}});
        QCOMPARE(stage.start->text(), "14.000000001 s");
        QCOMPARE(stage.end->text(), "16.000000000 s");
        QCOMPARE(stage.duration->text(), "1.999999999 s");
    }
    void zoomsByTyping() {
        TimeFooterStage stage;
        TimeFooterStage::type(stage.start, "14.2");
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(14'200), ms(34'000)}));
        TimeFooterStage::type(stage.duration, "350 ms");
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(14'200), ms(14'550)}));
        TimeFooterStage::type(stage.end, "20 s");
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(14'200), ms(20'000)}));
        stage.state.back();
        QCOMPARE(stage.end->text(), "14.550000000 s");
    }
    void changesTheSelectionIfThereIsOne() {
        TimeFooterStage stage;
        stage.state.select({ms(10'000), ms(12'000)});
        QCOMPARE(stage.start->text(), "10.000000000 s");
        TimeFooterStage::type(stage.end, "12.5");
        QCOMPARE(*stage.state.selection(), (TimeRange{ms(10'000), ms(12'500)}));
        QVERIFY(!stage.state.isZoomed());
    }
    void acceptsTheTextWhenAFieldLosesFocus() {
        TimeFooterStage stage;
        stage.start->setFocus();
        stage.start->selectAll();
        QTest::keyClicks(stage.start, "12");
        QTest::keyClick(stage.start, Qt::Key_Tab);
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(12'000), ms(34'000)}));
        QVERIFY(stage.end->hasFocus());
        QTest::keyClicks(stage.end, "22"); // Tab selected the old text
        QTest::keyClick(stage.end, Qt::Key_Return);
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(12'000), ms(22'000)}));
    }
    void keepsAStartThatOnlyTheNewEndMakesPossible() {
        TimeFooterStage stage;
        stage.state.select({ms(2'000), ms(12'000)});
        stage.start->setFocus();
        stage.start->selectAll();
        QTest::keyClicks(stage.start, "20");
        QTest::keyClick(stage.start, Qt::Key_Tab);
        QVERIFY(stage.problem->isVisible());
        QCOMPARE(stage.start->text(), "20");
        QTest::keyClicks(stage.end, "25");
        QTest::keyClick(stage.end, Qt::Key_Return);
        QCOMPARE(*stage.state.selection(), (TimeRange{ms(20'000), ms(25'000)}));
        QVERIFY(!stage.problem->isVisible());
    }
    void aGrowingTraceKeepsTypedText() {
        TimeFooterStage stage;
        stage.end->setFocus();
        stage.end->selectAll();
        QTest::keyClicks(stage.end, "2");
        stage.state.growTo({ms(0), ms(40'000)});
        QTest::keyClicks(stage.end, "2");
        QTest::keyClick(stage.end, Qt::Key_Return);
        QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(0), ms(22'000)}));
    }
    void zoomsToTwoPastedTimes() {
        TimeFooterStage stage;
        for (const auto* text : {"14.0 16.0", "14.0-16.0"}) {
            stage.state.showAll();
            QApplication::clipboard()->setText(text);
            stage.start->setFocus();
            stage.start->selectAll();
            QTest::keySequence(stage.start, QKeySequence::Paste);
            QTest::keyClick(stage.start, Qt::Key_Return);
            QCOMPARE(stage.state.visibleRange(), (TimeRange{ms(14'000), ms(16'000)}));
        }
    }
    void reportsAnErrorAndRevertsOnEscape() {
        TimeFooterStage stage;
        TimeFooterStage::type(stage.start, "soon");
        QVERIFY(stage.problem->isVisible());
        QVERIFY(stage.problem->text().contains("soon"));
        QVERIFY(!stage.state.isZoomed());
        QTest::keyClick(stage.start, Qt::Key_Escape);
        QVERIFY(!stage.problem->isVisible());
        QCOMPARE(stage.start->text(), "0.000000000 s");
        TimeFooterStage::type(stage.start, "40");
        QVERIFY(stage.problem->text().contains("34.000000000 s"));
        QTest::keyClick(stage.start, Qt::Key_Escape);
        TimeFooterStage::type(stage.end, "0");
        QVERIFY(stage.problem->isVisible());
    }
    void errorsDoNotApplyToTheNextView() {
        TimeFooterStage stage;
        stage.state.zoomTo({ms(2'000), ms(12'000)});
        TimeFooterStage::type(stage.start, "40");
        QVERIFY(stage.problem->isVisible() && stage.start->hasFocus());
        stage.state.back(); // a button or the wheel do not move the focus
        QVERIFY(!stage.problem->isVisible());
        QCOMPARE(stage.start->text(), "0.000000000 s");
        TimeFooterStage::type(stage.end, "soon");
        stage.state.select({ms(5'000), ms(6'000)});
        QVERIFY(!stage.problem->isVisible());
        QCOMPARE(stage.end->text(), "6.000000000 s");
    }
    void showsChangesAndFreesOfTheSelection() {
        TimeFooterStage stage;
        stage.state.select({ms(10'000), ms(12'000)});
        QVERIFY(!stage.amount->isVisible());
        stage.footer.setSelectionAmount("Heap Allocations", {{ms(10'000), ms(12'000)}, "Change", "+10.0 MB"});
        QCOMPARE(stage.amount->text(), "Change +10.0 MB");
        stage.footer.setSelectionAmount("Frees", {{ms(10'000), ms(12'000)}, "Freed", "1.0 KB"});
        QCOMPARE(stage.amount->text(), "Frees 1.0 KB, Heap Allocations +10.0 MB");
        stage.state.select({ms(10'000), ms(13'000)}); // not known yet
        QVERIFY(!stage.amount->isVisible());
    }
    void theUsedGraphComesFirst() {
        TimeFooterStage stage;
        stage.state.select({ms(10'000), ms(12'000)});
        stage.footer.setSelectionAmount("Heap Allocations", {{ms(10'000), ms(12'000)}, "Change", "+10.0 MB"});
        stage.footer.setSelectionAmount("VirtualAlloc", {{ms(10'000), ms(12'000)}, "Change", "-1.0 KB"});
        stage.footer.setCurrentGraph("VirtualAlloc");
        QCOMPARE(stage.amount->text(), "VirtualAlloc -1.0 KB, Heap Allocations +10.0 MB");
        stage.footer.setCurrentGraph("Heap Allocations");
        QCOMPARE(stage.amount->text(), "Heap Allocations +10.0 MB, VirtualAlloc -1.0 KB");
    }
    /// A truncated number would be another number.
    void namesAreCutBeforeNumbers() {
        const QList<NamedAmount> amounts{{"Heap Allocations", "+10.0 MB"}, {"VirtualAlloc", "-1.0 KB"}};
        const TimeFooterStage stage;
        const auto metrics = stage.footer.fontMetrics();
        const QString whole = "Heap Allocations +10.0 MB, VirtualAlloc -1.0 KB", numbers = "+10.0 MB, -1.0 KB";
        const int full = metrics.horizontalAdvance(whole), least = metrics.horizontalAdvance(numbers);
        QCOMPARE(fittingAmounts(amounts, metrics, full), whole);
        QCOMPARE(fittingAmounts(amounts, metrics, least), numbers);
        QCOMPARE(fittingAmounts(amounts, metrics, least - 1), "+10.0 MB, …");
        QCOMPARE(fittingAmounts(amounts, metrics, 0), "+10.0 MB, …");
        for (int width = least; width < full; ++width) {
            const auto text = fittingAmounts(amounts, metrics, width);
            QVERIFY2(metrics.horizontalAdvance(text) <= width, qPrintable(text));
            QVERIFY2(text.contains("+10.0 MB") && text.endsWith("-1.0 KB"), qPrintable(text));
        }
        QVERIFY(fittingAmounts(amounts, metrics, full - 10).startsWith("Heap Al"));
    }
    void aNarrowFooterKeepsTheNumberWhole() {
        TimeFooterStage stage;
        stage.state.select({ms(10'000), ms(12'000)});
        stage.footer.setSelectionAmount("Heap Allocations", {{ms(10'000), ms(12'000)}, "Change", "+1,234.0 MB"});
        stage.footer.setSelectionAmount("VirtualAlloc", {{ms(10'000), ms(12'000)}, "Change", "-1.0 KB"});
        stage.footer.resize(stage.footer.minimumSizeHint().width(), stage.footer.height());
        QVERIFY(stage.amount->width() >= stage.amount->fontMetrics().horizontalAdvance("+1,234.0 MB"));
    }
    void movesTheWindowByDraggingIt() {
        TimeFooterStage stage;
        stage.state.zoomTo({ms(10'000), ms(12'000)});
        const auto x = [&](int time) {
            return QPoint(static_cast<int>(std::lround(stage.ruler->coordinates().xOf(ms(time)))), 8);
        };
        QTest::mousePress(stage.ruler, Qt::LeftButton, {}, x(11'000));
        QMouseEvent move(QEvent::MouseMove, x(21'000), stage.ruler->mapToGlobal(x(21'000)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(stage.ruler, &move);
        QTest::mouseRelease(stage.ruler, Qt::LeftButton, {}, x(21'000));
        const auto visible = stage.state.visibleRange();
        QCOMPARE(visible.end.ns - visible.start.ns, ms(2'000).ns);
        QVERIFY(std::abs(visible.start.ns - ms(20'000).ns) < ms(200).ns);
        QTest::mouseClick(stage.ruler, Qt::LeftButton, {}, x(5'000)); // outside: the visible range moves there
        QVERIFY(std::abs(stage.state.visibleRange().start.ns - ms(4'000).ns) < ms(200).ns);
    }
};
HIGHWATER_TEST(TimeFooterTest);
#include "time_footer_test.moc"
