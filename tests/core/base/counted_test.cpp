#include "core/base/counted.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class CountedTest : public QObject {
    Q_OBJECT
  private slots:
    void nounsHaveTheNumberOfTheirCount() {
        QCOMPARE(counted(0, "stack"), std::string("0 stacks"));
        QCOMPARE(counted(1, "stack"), std::string("1 stack"));
        QCOMPARE(counted(1204, "live block"), std::string("1,204 live blocks"));
    }
    void verbsAgreeWithTheCountOrThePart() {
        QCOMPARE(byNumber(1, "is", "are"), std::string_view("is"));
        QCOMPARE(byNumber(0, "is", "are"), std::string_view("are"));
        QCOMPARE(byPart(1, 5, "is", "are"), std::string_view("is"));  // 1 of 5 stacks is
        QCOMPARE(byPart(2, 5, "is", "are"), std::string_view("are")); // 2 of 5 stacks are
        QCOMPARE(byPart(0, 5, "is", "are"), std::string_view("are")); // 0 of 5 stacks are
        QCOMPARE(byPart(0, 1, "is", "are"), std::string_view("is"));  // 0 of 1 stack is
    }
};
HIGHWATER_TEST(CountedTest);
#include "counted_test.moc"
