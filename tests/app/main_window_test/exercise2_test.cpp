#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/state/presets.h"

#include <QAction>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

/// Text of every row from this one down along only children.
QStringList chainBelow(const QModelIndex& top) {
    QStringList names;
    for (auto at = top; at.model()->rowCount(at) == 1;) {
        at = at.model()->index(0, 0, at);
        names << at.data(ui::GroupedTableModel::KeyTextRole).toString();
    }
    return names;
}

} // namespace

/// Exercise 2 as its reader does it, with numbers read from the window. Times are those of the exercise plus 2.0 s.
class Exercise2Test : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }
    void init() {
        stage_ = std::make_unique<WindowStage>();
        QVERIFY(stage_->open({path_}));
    }
    void cleanup() { stage_.reset(); }

    void row1_wholeTrace() {
        QCOMPARE(cell({kProcess}, Column::Count), "24");
        QCOMPARE(cell({kProcess}, Column::Size), "126.0 MB");
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QCOMPARE(stage_->children({kProcess}), QStringList{"Transient"});
    }
    void row2_graphOfTheProcess() {
        stage_->panel().table().setCurrentIndex(stage_->row({kProcess}));
        action("filterTo")->trigger();
        QVERIFY(stage_->wait());
        const auto& timeline = stage_->panel().timeline().answer()->timeline;
        QCOMPARE(timeline.series.size(), std::size_t{1});
        const auto& peaks = timeline.series.front().peaks;
        QCOMPARE(*std::max_element(peaks.begin(), peaks.end()), SignedByteCount{31} << 20);
        QCOMPARE(spikes(peaks, (SignedByteCount{21} << 20) - 1), 6); // five of the first half, and the second half
        QCOMPARE(spikes(peaks, (SignedByteCount{31} << 20) - 1), 5);
        QCOMPARE(peaks.back(), SignedByteCount{0});
    }
    void row3_theStep() {
        auto& graph = stage_->panel().graph();
        ui::usePreset(graph, *stage_->window.tabs().presets().find(Table::VirtualAlloc, "Exercise 2 VirtualAlloc"));
        QVERIFY(stage_->zoom(16.0, 18.0));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "10.0 MB");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::Count), "1");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::ImpactingSize), "10.0 MB");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::BeginTime), "17.000000 s");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::EndTime), "32.000000 s");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::FreeType), "Process exit");
        stage_->panel().table().expand(stage_->row({kProcess, "Impacting"})); // one action
        QStringList chain; // through the current row: an answer that arrives meanwhile has rows of its own
        QTRY_VERIFY((chain = chainBelow(stage_->row({kProcess, "Impacting"}))).size() > 1);
        const auto caller =
            std::adjacent_find(chain.begin(), chain.end(), [](const QString& outer, const QString& inner) {
                return outer.startsWith("MemoryTestApp.exe!") && inner.startsWith("KernelBase.dll!");
            });
        QVERIFY2(caller != chain.end(), qPrintable(chain.join(" > ")));
    }
    void row4_unzoomInOneKey() {
        QVERIFY(stage_->zoom(16.0, 18.0));
        stage_->panel().timeline().setFocus();
        QTest::keyClick(&stage_->panel().timeline(), Qt::Key_Backspace);
        QVERIFY(stage_->wait());
        row1_wholeTrace();
    }
    void row5_theLastFourSpikes() {
        QVERIFY(stage_->zoom(20.0, 31.5));
        QCOMPARE(cell({kProcess, "Transient"}, Column::Count), "4");
        QCOMPARE(cell({kProcess, "Transient"}, Column::ImpactingSize), "0 B");
        QCOMPARE(cell({kProcess, "Transient"}, Column::Size), "40.0 MB");
    }
    void row6_persistentBeside() {
        auto layout = stage_->panel().graph().layout();
        layout.columns.push_back(Column::Allocated);
        stage_->panel().graph().setLayout(layout);
        QVERIFY(stage_->zoom(20.0, 31.5));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QCOMPARE(cell({kProcess}, Column::Allocated), "40.0 MB");
        QCOMPARE(cell({kProcess, "Persistent"}, Column::Count), "4");
        QCOMPARE(cell({kProcess, "Persistent"}, Column::Size), "21.0 MB");
    }
    void row7_insideNothing() {
        QVERIFY(stage_->zoom(16.0, 16.05));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QVERIFY(!stage_->row({kProcess, "Transient"}).isValid());
    }
    void row8_afterASpike() {
        QVERIFY(stage_->zoom(3.55, 3.7));
        QCOMPARE(cell({kProcess, "Impacting"}, Column::Count), "1");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::ImpactingSize), "−10.0 MB");
    }
    void row9_heaps() {
        QVERIFY(stage_->showOnly(Table::Heap));
        QCOMPARE(cell({kProcess}, Column::Count), "6,242");
        QCOMPARE(cell({kProcess, "0x1d0000"}, Column::Count), "1,200");
        QCOMPARE(cell({kProcess, "0x1d0000"}, Column::Size), "130.0 KB");
        QCOMPARE(cell({kProcess, "0x1d0000"}, Column::ImpactingSize), "130.0 KB");
        QCOMPARE(cell({kProcess, "0x2b0000", "Impacting"}, Column::ImpactingSize), "10.0 KB");
        QCOMPARE(cell({kProcess, "0x2b0000", "Transient"}, Column::Count), "5,002");
    }
    void row11_tenSecondsInTheMiddle() {
        QVERIFY(stage_->showOnly(Table::Heap));
        QVERIFY(stage_->zoom(12.0, 22.0));
        QCOMPARE(cell({kProcess, "0x1d0000", "Impacting"}, Column::Count), "319");
        QCOMPARE(cell({kProcess, "0x1d0000", "Impacting"}, Column::Size), "12.5 KB");
        QCOMPARE(cell({kProcess, "0x1d0000", "Persistent"}, Column::Count), "562");
    }

  private:
    QString cell(const QStringList& path, Column column) { return stage_->cell(path, column); }
    QAction* action(const QString& name) { return stage_->window.findChild<QAction*>(name); }
    /// Stretches above this level.
    static int spikes(const std::vector<SignedByteCount>& peaks, SignedByteCount level) {
        int count = 0;
        for (std::size_t i = 1; i < peaks.size(); ++i) {
            if (peaks[i] > level && peaks[i - 1] <= level) ++count;
        }
        return count;
    }

    QTemporaryDir folder_;
    QString path_;
    std::unique_ptr<WindowStage> stage_;
};
HIGHWATER_TEST(Exercise2Test);
#include "exercise2_test.moc"
