#include "app/tools/formats/command/stop_by_signal.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <csignal>

using namespace highwater;

/// Signals that terminate the program cancel writing, which then leaves nothing behind.
class StopBySignalTest : public QObject {
    Q_OBJECT
  private slots:
    void stopsOnce_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("a polite kill") << SIGTERM;
#ifdef SIGHUP
        QTest::newRow("the end of the terminal") << SIGHUP;
#endif
    }
    void stopsOnce() {
        QFETCH(int, number);
        {
            const cli::StopBySignal stopper;
            QVERIFY(!stopper.token().stop_requested());
            std::raise(number);
            QTRY_VERIFY(stopper.token().stop_requested());
        }
        const cli::StopBySignal later;
        QTest::qWait(50);
        QVERIFY(!later.token().stop_requested());
    }
    void ignoredSignalsStayIgnored() {
        const auto before = std::signal(SIGTERM, SIG_IGN);
        {
            const cli::StopBySignal stopper;
            std::raise(SIGTERM);
            QTest::qWait(50);
            QVERIFY(!stopper.token().stop_requested());
        }
        QVERIFY(std::signal(SIGTERM, before) == SIG_IGN);
    }
};

HIGHWATER_TEST(StopBySignalTest);
#include "stop_by_signal_test.moc"
