#include "core/export/explain/page_lines.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::exports;

class PageLinesTest : public QObject {
    Q_OBJECT
  private slots:
    void leavesOutTheMiddle() {
        QCOMPARE(shortened("0123456789", 10), std::string("0123456789"));
        QCOMPARE(shortened("0123456789abc", 9), std::string("0123...bc"));
        QCOMPARE(shortened("ääääääääää", 6), std::string("ää...ä"));
    }
    void wrapsBetweenWords() {
        PageLines lines;
        lines.addParagraph(2, 3, std::string(60, 'a') + ' ' + std::string(60, 'b') + " c");
        QCOMPARE(lines.text(), "  " + std::string(60, 'a') + "\n     " + std::string(60, 'b') + " c\n");
    }
    void aWordThatIsTooLongIsShortened() {
        PageLines lines;
        lines.addParagraph(2, 0, "x " + std::string(300, 'b'));
        lines.add(std::string(300, 'c'));
        for (const auto& line : QString::fromStdString(lines.text()).split('\n'))
            QVERIFY(line.size() <= static_cast<qsizetype>(PageLines::kWidth));
    }
    void entriesHaveTheirNamesInFront() {
        PageLines lines;
        lines.addEntry("system", "Linux\x1b");
        QCOMPARE(lines.text(), std::string("  system     Linux\xEF\xBF\xBD\n"));
    }
};

HIGHWATER_TEST(PageLinesTest);
#include "page_lines_test.moc"
