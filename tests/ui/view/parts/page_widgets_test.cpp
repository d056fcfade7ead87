#include "ui/view/parts/page_widgets.h"

#include "tests/support/test_registry.h"
#include "ui/view/parts/stack_list.h"

#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTest>
#include <QVBoxLayout>

using namespace highwater::ui;

/// The widgets that pages consist of, in addition to their tables.
class PageWidgetsTest : public QObject {
    Q_OBJECT
  private slots:
    void theSummaryShowsTheProgress() {
        BusySummary summary("summary", {"Counting…", "%1 (updating…)"});
        QCOMPARE(summary.objectName(), "summary");
        summary.setReason("Open a trace.");
        QCOMPARE(summary.text(), "Open a trace.");
        summary.setBusy(true);
        QCOMPARE(summary.text(), "Counting…");
        summary.setAnswer("3 heaps"); // from the previous query
        QCOMPARE(summary.text(), "3 heaps (updating…)");
        summary.setBusy(false);
        QCOMPARE(summary.text(), "3 heaps");
        summary.setBusy(true);
        QCOMPARE(summary.text(), "3 heaps (updating…)");
        summary.setReason("Cannot be asked.");
        QCOMPARE(summary.text(), "Cannot be asked.");
        summary.setBusy(false);
        QCOMPARE(summary.text(), "Cannot be asked.");
        summary.setAnswer({});
        QCOMPARE(summary.text(), "Cannot be asked.");
    }
    void aSummaryWithoutWordsKeepsItsText() {
        BusySummary summary("summary", {{}, "%1 (updating…)"});
        summary.setReason("No memory was recorded.");
        summary.setBusy(true);
        QCOMPARE(summary.text(), "No memory was recorded.");
        summary.setAnswer("At 1 s");
        QCOMPARE(summary.text(), "At 1 s (updating…)");
    }
    void detailsAreASentenceThatCanBeCopiedAndAStack() {
        StackDetails details("sentence", "stack");
        details.setDetails("Made by a!b.", {"libc!malloc", "a!b", "a!main"}, 1);
        details.resize(400, 200);
        details.show();
        details.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&details));
        auto* sentence = details.findChild<PlainLabel*>("sentence");
        auto* stack = details.findChild<QListWidget*>("stack");
        QVERIFY(sentence && stack);
        QCOMPARE(sentence->text(), "Made by a!b.");
        QCOMPARE(stack->currentItem()->text(), "a!b");
        QVERIFY(stack->currentItem()->font().bold());
        stack->setFocus();
        QTest::keyClick(stack, Qt::Key_Down);
        QCOMPARE(stack->currentItem()->text(), "a!main");
        QTest::mouseDClick(sentence, Qt::LeftButton, {}, {8, sentence->height() / 2});
        QCOMPARE(sentence->selectedText(), "Made");
        details.setDetails({});
        QCOMPARE(sentence->text(), "");
        QCOMPARE(stack->count(), 0);
    }
    void framesAreIndentedToBeCopied() {
        QCOMPARE(indentedFrames({"libc!malloc", "a!main"}), (QStringList{"    libc!malloc", "    a!main"}));
        QVERIFY(indentedFrames({}).isEmpty());
    }
    void aWiderWindowIsSharedSideBySide() {
        QWidget page;
        auto* layout = makePageLayout(page);
        QCOMPARE(layout->contentsMargins(), QMargins(8, 4, 8, 4));
        QCOMPARE(layout->spacing(), 4);
        auto* left = new QPushButton;
        auto* right = new QPushButton;
        auto* splitter = makeSideBySide(left, right, 3, 1);
        layout->addWidget(splitter);
        QVERIFY(!splitter->childrenCollapsible());
        QCOMPARE(splitter->orientation(), Qt::Horizontal);
        QCOMPARE(left->sizePolicy().horizontalStretch(), 3);
        QCOMPARE(right->sizePolicy().horizontalStretch(), 1);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        left->setFocus();
        QTest::keyClick(left, Qt::Key_Tab);
        QCOMPARE(page.focusWidget(), right);
    }
};
HIGHWATER_TEST(PageWidgetsTest);
#include "page_widgets_test.moc"
