#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The names of the rows of a page and the calls below them, in their order.
QStringList keysIn(const std::string& page) {
    QXmlStreamReader reader(QString::fromStdString(page));
    QStringList keys;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement()) continue;
        const auto styles = reader.attributes().value("class").toString().split(' ');
        if (styles.contains("row") && reader.readNextStartElement()) {
            keys << reader.readElementText();
        } else if (styles.contains("calls")) {
            QString text;
            while (reader.readNext() != QXmlStreamReader::EndElement || reader.name() != QLatin1String("div"))
                text += reader.isCharacters() ? reader.text().toString() : reader.isStartElement() ? "\n" : "";
            keys << text.split('\n');
        }
    }
    return reader.hasError() ? QStringList{reader.errorString()} : keys;
}

void collectKeys(const Json& rows, QStringList& keys) {
    for (const auto& row : rows) {
        keys << QString::fromStdString(row["key"].get<std::string>());
        if (row.contains("rows")) collectKeys(row["rows"], keys);
    }
}

} // namespace

/// highwater-cli report.
class ReportCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;
    QTemporaryDir folder_;

    std::string file() const { return folder_.filePath("a.html").toStdString(); }
    std::string content() const {
        QFile page(folder_.filePath("a.html"));
        return page.open(QIODevice::ReadOnly) ? page.readAll().toStdString() : std::string();
    }

  private slots:
    void initTestCase() {
        exercise_ = exercise2File("plain");
        QVERIFY(folder_.isValid());
    }

    void hasTheRowsOfTheTable_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("heap") << QStringList{"--table", "heap", "--range", "12:22"};
        QTest::newRow("bottom-up") << QStringList{"--table", "virtualalloc", "--by", "Process,Stack (bottom-up)"};
        QTest::newRow("some rows") << QStringList{"--table", "virtualalloc", "--by", "Process,Stack", "--top", "1"};
        QTest::newRow("frees") << QStringList{"--table", "frees", "--by", "FreeType,Process"};
        QTest::newRow("sorted") << QStringList{"--table", "heap", "--by", "Process,Handle", "--sort", "Count:asc"};
    }
    void hasTheRowsOfTheTable() {
        QFETCH(QStringList, options);
        std::vector<std::string> asked{exercise_, "--no-symbols"};
        for (const auto& option : options)
            asked.push_back(option.toStdString());
        auto report = asked, table = asked;
        report.insert(report.begin(), "report");
        table.insert(table.begin(), "table");
        table.insert(table.end(), {"--format", "json"});
        if (!options.contains("--by")) table.insert(table.end(), {"--by", "Process,Stack"});
        if (!options.contains("--top")) table.insert(table.end(), {"--top", "20"});
        const auto page = runCli(report);
        QCOMPARE(page.exitCode, 0);
        QStringList wanted;
        collectKeys(runCli(table).json()["rows"], wanted);
        QVERIFY(wanted.size() > 2);
        auto keys = keysIn(page.answers);
        keys.removeFirst(); // titles
        QCOMPARE(keys.takeLast(), QString("Total"));
        QCOMPARE(keys, wanted);
    }
    void theCommandInItWritesItAgain() {
        const auto answer =
            runCli({"report", exercise_, "--no-symbols", "--filter", "[Process]:~=\"Memory\" AND Size:>1", "--range",
                    "1:20", "--columns", "Count,Max(Size)", "-o", file()});
        QVERIFY2(has(answer.messages, " rows in " + file() + "."), answer.messages.c_str());
        const auto page = content();
        QXmlStreamReader reader(QString::fromStdString(page));
        QString command;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement() && reader.name() == QLatin1String("pre")) command = reader.readElementText();
        }
        QVERIFY2(command.startsWith("highwater-cli report "), qPrintable(command));
        QFile::remove(folder_.filePath("a.html"));
        const auto again = command.replace(0, QString("highwater-cli").size(), QString("'%1'").arg(HIGHWATER_CLI));
        QCOMPARE(runProgram("sh", {"-c", again.toStdString()}).exitCode, 0);
        QVERIFY(content() == page);
        QVERIFY(has(page, "Recorded at 2024-01-17 21:20:00"));
    }
    void saysWhyItCannotWrite() {
        auto answer = runCli({"report", exercise_, "--no-symbols", "-o", folder_.filePath("no/a.html").toStdString()});
        QCOMPARE(answer.exitCode, 2);
        answer = runCli({"report", exercise_, "--no-symbols", "-o", exercise_});
        QVERIFY2(has(answer.messages, "is the trace itself"), answer.messages.c_str());
        answer = runCli({"report", exercise_, "--by", "Nothing"});
        QCOMPARE(answer.exitCode, 1);
    }
};
HIGHWATER_TEST(ReportCommandTest);
#include "report_command_test.moc"
