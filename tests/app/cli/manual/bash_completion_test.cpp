#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <string>
#include <vector>

using namespace highwater::tests;

/// The suggestions of bash with the generated completion.
class BashCompletionTest : public QObject {
    Q_OBJECT

    /// The completion's suggestions for these words; the last one is being typed.
    static QStringList completed(const QStringList& words) {
        static const auto script = [] {
            const auto path = QString::fromStdString(temporaryPath("completion.bash"));
            QFile file(path);
            if (file.open(QIODevice::WriteOnly)) file.write(runCli({"manual", "completion"}).answers.c_str());
            return path;
        }();
        std::vector<std::string> arguments{
            "--norc",
            "-c",
            "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _highwater_cli; "
            "printf '%s\\n' \"${COMPREPLY[@]}\"",
            "bash",
            script.toStdString(),
            "highwater-cli"};
        for (const auto& word : words)
            arguments.push_back(word.toStdString());
        const auto answer = runProgram("bash", arguments);
        if (answer.exitCode != 0) return {QString::fromStdString(answer.messages)};
        auto offered = QString::fromStdString(answer.answers).split('\n', Qt::SkipEmptyParts);
        offered.sort();
        return offered;
    }

  private slots:
    void bashCompletes_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("offered");
        const auto row = [](const char* name, QStringList words, QStringList offered) {
            QTest::newRow(name) << std::move(words) << std::move(offered);
        };
        row("command", {"ti"}, {"timeline"});
        row("hidden command", {"man"}, {});
        row("option", {"table", "--li"}, {"--lifetime", "--list-columns", "--list-presets"});
        row("option of another command", {"info", "--li"}, {});
        row("table", {"table", "--table", "f"}, {"frees"});
        row("column", {"table", "--table", "heap", "--by", "han"}, {"Handle"});
        row("next column", {"table", "--table", "heap", "--by", "Process,all"},
            {"Process,AllocTime", "Process,Allocation\\ Size"});
        row("in quotes", {"table", "--table", "heap", "--columns", "\"Count,Peak"},
            {"Count,Peak Size", "Count,Peak Time", "Count,Peak(Count)", "Count,Peak(Size)"});
        row("no number to group by", {"table", "--table", "heap", "--by", "Coun"}, {});
        row("of no table yet", {"table", "--by", "Committing"}, {"Committing\\ ThreadId"});
        row("preset", {"table", "--table", "frees", "--preset", "\"freed by t"}, {"Freed by Type"});
        row("format", {"timeline", "--format", ""}, {"csv", "json"});
        row("format of leaks", {"leaks", "--format", ""}, {"csv", "json", "text"});
        row("format of flames", {"flames", "--format", ""}, {"folded", "speedscope", "svg"});
        row("measure of flames", {"flames", "--measure", "Pe"}, {"Peak\\ Size"});
        row("measure", {"timeline", "--measure", "n"}, {"new"});
        row("table of timeline", {"timeline", "--table", "re"}, {"resident"});
        row("no table of rows", {"table", "--table", "re"}, {});
        row("series of resident memory", {"timeline", "--table", "resident", "--by", ""}, {"Layer", "Process"});
        row("what of a histogram", {"histogram", "--of", ""}, {"lifetime", "size"});
        row("format of heaps", {"heaps", "--format", ""}, {"csv", "json", "text"});
        row("format of balance", {"balance", "--format", ""}, {"csv", "json", "text"});
        row("parts of balance", {"balance", "--by", ""}, {"layer", "mapping", "owner"});
        row("format of callers", {"callers", "--format", ""}, {"json", "text"});
        row("table of leaks", {"leaks", "--table", ""}, {"heap", "virtualalloc"});
        row("table of diff", {"diff", "--table", ""}, {"heap", "virtualalloc"});
        row("column of diff", {"diff", "--by", "proc"}, {"Process", "Process\\ Name"});
        row("no address to compare by", {"diff", "--by", "Addr"}, {});
        row("number of diff", {"diff", "--sort", "pe"}, {"Peak\\ Size"});
        row("formats of diff", {"diff", "--format", "n"}, {"ndjson"});
        row("formats of table", {"table", "--format", "nd"}, {"ndjson"});
        row("action of fleet", {"fleet", "g"}, {"gone", "grew"});
        row("measure of fleet", {"fleet", "grew", "f", "--measure", "p"}, {"peak"});
        row("format of check", {"check", "--format", ""}, {"json", "text"});
        row("table of check", {"check", "--table", ""}, {"heap", "virtualalloc"});
        row("units", {"table", "--units", "a"}, {"auto"});
        row("nothing to offer", {"table", "--range", ""}, {});
    }
    void bashCompletes() {
        if (QStandardPaths::findExecutable("bash").isEmpty()) QSKIP("There is no bash.");
        QFETCH(QStringList, words);
        QTEST(completed(words), "offered");
    }
    void bashCompletesFiles() {
        if (QStandardPaths::findExecutable("bash").isEmpty()) QSKIP("There is no bash.");
        const auto file = QString::fromStdString(exercise2File("plain"));
        QCOMPARE(completed({"info", file.chopped(2)}), QStringList{file});
        QCOMPARE(completed({"record", "-o", file.chopped(2)}), QStringList{file});
        QCOMPARE(completed({"record", "-o", "x.etl", "--", file.chopped(2)}).first(), file);
    }
};
HIGHWATER_TEST(BashCompletionTest);
#include "bash_completion_test.moc"
