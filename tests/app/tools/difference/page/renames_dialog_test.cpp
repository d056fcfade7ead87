#include "app/tools/difference/page/renames_dialog.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;

namespace {

analysis::SuggestedRename suggested(const char* before, const char* after) {
    analysis::SuggestedRename rename;
    rename.before = before;
    rename.after = after;
    return rename;
}

/// The dialog with one line, on screen; that line and another are suggested.
struct RenamesStage {
    RenamesDialog dialog{analysis::Renames::parse("old.exe = new.exe").value(),
                         {suggested("old.exe", "new.exe"), suggested("a.dll", "b.dll")}};
    QTableWidget& table = *dialog.findChild<QTableWidget*>("renamesTable");
    QLabel& problem = *dialog.findChild<QLabel*>("renamesProblem");

    RenamesStage() {
        dialog.show();
        (void)QTest::qWaitForWindowExposed(&dialog);
    }
    void click(const char* name) { QTest::mouseClick(dialog.findChild<QPushButton*>(name), Qt::LeftButton); }
    void clickOk() {
        auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QTest::mouseClick(ok, Qt::LeftButton);
    }
    QString text(int row, int column) { return table.item(row, column)->text(); }
};

} // namespace

class RenamesDialogTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private slots:
    void aTypedLineIsInTheAnswer() {
        RenamesStage stage;
        stage.click("renamesAdd");
        QTest::keyClicks(QApplication::focusWidget(), "m!before");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(stage.text(1, 0), "m!before");
        QVERIFY(stage.dialog.isVisible()); // Enter only ended editing the line
        stage.table.item(1, 1)->setText("m!after");
        stage.clickOk();
        QCOMPARE(stage.dialog.result(), int(QDialog::Accepted));
        QCOMPARE(stage.dialog.renames().text(), std::string("old.exe = new.exe\nm!before = m!after\n"));
    }
    void aWrongLineKeepsItOpenAndSaysWhich() {
        RenamesStage stage;
        stage.table.item(0, 1)->setText(" ");
        stage.clickOk();
        QVERIFY(stage.dialog.isVisible());
        QVERIFY(stage.problem.isVisible());
        QVERIFY2(stage.problem.text().startsWith("Line 1: "), qPrintable(stage.problem.text()));
        stage.table.item(0, 0)->setText(""); // an empty line means nothing
        stage.clickOk();
        QVERIFY(!stage.dialog.isVisible());
        QVERIFY(stage.dialog.renames().isEmpty());
    }
    void suggestionsThatAreThereAreNotAddedAgain() {
        RenamesStage stage;
        stage.click("renamesSuggest");
        stage.click("renamesSuggest");
        QCOMPARE(stage.table.rowCount(), 2);
        QCOMPARE(stage.text(1, 0), "a.dll");
        QCOMPARE(stage.text(1, 1), "b.dll");
    }
    void removesTheSelectedLines() {
        RenamesStage stage;
        stage.click("renamesSuggest");
        stage.table.selectRow(0);
        stage.click("renamesRemove");
        QCOMPARE(stage.table.rowCount(), 1);
        QCOMPARE(stage.text(0, 0), "a.dll");
    }
    void aFileHoldsTheLines() {
        RenamesStage stage;
        const auto path = folder_.filePath("renames.txt");
        stage.dialog.writeTo(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old.exe = new.exe\n"));
        stage.table.removeRow(0);
        stage.dialog.readFrom(path);
        QCOMPARE(stage.table.rowCount(), 1);
        QCOMPARE(stage.text(0, 1), "new.exe");
    }
    void aFileThatCannotBeReadChangesNothing() {
        RenamesStage stage;
        stage.dialog.readFrom(folder_.filePath("none.txt"));
        QVERIFY(stage.problem.isVisible());
        QFile file(folder_.filePath("wrong.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no line of renames\n") > 0);
        file.close();
        stage.dialog.readFrom(file.fileName());
        QVERIFY(stage.problem.isVisible());
        QCOMPARE(stage.table.rowCount(), 1);
    }
};

HIGHWATER_TEST(RenamesDialogTest);
#include "renames_dialog_test.moc"
