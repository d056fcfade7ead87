#include "ui/format/command_words.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::ui;

class CommandWordsTest : public QObject {
    Q_OBJECT
  private slots:
    void splitsAsAShellDoes_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nothing") << "" << QStringList{};
        QTest::newRow("blanks") << "  a \t b  " << QStringList{"a", "b"};
        QTest::newRow("single") << "'a b' c" << QStringList{"a b", "c"};
        QTest::newRow("double") << "\"a b\" c" << QStringList{"a b", "c"};
        QTest::newRow("inside") << "--name='two words'x" << QStringList{"--name=two wordsx"};
        QTest::newRow("empty") << "'' \"\"" << QStringList{"", ""};
        QTest::newRow("backslash") << "a\\ b \\'c" << QStringList{"a b", "'c"};
        QTest::newRow("in single nothing escapes") << "'a\\b' '\"'" << QStringList{"a\\b", "\""};
        QTest::newRow("in double some") << "\"a\\\"b\" \"\\n\" \"\\\\\"" << QStringList{"a\"b", "\\n", "\\"};
        QTest::newRow("nothing expands") << "$HOME *.c ~" << QStringList{"$HOME", "*.c", "~"};
    }
    void splitsAsAShellDoes() {
        QFETCH(QString, line);
        QFETCH(QStringList, words);
        const auto split = commandWords(line, CommandSyntax::Posix);
        QVERIFY2(split.hasValue(), qPrintable(line));
        QCOMPARE(split.value(), words);
    }
    void refusesUnclosedQuotes_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("single") << "a 'b";
        QTest::newRow("double") << "a \"b";
        QTest::newRow("escaped") << "\"b\\\"";
        QTest::newRow("backslash") << "a \\";
    }
    void refusesUnclosedQuotes() {
        QFETCH(QString, line);
        const auto split = commandWords(line, CommandSyntax::Posix);
        QVERIFY(!split.hasValue() && !split.error().message.empty());
    }
    void windowsSupportsOnlyDoubleQuotes() {
        QCOMPARE(commandWords("'a b' \"c d\"", CommandSyntax::Windows).value(), (QStringList{"'a", "b'", "c d"}));
        QVERIFY(!commandWords("\"a", CommandSyntax::Windows).hasValue());
    }
    void readsItsOwnOutput_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("none") << QStringList{};
        QTest::newRow("all kinds") << QStringList{"a", "", "two words", "it's", "\"", "\\", "a\"b'c\\ d", "--x=y"};
        QTest::newRow("blanks of every kind") << QStringList{"a\tb", "a\nb", " ", QString::fromUtf8("a\u00A0b\u2028c")};
        QStringList characters;
        for (char16_t letter = 1; letter < 0x300; ++letter)
            characters << QStringLiteral("a%1b").arg(QChar(letter)) << QString(QChar(letter));
        QTest::newRow("every character") << characters;
    }
    void readsItsOwnOutput() {
        QFETCH(QStringList, words);
        QCOMPARE(commandWords(commandLineOf(words, CommandSyntax::Posix), CommandSyntax::Posix).value(), words);
        words.removeAll(QString()); // they cannot be written for Windows
        QCOMPARE(commandWords(commandLineOf(words, CommandSyntax::Windows), CommandSyntax::Windows).value(), words);
    }
};
HIGHWATER_TEST(CommandWordsTest);
#include "command_words_test.moc"
