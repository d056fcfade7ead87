#include "ui/view/table/annotation_editor.h"

#include "tests/support/test_registry.h"
#include "ui/view/parts/query_field.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;
using analysis::Table;

namespace {

using Rules = std::vector<AnnotationRule>;

struct AnnotationEditorStage {
    AnnotationEditor editor{Table::Heap};
    QSignalSpy applied{&editor, &AnnotationEditor::applied};

    explicit AnnotationEditorStage(const std::vector<AnnotationRule>& rules = {}) {
        editor.setRules(rules);
        editor.show();
        editor.activateWindow();
        (void)QTest::qWaitForWindowActive(&editor);
    }
    /// Skips removed lines that wait for their deletion, and new ones that are not shown yet.
    template <typename Widget>
    Widget* part(const char* name, int line) {
        QList<Widget*> shown;
        const bool isThere = QTest::qWaitFor([&] {
            shown.clear();
            for (auto* widget : editor.findChildren<Widget*>(name)) {
                if (widget->isVisible()) shown << widget;
            }
            return shown.size() > line;
        });
        if (!isThere) qFatal("There is no %s in line %d", name, line);
        return shown[line];
    }
    QLineEdit* label(int line) { return part<QLineEdit>("annotationLabel", line); }
    QueryField* query(int line) { return part<QueryField>("annotationQuery", line); }
    void click(const char* button, int line) { QTest::mouseClick(part<QToolButton>(button, line), Qt::LeftButton); }
    void press(QDialogButtonBox::StandardButton button) {
        QTest::mouseClick(editor.findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    }
    QString problem() {
        const auto* label = editor.findChild<QLabel*>("annotationProblems");
        return label->isVisible() ? label->text().remove(QChar(0x200B)) : QString();
    }
    std::vector<AnnotationRule> taken() {
        return applied.isEmpty() ? std::vector<AnnotationRule>{}
                                 : rulesOf(applied.last().first().value<analysis::Annotations>());
    }
};

} // namespace

class AnnotationEditorTest : public QObject {
    Q_OBJECT
  private slots:
    void canBeUsedWithKeysAlone() {
        AnnotationEditorStage stage;
        stage.editor.addRule({{}, "Process:app"}, 0);
        QTRY_VERIFY(stage.label(0)->hasFocus());
        QTest::keyClicks(stage.label(0), "Mine");
        QTest::keyClick(stage.label(0), Qt::Key_Tab);
        QTRY_VERIFY(stage.query(0)->hasFocus());
        QTest::keyClick(stage.query(0), Qt::Key_End);
        QTest::keyClicks(stage.query(0), " Size:>1MB");
        QTest::keyClick(stage.query(0), Qt::Key_Return);
        QVERIFY(stage.taken() == (std::vector<AnnotationRule>{{"Mine", "Process:app Size:>1MB"}}));
        QVERIFY(!stage.editor.isVisible() && !stage.editor.isModal());
    }
    void enterInALabelTakesIt() {
        AnnotationEditorStage stage(Rules{{"", "Process:app"}});
        QTest::keyClicks(stage.label(0), "Mine");
        QTest::keyClick(stage.label(0), Qt::Key_Return);
        QVERIFY(stage.taken() == (std::vector<AnnotationRule>{{"Mine", "Process:app"}}));
    }
    void escapeTakesNothing() {
        AnnotationEditorStage stage(Rules{{"Mine", "Process:app"}});
        QTest::keyClicks(stage.label(0), "x");
        QTest::keyClick(stage.query(0), Qt::Key_Escape);
        QVERIFY(stage.applied.isEmpty() && !stage.editor.isVisible());
    }
    void reportsAndRefusesErrors() {
        AnnotationEditorStage stage(Rules{{"Mine", "Process:app"}, {"", ""}});
        QVERIFY(stage.problem().isEmpty());
        stage.query(0)->setText("[Proces]:=app");
        QVERIFY(stage.problem().startsWith("Line 1: "));
        QVERIFY(stage.problem().contains("Did you mean [Process]"));
        QCOMPARE(stage.query(0)->markedText(), "[Proces]");
        stage.press(QDialogButtonBox::Ok);
        QVERIFY(stage.applied.isEmpty() && stage.editor.isVisible());
        QTRY_VERIFY(stage.query(0)->hasFocus());
        stage.query(0)->setText("Slope:>1");
        QVERIFY(stage.problem().contains("is a value of groups"));
        stage.query(0)->setText("Process:app");
        QVERIFY(stage.problem().isEmpty() && stage.query(0)->markedText().isEmpty());
        // Missing input is reported when the user confirms.
        stage.query(1)->setText("Size:>1");
        QVERIFY(stage.problem().isEmpty() || stage.problem().contains("missing"));
        stage.press(QDialogButtonBox::Ok);
        QCOMPARE(stage.problem(), "Line 2: The label is missing.");
        QVERIFY(stage.applied.isEmpty());
        QTRY_VERIFY(stage.label(1)->hasFocus());
        stage.query(1)->clear(); // a blank line is not a rule
        stage.press(QDialogButtonBox::Ok);
        QVERIFY(stage.taken() == (std::vector<AnnotationRule>{{"Mine", "Process:app"}}));
    }
    void movesAddsAndRemovesLines() {
        AnnotationEditorStage stage(Rules{{"a", "x"}, {"b", "y"}, {"c", "z"}});
        QVERIFY(!stage.part<QToolButton>("annotationUp", 0)->isEnabled());
        stage.click("annotationDown", 0);
        QVERIFY(stage.editor.rules() == (std::vector<AnnotationRule>{{"b", "y"}, {"a", "x"}, {"c", "z"}}));
        QTRY_VERIFY(stage.label(1)->hasFocus()); // it moves with the line
        stage.click("annotationUp", 2);
        stage.click("annotationDown", 2); // the last one stays
        QVERIFY(stage.editor.rules() == (std::vector<AnnotationRule>{{"b", "y"}, {"c", "z"}, {"a", "x"}}));
        stage.click("removeAnnotation", 1);
        QVERIFY(stage.editor.rules() == (std::vector<AnnotationRule>{{"b", "y"}, {"a", "x"}}));
        QTest::mouseClick(stage.editor.findChild<QPushButton*>("addAnnotation"), Qt::LeftButton);
        QTRY_VERIFY(stage.label(2)->hasFocus());
        stage.click("removeAnnotation", 2);
        stage.click("removeAnnotation", 1);
        stage.click("removeAnnotation", 0);
        QCOMPARE(stage.editor.rules().size(), std::size_t{1}); // an empty one to start with
        stage.press(QDialogButtonBox::Ok);
        QCOMPARE(stage.applied.count(), 1);
        QVERIFY(stage.taken().empty());
    }
    void showsHostileLabelsAsTheyStand() {
        const AnnotationRule hostile{"<img src='http://x'><b>&amp;", "Process:~=\"<b>\""};
        AnnotationEditorStage stage(Rules{hostile, {QString(256, 'x'), ""}});
        QCOMPARE(stage.label(0)->text(), hostile.label);
        stage.label(1)->setText(QString(1000, 'y'));
        QCOMPARE(stage.label(1)->text().size(), 256);
        stage.query(0)->setText("[<b>x</b>]:=1");
        QVERIFY(stage.problem().contains("<b>x</b>"));
        QCOMPARE(stage.editor.findChild<QLabel*>("annotationProblems")->textFormat(), Qt::PlainText);
        stage.query(0)->setText(hostile.query);
        stage.press(QDialogButtonBox::Ok);
        QVERIFY(stage.taken().front() == hostile);
    }
};
HIGHWATER_TEST(AnnotationEditorTest);
#include "annotation_editor_test.moc"
