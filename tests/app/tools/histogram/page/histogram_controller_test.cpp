#include "app/tools/histogram/page/histogram_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QTreeView>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

namespace {

/// The window with the Exercise 2 trace, showing only its VirtualAlloc, and the Histogram page open.
struct HistogramPageStage : WindowStage {
    bool begin(const QString& path) {
        if (!open({path}) || !showOnly(Table::VirtualAlloc)) return false;
        window.findChild<QAction*>("toggleHistogram")->trigger();
        return QTest::qWaitFor([this] { return rows() > 0; }, 10'000);
    }
    ui::HistogramView& view() { return *window.findChild<ui::HistogramView*>(); }
    int rows() { return view().model().rowCount(); }
    /// The row with this text; -1 if there is none.
    int rowOf(const QString& values) {
        for (int row = 0; row < rows(); ++row) {
            if (text(row, ui::HistogramTableModel::kValues) == values) return row;
        }
        return -1;
    }
    QString text(int row, int column) { return view().model().index(row, column).data().toString(); }
    void click(int row) {
        auto& table = view().table();
        const auto index = view().model().index(row, ui::HistogramTableModel::kBar);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
    void filter(int row) {
        click(row);
        QTest::keyClick(&view().table(), Qt::Key_Space);
    }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
    void choose(const char* box, int index) {
        auto* combo = window.findChild<QComboBox*>(box);
        combo->setCurrentIndex(index);
        emit combo->activated(index);
    }
};

} // namespace

/// The Histogram page in the window, by mouse and keys.
class HistogramControllerTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void isHiddenUntilItsKeyIsPressed() {
        WindowStage stage;
        QVERIFY(stage.open({path_}));
        auto* dock = stage.window.findChild<QDockWidget*>("histogramDock");
        QVERIFY(!dock->isVisible());
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        QTest::keyClick(&stage.window, Qt::Key_H, Qt::ControlModifier);
        QTRY_VERIFY(dock->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), "histogramTable");
    }

    void aClickFiltersToABarAndOnceMoreTakesThatBack() {
        HistogramPageStage stage;
        QVERIFY(stage.begin(path_));
        const auto row = stage.rowOf("8 MB to <16 MB"); // the spikes of 10 MB
        QVERIFY(row >= 0);
        const auto count = stage.text(row, ui::HistogramTableModel::kCount);
        const auto bars = stage.rows();
        stage.click(row);
        QVERIFY(stage.chips().isEmpty()); // only selects
        stage.filter(row);
        QCOMPARE(stage.chips(), QStringList{"[Allocation Size]:>=8MB AND [Allocation Size]:<16MB"});
        QVERIFY(stage.wait());
        QCOMPARE(stage.cell({kProcess}, analysis::Column::Count), count);
        QTRY_COMPARE(stage.rows(), bars); // the page still shows all
        stage.filter(0);                  // instead of the first
        QVERIFY(stage.wait());
        QCOMPARE(stage.chips().size(), 1);
        QVERIFY(!stage.chips().first().contains("8MB"));
        stage.filter(0);
        QVERIFY(stage.wait());
        QVERIFY(stage.chips().isEmpty());
    }

    void showsLifetimesAndFrequentSizes() {
        HistogramPageStage stage;
        QVERIFY(stage.begin(path_));
        stage.choose("histogramOf", static_cast<int>(ui::HistogramView::What::LifeTimes));
        QTRY_VERIFY(stage.rowOf("30 s to <100 s") >= 0); // blocks that its process kept to its end
        stage.choose("histogramOf", static_cast<int>(ui::HistogramView::What::FrequentSizes));
        QTRY_VERIFY(stage.rowOf("10 MB") >= 0);
    }

    void followsTheInterval() {
        HistogramPageStage stage;
        QVERIFY(stage.begin(path_));
        const auto bars = stage.rows();
        stage.state().zoomTo({TraceTime{0}, TraceTime{1}}); // nothing has happened yet
        QTRY_VERIFY(stage.rows() != bars);
        stage.state().showAll();
        QTRY_COMPARE(stage.rows(), bars);
    }
};
HIGHWATER_TEST(HistogramControllerTest);
#include "histogram_controller_test.moc"
