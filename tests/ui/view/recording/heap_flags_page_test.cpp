#include "tests/support/test_registry.h"
#include "ui/view/recording/heap_flags_page.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using highwater::ui::HeapFlagsPage;

class HeapFlagsPageTest : public QObject {
    Q_OBJECT
  private slots:
    void withoutFlagsThereIsNothingToClear() {
        HeapFlagsPage page;
        QVERIFY(!clearButton(page)->isEnabled());
        QVERIFY(page.findChild<QLabel*>()->text().startsWith("No program is flagged"));
    }

    void theButtonIsAboutAllOrAboutTheSelection() {
        HeapFlagsPage page;
        page.setPrograms({{"a.exe", false}, {"b.exe", false}, {"busy.exe", true}});
        QSignalSpy cleared(&page, &HeapFlagsPage::clearWanted);
        clearButton(page)->click();
        QCOMPARE(cleared.takeFirst()[0].toStringList(), QStringList({"a.exe", "b.exe"})); // not the recorded one
        list(page)->topLevelItem(1)->setSelected(true);
        QVERIFY(clearButton(page)->text().contains("Selected"));
        clearButton(page)->click();
        QCOMPARE(cleared.takeFirst()[0].toStringList(), QStringList({"b.exe"}));
    }

    void theSelectionIsKeptByName() {
        HeapFlagsPage page;
        page.setPrograms({{"a.exe", false}, {"b.exe", false}});
        list(page)->topLevelItem(1)->setSelected(true);
        page.setPrograms({{"b.exe", false}, {"c.exe", false}});
        QVERIFY(list(page)->topLevelItem(0)->isSelected());
        QVERIFY(!list(page)->topLevelItem(1)->isSelected());
    }

    void failuresAreShownOnThePage() {
        HeapFlagsPage page;
        auto* problem = page.findChild<QLabel*>("heapFlagsProblem");
        QVERIFY(problem->isHidden());
        page.setProblem("That needs the rights of an administrator.");
        QVERIFY(!problem->isHidden());
        page.setProblem({});
        QVERIFY(problem->isHidden());
    }

  private:
    static QPushButton* clearButton(HeapFlagsPage& page) { return page.findChild<QPushButton*>("clearHeapFlags"); }
    static QTreeWidget* list(HeapFlagsPage& page) { return page.findChild<QTreeWidget*>("flaggedPrograms"); }
};

HIGHWATER_TEST(HeapFlagsPageTest);
#include "heap_flags_page_test.moc"
