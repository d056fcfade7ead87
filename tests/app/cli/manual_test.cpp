#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace highwater::tests;

/// highwater-cli.1 and the completion of bash, as the build makes them.
class ManualTest : public QObject {
    Q_OBJECT

    static QString page() { return QString::fromStdString(runCli({"manual", "page"}).answers); }
    /// The lines below EXAMPLES that somebody would type.
    static QStringList commandsOfExamples() {
        QStringList commands;
        const auto text = page();
        static const QRegularExpression example(QStringLiteral("\\.EX\\n(.*?)\\n\\.EE"),
                                                QRegularExpression::DotMatchesEverythingOption);
        for (auto found = example.globalMatch(text); found.hasNext();)
            commands << found.next().captured(1).replace("\\-", "-").replace("\\e", "\\");
        return commands;
    }
    /// What the completion offers for these words, of which the last one is being typed.
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
    void thePageHasWhatAPageHas() {
        const auto text = page();
        QVERIFY(text.startsWith(".TH \"HIGHWATER\\-CLI\" 1 "));
        for (const auto* section : {"NAME", "SYNOPSIS", "\"DESCRIPTION\"", "\"COMMANDS\"", "\"QUERIES\"", "\"FORMATS\"",
                                    "\"COLUMNS\"", "\"EXIT STATUS\"", "\"ENVIRONMENT\"", "\"EXAMPLES\""})
            QVERIFY2(text.contains(QStringLiteral("\n.SH %1\n").arg(section)), section);
        QVERIFY(text.contains(".TP\n.B \"\\-\\-lifetime FROM:TO\"\n"));
        QVERIFY(text.contains(".B \"\\-o, \\-\\-output FILE\"\n"));
        QVERIFY(text.contains(".B \"\\-\\-units UNITS\"\n"));
        QVERIFY(text.contains(".B \"FreeType\"\nHow the block ended.\n"));
        QVERIFY(!text.contains("manual")); // the command that made it is hidden
    }
    void everyOptionOfHelpIsInThePage() {
        const auto text = page().replace("\\-", "-");
        static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]+"));
        for (const auto* command : {"info", "table", "timeline", "record", "cleanup"}) {
            const auto help = QString::fromStdString(runCli({command, "--help"}).answers);
            QVERIFY(!help.isEmpty());
            for (auto found = option.globalMatch(help); found.hasNext();) {
                const auto name = found.next().captured();
                QVERIFY2(text.contains(name), qPrintable(name));
            }
        }
    }
    void groffHasNothingToSayAgainstThePage() {
        if (QStandardPaths::findExecutable("groff").isEmpty()) QSKIP("There is no groff.");
        const auto path = temporaryPath("highwater-cli.1");
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(page().toUtf8()) > 0);
        file.close();
        const auto answer = runProgram("groff", {"-man", "-Tutf8", "-ww", "-z", path});
        QCOMPARE(answer.exitCode, 0);
        QCOMPARE(QString::fromStdString(answer.messages), QString());
    }
    /// What is in it, who holds the memory, does it leak: a newcomer copies the commands of the page.
    void everyExampleOfThePageWorks() {
        const auto folder = QFileInfo(QString::fromStdString(exercise2File("plain"))).path().toStdString();
        QFile::copy(QString::fromStdString(exercise2File("plain")), QString::fromStdString(folder + "/app.etl"));
        const auto programs = QFileInfo(QStringLiteral(HIGHWATER_CLI)).path().toStdString();
        const auto commands = commandsOfExamples();
        QVERIFY(commands.size() >= 3);
        for (const auto& command : commands) {
            const auto answer =
                runProgram("/bin/sh", {"-c", "cd \"$1\" && PATH=\"$2:$PATH\" && set -e; " + command.toStdString(), "sh",
                                       folder, programs});
            QVERIFY2(answer.exitCode == 0, qPrintable(command + '\n' + QString::fromStdString(answer.messages)));
            QVERIFY2(!answer.answers.empty() || command.contains('>'), qPrintable(command));
        }
    }
    void theExamplesAnswerTheQuestionsOfANewcomer() {
        const auto commands = commandsOfExamples().join('\n');
        for (const auto* part : {"info app.etl", "--columns \"Count,Size,Peak Size\"", "--lifetime 10s:"})
            QVERIFY2(commands.contains(part), part);
    }
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
            {"Count,Peak Size", "Count,Peak(Count)", "Count,Peak(Size)"});
        row("no number to group by", {"table", "--table", "heap", "--by", "Coun"}, {});
        row("of no table yet", {"table", "--by", "Committing"}, {"Committing\\ ThreadId"});
        row("preset", {"table", "--table", "frees", "--preset", "\"freed by t"}, {"Freed by Type"});
        row("format", {"timeline", "--format", ""}, {"csv", "json"});
        row("formats of table", {"table", "--format", "nd"}, {"ndjson"});
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
HIGHWATER_TEST(ManualTest);
#include "manual_test.moc"
