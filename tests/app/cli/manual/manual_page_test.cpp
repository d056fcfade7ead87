#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace highwater::tests;

/// The generated highwater-cli.1.
class ManualPageTest : public QObject {
    Q_OBJECT

    static QString page() { return QString::fromStdString(runCli({"manual", "page"}).answers); }
    /// The lines below EXAMPLES that a user would type.
    static QStringList commandsOfExamples() {
        QStringList commands;
        const auto text = page();
        static const QRegularExpression example(QStringLiteral("\\.EX\\n(.*?)\\n\\.EE"),
                                                QRegularExpression::DotMatchesEverythingOption);
        for (auto found = example.globalMatch(text); found.hasNext();)
            commands << found.next().captured(1).replace("\\-", "-").replace("\\e", "\\");
        return commands;
    }

  private slots:
    void thePageHasTheUsualSections() {
        const auto text = page();
        QVERIFY(text.startsWith(".TH \"HIGHWATER\\-CLI\" 1 "));
        for (const auto* section : {"NAME", "SYNOPSIS", "\"DESCRIPTION\"", "\"COMMANDS\"", "\"QUERIES\"", "\"FORMATS\"",
                                    "\"COLUMNS\"", "\"EXIT STATUS\"", "\"ENVIRONMENT\"", "\"EXAMPLES\""})
            QVERIFY2(text.contains(QStringLiteral("\n.SH %1\n").arg(section)), section);
        QVERIFY(text.contains(".TP\n.B \"\\-\\-lifetime FROM:TO\"\n"));
        QVERIFY(text.contains(".B \"\\-o, \\-\\-output FILE\"\n"));
        QVERIFY(text.contains(".B \"\\-\\-units UNITS\"\n"));
        QVERIFY(text.contains(".B \"FreeType\"\nHow the lifetime of the block ended.\n"));
        QVERIFY(!text.contains("manual")); // the command that made it is hidden
    }
    void everyOptionOfHelpIsInThePage() {
        const auto text = page().replace("\\-", "-");
        static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]+"));
        for (const auto* command : {"info", "table", "timeline", "explain", "record", "picture", "cleanup"}) {
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
    /// The contents of a trace, the owners of its memory, its leaks: newcomers copy the commands of the page.
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
};
HIGHWATER_TEST(ManualPageTest);
#include "manual_page_test.moc"
