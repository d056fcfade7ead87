#include "app/tools/holders/page/held_by_view.h"

#include "tests/app/tools/holders/page/held_by_answers.h"
#include "tests/support/test_registry.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/tree_flames_view.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QStyleHints>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::Column, analysis::KeyPath;

namespace {

/// Two pictures, of which the older one is shown if `isOlder`.
std::shared_ptr<const HeldByAnswer> withTwoPictures(bool isOlder = false) {
    auto answer = *answerOfHeld({heldOfServer(isOlder ? 2 : 4)});
    answer.found.pictures = {{TraceTime{4'000'000'000}, ProcessIndex{0}, "server (7)"},
                             {TraceTime{2'000'000'000}, ProcessIndex{0}, "server (7)"}};
    if (isOlder) answer.query.interval.end = TraceTime{2'000'000'001};
    return std::make_shared<const HeldByAnswer>(std::move(answer));
}

/// The newer one compared with the older one, in which 1000 bytes less were held by the stack, and nothing by
/// g_sessions.
std::shared_ptr<const HeldByAnswer> comparedPictures() {
    auto answer = *withTwoPictures();
    answer.query.earlier = TraceTime{2'000'000'000};
    for (const auto& row : answer.found.rows) {
        const bool isNew = row.node != HeldRow::kNone && row.node != 1;
        answer.found.before.push_back(isNew ? analysis::BlockSum() : analysis::BlockSum{1, 1200});
    }
    return std::make_shared<const HeldByAnswer>(std::move(answer));
}

/// A server and its helper, each with two pictures.
std::shared_ptr<const HeldByAnswer> serverAndHelper() {
    HeldByBuilder helper(1, "helper (9)", 3);
    helper.step(helper.root("helper!g_jobs", RootKind::Variable, 1000), "helper!addJob", {1, 1000});
    auto answer = *answerOfHeld({helper.done(), heldOfServer()});
    answer.found.pictures = {{TraceTime{4'000'000'000}, ProcessIndex{0}, "server (7)"},
                             {TraceTime{3'000'000'000}, ProcessIndex{1}, "helper (9)"},
                             {TraceTime{2'000'000'000}, ProcessIndex{0}, "server (7)"},
                             {TraceTime{1'000'000'000}, ProcessIndex{1}, "helper (9)"}};
    return std::make_shared<const HeldByAnswer>(std::move(answer));
}

/// The page on screen, with the keyboard.
struct HeldByStage {
    HeldByView view;
    QSignalSpy painted{&view, &HeldByView::painted};
    QSignalSpy filtered{&view, &HeldByView::filterWanted};
    QSignalSpy unfiltered{&view, &HeldByView::filterUnwanted};
    QSignalSpy rows{&view, &HeldByView::rowsWanted};
    std::vector<std::optional<TraceTime>> pictures, comparisons;

    explicit HeldByStage(const std::shared_ptr<const HeldByAnswer>& answer = answerOfHeld({heldOfServer()})) {
        QObject::connect(&view, &HeldByView::pictureWanted, [this](auto at) { pictures.push_back(at); });
        QObject::connect(&view, &HeldByView::comparisonWanted, [this](auto at) { comparisons.push_back(at); });
        if (answer) view.setAnswer(answer);
        view.resize(1000, 260);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&view.table(), key, with); }
    [[nodiscard]] QString summary() const { return view.findChild<QLabel*>("heldBySummary")->text(); }
    [[nodiscard]] QString current() { return view.table().currentIndex().siblingAtColumn(0).data().toString(); }
    [[nodiscard]] QComboBox& box() const { return *view.findChild<QComboBox*>("heldByPicture"); }
    [[nodiscard]] QStringList itemsOf(const char* box) const {
        const auto& items = *view.findChild<QComboBox*>(box);
        QStringList texts;
        for (int i = 0; i < items.count(); ++i)
            texts << items.itemText(i);
        return texts;
    }
    /// Rows on screen, from the top.
    [[nodiscard]] QStringList shown() {
        QStringList texts;
        for (auto row = view.table().model()->index(0, 0); row.isValid(); row = view.table().indexBelow(row))
            texts << row.data().toString();
        return texts;
    }
    void go(const QString& text) {
        press(Qt::Key_Home);
        for (int i = 0; i < 20 && current() != text; ++i)
            press(Qt::Key_Down);
    }
    static std::vector<KeyPath> rowsIn(const QSignalSpy& spy) { return spy.last()[0].value<std::vector<KeyPath>>(); }
    static QString textIn(const QSignalSpy& spy) { return spy.last()[1].toString(); }
};

} // namespace

/// The Held By page by mouse and keys.
class HeldByViewTest : public QObject {
    Q_OBJECT
  private slots:
    /// The answer is on screen without a click: the holder of most memory, and the way to the first choice.
    void theHeaviestWayIsOpenAtFirst() {
        HeldByStage stage;
        QCOMPARE(stage.current(), QString("server!g_sessions"));
        QCOMPARE(stage.shown(),
                 QStringList({"server (7)", "nothing (unreachable)", "server!g_sessions", "server!makeTable",
                              "server!Session::Session", "server!readText", "server!readName", "stack of main (7)"}));
    }
    void aSentenceHasTheTotalsTheTimeAndTheCautions() {
        HeldByStage stage;
        QCOMPARE(stage.summary(),
                 QString("server (7), picture at 4.00 s: 5.7 KB (32 blocks) reachable, including 3.9 KB (10 blocks) "
                         "possibly reachable; 60 B (2 blocks) unreachable. Events were lost."));
    }
    void theSentenceHasTheTotalsOfAllProcesses() {
        HeldByStage stage(serverAndHelper());
        const QString together = "2 processes: 6.6 KB (33 blocks) reachable, including 3.9 KB (10 blocks) possibly "
                                 "reachable; 60 B (2 blocks) unreachable. ";
        QVERIFY2(stage.summary().startsWith(together + "server (7), picture at 4.00 s: 5.7 KB (32 blocks)"),
                 qPrintable(stage.summary()));
        stage.go("helper (9)");
        QCOMPARE(stage.summary(),
                 together + "helper (9), picture at 3.00 s: 1,000 B (1 block) reachable; 0 B (0 blocks) unreachable.");
    }
    void aFilterIsSaid() {
        auto answer = *answerOfHeld({heldOfServer()});
        answer.query.filter.clauses.emplace_back();
        HeldByStage stage(std::make_shared<const HeldByAnswer>(answer));
        QVERIFY2(stage.summary().contains("Only blocks that match the filter"), qPrintable(stage.summary()));
        answer.found = {};
        stage.view.setAnswer(std::make_shared<const HeldByAnswer>(answer));
        QCOMPARE(stage.summary(), QString("No block of the picture of memory matches the filter."));
    }
    void selectingARowPaintsIt() {
        HeldByStage stage;
        QVERIFY(stage.painted.isEmpty()); // not requested
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.painted.size(), 1);
        QCOMPARE(stage.rowsIn(stage.painted).size(), std::size_t{2});
    }
    void keysFilterToARowAndOpenItsRows() {
        HeldByStage stage;
        stage.press(Qt::Key_Space);
        QCOMPARE(stage.filtered.size(), 1);
        const KeyPath held{{Column::Process, 0}, {Column::Holder, 2}};
        QCOMPARE(stage.rowsIn(stage.filtered), std::vector<KeyPath>(1, held));
        QCOMPARE(stage.textIn(stage.filtered), QString("Held by: server!g_sessions"));
        stage.view.setFiltered(held);
        stage.press(Qt::Key_Space); // takes it back
        QCOMPARE(stage.unfiltered.size(), 1);
        stage.go("server!readText");
        stage.press(Qt::Key_Return);
        QCOMPARE(stage.rows.size(), 1);
        QCOMPARE(stage.rowsIn(stage.rows).size(), std::size_t{2});
        QCOMPARE(stage.textIn(stage.rows), QString("Held by: server!g_sessions, server!readText"));
    }
    void aDoubleClickOpensTheRowsAndClosesNothing() {
        HeldByStage stage;
        auto& table = stage.view.table();
        const auto place = table.visualRect(table.currentIndex().siblingAtColumn(HeldByModel::kSize)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(stage.rows.size(), 1);
        QVERIFY(table.isExpanded(table.currentIndex().siblingAtColumn(0)));
    }
    void theMenuAndTheButtonDoTheSame() {
        HeldByStage stage;
        stage.view.findChild<QAction*>("showHeldRows")->trigger();
        stage.view.findChild<QToolButton*>("showRows")->click();
        QCOMPARE(stage.rows.size(), 2);
        stage.view.findChild<QAction*>("filterToHeldRows")->trigger();
        QCOMPARE(stage.filtered.size(), 1);
    }
    void keysDoNothingWithoutAnAnswer() {
        HeldByStage stage(nullptr);
        QVERIFY(stage.summary().contains("Open or record a trace"));
        for (const auto key : {Qt::Key_Return, Qt::Key_Space, Qt::Key_Down})
            stage.press(key);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        QVERIFY(stage.filtered.isEmpty() && stage.unfiltered.isEmpty() && stage.rows.isEmpty());
        QVERIFY(!stage.view.findChild<QAction*>("showHeldRows")->isEnabled());
        QVERIFY(!stage.view.findChild<QToolButton*>("showRows")->isEnabled());
    }
    void rowsOfTheUserStayOpenAndSelected() {
        HeldByStage stage;
        stage.go("server!g_sessions");
        stage.press(Qt::Key_Left); // closed
        stage.go("nothing (unreachable)");
        stage.press(Qt::Key_Right);
        const auto before = stage.shown();
        QVERIFY(before.contains("server!leak") && !before.contains("server!makeTable"));
        stage.view.setAnswer(answerOfHeld({heldOfServer(5)}));
        QCOMPARE(stage.shown(), before);
        QCOMPARE(stage.current(), QString("nothing (unreachable)"));
        HeldByBuilder other(0, "server (7)", 6);
        other.step(other.root("server!g_other", RootKind::Variable, 1), "server!add", {1, 1});
        stage.view.setAnswer(answerOfHeld({other.done()}));
        QCOMPARE(stage.current(), QString("server (7)")); // what remains of the way to the row
    }
    void aBoxChoosesThePictureIfThereAreSeveral() {
        HeldByStage single;
        QVERIFY(!single.box().isVisible());
        HeldByStage stage(withTwoPictures());
        QVERIFY(stage.box().isVisible());
        QCOMPARE(stage.box().count(), 3);
        QCOMPARE(stage.box().currentText(), QString("Newest"));
        QCOMPARE(stage.box().itemText(2), QString("2.00 s"));
        stage.box().setFocus();
        QTest::keyClick(&stage.box(), Qt::Key_End);
        QCOMPARE(stage.pictures.size(), std::size_t{1});
        QCOMPARE(stage.pictures[0], std::optional(TraceTime{2'000'000'000}));
        stage.view.setAnswer(withTwoPictures(true));
        QCOMPARE(stage.box().currentText(), QString("2.00 s"));
        QTest::keyClick(&stage.box(), Qt::Key_Home);
        QCOMPARE(stage.pictures.back(), std::optional<TraceTime>());
    }
    void flamesShowTheSameTree() {
        HeldByStage stage;
        auto& asFlames = *stage.view.findChild<QToolButton*>("heldByAsFlames");
        QVERIFY(!stage.view.flames().isVisible());
        asFlames.click();
        QVERIFY(stage.view.flames().isVisible() && !stage.view.table().isVisible());
        auto& canvas = stage.view.flames().canvas();
        QVERIFY(canvas.answer() != nullptr);
        canvas.setFocus();
        const auto& tree = canvas.answer()->tree;
        std::uint32_t text = 0;
        while (tree.text(text) != "server!readText")
            ++text;
        emit canvas.rowWanted(text);
        QVERIFY(stage.view.table().isVisible() && stage.view.table().hasFocus());
        QVERIFY(!asFlames.isChecked());
        QCOMPARE(stage.current(), QString("server!readText"));
        emit stage.view.flames().filterWanted({"server (7)", "server!g_sessions"});
        QCOMPARE(stage.textIn(stage.filtered), QString("Held by: server!g_sessions"));
        emit stage.view.flames().filterWanted({"gone (7)", "server!g_sessions"}); // a menu of an older answer
        QCOMPARE(stage.filtered.size(), 1);
        stage.view.clear("closed");
        QVERIFY(canvas.answer() == nullptr);
    }
    /// Of each process, the newest picture at or before the chosen time is shown.
    void theBoxesOfferThePicturesOfTheSelectedProcess() {
        HeldByStage stage(serverAndHelper());
        QCOMPARE(stage.itemsOf("heldByPicture"), QStringList({"Newest", "server (7), 4.00 s", "server (7), 2.00 s"}));
        QCOMPARE(stage.itemsOf("heldByEarlier"), QStringList({"None", "server (7), 2.00 s"}));
        stage.go("helper (9)");
        QCOMPARE(stage.itemsOf("heldByPicture"), QStringList({"Newest", "helper (9), 3.00 s", "helper (9), 1.00 s"}));
        QCOMPARE(stage.itemsOf("heldByEarlier"), QStringList({"None", "helper (9), 1.00 s"}));
        auto& earlier = *stage.view.findChild<QComboBox*>("heldByEarlier");
        earlier.setFocus();
        QTest::keyClick(&earlier, Qt::Key_End);
        QCOMPARE(stage.comparisons.back(), std::optional(TraceTime{1'000'000'000}));
    }
    void theBoxesShowWhichPicturesOfTheProcessAreCompared() {
        auto compared = *serverAndHelper();
        compared.query.earlier = TraceTime{2'000'000'000};
        compared.found.before.assign(compared.found.rows.size(), analysis::BlockSum());
        HeldByStage stage(std::make_shared<const HeldByAnswer>(compared));
        auto& earlier = *stage.view.findChild<QComboBox*>("heldByEarlier");
        QCOMPARE(earlier.currentText(), QString("server (7), 2.00 s"));
        stage.go("helper (9)");
        QCOMPARE(earlier.currentText(), QString("helper (9), 1.00 s"));
        compared.query.earlier = TraceTime{500'000'000}; // before all pictures of the helper
        compared.found.before.assign(compared.found.rows.size(), std::nullopt);
        stage.view.setAnswer(std::make_shared<const HeldByAnswer>(compared));
        QCOMPARE(earlier.currentText(), QString("None"));
        QVERIFY2(stage.summary().contains("This process has no picture to compare with."), qPrintable(stage.summary()));
    }
    void processesWithOnePictureEachOfferNoChoice() {
        auto answer = *serverAndHelper();
        answer.found.pictures.resize(2);
        HeldByStage stage(std::make_shared<const HeldByAnswer>(answer));
        QVERIFY(!stage.box().isVisible());
    }
    void aSecondBoxComparesWithAnotherPicture() {
        HeldByStage stage(withTwoPictures());
        auto& table = stage.view.table();
        QVERIFY(table.isColumnHidden(HeldByModel::kSizeChange));
        auto& box = *stage.view.findChild<QComboBox*>("heldByEarlier");
        QCOMPARE(box.currentText(), QString("None"));
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_End);
        QCOMPARE(stage.comparisons, std::vector{std::optional(TraceTime{2'000'000'000})});
        stage.view.setAnswer(comparedPictures());
        QCOMPARE(box.currentText(), QString("2.00 s"));
        QVERIFY(!table.isColumnHidden(HeldByModel::kSizeChange));
        QVERIFY2(stage.summary().contains("Compared with the other picture: +4.6 KB."), qPrintable(stage.summary()));
        // What grew most is first.
        const auto server = table.model()->index(0, 0);
        const auto changeOf = [&](int row) {
            return table.model()->index(row, HeldByModel::kSizeChange, server).data().toString();
        };
        QCOMPARE(changeOf(0), QString("+5.5 KB"));
        QCOMPARE(table.model()->index(0, HeldByModel::kCountChange, server).data().toString(), QString("+31"));
        QVERIFY2(changeOf(2).endsWith("1,000 B") && !changeOf(2).startsWith('+'), qPrintable(changeOf(2)));
        stage.view.setAnswer(withTwoPictures());
        QVERIFY(table.isColumnHidden(HeldByModel::kSizeChange));
        QCOMPARE(table.header()->sortIndicatorSection(), -1);
    }
    void aStepWithoutRowsCannotBeFiltered() {
        HeldByBuilder server(0, "server (7)", 4);
        const auto way = server.step(server.root("server!g", RootKind::Variable, 10), "(no stack)", {}, 0);
        server.step(way, "server!add", {1, 10});
        auto process = server.done();
        auto stacks = *process.stacks;
        stacks.erase(0);
        process.stacks = std::make_shared<const analysis::OwnerStacks>(std::move(stacks));
        HeldByStage stage(answerOfHeld({process}));
        stage.go("(no stack)");
        for (const auto key : {Qt::Key_Space, Qt::Key_Return})
            stage.press(key);
        emit stage.view.flames().filterWanted({"server (7)", "server!g", "(no stack)"});
        auto& button = *stage.view.findChild<QToolButton*>("showRows");
        QVERIFY(!button.isEnabled());
        QTest::mouseClick(&button, Qt::LeftButton);
        QVERIFY(stage.filtered.isEmpty() && stage.rows.isEmpty());
        QCOMPARE(stage.rowsIn(stage.painted), std::vector<KeyPath>()); // the rows painted before are gone
        stage.go("server!add");
        QVERIFY(button.isEnabled());
    }
    void aReasonReplacesTheAnswer() {
        HeldByStage stage(withTwoPictures());
        stage.view.clear("The interval contains no picture of memory.");
        QCOMPARE(stage.summary(), QString("The interval contains no picture of memory."));
        QCOMPARE(stage.view.model().rowCount(), 0);
        QVERIFY(!stage.box().isVisible());
        stage.view.setAnswer(withTwoPictures());
        QCOMPARE(stage.current(), QString("server!g_sessions"));
    }
    void aClickOnATitleSortsAndAThirdRestoresTheOrder() {
        HeldByStage stage;
        auto& header = *stage.view.table().header();
        const QPoint sizes(header.sectionViewportPosition(HeldByModel::kSize) + 20, header.height() / 2);
        const auto clickTitle = [&] { QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, sizes); };
        clickTitle();
        const auto first = stage.shown()[1];
        QCOMPARE(first, QString("server!g_sessions"));
        QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 50);
        clickTitle();
        QCOMPARE(stage.shown()[1], QString("nothing (unreachable)"));
        QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 50);
        clickTitle();
        QCOMPARE(stage.shown()[1], QString("nothing (unreachable)"));
        QCOMPARE(header.sortIndicatorSection(), -1);
    }
    void copyIsTheWayToTheRow() {
        HeldByStage stage;
        stage.go("server!makeTable");
        stage.press(Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("server (7), picture at 4.00 s"));
        QVERIFY2(lines[2].startsWith("  server!g_sessions\tVariable\tPartly\t5.0 KB\t5.5 KB\t31"),
                 qPrintable(lines[2]));
        QVERIFY(lines[3].startsWith("    server!makeTable"));
    }
    /// All columns are on screen in a window of 1000 pixels, with their titles, numbers and names of usual length.
    void nothingIsClippedInASmallWindow_data() {
        QTest::addColumn<bool>("isComparison");
        QTest::newRow("picture") << false;
        QTest::newRow("comparison") << true;
    }
    void nothingIsClippedInASmallWindow() {
        QFETCH(const bool, isComparison);
        HeldByStage stage;
        if (isComparison) stage.view.setAnswer(comparedPictures());
        auto& table = stage.view.table();
        const auto& header = *table.header();
        const auto last =
            header.sectionViewportPosition(HeldByModel::kOwnCount) + header.sectionSize(HeldByModel::kOwnCount);
        QVERIFY2(last <= table.viewport()->width(), qPrintable(QString::number(last)));
        const QAbstractItemView& items = table; // QTreeView hides the hint
        for (int column = 0; column < HeldByModel::kColumns; ++column) {
            if (table.isColumnHidden(column)) continue;
            const auto needed = std::max(header.sectionSizeHint(column), items.sizeHintForColumn(column));
            QVERIFY2(
                header.sectionSize(column) >= needed,
                qPrintable(QStringLiteral("%1: %2 of %3").arg(column).arg(header.sectionSize(column)).arg(needed)));
        }
    }
};

HIGHWATER_TEST(HeldByViewTest);
#include "held_by_view_test.moc"
