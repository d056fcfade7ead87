#include "app/cli/arguments/table_presets.h"
#include "core/analysis/table/standard_presets.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using analysis::Table;

/// --preset, --list-columns and --list-presets: help for users who do not know the names.
class TablePresetsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyPresetAnswers() {
        for (const auto table : analysis::kTables) {
            for (const auto& preset : analysis::standardPresetsOf(table)) {
                const auto answer =
                    runCli({"table", exercise2File("plain"), "--table", std::string(tableWord(table)), "--preset",
                            std::string(preset.name), "--snapshot", "16", "--depth", "1", "--format", "json"});
                QCOMPARE(answer.exitCode, 0);
                QCOMPARE(answer.json()["columns"].size(), preset.columns.size());
                const bool isManaged = table == Table::Managed || table == Table::GcHeap; // no .NET there
                QCOMPARE(answer.json()["rows"].empty(), isManaged);
            }
        }
    }
    void aPresetProvidesMissingOptions() {
        cli::TableRequest request;
        request.preset = "freed by TYPE";
        request.columns = "Count";
        const auto completed = cli::withPreset(request);
        QVERIFY(completed.hasValue());
        QCOMPARE(completed.value().table, std::string("frees"));
        QCOMPARE(completed.value().by, std::string("FreeType,Process,Stack"));
        QCOMPARE(completed.value().columns, std::string("Count")); // explicit options win
        QCOMPARE(completed.value().sort, std::string("Size:desc"));
    }
    void aNameOfSeveralTablesNeedsTheTable() {
        const auto answer = runCli({"table", exercise2File("plain"), "--preset", "AIFO by Stack"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "--table virtualalloc or --table heap"), answer.messages.c_str());
    }
    void anUnknownPresetIsAnsweredWithThoseThatThereAre() {
        const auto answer = runCli({"table", exercise2File("plain"), "--table", "frees", "--preset", "Peak by Stack"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(
            has(answer.messages, "Unknown preset \"Peak by Stack\" of the table frees. Presets: Freed by Process,"),
            answer.messages.c_str());
        QVERIFY(!has(answer.messages, "AIFO"));
    }
    void listsNeedNoTrace() {
        const auto all = runCli({"table", "--list-columns"});
        QCOMPARE(all.exitCode, 0);
        QVERIFY(has(all.answers, "--table virtualalloc: VirtualAlloc Commit LifeTimes\n"));
        QVERIFY(has(all.answers, "--table frees: "));
        const auto frees = runCli({"table", "--list-columns", "--table", "frees"}).answers;
        QVERIFY(!has(frees, "Peak Size"));
        QVERIFY(has(frees,
                    "The call stack that allocated the freed memory, outermost frame first. [Count, Unique Count]\n"));
        const auto presets = runCli({"table", "--list-presets", "--table", "heap"});
        QCOMPARE(presets.exitCode, 0);
        QVERIFY(has(presets.answers,
                    "Peak by Stack\n    --by \"Process,Stack\" --columns \"Peak(Count),Count,Size,Peak(Size)\" "
                    "--sort \"Peak(Size):desc\"\n"));
        QCOMPARE(runCli({"table", "--list-presets", "--table", "stack"}).exitCode, 1);
    }
    void everyColumnThatIsListedHasAMeaning() {
        const auto lists = QString::fromStdString(runCli({"table", "--list-columns"}).answers);
        for (const auto& line : lists.split('\n', Qt::SkipEmptyParts)) {
            const auto meaning = line.mid(line.indexOf(QRegularExpression(" (yes|no) ")) + 5).trimmed();
            QVERIFY2(!meaning.startsWith('['), qPrintable(line));
        }
    }
    void withoutThemTableAndKeysAreRequired() {
        QVERIFY(has(runCli({"table"}).messages, "TRACE is required"));
        QVERIFY(has(runCli({"table", exercise2File("plain")}).messages, "--table is required"));
    }
};
HIGHWATER_TEST(TablePresetsTest);
#include "table_presets_test.moc"
