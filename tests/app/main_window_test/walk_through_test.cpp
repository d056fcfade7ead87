#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/symbols/allocator_frames_editor.h"

#include <QAbstractItemModelTester>
#include <QDialogButtonBox>
#include <QHash>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QThread>

#include <algorithm>
#include <atomic>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

const QString kGrowing = QStringLiteral("0x1d0000");
const QString kBusy = QStringLiteral("0x2b0000");

/// Runs the work of the window's workers, and notes their threads.
class ThreadWatch {
  public:
    std::atomic<int> onGuiThread{0};
    std::atomic<int> tables{0};
    std::atomic<int> timelines{0};
    std::atomic<int> painted{0};
    std::atomic<int> rowsAt{0};
    std::atomic<int> opens{0};
    std::atomic<int> finds{0};

    ui::QueryFunctions functions() {
        ui::QueryFunctions watched;
        watch(watched.table, tables);
        watch(watched.timeline, timelines);
        watch(watched.painted, painted);
        watch(watched.rowAt, rowsAt);
        watch(watched.open, opens);
        watch(watched.count, opens);
        watch(watched.find, finds);
        return watched;
    }

  private:
    template <typename Answer, typename... Question>
    void watch(std::function<Answer(Question...)>& function, std::atomic<int>& calls) {
        function = [this, &calls, real = function](Question... question) {
            ++calls;
            if (QThread::currentThread() == QCoreApplication::instance()->thread()) ++onGuiThread;
            return real(std::forward<Question>(question)...);
        };
    }
};

} // namespace

/// The whole of Exercise 2 in one window, by mouse and keys, in the order of the exercise: all numbers are read from
/// the window, all computing is done by workers, and the models of all tables are checked at every change. Times are
/// those of the exercise plus 2.0 s; functions have no names because there are no symbols.
class WalkThroughTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(folder_.filePath("exercise2.etl").toStdString()).hasValue());
        const auto label = [&](std::string_view function) {
            return QString::fromStdString(trace.addresses().label(function));
        };
        virtualAlloc_ = label("KernelBase.dll!VirtualAlloc");
        innerLoop_ = label("MemoryTestApp.exe!InnerLoopOperation");
        operatorNew_ = label("MemoryTestApp.exe!operator new");
        spike_ = {label("MemoryTestApp.exe!main+0x74"), label("MemoryTestApp.exe!Operation1"),
                  label("MemoryTestApp.exe!ManipulateTemporaryBuffer"), virtualAlloc_};
        stage_ = std::make_unique<WindowStage>(watch_.functions());
        user_ = std::make_unique<WindowUser>(*stage_);
        stage_->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage_->window));
        QVERIFY(user_->dropFile(folder_.filePath("exercise2.etl")));
    }
    /// Every row starts with the whole trace.
    void init() {
        if (stage_->state().isZoomed()) QVERIFY(user_->press(Qt::Key_Home, Qt::AltModifier));
        QVERIFY(!stage_->state().isZoomed());
        testModels();
    }
    void cleanup() {
        testModels();
        QCOMPARE(watch_.onGuiThread.load(), 0);
    }
    void cleanupTestCase() {
        testers_.clear();
        stage_.reset();
    }

    void row1_wholeTrace() {
        QCOMPARE(user_->line(1), kProcess);
        QCOMPARE(cell({kProcess}, Column::Count), "24");
        QCOMPARE(cell({kProcess}, Column::Size), "126.0 MB");
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QTRY_COMPARE(user_->line(2), "Transient"); // the heaviest is open initially
        QCOMPARE(stage_->children({kProcess}), QStringList{"Transient"});
    }
    void row2_graphOfTheProcess_row16_filterChip() {
        QVERIFY(stage_->panel().model().rowCount() > 1);
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_F));
        QCOMPARE(user_->chips().size(), 1);
        QVERIFY(user_->chips().first().contains("Process = " + kProcess));
        QCOMPARE(stage_->panel().model().rowCount(), 1);
        QCOMPARE(stage_->panel().timeline().answer()->timeline.series.size(), std::size_t{1});
        const auto& peaks = stage_->panel().timeline().answer()->timeline.series.front().peaks;
        QCOMPARE(*std::max_element(peaks.begin(), peaks.end()), 31 * kMegabyte);
        QCOMPARE(peaks.back(), SignedByteCount{0});
        for (int i = 0; i < 10; ++i) {
            QCOMPARE(outstandingAt(3.55 + 3 * i), (i < 5 ? 21 : 31) * kMegabyte); // every spike
            QCOMPARE(outstandingAt(4.5 + 3 * i), (i < 5 ? 11 : 21) * kMegabyte);
        }
        QVERIFY(user_->clickChip(kProcess));
        QVERIFY(user_->chips().isEmpty());
        QVERIFY(stage_->panel().table().hasFocus()); // keys still work
        QVERIFY(stage_->panel().model().rowCount() > 1);
        QVERIFY(stage_->panel().timeline().answer()->timeline.series.size() > 1);
    }
    void row16_filterAndUndoInTheContextMenu() {
        QVERIFY(user_->rightClickRow({kProcess}));
        QVERIFY(user_->chooseInMenu("Filter to Selection"));
        QCOMPARE(stage_->panel().model().rowCount(), 1);
        QVERIFY(user_->rightClickRow({kProcess}));
        QVERIFY(user_->chooseInMenu("Undo Filter"));
        QVERIFY(stage_->panel().model().rowCount() > 1);
    }
    void row3_theStep() {
        QVERIFY(user_->choosePreset("Exercise 2 VirtualAlloc"));
        QVERIFY(user_->dragTimeline(16.0, 18.0));
        QVERIFY(stage_->state().selection());
        QVERIFY(user_->press(Qt::Key_Return));
        QVERIFY(!stage_->state().selection());
        const auto visible = stage_->state().visibleRange();
        QVERIFY(std::abs(visible.start.ns - 16'000'000'000) < 50'000'000); // a pixel
        QVERIFY(std::abs(visible.end.ns - 18'000'000'000) < 50'000'000);

        QCOMPARE(user_->line(1), kProcess); // the cause of the difference comes first
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "10.0 MB");
        QVERIFY(user_->clickHeader(Column::ImpactingSize)); // the smallest first
        QVERIFY(user_->line(1) != kProcess);
        QVERIFY(user_->clickHeader(Column::ImpactingSize));
        QCOMPARE(user_->line(1), kProcess);

        const QStringList impacting{kProcess, "Impacting"};
        QVERIFY(user_->openRow(impacting));
        QCOMPARE(cell(impacting, Column::Count), "1");
        QCOMPARE(cell(impacting, Column::ImpactingSize), "10.0 MB");
        QCOMPARE(cell(impacting, Column::BeginTime), "17.000000 s");
        QCOMPARE(cell(impacting, Column::EndTime), "32.000000 s");
        QCOMPARE(cell(impacting, Column::FreeType), "Process exit");
        // The one key has opened the whole stack: main, with VirtualAlloc below it.
        const auto chain = openChain(impacting);
        const auto below = chain.indexOf(virtualAlloc_);
        QVERIFY2(below > 0, qPrintable(chain.join(" > ")));
        QVERIFY(chain[below - 1].startsWith("MemoryTestApp.exe!+0x"));
    }
    void row4_unzoomInOneKey() {
        QVERIFY(user_->typeInterval("16.0 18.0"));
        QVERIFY(user_->clickRow({kProcess})); // wherever the focus is
        QVERIFY(user_->press(Qt::Key_Backspace));
        QVERIFY(!stage_->state().isZoomed());
        QCOMPARE(cell({kProcess}, Column::Count), "24");
        QCOMPARE(cell({kProcess}, Column::Size), "126.0 MB");
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
    }
    void row5_theLastFourSpikes() {
        QVERIFY(user_->dragTimeline(20.0, 31.5));
        QVERIFY(user_->press(Qt::Key_Return));
        QVERIFY(user_->clickHeader(Column::Size));
        const QStringList transient{kProcess, "Transient"};
        QCOMPARE(user_->line(1), kProcess);
        QVERIFY(user_->openRow({kProcess}));
        QVERIFY(user_->clickRow(transient));
        QCOMPARE(cell(transient, Column::Count), "4");
        QCOMPARE(cell(transient, Column::ImpactingSize), "0 B");
        QCOMPARE(cell(transient, Column::Size), "40.0 MB");
        QTRY_COMPARE(paintedSpikes(), 4); // and nothing else
        // Holding Right: down the chain to its end, and on to the blocks that it allocated.
        for (int i = 0; i < 30; ++i) {
            QVERIFY(user_->press(Qt::Key_Right));
        }
        const auto chain = openChain(transient);
        const auto at = chain.indexOf(spike_.first());
        QVERIFY2(at > 0 && chain.mid(at, spike_.size()) == spike_, qPrintable(chain.join(" > ")));
        const auto block = stage_->panel().table().currentIndex().siblingAtColumn(0);
        QCOMPARE(stage_->panel().model().keyText(block.parent()), chain.last());
        QVERIFY(stage_->panel().model().keyText(block).contains("21.500000 s – 21.600000 s · 10.0 MB"));
        QCOMPARE(stage_->panel().model().rowCount(block.parent()), 4);
    }
    void row5_fourBlocksOfAHundredMilliseconds() {
        QVERIFY(user_->typeInterval("20.0 31.5"));
        QVERIFY(user_->dragHeader(Column::BeginTime, Column::Stack)); // over the gold bar, with rows open
        const QStringList transient{kProcess, "Transient"};
        QVERIFY(user_->openRow(transient));
        QCOMPARE(stage_->children(transient),
                 (QStringList{"21.500000 s", "24.500000 s", "27.500000 s", "30.500000 s"}));
        QVERIFY(user_->tickColumn("Commit LifeTime"));
        for (const auto& begin : stage_->children(transient)) {
            QCOMPARE(cell(transient + QStringList{begin}, Column::Count), "1");
            QCOMPARE(cell(transient + QStringList{begin}, Column::LifeTime), "100.0 ms");
        }
        QVERIFY(user_->choosePreset("Impacting by Process"));
        QCOMPARE(stage_->children({kProcess}).contains("Transient"), true);
    }
    void row6_persistentBesideAndAllocated() {
        QVERIFY(user_->typeInterval("20.0 31.5"));
        QVERIFY(user_->tickColumn("Allocated"));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QCOMPARE(cell({kProcess}, Column::Allocated), "40.0 MB");
        QVERIFY(user_->openRow({kProcess}));
        QCOMPARE(cell({kProcess, "Persistent"}, Column::Count), "4");
        QCOMPARE(cell({kProcess, "Persistent"}, Column::Size), "21.0 MB");
        QVERIFY(user_->tickColumn("Allocated")); // and away
        QCOMPARE(cell({kProcess}, Column::Allocated), "-");
    }
    void row7_insideNothing() {
        QVERIFY(user_->typeInterval("16.0 16.05"));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QCOMPARE(stage_->children({kProcess}), QStringList{"Persistent"});
    }
    void row8_afterASpike() {
        QVERIFY(user_->typeInterval("3.55 3.7"));
        QVERIFY(user_->openRow({kProcess}));
        QCOMPARE(cell({kProcess, "Impacting"}, Column::Count), "1");
        QCOMPARE(cell({kProcess, "Impacting"}, Column::ImpactingSize), "−10.0 MB");
        QVERIFY(user_->dragHeader(Column::ImpactingType, Column::Process)); // regrouped while open
        QCOMPARE(cell({"Impacting", kProcess}, Column::ImpactingSize), "−10.0 MB");
        QVERIFY(user_->choosePreset("Exercise 2 VirtualAlloc"));
        QCOMPARE(cell({kProcess, "Impacting"}, Column::ImpactingSize), "−10.0 MB");
    }
    void row8_clickOnASpikeFindsItsRow() {
        QVERIFY(user_->typeInterval("20.0 31.5"));
        QVERIFY(user_->clickTimeline(24.55, 28.0 * kMegabyte));
        auto& model = stage_->panel().model();
        auto& table = stage_->panel().table();
        QTRY_VERIFY(model.isLeaf(table.currentIndex().siblingAtColumn(0)));
        QStringList path;
        for (auto at = table.currentIndex().siblingAtColumn(0); at.isValid(); at = at.parent()) {
            path.prepend(model.keyText(at));
        }
        QCOMPARE(path.mid(0, 2), (QStringList{kProcess, "Transient"}));
        QVERIFY2(path.contains(virtualAlloc_), qPrintable(path.join(" > ")));
        QTRY_COMPARE(paintedSpikes(), 4); // and nothing else
    }
    void outstandingAtAnInstantByTheKeyL() {
        user_->pointAtTimeline(18.55, 5.0 * kMegabyte);
        QVERIFY(user_->press(Qt::Key_L));
        QCOMPARE(cell({kProcess}, Column::Size), "31.0 MB");
        QVERIFY(user_->press(Qt::Key_L));
        QCOMPARE(cell({kProcess}, Column::Size), "126.0 MB");
    }
    void chartTypesByTheBox() {
        for (const auto* chart : {"Stacked", "Bars", "Line"}) {
            QVERIFY(user_->chooseChart(chart));
        }
        QCOMPARE(stage_->panel().graph().chart(), ui::ChartType::Line);
    }
    void secondTabWithItsOwnInterval() {
        QVERIFY(user_->typeInterval("16.0 18.0"));
        QVERIFY(user_->press(Qt::Key_T, Qt::ControlModifier));
        testModels();
        QVERIFY(!stage_->state().isZoomed());
        QVERIFY(user_->typeInterval("20.0 31.5"));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        auto* tabs = stage_->window.tabs().findChild<QTabBar*>();
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        QVERIFY(stage_->wait());
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "10.0 MB");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        QVERIFY(user_->press(Qt::Key_W, Qt::ControlModifier));
        QCOMPARE(stage_->window.tabs().count(), 1);
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "10.0 MB");
    }
    void row9_heaps() {
        QVERIFY(user_->doubleClickGraph("Heap Allocations"));
        testModels();
        QCOMPARE(stage_->panel().graph().table(), Table::Heap);
        QVERIFY(user_->openRow({kProcess, kGrowing}));
        QVERIFY(user_->openRow({kProcess, kBusy}));
        QCOMPARE(cell({kProcess}, Column::Count), "6,242");
        QCOMPARE(cell({kProcess, kGrowing}, Column::Count), "1,200");
        QCOMPARE(cell({kProcess, kGrowing}, Column::Size), "130.0 KB");
        QCOMPARE(cell({kProcess, kGrowing}, Column::ImpactingSize), "130.0 KB");
        QCOMPARE(stage_->children({kProcess, kGrowing}), QStringList{"Impacting"});
        QCOMPARE(cell({kProcess, kBusy, "Impacting"}, Column::Count), "40");
        QCOMPARE(cell({kProcess, kBusy, "Impacting"}, Column::ImpactingSize), "10.0 KB");
        QCOMPARE(cell({kProcess, kBusy, "Transient"}, Column::Count), "5,002");
        QCOMPARE(cell({kProcess, kBusy, "Transient"}, Column::Size), "312.8 KB"); // 320,300 B
        QVERIFY(user_->dragHeader(Column::Handle, Column::Count)); // a value: rows are no longer grouped by it
        QVERIFY(user_->tickColumn("Type"));
        QCOMPARE(cell({kProcess, "Impacting", "AIFO"}, Column::Count), "1,240");
        QVERIFY(user_->choosePreset("Impacting by Process and Handle"));
    }
    void row10_theHeapRisesInAStraightLine() {
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_F));
        QVERIFY(user_->dragHeader(Column::Handle, Column::Process)); // the first column is drawn
        const auto& timeline = stage_->panel().timeline().answer()->timeline;
        const auto growing = std::find_if(timeline.series.begin(), timeline.series.end(),
                                          [](const auto& series) { return series.name == kGrowing.toStdString(); });
        QVERIFY(growing != timeline.series.end());
        const auto& starts = timeline.starts;
        for (std::size_t slice = 0; slice < growing->peaks.size(); ++slice) {
            const auto end = slice + 1 < starts.size() ? starts[slice + 1] : timeline.interval.end;
            const double second = static_cast<double>(end.ns) / 1e9 - 2.0;
            if (second < 0.1 || second > 29.9) continue;
            const double line = 94'840 + 40 * 31.9 * second;
            const auto blocks = std::abs(static_cast<double>(growing->peaks[slice]) - line) / 40.0;
            QVERIFY2(blocks < 3, qPrintable(QString::number(second)));
        }
        QCOMPARE(growing->peaks.back(), SignedByteCount{133'120});
        QVERIFY(user_->choosePreset("Impacting by Process and Handle"));
        QVERIFY(user_->clickChip(kProcess));
    }
    void row11_tenSecondsInTheMiddle() {
        QVERIFY(user_->choosePreset("Exercise 2 Heap"));
        QVERIFY(user_->typeInterval("12.0 22.0"));
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_Left, Qt::ControlModifier)); // closes rows that were open in the whole trace
        const QStringList impacting{kProcess, kGrowing, "Impacting"};
        QVERIFY(user_->openRow(impacting));
        QCOMPARE(cell(impacting, Column::Count), "319");
        QCOMPARE(cell(impacting, Column::Size), "12.5 KB");
        QCOMPARE(cell({kProcess, kGrowing, "Persistent"}, Column::Count), "562");
        const auto chain = openChain(impacting); // one stack
        const auto at = chain.indexOf(innerLoop_);
        QVERIFY2(at > 0, qPrintable(chain.join(" > ")));
        QCOMPARE(chain[at + 1], operatorNew_);
        QCOMPARE(stage_->panel().model().rowCount(stage_->row(impacting + chain)), 0);
        QCOMPARE(cell(impacting + chain, Column::Count), "319");
    }
    void row11_hotPathInOneKey() {
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_Left, Qt::ControlModifier)); // all closed
        QVERIFY(user_->clickHeader(Column::ImpactingSize));
        // From the surge in the graph to the owner: drag, Enter, one key. Without names that is the innermost function
        // of the program.
        QVERIFY(user_->dragTimeline(12.0, 22.0));
        QVERIFY(user_->press(Qt::Key_Return));
        QVERIFY(stage_->panel().timeline().hasFocus());
        QVERIFY(user_->press(Qt::Key_Right, Qt::ControlModifier));
        auto& model = stage_->panel().model();
        const auto current = [&] { return stage_->panel().table().currentIndex().siblingAtColumn(0); };
        QTRY_COMPARE(model.keyText(current()), operatorNew_);
        QStringList path;
        for (auto at = current(); at.isValid(); at = at.parent()) {
            path.prepend(model.keyText(at));
        }
        QCOMPARE(path.mid(0, 3), (QStringList{kProcess, kGrowing, "Impacting"}));
        QVERIFY(path.contains(innerLoop_));
        QVERIFY(user_->press(Qt::Key_Right, Qt::ControlModifier)); // and on, to the leaf
        QTRY_VERIFY(model.isLeaf(current()));
    }
    void findReachesClosedRows() {
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_Left, Qt::ControlModifier));
        QVERIFY(user_->press(Qt::Key_F, Qt::ControlModifier));
        auto* field = stage_->panel().findChild<QLineEdit*>("findText");
        QVERIFY(field && field->isVisible());
        QTest::keyClicks(field, innerLoop_);
        QTest::keyClick(field, Qt::Key_Return);
        const auto& table = stage_->panel().table();
        QTRY_COMPARE(stage_->panel().model().keyText(table.currentIndex()), innerLoop_);
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(stage_->window.focusWidget(), static_cast<const QWidget*>(&table));
    }
    void row11_bottomUpShowsTheInnerLoopFirst() {
        QVERIFY(user_->typeInterval("12.0 22.0"));
        QVERIFY(user_->clickRow({kProcess}));
        QVERIFY(user_->press(Qt::Key_B, Qt::ControlModifier));
        QVERIFY(user_->openRow({kProcess, kGrowing}));
        QVERIFY(user_->clickRow({kProcess, kGrowing, "Impacting"}));
        QVERIFY(user_->press(Qt::Key_F));
        // Without symbols operator new is unknown here: the user names it.
        addAllocatorFrame(operatorNew_);
        QVERIFY(user_->dragHeader(Column::StackBottomUp, Column::Process));
        QCOMPARE(user_->line(1), innerLoop_);
        QCOMPARE(user_->cellOfLine(1, Column::Count), "319");
        QVERIFY(user_->press(Qt::Key_Z, Qt::ControlModifier)); // the filter
        QVERIFY(user_->chips().isEmpty());
        QVERIFY(user_->choosePreset("Impacting by Process and Handle"));
    }
    void row12_anyTenSeconds() {
        for (const auto* interval : {"7.2 17.2", "14.0 24.0"}) {
            QVERIFY(user_->typeInterval(interval));
            QVERIFY(!stage_->panel().timeline().cursor()); // the drag of row 11 had left it at 22 s
            QCOMPARE(cell({kProcess, kGrowing, "Impacting"}, Column::Count), "319");
        }
    }
    void row13_processExitFreesHeap() {
        QVERIFY(user_->chooseInMenuBar("Trace", "Process Exit Frees Heap"));
        QVERIFY(user_->openRow({kProcess}));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "0 B");
        QCOMPARE(cell({kProcess, kGrowing, "Transient"}, Column::Count), "1,200");
        QCOMPARE(cell({kProcess, kBusy, "Transient"}, Column::Count), "5,042");
        QVERIFY(user_->chooseInMenuBar("Trace", "Process Exit Frees Heap"));
        QCOMPARE(cell({kProcess}, Column::ImpactingSize), "140.0 KB");
    }
    void row14_unmatchedFrees() {
        QVERIFY(user_->doubleClickGraph("Frees"));
        testModels();
        QVERIFY(user_->openRow({kProcess}));
        QCOMPARE(cell({kProcess, "Unmatched free"}, Column::Count), "2");
        QCOMPARE(cell({kProcess, "Unmatched free"}, Column::Size), "0 B");
    }
    void row15_reallocIsTwoRowsThatMeet() {
        QVERIFY(user_->press(Qt::Key_2, Qt::ControlModifier));
        QVERIFY(user_->choosePreset("Exercise 2 Heap"));
        QCOMPARE(stage_->panel().graph().table(), Table::Heap);
        QVERIFY(user_->typeInterval("7.0 10.0"));
        QVERIFY(user_->tickColumn("Allocation Size"));
        QVERIFY(user_->tickColumn("Is Realloc"));
        QVERIFY(user_->tickColumn("FreeTime"));
        QVERIFY(user_->dragHeader(Column::IsRealloc, Column::ImpactingType));
        QVERIFY(user_->dragHeader(Column::RowSize, Column::ImpactingType));
        QVERIFY(user_->openRow({kProcess, kBusy, "True"}));
        QCOMPARE(stage_->children({kProcess, kBusy, "True"}), QStringList{"200 B"});
        QCOMPARE(cell({kProcess, kBusy, "True", "200 B"}, Column::BeginTime), "8.000500 s");
        QCOMPARE(cell({kProcess, kBusy, "False", "100 B"}, Column::Count), "1");
        QCOMPARE(cell({kProcess, kBusy, "False", "100 B"}, Column::EndTime), "8.000500 s");
    }
    void noQueryRanOnTheGuiThread() {
        for (const auto* calls :
             {&watch_.tables, &watch_.timelines, &watch_.painted, &watch_.rowsAt, &watch_.opens, &watch_.finds}) {
            QVERIFY(calls->load() > 0); // each kind of query was made on the way
        }
        QCOMPARE(watch_.onGuiThread.load(), 0);
    }

  private:
    QString cell(const QStringList& path, Column column) { return stage_->cell(path, column); }
    /// A tester for each existing table; those of closed tabs are deleted with their models.
    void testModels() {
        for (int i = 0; i < stage_->window.tabs().count(); ++i) {
            auto* view = static_cast<ui::AnalysisView*>(stage_->window.tabs().widget(i));
            for (auto* panel : view->panels()) {
                auto* model = &panel->model();
                if (testers_.contains(model)) continue;
                testers_.insert(model, new QAbstractItemModelTester(model, model));
                connect(model, &QObject::destroyed, this, [this, model] { testers_.remove(model); });
            }
        }
    }
    /// The open rows from this row down.
    QStringList openChain(const QStringList& path) {
        QStringList names;
        auto& model = stage_->panel().model();
        for (auto at = user_->shownRow(path); model.rowCount(at) == 1 && stage_->panel().table().isExpanded(at);) {
            at = model.index(0, 0, at);
            names << model.keyText(at);
        }
        return names;
    }
    SignedByteCount outstandingAt(double seconds) {
        const auto& timeline = stage_->panel().timeline();
        const auto slice = timeline.layers().sliceAt({std::llround(seconds * 1e9)});
        return slice ? timeline.answer()->timeline.series.front().peaks[*slice] : -1;
    }
    /// The number of times that the painted amount rises from zero to 10 MB; -1 if it ever has another value.
    int paintedSpikes() {
        const auto& painted = stage_->panel().timeline().painted();
        if (!painted || painted->rows.size() != 1) return -1;
        if (!(painted->query.interval == stage_->state().visibleRange())) return -1;
        const auto& peaks = painted->rows.front().peaks;
        int rises = 0;
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            if (peaks[i] != 0 && peaks[i] != 10 * kMegabyte) return -1;
            if (peaks[i] > 0 && (i == 0 || peaks[i - 1] == 0)) ++rises;
        }
        return rises;
    }
    void addAllocatorFrame(const QString& label) {
        QVERIFY(user_->chooseInMenuBar("Trace", "Allocator Frames…"));
        auto* editor = stage_->window.findChild<ui::AllocatorFramesEditor*>();
        QVERIFY(editor);
        auto* text = editor->findChild<QPlainTextEdit*>();
        QTest::keyClick(text, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClick(text, Qt::Key_Return);
        QTest::keyClicks(text, label);
        auto* buttons = editor->findChild<QDialogButtonBox*>();
        QTest::mouseClick(buttons->button(QDialogButtonBox::Apply), Qt::LeftButton);
        QTest::mouseClick(buttons->button(QDialogButtonBox::Close), Qt::LeftButton);
        stage_->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage_->window));
        QVERIFY(stage_->wait());
    }

    QTemporaryDir folder_;
    ThreadWatch watch_;
    std::unique_ptr<WindowStage> stage_;
    std::unique_ptr<WindowUser> user_;
    QHash<QObject*, QAbstractItemModelTester*> testers_; ///< children of their models
    QString virtualAlloc_, innerLoop_, operatorNew_;
    QStringList spike_;
};
HIGHWATER_TEST(WalkThroughTest);
#include "walk_through_test.moc"
