#include "app/cli/traces/console.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::cli;

class ConsoleTest : public QObject {
    Q_OBJECT
  private slots:
    /// Names come from traces: characters that a terminal would obey are not printed.
    void messagesCannotSteerTheTerminal() {
        std::ostringstream answers, messages;
        Console{answers, messages}.say("Process \x1B[2Jx.exe is a fork.\nhighwater-cli: forged");
        QCOMPARE(messages.str(), std::string("highwater-cli: Process \xEF\xBF\xBD[2Jx.exe is a fork."
                                             "\xEF\xBF\xBDhighwater-cli: forged\n"));
        QVERIFY(answers.str().empty());
    }
    void ownWordsMayHaveLines() {
        std::ostringstream answers, messages;
        Console{answers, messages}.sayLines("What is \x1B[2Jwrong\n  second line");
        QCOMPARE(messages.str(), std::string("highwater-cli: What is \xEF\xBF\xBD[2Jwrong\n  second line\n"));
    }
};
HIGHWATER_TEST(ConsoleTest);
#include "console_test.moc"
