#include "core/log/log_text.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class LogTextTest : public QObject {
    Q_OBJECT
  private slots:
    void addressesOfServersLoseWhatIsSecret_data() {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("logged");
        const auto row = [](const char* name, const char* sentence, const char* logged) {
            QTest::newRow(name) << QString::fromUtf8(sentence) << QString::fromUtf8(logged);
        };
        row("a query", "https://host/a/b.pdb?sig=SECRET&x=1: not there", "https://host/a/b.pdb not there");
        row("a fragment", "asked https://host/a#SECRET now", "asked https://host/a now");
        row("user and password", "https://me:SECRET@host:8080/a is down", "https://host:8080/a is down");
        row("a password with an at sign", "https://me:SEC@RET@host/a", "https://host/a");
        row("an at sign behind the host", "https://host/a@b/c", "https://host/a@b/c");
        row("any scheme", "HTTP://me:SECRET@host and ftp://x?SECRET", "HTTP://host and ftp://x");
        row("within a symbol path", "srv*C:\\cache*https://me:SECRET@host/s?key=SECRET",
            "srv*C:\\cache*https://host/s");
        row("quoted", "\"https://host/?SECRET\" is no path", "\"https://host/\" is no path");
        row("without a scheme", "asked user:SECRET@host:9/x?token=SECRET/buildid/1 - down", "asked host:9/x - down");
        row("with a wrong scheme", "http:/me:SECRET@h?key=SECRET is no folder", "http:/h is no folder");
        row("without a scheme in a symbol path", "srv*/tmp/c*https//me:SEC@RET@h/x", "srv*/tmp/c*https//h/x");
        row("a kind before it", "debuginfod:me:SECRET@h:9/x", "h:9/x");
        row("a mangled name", "?f@C@@QEAAXXZ of a.dll, C:\\x@y\\b.pdb", "?f@C@@QEAAXXZ of a.dll, C:\\x@y\\b.pdb");
        row("none", "2 of 3? Yes: a@b.c", "2 of 3? Yes: a@b.c");
        row("nothing behind the mark", "x://", "x://");
    }
    void addressesOfServersLoseWhatIsSecret() {
        QFETCH(QString, sentence);
        QFETCH(QString, logged);
        QCOMPARE(QString::fromStdString(loggable(sentence.toStdString())), logged);
    }

    void aLineIsALineWhateverANameHolds() {
        QCOMPARE(QString::fromStdString(loggable("a\nb\x1b[31mc\x7f")),
                 QString::fromUtf8("a\xEF\xBF\xBD"
                                   "b\xEF\xBF\xBD[31mc\xEF\xBF\xBD"));
    }

    void aLongNameIsCutBehindWhatIsSecret() {
        const auto logged = loggable("https://me:SECRET" + std::string(5000, 'S') + "@host/" + std::string(5000, 'x'));
        QVERIFY(logged.size() < 2100);
        QVERIFY2(logged.starts_with("https://host/xxx"), logged.c_str());
        QVERIFY(logged.ends_with("x..."));
    }

    void everyLevelIsReadAsItIsWritten() {
        for (const auto level :
             {LogLevel::Debug, LogLevel::Information, LogLevel::Warning, LogLevel::Error, LogLevel::Off})
            QCOMPARE(parseLogLevel(wordOf(level)), std::optional(level));
        QCOMPARE(parseLogLevel("WARNING"), std::optional(LogLevel::Warning));
        QVERIFY(!parseLogLevel("loud"));
        QVERIFY(!parseLogLevel(""));
    }
};

HIGHWATER_TEST(LogTextTest);
#include "log_text_test.moc"
