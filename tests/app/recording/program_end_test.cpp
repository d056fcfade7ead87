#include "app/recording/program_end.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::app;

class ProgramEndTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheSignalOfACrash() {
        QCOMPARE(endText({0, 11}), "crashed (signal 11, SIGSEGV)");
        QCOMPARE(endText({0, 6}), "crashed (signal 6, SIGABRT)");
    }
    void otherSignalsAreNoCrash() {
        QCOMPARE(endText({0, 15}), "ended by signal 15 (SIGTERM)");
        QCOMPARE(endText({0, 40}), "ended by signal 40"); // without a name
    }
    void anExitHasItsCode() { QCOMPARE(endText({3, 0}), "ended (exit code 3)"); }
};
HIGHWATER_TEST(ProgramEndTest);
#include "program_end_test.moc"
