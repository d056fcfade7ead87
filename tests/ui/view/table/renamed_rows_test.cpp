#include "tests/support/test_registry.h"
#include "tests/ui/support/small_names.h"
#include "tests/ui/support/small_trace.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/query_field.h"
#include "ui/view/table/find_bar.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;

namespace {

constexpr Address kApp = 0x400000;
constexpr Address kLib = 0x500000;

/// Process, Impacting Type, Commit Stack: a.exe has app!main, which calls app!work from two places and 30 functions of
/// lib, and b.exe, which has no stack. At first nothing has a name.
struct RenamedRowsStage {
    std::atomic<bool> isHeld{false}; ///< answers to tables are computed, but withheld
    std::atomic<int> held{0};
    SmallTrace trace;
    std::shared_ptr<SmallNames> names = std::make_shared<SmallNames>();
    std::shared_ptr<const store::PublishedTrace> published;
    AnalysisTabs tabs{nullptr, functions()};
    GraphPanel& panel = *tabs.currentPanel();
    GroupedTableView& table = panel.table();
    GroupedTableModel& model = panel.model();
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};

    RenamedRowsStage() {
        trace.process(1, "a.exe").process(2, "b.exe").image(1, kApp, 0x1000, "app").image(1, kLib, 0x1000, "lib");
        commit(400, {kApp + 0x110, kApp + 0x10});
        commit(200, {kApp + 0x120, kApp + 0x10});
        for (std::uint32_t i = 0; i < 30; ++i) {
            commit(190 - i, {kLib + 0x40 * i + 8, kApp + 0x10});
        }
        trace.commit(++time_, 2, 0x10000, kPage);
        tabs.resize(1000, 700);
        tabs.show();
        (void)QTest::qWaitForWindowExposed(&tabs);
        QSignalSpy opened(&tabs, &AnalysisTabs::namesWanted);
        published = trace.publish(1000);
        tabs.shown().show(published, std::make_shared<analysis::FrameLabels>(names));
        (void)wait();
        table.expand(row({"a.exe (1)"}));
        (void)QTest::qWaitFor([this] { return row({"a.exe (1)", "Impacting", "app!+0x10", "app!+0x110"}).isValid(); });
        (void)wait();
        (void)QTest::qWaitFor([&] { return !opened.isEmpty(); }); // reported after painting
    }
    ~RenamedRowsStage() { names->holdBack(false); }

    QueryFunctions functions() {
        QueryFunctions watched;
        watched.table = [this](const TableRequest& request, std::stop_token stop) {
            auto answer = answerTable(request, stop);
            ++held;
            while (isHeld && !stop.stop_requested()) {
                QThread::msleep(1);
            }
            --held;
            return answer;
        };
        return watched;
    }
    void commit(ByteCount pages, std::initializer_list<Address> frames) {
        ++time_;
        trace.commit(time_, 1, 0x1000000 * static_cast<Address>(time_), pages * kPage, frames);
    }
    bool wait() {
        QTest::qWait(1); // the planner asks in the next turn
        return QTest::qWaitFor([this] { return tabs.isUpToDate(); });
    }
    /// main and work; and functions of lib with the length of the distance between calls, twice that length, ...
    void nameApp() { names->name(*published, "app", {{0, "main"}, {0x100, "work"}}); }
    void nameLib(symbols::Rva length = 0x40) {
        std::map<symbols::Rva, std::string> functions;
        for (symbols::Rva begin = 0; begin < 0x1000; begin += length) {
            functions[begin] = "f" + std::to_string(begin / length);
        }
        names->name(*published, "lib", functions);
    }
    bool showNames() {
        tabs.shown().noteNames();
        return wait();
    }
    QModelIndex row(const QStringList& texts) {
        QModelIndex index;
        for (const auto& text : texts) {
            const auto parent = index;
            index = {};
            for (int i = 0; i < model.rowCount(parent); ++i) {
                if (model.keyText(model.index(i, 0, parent)) == text) index = model.index(i, 0, parent);
            }
            if (!index.isValid()) return {};
        }
        return index;
    }
    QModelIndex frame(const QStringList& texts) { return row(QStringList{"a.exe (1)", "Impacting"} + texts); }
    void click(const QModelIndex& index, Qt::KeyboardModifiers with = {}) {
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, with, table.visualRect(index.siblingAtColumn(1)).center());
    }
    /// The first rows on screen: level, text, * selected, < current.
    QStringList lines(int count) {
        QStringList lines;
        for (auto index = model.index(0, 0); index.isValid() && lines.size() < count; index = table.indexBelow(index)) {
            QString line;
            for (auto at = index.parent(); at.isValid(); at = at.parent()) {
                line += "  ";
            }
            line += model.keyText(index);
            if (table.selectionModel()->isRowSelected(index.row(), index.parent())) line += " *";
            if (table.currentIndex().siblingAtColumn(0) == index) line += " <";
            lines << line;
        }
        return lines;
    }
    QString current() { return model.keyText(table.currentIndex()); }

  private:
    std::int64_t time_ = 0;
};

} // namespace

class RenamedRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsOpenSelectedAndCurrentRows() {
        RenamedRowsStage stage;
        stage.click(stage.frame({"app!+0x10", "app!+0x110"}));
        stage.click(stage.frame({"app!+0x10"}), Qt::ControlModifier);
        QCOMPARE(stage.lines(6), (QStringList{"a.exe (1)", "  Impacting", "    app!+0x10 * <", "      app!+0x110 *",
                                              "      app!+0x120", "      lib!+0x8"}));
        stage.nameLib();
        QVERIFY(stage.showNames());
        QCOMPARE(stage.lines(6), (QStringList{"a.exe (1)", "  Impacting", "    app!+0x10 * <", "      app!+0x110 *",
                                              "      app!+0x120", "      lib!f0"}));
        stage.nameApp();
        QVERIFY(stage.showNames());
        QCOMPARE(stage.lines(5),
                 (QStringList{"a.exe (1)", "  Impacting", "    app!main * <", "      app!work *", "      lib!f0"}));
    }
    void keepsThemWhenNamesAreTakenBack() {
        RenamedRowsStage stage;
        stage.nameApp();
        QVERIFY(stage.showNames());
        stage.click(stage.frame({"app!main", "app!work"}));
        stage.names->forget(*stage.published, "app");
        QVERIFY(stage.showNames());
        QCOMPARE(stage.lines(5), (QStringList{"a.exe (1)", "  Impacting", "    app!+0x10", "      app!+0x110 * <",
                                              "      app!+0x120 *"}));
    }
    void leavesTheCurrentRowAtItsLine() {
        RenamedRowsStage stage;
        stage.table.verticalScrollBar()->setValue(10);
        stage.click(stage.frame({"app!+0x10", "lib!+0x308"}));
        QCOMPARE(stage.table.verticalScrollBar()->value(), 10);
        const auto line = stage.table.lineOf(stage.table.currentIndex());
        stage.nameLib(0x80); // two calls each
        QVERIFY(stage.showNames());
        QCOMPARE(stage.current(), "lib!f6");
        QVERIFY(stage.table.verticalScrollBar()->value() < 10); // rows above have merged into one
        QCOMPARE(stage.table.lineOf(stage.table.currentIndex()), line);
    }
    void leavesTheRowOnTopWhereItIs() {
        RenamedRowsStage stage;
        stage.table.verticalScrollBar()->setValue(6);
        QCOMPARE(stage.model.keyText(stage.table.topRow()), "lib!+0x48");
        stage.nameLib();
        stage.nameApp(); // one row less above
        QVERIFY(stage.showNames());
        QCOMPARE(stage.model.keyText(stage.table.topRow()), "lib!f1");
    }
    void keepsRowsSelectedOrOpenedMeanwhile() {
        RenamedRowsStage stage;
        stage.nameApp();
        stage.isHeld = true;
        stage.tabs.shown().noteNames();
        QTRY_COMPARE(stage.held.load(), 1);
        stage.table.collapse(stage.row({"a.exe (1)", "Impacting"}));
        stage.table.expand(stage.row({"a.exe (1)", "Impacting"}));
        stage.click(stage.frame({"app!+0x10", "app!+0x120"}));
        stage.table.expand(stage.row({"b.exe (2)"}));
        stage.isHeld = false;
        QTRY_COMPARE(stage.current(), "app!work");
        QVERIFY(stage.wait());
        QCOMPARE(stage.lines(4), (QStringList{"a.exe (1)", "  Impacting", "    app!main", "      app!work * <"}));
        QVERIFY(stage.row({"b.exe (2)", "Impacting"}).isValid());
        QVERIFY(stage.table.isExpanded(stage.row({"b.exe (2)"})));
    }
    void paintsTheSameRowsByTheirNewNames() {
        RenamedRowsStage stage;
        stage.click(stage.frame({"app!+0x10", "app!+0x110"}));
        stage.click(stage.frame({"app!+0x10", "app!+0x120"}), Qt::ControlModifier);
        QTRY_VERIFY(stage.panel.timeline().painted() && stage.panel.timeline().painted()->rows.size() == 2);
        stage.nameApp();
        QVERIFY(stage.showNames());
        const auto work = stage.model.pathOf(stage.frame({"app!main", "app!work"}));
        QCOMPARE(stage.panel.graph().paintedRows(), std::vector<KeyPath>{work});
        QTRY_COMPARE(stage.panel.timeline().painted()->rows.size(), std::size_t{1});
        QCOMPARE(stage.panel.timeline().painted()->rows[0].path, work);
        QCOMPARE(stage.panel.timeline().painted()->rows[0].peaks.back(), SignedByteCount{600 * kPage});
    }
    void linesStayOpenUnderTheirNewNames() {
        RenamedRowsStage stage;
        auto& graph = stage.panel.graph();
        const auto main = stage.model.pathOf(stage.frame({"app!+0x10"}));
        for (std::size_t length = 1; length <= main.size(); ++length)
            graph.turnSeries({main.begin(), main.begin() + static_cast<std::ptrdiff_t>(length)});
        graph.hideSeries({main});
        QVERIFY(stage.wait());
        stage.nameApp();
        QVERIFY(stage.showNames());
        QVERIFY(stage.wait());
        const auto named = stage.model.pathOf(stage.frame({"app!main"}));
        QVERIFY(named != main);
        QVERIFY(graph.isSeriesOpen(named) && graph.isHidden(named) && !graph.isSeriesOpen(main));
        const auto& series = stage.panel.timeline().answer()->timeline.series;
        const auto isMain = [&](const auto& one) { return one.path == named && one.isGroup; };
        const auto found = std::find_if(series.begin(), series.end(), isMain);
        QVERIFY(found != series.end());
        QCOMPARE(found->name, std::string("app!main"));
        QVERIFY(found->isOpen);
    }
    void filtersByTheFunctionThatARowBecame() {
        RenamedRowsStage stage;
        stage.click(stage.frame({"app!+0x10", "app!+0x120"}));
        QTest::keyClick(&stage.table, Qt::Key_F);
        QVERIFY(stage.wait());
        auto* chip = stage.panel.findChild<QPushButton*>("filterChip");
        QVERIFY(chip);
        const auto before = chip->toolTip();
        QVERIFY(before.contains("app!+0x120"));
        const KeyPath hidden{{Column::Process, 2}};
        stage.panel.graph().hideSeries({hidden});
        stage.nameApp();
        QVERIFY(stage.showNames());
        QCOMPARE(stage.panel.graph().filterSteps().size(), std::size_t{1});
        QCOMPARE(stage.lines(9), (QStringList{"a.exe (1)", "  Impacting", "    app!main", "      app!work * <"}));
        QCOMPARE(stage.panel.graph().hiddenSeries(), std::vector<KeyPath>{hidden});
        QTRY_COMPARE(stage.panel.timeline().answer()->timeline.series[0].peaks.back(), SignedByteCount{600 * kPage});
    }
    void findsFromTheRowThatIsCurrentByItsNewName() {
        RenamedRowsStage stage;
        QTest::keyClick(&stage.tabs, Qt::Key_F, Qt::ControlModifier);
        stage.panel.findBar().findChild<QueryField*>("findText")->setText("app!");
        emit stage.panel.findBar().stepWanted(TableFinder::Direction::Forward);
        stage.nameApp();
        QVERIFY(stage.showNames());
        QVERIFY(!stage.frame({"app!+0x10"}).isValid());
    }
    void revealsARowThatWasPointedAtBeforeItGotItsName() {
        RenamedRowsStage stage;
        const auto path = stage.model.pathOf(stage.frame({"app!+0x10", "app!+0x120"}));
        stage.nameApp();
        QVERIFY(stage.showNames());
        stage.table.collapseEverything();
        stage.table.reveal(path);
        QTRY_COMPARE(stage.current(), "app!work");
        QVERIFY(stage.table.isExpanded(stage.frame({"app!main"})));
    }
    void neverWaitsForNames() {
        RenamedRowsStage stage;
        stage.names->holdBack(true);
        stage.tabs.shown().noteNames();
        QTRY_VERIFY(stage.names->isWaitedFor());
        // All actions of a user. Any that waits here would wait forever.
        stage.click(stage.frame({"app!+0x10", "app!+0x120"}));
        QTest::keyClick(&stage.table, Qt::Key_C, Qt::ControlModifier);
        QTest::keyClick(&stage.table, Qt::Key_F);
        QTest::keyClick(&stage.table, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(&stage.table, Qt::Key_Left);
        QTest::keyClick(&stage.table, Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&stage.table, Qt::Key_B, Qt::ControlModifier);
        stage.tabs.current().state().select({ms(10), ms(20)});
        stage.tabs.current().state().zoomToSelection();
        stage.tabs.addAnalysis();
        for (int column = 0; column < stage.model.columnCount(); ++column) {
            const auto index = stage.model.index(0, column);
            QVERIFY(index.isValid());
            (void)index.data(Qt::ToolTipRole);
        }
        (void)stage.tabs.visibleFrames();
        QTest::qWait(20);
        stage.tabs.grab();
        stage.names->holdBack(false);
        QVERIFY(stage.wait());
    }
    void reportsVisibleFrames() {
        RenamedRowsStage stage;
        QVERIFY(stage.tabs.visibleFrames().size() > 3);
        const auto label = [&](const QStringList& texts) {
            return analysis::LabelId{static_cast<std::uint32_t>(stage.model.pathOf(stage.frame(texts)).back().key)};
        };
        QVERIFY(stage.tabs.visibleFrames().front() == label({"app!+0x10"}));
        stage.table.verticalScrollBar()->setValue(4);
        QVERIFY(stage.tabs.visibleFrames().front() == label({"app!+0x10", "app!+0x120"}));
        stage.table.collapseEverything();
        QVERIFY(stage.tabs.visibleFrames().empty());
    }
    void reportsOnceThatAStackWasOpened() {
        RenamedRowsStage stage;
        QSignalSpy opened(&stage.tabs, &AnalysisTabs::namesWanted);
        stage.table.collapseEverything();
        const auto another = std::make_shared<analysis::FrameLabels>();
        stage.tabs.shown().setLoading(true); // nothing opens automatically
        stage.tabs.shown().show(stage.published, another);
        QVERIFY(stage.wait());
        QTest::qWait(20);
        QCOMPARE(opened.count(), 0);
        stage.table.expand(stage.row({"a.exe (1)"}));
        QTRY_COMPARE(opened.count(), 1);
        stage.table.collapseEverything();
        stage.table.expand(stage.row({"a.exe (1)"}));
        QTest::qWait(20);
        QCOMPARE(opened.count(), 1);
    }
};
HIGHWATER_TEST(RenamedRowsTest);
#include "renamed_rows_test.moc"
