#include "core/export/explain/shell_words.h"

#include "tests/support/test_registry.h"

#include <QProcess>
#include <QTest>

#include <algorithm>
#include <random>

using namespace highwater;
using namespace highwater::exports;

namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines)
        text += line + '\n';
    return text;
}

/// The words that sh makes of a command that begins with printf '%s\0'.
QByteArray printedBySh(const std::string& command) {
    QProcess process;
    process.start("/bin/sh", {"-c", QString::fromUtf8(command.c_str())});
    return process.waitForFinished(30'000) ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

class ShellWordsTest : public QObject {
    Q_OBJECT
  private slots:
    void quotesWhatAShellWouldRead() {
        QCOMPARE(shellWord("app.etl", Shell::Posix), std::string("app.etl"));
        QCOMPARE(shellWord("", Shell::Posix), std::string("''"));
        QCOMPARE(shellWord("a b", Shell::Posix), std::string("'a b'"));
        QCOMPARE(shellWord("it's", Shell::Posix), std::string("'it'\\''s'"));
        QCOMPARE(shellWord("~x", Shell::Posix), std::string("'~x'"));
    }
    void quotesAsProgramsOfWindowsRead() {
        QCOMPARE(shellWord("app.etl", Shell::Windows), std::string("app.etl"));
        QCOMPARE(shellWord("a \"b\"", Shell::Windows), std::string("\"a \\\"b\\\"\""));
        QCOMPARE(shellWord("C:\\a b\\", Shell::Windows), std::string("\"C:\\a b\\\\\""));
        QCOMPARE(shellWord("a\\\"b", Shell::Windows), std::string("\"a\\\\\\\"b\""));
    }
    void optionsStandBesideTheirValues() {
        const std::vector<std::string> words{"command", "--first", "1234567890", "--second", "two words", "--flag"};
        QCOMPARE(joined(shellLines(words, 26, Shell::Posix)),
                 std::string("command \\\n    --first 1234567890 \\\n    --second 'two words' \\\n    --flag\n"));
        QCOMPARE(joined(shellLines(words, 200, Shell::Posix)), shellLine(words, Shell::Posix) + '\n');
        QVERIFY(joined(shellLines(words, 26, Shell::Windows)).starts_with("command ^\n    --first"));
    }
    void arriveAsTheyWereOnLinesThatFit() {
        if (ownShell() != Shell::Posix) QSKIP("there is no sh");
        std::mt19937 random(1);
        const QString alphabet = QString::fromUtf8("ab '\"\\$`!*?()[];&|<>#~%{}-=äß");
        for (int round = 0; round < 60; ++round) {
            std::vector<std::string> words{"printf", "%s\\0"};
            QByteArray wanted;
            for (auto i = random() % 6 + 1; i > 0; --i) {
                QString word;
                for (auto n = random() % 90; n > 0; --n)
                    word += alphabet[static_cast<qsizetype>(random() % static_cast<std::size_t>(alphabet.size()))];
                words.push_back(word.toStdString());
                wanted += word.toUtf8() + '\0';
            }
            const auto lines = shellLines(words, 40, Shell::Posix);
            QVERIFY(std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.size() <= 40; }));
            QCOMPARE(printedBySh(joined(lines)), wanted);
            QCOMPARE(printedBySh(shellLine(words, Shell::Posix)), wanted);
        }
    }
};

HIGHWATER_TEST(ShellWordsTest);
#include "shell_words_test.moc"
