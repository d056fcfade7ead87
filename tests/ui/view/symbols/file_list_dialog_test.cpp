#include "tests/support/test_registry.h"
#include "ui/view/symbols/file_list_dialog.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace highwater::ui;

namespace {

struct FileListStage {
    FileListDialog dialog{{"tags", "Tags", "What they are for.", "Tags (*.tags)", "Built-in tags"}};
    QListWidget& list = *dialog.findChild<QListWidget*>("tagsFiles");
    QSignalSpy changed{&dialog, &FileListDialog::changed};
    FileListStage() {
        dialog.setFiles({"/a.tags", "built-in"});
        dialog.show();
    }
    QPushButton& button(const char* name) { return *dialog.findChild<QPushButton*>(QString("tags") + name); }
    void press(const char* name) { QTest::mouseClick(&button(name), Qt::LeftButton); }
};

} // namespace

class FileListDialogTest : public QObject {
    Q_OBJECT
  private slots:
    void isBesideTheWindowAndShowsFilesInOrder() {
        FileListStage stage;
        QVERIFY(!stage.dialog.isModal());
        QCOMPARE(stage.list.count(), 2);
        QCOMPARE(stage.list.item(1)->text(), QString("Built-in tags"));
        QCOMPARE(stage.dialog.files(), (QStringList{"/a.tags", "built-in"}));
        QCOMPARE(stage.changed.count(), 0);
    }
    void movesWithTheMouseAndKeys() {
        FileListStage stage;
        QVERIFY(!stage.button("Up").isEnabled() && !stage.button("Down").isEnabled());
        stage.list.setFocus();
        QTest::keyClick(&stage.list, Qt::Key_End);
        stage.list.setCurrentRow(1);
        stage.press("Up");
        QCOMPARE(stage.changed.takeFirst().first().toStringList(), (QStringList{"built-in", "/a.tags"}));
        QVERIFY(!stage.button("Up").isEnabled());
        stage.press("Down");
        QCOMPARE(stage.changed.takeFirst().first().toStringList(), (QStringList{"/a.tags", "built-in"}));
    }
    void removesAndRestoresBuiltInFiles() {
        FileListStage stage;
        QVERIFY(!stage.button("AddBuiltIn").isEnabled());
        stage.list.setCurrentRow(1);
        stage.press("Remove");
        QCOMPARE(stage.changed.takeFirst().first().toStringList(), QStringList("/a.tags"));
        stage.press("AddBuiltIn");
        QCOMPARE(stage.changed.takeFirst().first().toStringList(), (QStringList{"/a.tags", "built-in"}));
    }
    void removesWithTheDeleteKey() {
        FileListStage stage;
        stage.dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.dialog));
        stage.list.setFocus();
        stage.list.setCurrentRow(0);
        QTest::keyClick(&stage.list, Qt::Key_Delete);
        QCOMPARE(stage.changed.count(), 1);
        QCOMPARE(stage.changed.first().first().toStringList(), QStringList("built-in"));
        QTest::keyClick(&stage.list, Qt::Key_Delete);
        QTest::keyClick(&stage.list, Qt::Key_Delete); // the list is empty already
        QCOMPARE(stage.changed.count(), 2);
    }
    void takesAFileOnce() {
        FileListStage stage;
        stage.dialog.addFiles({"/a.tags"});
        QCOMPARE(stage.changed.count(), 0);
        stage.dialog.addFiles({"/b.tags", "/a.tags"});
        QCOMPARE(stage.changed.takeFirst().first().toStringList(), (QStringList{"/a.tags", "built-in", "/b.tags"}));
    }
    void reportsProblems() {
        FileListStage stage;
        auto* problems = stage.dialog.findChild<QLabel*>("tagsProblems");
        QVERIFY(!problems->isVisible());
        stage.dialog.setProblems({"a.tags: line 3 is <b>no</b> XML."});
        QVERIFY(problems->isVisible() && problems->text().contains("line 3"));
        stage.dialog.setProblems({});
        QVERIFY(!problems->isVisible());
    }
    void asksToReadAgain() {
        FileListStage stage;
        QSignalSpy reload(&stage.dialog, &FileListDialog::reloadWanted);
        stage.press("Reload");
        QCOMPARE(reload.count(), 1);
        stage.dialog.setFiles({});
        QVERIFY(!stage.button("Reload").isEnabled());
    }
};
HIGHWATER_TEST(FileListDialogTest);
#include "file_list_dialog_test.moc"
