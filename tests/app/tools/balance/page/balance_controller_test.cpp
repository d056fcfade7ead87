#include "app/tools/balance/page/balance_view.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/chart/chart.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>

using namespace highwater;
using namespace highwater::tests;
using ui::BalanceModel;

namespace {

/// The program has one page of a library, and as many unknown pages as seconds have passed.
void addSample(fixtures::TraceBuilder& trace, std::int64_t second) {
    SampleBuilder sample(second * 1'000'000'000, fixtures::exercise2::kPid);
    sample.map(0x10000000, static_cast<ByteCount>(second) * kPage, kAnonymous);
    sample.map(0x20000000, kPage, kFileCode, "/usr/lib/libx.so");
    trace.residentSample(*sample.done());
}

/// Some page of a mapping that contains all heaps is in RAM, as if its pages could not be read.
void addUnknownSample(fixtures::TraceBuilder& trace) {
    SampleBuilder sample(30'000'000'000, fixtures::exercise2::kPid);
    sample.map(0x10000, ByteCount{1} << 40, kAnonymous, "", {{0, 1}});
    trace.residentSample(*sample.done());
}

/// The window with a trace, and the page open.
struct BalancePageStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path})) return false;
        const QAbstractItemModelTester tester(view().table().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        window.findChild<QAction*>("toggleBalance")->trigger();
        return QTest::qWaitFor([this] { return !summary().isEmpty() && !summary().contains("ounting"); }, 10'000);
    }
    ui::BalanceView& view() { return *window.findChild<ui::BalanceView*>(); }
    ui::Chart& chart() { return *window.findChild<ui::Chart*>("balanceChart"); }
    QString summary() { return window.findChild<QLabel*>("balanceSummary")->text(); }
    QString resident() { return view().model().index(0, BalanceModel::kResident).data().toString(); }
    void clickFirstSample() {
        const auto middle = static_cast<int>(chart().plot().center().y());
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, {static_cast<int>(chart().xOf(0)), middle});
    }
};

} // namespace

/// The Resident Memory page in the window.
class BalanceControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString with_, without_, unknown_;

  private slots:
    void initTestCase() {
        auto trace = fixtures::exercise2Trace();
        without_ = folder_.filePath("without.etl");
        QVERIFY(trace.writeTo(without_.toStdString()).hasValue());
        auto unknown = fixtures::exercise2Trace();
        addUnknownSample(unknown);
        unknown_ = folder_.filePath("unknown.etl");
        QVERIFY(unknown.writeTo(unknown_.toStdString()).hasValue());
        for (std::int64_t second = 4; second <= 30; ++second)
            addSample(trace, second);
        with_ = folder_.filePath("with.etl");
        QVERIFY(trace.writeTo(with_.toStdString()).hasValue());
    }
    void showsTheLastSampleOfTheInterval() {
        BalancePageStage stage;
        QVERIFY(stage.begin(with_));
        QTRY_COMPARE(stage.resident(), "124.0 KB");
        QCOMPARE(stage.chart().picture().points.count(), std::size_t{27});
        QVERIFY(!stage.window.findChild<QPushButton*>("tryTrim")->isEnabled()); // its processes are not recorded now
        QVERIFY(stage.zoom(10, 20.5));
        QTRY_COMPARE(stage.resident(), "84.0 KB");
        QCOMPARE(stage.chart().picture().points.count(), std::size_t{11});
    }
    void aClickInTheChartShowsAnEarlierSample() {
        BalancePageStage stage;
        QVERIFY(stage.begin(with_));
        QTRY_COMPARE(stage.resident(), "124.0 KB");
        stage.clickFirstSample();
        QTRY_COMPARE(stage.resident(), "20.0 KB");
        QVERIFY2(stage.summary().startsWith("MemoryTestApp.exe (4242) at 4.00 s: "), qPrintable(stage.summary()));
        stage.view().table().setFocus();
        QVERIFY(!stage.chart().pointedAt());
        QCOMPARE(stage.chart().picture().chosen, std::optional(std::size_t{0})); // its frame stays
        QTest::keyClick(&stage.view().table(), Qt::Key_Escape);
        QTRY_COMPARE(stage.resident(), "124.0 KB");
        QCOMPARE(stage.chart().picture().chosen, std::optional(std::size_t{26}));
    }
    void aButtonShowsWhichStacksHoldThePages() {
        BalancePageStage stage;
        QVERIFY(stage.begin(with_));
        QTRY_COMPARE(stage.resident(), "124.0 KB");
        stage.window.findChild<QPushButton*>("showHolders")->click();
        QVERIFY(stage.wait());
        QVERIFY(stage.panel().graph().table() == analysis::Table::Heap);
        QCOMPARE(stage.panel().graph().presetName(), "Held Pages by Stack");
        QCOMPARE(stage.panel().graph().layout().keys.size(), std::size_t{2}); // Process, Stack
        QTRY_COMPARE(stage.panel().model().keyText(stage.panel().table().currentIndex().siblingAtColumn(0)), kProcess);
        QVERIFY(stage.cell({kProcess}, analysis::Column::HeldPages) != "-");
    }
    void whereThePagesAreUnknownTheCellsAreEmptyAndANoteSaysSo() {
        BalancePageStage stage;
        QVERIFY(stage.begin(unknown_));
        stage.window.findChild<QPushButton*>("showHolders")->click();
        QVERIFY(stage.wait());
        QTRY_COMPARE(stage.cell({kProcess}, analysis::Column::HeldPages), "");
        const auto* note = stage.panel().findChild<QLabel*>("messageText");
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().contains("because it is unknown which of "), qPrintable(note->text()));
        QVERIFY(stage.zoom(29, 30)); // without a sample
        QTRY_VERIFY2(note->text().contains("no sample of resident memory"), qPrintable(note->text()));
    }
    void theButtonShowsThePagesOfTheChosenSample() {
        BalancePageStage stage;
        QVERIFY(stage.begin(with_));
        QTRY_COMPARE(stage.resident(), "124.0 KB");
        stage.clickFirstSample();
        QTRY_COMPARE(stage.resident(), "20.0 KB");
        stage.window.findChild<QPushButton*>("showHolders")->click();
        QVERIFY(stage.wait());
        QCOMPARE(stage.state().visibleRange(), (TimeRange{TraceTime{0}, TraceTime{4'000'000'001}}));
        QTRY_COMPARE(stage.resident(), "20.0 KB");
    }
    void aTraceWithoutSamplesSaysSo() {
        BalancePageStage stage;
        QVERIFY(stage.begin(without_));
        QTRY_VERIFY2(stage.summary().contains("samples of resident memory"), qPrintable(stage.summary()));
        QCOMPARE(stage.view().model().rowCount(), 0);
        QCOMPARE(stage.chart().picture().points.count(), std::size_t{0});
    }
};

HIGHWATER_TEST(BalanceControllerTest);
#include "balance_controller_test.moc"
