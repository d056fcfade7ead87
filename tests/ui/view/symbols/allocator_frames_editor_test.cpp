#include "tests/support/test_registry.h"
#include "ui/view/symbols/allocator_frames_editor.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace highwater::ui;

namespace {

struct AllocatorFramesEditorStage {
    AllocatorFramesEditor editor;
    QPlainTextEdit& edit = *editor.findChild<QPlainTextEdit*>();
    AllocatorFramesEditorStage() {
        editor.setText("ntdll.dll!Rtl*Heap*\n# a comment\n");
        editor.show();
    }
    void press(QDialogButtonBox::StandardButton button) {
        QTest::mouseClick(editor.findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    }
};

} // namespace

class AllocatorFramesEditorTest : public QObject {
    Q_OBJECT
  private slots:
    void pointsAtLinesThatMeanNothing() {
        AllocatorFramesEditorStage stage;
        auto* problems = stage.editor.findChild<QLabel*>("allocatorFramesProblems");
        QVERIFY(stage.editor.rejectedLines().isEmpty() && !problems->isVisible());
        stage.edit.moveCursor(QTextCursor::End);
        QTest::keyClicks(&stage.edit, "malloc");
        QCOMPARE(stage.editor.rejectedLines(), QStringList{"malloc"});
        QCOMPARE(stage.edit.extraSelections().size(), 1);
        QCOMPARE(stage.edit.extraSelections().first().cursor.blockNumber(), 2);
        QVERIFY(problems->isVisible() && problems->text().contains("line 3 “malloc”"));
        QTest::keyClicks(&stage.edit, "!*");
        QVERIFY(stage.edit.extraSelections().isEmpty() && !problems->isVisible());
    }
    void appliesOnRequestBesideTheWindow() {
        AllocatorFramesEditorStage stage;
        QVERIFY(!stage.editor.isModal());
        QSignalSpy applied(&stage.editor, &AllocatorFramesEditor::applied);
        stage.edit.setPlainText("a.dll!*");
        QCOMPARE(applied.count(), 0);
        stage.press(QDialogButtonBox::Apply);
        QCOMPARE(applied.first().first().toString(), "a.dll!*");
        QVERIFY(stage.editor.isVisible());
    }
    void restoresTheBuiltInList() {
        AllocatorFramesEditorStage stage;
        stage.edit.setPlainText("nonsense");
        stage.press(QDialogButtonBox::RestoreDefaults);
        QVERIFY(stage.editor.text().contains("ntdll.dll!Rtl"));
        QVERIFY(stage.editor.rejectedLines().isEmpty());
        QTest::keyClick(&stage.edit, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(stage.editor.text(), "nonsense"); // it was the user's own
    }
};
HIGHWATER_TEST(AllocatorFramesEditorTest);
#include "allocator_frames_editor_test.moc"
