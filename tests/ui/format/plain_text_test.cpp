#include "tests/support/test_registry.h"
#include "ui/format/plain_text.h"

#include <QTest>
#include <QTextDocument>

using namespace highwater;
using namespace highwater::ui;

class PlainTextTest : public QObject {
    Q_OBJECT
  private slots:
    void leavesOrdinaryNamesAsTheyAre_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"", "a.exe (12)", "std::vector<int>::at", "R&D.exe", "Größe.dll", "文件.exe", "😀.exe",
                                 R"(C:\Program Files\x.dll)", "[*]"})
            QTest::addRow("%s", name) << QString::fromUtf8(name);
    }
    void leavesOrdinaryNamesAsTheyAre() {
        QFETCH(QString, name);
        QCOMPARE(visibleText(name), name);
        QCOMPARE(visibleText(name.toStdString()), name);
        QCOMPARE(lineText(name), name);
        QCOMPARE(tooltipText(name), name);
        QCOMPARE(wrappingText(name), name);
    }

    void showsHiddenCharacters_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("line") << QString::fromUtf8("two\nlines\r") << "two[U+000A]lines[U+000D]";
        QTest::newRow("nul") << QString::fromUtf8("a\0b", 3) << "a[U+0000]b";
        QTest::newRow("tab") << QString::fromUtf8("a\tb") << "a[U+0009]b";
        QTest::newRow("delete") << QString::fromUtf8("a\x7f") << "a[U+007F]";
        QTest::newRow("next line") << QString(QChar(0x85)) << "[U+0085]";
        QTest::newRow("backwards") << QString::fromUtf8("gpj\u202Eexe") << "gpj[U+202E]exe";
        QTest::newRow("isolate") << QString::fromUtf8("\u2066a\u2069") << "[U+2066]a[U+2069]";
        QTest::newRow("no width") << QString::fromUtf8("a\u200Bb\uFEFF") << "a[U+200B]b[U+FEFF]";
        QTest::newRow("line separator") << QString(QChar(0x2028)) << "[U+2028]";
    }
    void showsHiddenCharacters() {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(visibleText(text), shown);
        QCOMPARE(visibleText(shown), shown);
        QCOMPARE(lineText(text), shown);
    }

    void isNeverReadAsMarkupInAToolTip_data() {
        QTest::addColumn<QString>("text");
        for (const auto* text :
             {"<img src=\"file://host/share/x.png\">", "<b>x</b>", "a\n<a href=\"http://host\">b</a>", "<a href=x>\nb",
              "<!doctype html>", "&lt;b&gt;", "Ring<table>", "<qt>x"})
            QTest::addRow("%s", text) << QString::fromUtf8(text);
    }
    void isNeverReadAsMarkupInAToolTip() {
        QFETCH(QString, text);
        const auto told = tooltipText(text);
        QTextDocument document;
        if (Qt::mightBeRichText(told))
            document.setHtml(told);
        else
            document.setPlainText(told);
        QCOMPARE(document.toPlainText(), text);
        QVERIFY(!Qt::mightBeRichText(told) || !(told.contains("<img") || told.contains("<a")));
    }

    void fitsAScreen() {
        QCOMPARE(lineText(QString(100'000, 'W')).size(), kMostInLine + 1);
        QCOMPARE(lineText(std::string(100'000, 'W')).size(), kMostInLine + 1);
        QVERIFY(lineText(QString(100'000, '\x01')).size() <= kMostInLine + 1);
        QVERIFY(lineText(QString(100'000, QChar(0x202E))).size() <= kMostInLine + 1);
        const auto told = tooltipText(QString(100'000, 'W')).split('\n');
        QVERIFY(told.size() <= 25);
        for (const auto& line : told)
            QVERIFY(line.size() <= 101);
        QVERIFY(tooltipText(QString(100'000, '\n')).count('\n') <= 25);
    }
    void breaksLinesBehindWords() {
        const auto line = QString("0123456789 ").repeated(20).trimmed();
        const auto told = tooltipText(line).split('\n');
        QCOMPARE(told.size(), 3);
        QVERIFY(told.first().endsWith("9 "));
        QCOMPARE(told.join(QString()), line);
    }
    void keepsPairsOfLettersTogether() {
        const auto smiles = QString::fromUtf8("x😀").left(1) + QString::fromUtf8("😀").repeated(2'000);
        for (const auto& text : {lineText(smiles), tooltipText(smiles), wrappingText(smiles)})
            QCOMPARE(QString::fromUtf8(text.toUtf8()), text);
    }

    void keepsSignsOfQtForItself() {
        QCOMPARE(menuText("R&D\t<b>"), "R&&D[U+0009]<b>");
        QCOMPARE(titleText("a [*].etl"), "a [*][*].etl");
    }
    void breaksLongWordsWhereTheyMayBe() {
        const auto sentence = wrappingText("no " + QString(200, 'W') + " here");
        QCOMPARE(QString(sentence).remove(QChar(0x200B)), "no " + QString(200, 'W') + " here");
        QVERIFY(sentence.count(QChar(0x200B)) >= 3);
    }
};
HIGHWATER_TEST(PlainTextTest);
#include "plain_text_test.moc"
