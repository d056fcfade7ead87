#include "core/export/shell_words.h"

#include "tests/support/test_registry.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <optional>
#include <random>

using namespace highwater;
using namespace highwater::exports;

namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& lines) {
    std::string text;
    for (const auto& line : lines)
        text += line + '\n';
    return text;
}

/// The output of a shell for a command that begins with printf '%s\0'.
QByteArray printedBy(const QString& shell, const std::string& command) {
    QProcess process;
    process.start(shell, {"-c", QString::fromUtf8(command.c_str())});
    return process.waitForFinished(30'000) ? process.readAllStandardOutput() : QByteArray();
}

QStringList shells() {
    QStringList found;
    for (const auto* name : {"sh", "bash", "dash"}) {
        const auto path = QStandardPaths::findExecutable(QLatin1String(name));
        if (!path.isEmpty()) found << path;
    }
    return found;
}

/// Each part in the positions where a shell could misread it: alone, in a word, first and last, twice, after a blank,
/// in a word with quotes.
Words wordsAround(const std::string& part) {
    return {part,
            "a" + part + "b",
            part + "a b",
            "a b" + part,
            part + part,
            "a" + part + part + "b",
            "--x=" + part,
            "'" + part + "'",
            "C:\\a b\\" + part,
            part + "PATH" + part,
            "(" + part + "x)"};
}

/// Every ASCII character except NUL, and some that shells or terminals interpret as another character.
Words allParts() {
    Words parts{"\u2018",       "\u2019", "\u201A",    "\u201B",   "\u201C",     "\u201D", "\u201E",
                "\u2013",       "\u00A0", "\uFF02",    "\u00E4",   "\U0001F600", "\u202E", "\u200B",
                "\u2028",       "\u0085", "\xFF",      "\xC3",     "--",         "-",      "~",
                "\\\"",         "%PATH%", "$(exit 3)", "`exit 3`", "!!",         "^",      "\" & exit 3 & \"",
                "'; exit 3; '", "\\"};
    for (char c = 1; c > 0 && c < 127; ++c)
        parts.emplace_back(1, c);
    parts.emplace_back(1, '\x7F');
    return parts;
}

// Reads one line as PowerShell reads the arguments of a program (about_Parsing, about_Quoting_Rules), limited to the
// syntax that all of its versions share: letters without a special meaning, and texts in double quotes. Nothing: the
// line contains something else.
std::optional<Words> readByPowerShell(const std::string& line) {
    const auto isPlain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; };
    Words words;
    for (std::size_t at = 0; at < line.size();) {
        std::string word;
        if (line[at] == '"') {
            const auto end = line.find('"', at + 1);
            if (end == std::string::npos || (end + 1 < line.size() && line[end + 1] != ' ')) return std::nullopt;
            word = line.substr(at + 1, end - at - 1);
            for (const auto* special : {"$", "`", "\u201C", "\u201D", "\u201E"})
                if (word.find(special) != std::string::npos) return std::nullopt;
            if (word.empty() || word.back() == '\\') return std::nullopt; // some versions pass these differently
            at = end + 1;
        } else {
            const auto end = std::min(line.find(' ', at), line.size());
            word = line.substr(at, end - at);
            const bool isOption = word.starts_with("--") && word.size() > 2;
            const bool isPath = std::isalpha(static_cast<unsigned char>(word.front())) != 0;
            const bool isNumber = word.front() > '0' && word.front() <= '9';
            for (const char c : word)
                if (!isPlain(c) && !(isPath && std::string_view("_./:\\").find(c) != std::string_view::npos))
                    return std::nullopt;
            if (!isOption && !isPath &&
                !(isNumber && std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; })))
                return std::nullopt;
            at = end;
        }
        words.push_back(word);
        if (at < line.size() && line[at++] != ' ') return std::nullopt;
    }
    return words;
}

} // namespace

class ShellWordsTest : public QObject {
    Q_OBJECT
  private slots:
    void quotesWhatAShellWouldRead() {
        const auto word = [](const char* text) { return shellWord(text, Shell::Posix).value(); };
        QCOMPARE(word("app.etl"), std::string("app.etl"));
        QCOMPARE(word(""), std::string("''"));
        QCOMPARE(word("a b"), std::string("'a b'"));
        QCOMPARE(word("it's"), std::string("'it'\\''s'"));
        QCOMPARE(word("~x"), std::string("'~x'"));
        QCOMPARE(word("=x"), std::string("'=x'"));
    }
    void quotesForCmdAndPowerShellAlike() {
        const auto word = [](const char* text) { return shellWord(text, Shell::Windows).value(); };
        QCOMPARE(word("app.etl"), std::string("app.etl"));
        QCOMPARE(word("--table"), std::string("--table"));
        QCOMPARE(word("20"), std::string("20"));
        QCOMPARE(word("C:\\a b\\c.etl"), std::string("\"C:\\a b\\c.etl\""));
        QCOMPARE(word("C:\\a\\"), std::string("C:\\a\\"));
        QCOMPARE(word("a&b|c<d>^e"), std::string("\"a&b|c<d>^e\""));
        QCOMPARE(word("Process,Stack"), std::string("\"Process,Stack\""));
        QCOMPARE(word("@x"), std::string("\"@x\""));
    }
    void whatNoQuotesKeepIsNotWritten_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("why");
        QTest::newRow("quote") << "a \"b\""
                               << "contains a quotation mark, which cannot be quoted";
        QTest::newRow("curved quote") << QString::fromUtf8("a\u201Cb") << "contains a quotation mark, which cannot";
        QTest::newRow("percent") << "100%"
                                 << "contains a percent sign, which cmd treats as a variable";
        QTest::newRow("dollar") << "$HOME"
                                << "contains a dollar sign or backtick, which PowerShell replaces";
        QTest::newRow("backtick") << "`x'"
                                  << "contains a dollar sign or backtick, which PowerShell replaces";
        QTest::newRow("backslash at the end") << "C:\\a b\\"
                                              << "needs quotes and ends with a backslash";
        QTest::newRow("empty") << ""
                               << "is empty, and PowerShell drops empty words";
        QTest::newRow("line end") << "a\nb"
                                  << "contains a character that terminals hide or interpret";
        QTest::newRow("turned writing") << QString::fromUtf8("a\u202Eb")
                                        << "contains a character that terminals hide or interpret";
    }
    void whatNoQuotesKeepIsNotWritten() {
        QFETCH(const QString, word);
        QFETCH(const QString, why);
        const auto written = shellLine({"app", word.toStdString()}, Shell::Windows);
        QVERIFY(!written.hasValue());
        const auto sentence = QString::fromStdString(written.error().message);
        QVERIFY2(sentence.startsWith("Command not shown because a word " + why), qPrintable(sentence));
        QVERIFY(sentence.size() <= 96); // behind "rem " a line of the page that explains a trace
        QVERIFY(!shellWord(word.toStdString(), Shell::Windows).hasValue());
        QVERIFY(!shellLines({"app", word.toStdString()}, 40, Shell::Windows).hasValue());
        QCOMPARE(lineOrReason({"app", word.toStdString()}, Shell::Windows), written.error().message);
    }
    void aLineThatCmdCutsOffIsNotWritten() {
        QVERIFY(shellLine({"app", std::string(7000, 'a')}, Shell::Windows).hasValue());
        QVERIFY(!shellLine({"app", std::string(9000, 'a')}, Shell::Windows).hasValue());
    }
    void optionsStandBesideTheirValues() {
        const Words words{"command", "--first", "1234567890", "--second", "two words", "--flag"};
        QCOMPARE(joined(shellLines(words, 26, Shell::Posix).value()),
                 std::string("command \\\n    --first 1234567890 \\\n    --second 'two words' \\\n    --flag\n"));
        QCOMPARE(joined(shellLines(words, 200, Shell::Posix).value()), shellLine(words, Shell::Posix).value() + '\n');
        QCOMPARE(shellLines(words, 26, Shell::Windows).value(), Words{shellLine(words, Shell::Windows).value()});
    }
    void whatBeginsWithADashIsNoOption() {
        CommandLine words;
        addOption(words, "--mark", "a");
        addOption(words, "--mark", "-a");
        addFiles(words, {"-a.etl", "b.etl", "/c.etl"});
        QCOMPARE(words, (Words{"--mark", "a", "--mark=-a", "./-a.etl", "b.etl", "/c.etl"}));
    }
    /// Shells read exactly the words that are written; the only refused ASCII characters are those that control
    /// terminals.
    void shellsReadWhatIsWritten() {
        if (shells().isEmpty()) QSKIP("there is no sh");
        for (const auto& shell : shells()) {
            for (const auto& part : allParts()) {
                std::string line = "printf '%s\\0'";
                QByteArray wanted;
                for (const auto& word : wordsAround(part)) {
                    const auto written = shellWord(word, Shell::Posix);
                    const bool isPrintable = part.size() != 1 || (part[0] >= ' ' && part[0] < 127);
                    if (part.size() == 1) QCOMPARE(written.hasValue(), isPrintable);
                    if (!written.hasValue()) continue;
                    line += ' ' + written.value();
                    wanted += QByteArray::fromStdString(word) + '\0';
                }
                if (!wanted.isEmpty()) QCOMPARE(printedBy(shell, line), wanted);
            }
        }
    }
    void powerShellReadsWhatIsWritten() {
        int written = 0;
        for (const auto& part : allParts()) {
            for (const auto& word : wordsAround(part)) {
                const auto line = shellLine({"app", word, "--last"}, Shell::Windows);
                if (!line.hasValue()) continue;
                ++written;
                const auto read = readByPowerShell(line.value());
                QVERIFY2(read.has_value(), line.value().c_str());
                QCOMPARE(*read, (Words{"app", word, "--last"}));
            }
        }
        QVERIFY(written > 600);
    }
    void arriveAsTheyWereOnLinesThatFit() {
        if (shells().isEmpty()) QSKIP("there is no sh");
        std::mt19937 random(1);
        const QString alphabet = QString::fromUtf8("ab '\"\\$`!*?()[];&|<>#~%{}-=äß");
        for (int round = 0; round < 60; ++round) {
            Words words{"printf", "%s\\0"};
            QByteArray wanted;
            for (auto i = random() % 6 + 1; i > 0; --i) {
                QString word;
                for (auto n = random() % 90; n > 0; --n)
                    word += alphabet[static_cast<qsizetype>(random() % static_cast<std::size_t>(alphabet.size()))];
                words.push_back(word.toStdString());
                wanted += word.toUtf8() + '\0';
            }
            const auto lines = shellLines(words, 40, Shell::Posix).value();
            QVERIFY(std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.size() <= 40; }));
            for (const auto& shell : shells()) {
                QCOMPARE(printedBy(shell, joined(lines)), wanted);
                QCOMPARE(printedBy(shell, shellLine(words, Shell::Posix).value()), wanted);
            }
        }
    }
};

HIGHWATER_TEST(ShellWordsTest);
#include "shell_words_test.moc"
