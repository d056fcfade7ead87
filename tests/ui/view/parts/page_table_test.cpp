#include "ui/view/parts/page_table.h"

#include "tests/support/test_registry.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

#include <array>
#include <optional>

using namespace highwater::ui;

namespace {

/// A table of three names with numbers, on screen and with the keyboard. Its signals are not connected yet.
struct PageTableStage {
    QStandardItemModel model{3, 2};
    PageTable table{"names", "Names"};

    explicit PageTableStage(bool isSorted = false) {
        const QStringList names{"b", "c", "a"};
        for (int row = 0; row < 3; ++row) {
            model.setItem(row, 0, new QStandardItem(names[row]));
            model.setItem(row, 1, new QStandardItem(QString::number(row)));
            model.item(row, 0)->setData(names[row], Qt::UserRole);
            model.item(row, 1)->setData(row, Qt::UserRole);
        }
        if (isSorted)
            table.setSortedModel(model, Qt::UserRole);
        else
            table.setModel(&model);
        table.setRootIsDecorated(false);
        table.setEditTriggers(QAbstractItemView::NoEditTriggers);
        table.resize(400, 200);
        table.show();
        table.activateWindow();
        (void)QTest::qWaitForWindowActive(&table);
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&table, key, with); }
    void click(int row, Qt::KeyboardModifiers with = {}) {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, with,
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    [[nodiscard]] QString first() const { return table.model()->index(0, 0).data().toString(); }
};

} // namespace

/// The table of pages by mouse and keys.
class PageTableTest : public QObject {
    Q_OBJECT
  private slots:
    void reportsRequestsOfKeys() {
        PageTableStage stage;
        QSignalSpy toggled(&stage.table, &PageTable::toggled), entered(&stage.table, &PageTable::enterPressed);
        QSignalSpy reached(&stage.table, &PageTable::rowReached);
        stage.press(Qt::Key_Down);
        QCOMPARE(reached.size(), 1);
        QCOMPARE(stage.table.current().row(), 1);
        stage.press(Qt::Key_Space);
        QCOMPARE(toggled.size(), 1);
        stage.press(Qt::Key_Return);
        stage.press(Qt::Key_Enter);
        QCOMPARE(entered.size(), 2);
        QCOMPARE(toggled.size(), 1);
        stage.table.setCurrentIndex({});
        for (const auto key : {Qt::Key_Space, Qt::Key_Return})
            stage.press(key);
        QCOMPARE(toggled.size() + entered.size(), 3); // no row is selected
    }
    void leavesKeysThatThePageDoesNotWant() {
        PageTableStage stage;
        QSignalSpy activated(&stage.table, &QTreeView::activated);
        stage.press(Qt::Key_Return);
        QCOMPARE(activated.size(), 1); // as in every tree
        stage.table.setSelectionMode(QAbstractItemView::ExtendedSelection);
        stage.table.clearSelection();
        stage.press(Qt::Key_Space);
        QVERIFY(stage.table.selectionModel()->isRowSelected(0));
        QSignalSpy entered(&stage.table, &PageTable::enterPressed);
        stage.press(Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(entered.size(), 1);
    }
    void aClickOnlySelects() {
        PageTableStage stage;
        QSignalSpy toggled(&stage.table, &PageTable::toggled), entered(&stage.table, &PageTable::enterPressed);
        stage.click(1);
        QCOMPARE(stage.table.current().row(), 1);
        stage.click(2, Qt::ControlModifier);
        stage.table.setSelectionMode(QAbstractItemView::ExtendedSelection);
        stage.click(0);
        stage.click(1, Qt::ControlModifier);
        stage.click(2, Qt::ShiftModifier);
        QCOMPARE(toggled.size() + entered.size(), 0);
        QVERIFY(stage.table.selectionModel()->isRowSelected(1) && stage.table.selectionModel()->isRowSelected(2));
    }
    void aButtonDoesTheSameAsEnter() {
        PageTableStage stage;
        QSignalSpy entered(&stage.table, &PageTable::enterPressed);
        std::unique_ptr<QToolButton> button(makeShowRowsButton(stage.table, "Show Rows", "Show the rows"));
        QVERIFY(button->isEnabled());
        button->click();
        QCOMPARE(entered.size(), 1);
        stage.table.setCurrentIndex({});
        QVERIFY(!button->isEnabled());
    }
    void theKeyThatEndsAnEditorIsTheEditors() {
        PageTableStage stage;
        QSignalSpy entered(&stage.table, &PageTable::enterPressed);
        stage.table.edit(stage.model.index(0, 0));
        auto* editor = stage.table.findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "new");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(stage.first(), "new");
        QCOMPARE(entered.size(), 0);
    }
    void sortsByTheRoleAndMapsRowsToTheModel() {
        PageTableStage stage(true);
        stage.table.sortByColumn(0, Qt::AscendingOrder);
        QCOMPARE(stage.first(), "a");
        QCOMPARE(stage.table.toSource(stage.table.model()->index(0, 0)).row(), 2);
        QCOMPARE(stage.table.fromSource(stage.model.index(2, 0)).row(), 0);
        stage.table.setCurrentIndex(stage.table.fromSource(stage.model.index(1, 0)));
        QCOMPARE(stage.table.current(), stage.model.index(1, 0));
        auto& header = *stage.table.header();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {20, header.height() / 2});
        QCOMPARE(stage.first(), "c");
        QCOMPARE(stage.table.current(), stage.model.index(1, 0)); // moves along
    }
    void aSelectionOfARefreshIsNotTheUsers() {
        PageTableStage stage;
        QSignalSpy reached(&stage.table, &PageTable::rowReached);
        stage.table.refresh([&] {
            QVERIFY(stage.table.isRefreshing());
            stage.table.setCurrentIndex(stage.model.index(2, 0));
        });
        QCOMPARE(reached.size(), 0);
        stage.press(Qt::Key_Up);
        QCOMPARE(reached.size(), 1);
    }
    void columnsAreAsWideAsLettersOfThePage() {
        PageTableStage stage;
        stage.table.setLetters(std::array{20});
        QCOMPARE(stage.table.columnWidth(0), 20 * QFontMetrics(QApplication::font()).averageCharWidth());
        QCOMPARE(stage.table.objectName(), "names");
        QCOMPARE(stage.table.accessibleName(), "Names");
    }
    void copiesThePageText() {
        PageTableStage stage;
        std::optional<QStringList> lines;
        stage.table.setCopiedLines([&] { return lines; });
        QApplication::clipboard()->setText("before");
        stage.press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), "before");
        lines = QStringList{tabbedCells(stage.table.current()), "below"};
        stage.press(Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), "b\t0\nbelow");
        lines = QStringList{"by a button"};
        stage.table.copy();
        QCOMPARE(QApplication::clipboard()->text(), "by a button");
    }
    void aCommandOfTheListHasItsKeyThere() {
        PageTableStage stage;
        auto* rename = addListAction(stage.table, "rename", "&Rename", Qt::Key_F2);
        QSignalSpy triggered(rename, &QAction::triggered);
        stage.press(Qt::Key_F2);
        QCOMPARE(triggered.size(), 1);
        QCOMPARE(stage.table.findChild<QAction*>("rename"), rename);
        QCOMPARE(stage.table.actions(), QList<QAction*>{rename});
    }
};
HIGHWATER_TEST(PageTableTest);
#include "page_table_test.moc"
