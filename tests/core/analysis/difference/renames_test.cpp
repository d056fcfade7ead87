#include "core/analysis/difference/renames.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

Renames renamesOf(std::string_view text) {
    auto renames = Renames::parse(text);
    if (!renames.hasValue()) qFatal("%s", renames.error().message.c_str());
    return std::move(renames).value();
}

} // namespace

class RenamesTest : public QObject {
    Q_OBJECT
  private slots:
    void functionsAndModulesHaveLines() {
        const auto renames = renamesOf("# of 2.0\n\n  app.exe!load = app.exe!read\r\nold.dll=new.dll\n");
        QVERIFY(!renames.isEmpty());
        QCOMPARE(renames.functionName("app.exe!load"), std::string("app.exe!read"));
        QCOMPARE(renames.functionName("APP.exe!load"), std::string("app.exe!read"));
        QCOMPARE(renames.functionName("app.exe!Load"), std::string("app.exe!Load"));
        QCOMPARE(renames.functionName("Old.dll!f"), std::string("new.dll!f"));
        QCOMPARE(renames.functionName("Old.dll!+0x12"), std::string("new.dll!+0x12"));
        QCOMPARE(renames.moduleName("OLD.DLL"), std::string("new.dll"));
        QCOMPARE(renames.moduleName("other.dll"), std::string("other.dll"));
        QCOMPARE(renames.functionName("(no stack)"), std::string("(no stack)"));
        QVERIFY(renamesOf("").isEmpty());
        QVERIFY(renamesOf("# nothing\n\n").isEmpty());
    }
    void aFunctionOfARenamedModuleMayHaveALineOfItsOwn() {
        const auto renames = renamesOf("old!f = other!g\nold = new");
        QCOMPARE(renames.functionName("old!f"), std::string("other!g"));
        QCOMPARE(renames.functionName("old!h"), std::string("new!h"));
    }
    void operatorsHaveTheSign() {
        const auto renames = renamesOf("a!operator== = a!isEqual\na!{lambda()#1} = a!{lambda()#2}");
        QCOMPARE(renames.functionName("a!operator=="), std::string("a!isEqual"));
        QCOMPARE(renames.functionName("a!{lambda()#1}"), std::string("a!{lambda()#2}"));
    }
    void areReadAsTheyWereWritten() {
        Renames renames;
        const std::vector<std::pair<const char*, const char*>> lines{
            {"a.exe", "b.exe"}, {"a!operator==", "b!isEqual"}, {"a!f", "c!operator="}};
        for (const auto& [before, after] : lines)
            QVERIFY(renames.add(before, after).hasValue());
        for (const auto& [before, after] :
             std::vector<std::pair<const char*, const char*>>{{"a.exe", "c.exe"}, {"a\nb", "c"}, {"d", "e\n"}})
            QVERIFY2(!renames.add(before, after).hasValue(), before);
        QCOMPARE(renames.lines().size(), lines.size());
        const auto again = renamesOf(renames.text());
        QVERIFY(again.lines() == renames.lines());
        QCOMPARE(renames.formerModuleName("B.exe"), std::string("a.exe"));
        QCOMPARE(renames.formerModuleName("other"), std::string("other"));
    }
    /// Names of C++ and of other languages.
    void anyNamesHaveALine() {
        const std::vector<std::string> names{"a!operator==",
                                             "a!operator=",
                                             "a!operator!",
                                             "a!operator!=",
                                             "a!operator <=> ",
                                             "a!x = y",
                                             "a!operator =",
                                             "a!a<b>::c('x')",
                                             "a!\"quoted\"",
                                             "a!operator\"\"_s",
                                             "a!f(\" = \")",
                                             "a!\"",
                                             "a! = \"b\"",
                                             "a!=",
                                             "a!\" = \"",
                                             "a!f = \"g\"",
                                             "#a!b",
                                             " a!b",
                                             "a!b ",
                                             "\"a!b",
                                             "\"a\" = \"b!c\"",
                                             "a=b!c",
                                             "a = b!c",
                                             "a!f<x == y>::g",
                                             "a!{lambda()#1}"};
        for (const auto& before : names) {
            for (const auto& after : names) {
                Renames renames;
                QVERIFY2(renames.add(before, after).hasValue(), before.c_str());
                QCOMPARE(renames.text(), Renames::lineOf(before, after) + "\n");
                const auto again = renamesOf(renames.text());
                QVERIFY2(again.lines() == renames.lines(), renames.text().c_str());
                QCOMPARE(again.functionName(before), after);
            }
        }
        QCOMPARE(Renames::lineOf("a!operator==", "a!operator!"), std::string("a!operator== = a!operator!"));
        QCOMPARE(Renames::lineOf("a!f = g", "b.dll!\"x\""), std::string(R"("a!f = g" = "b.dll!""x""")"));
    }
    void quotesMayStandOnOneSide() {
        const std::vector<Renames::Line> line{{"a!x = y", "b!z"}};
        QVERIFY(renamesOf("\"a!x = y\"=b!z").lines() == line);
        QVERIFY(renamesOf("\"a!x = y\" = b!z").lines() == line);
        const std::vector<Renames::Line> turned{{"b!z", "a!x = y"}};
        QVERIFY(renamesOf("b!z = \"a!x = y\"").lines() == turned);
        QVERIFY(renamesOf("b!z=\"a!x = y\"").lines() == turned);
        for (const auto* wrong : {"\"a = b", "\"a\" b = c", "\"a\"", "a = \"b", "a = \"b\" c", "\"a\"\" = b"})
            QVERIFY2(!Renames::parse(wrong).hasValue(), wrong);
    }
    void wrongLinesAreRefusedWithTheirNumber_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("no sign") << QByteArray("a!b = a!c\n\nnothing\n")
                                 << QByteArray("Line 3 of the renames: expected old");
        QTest::newRow("several") << QByteArray("a = b = c") << QByteArray("Line 1 of the renames: expected old");
        QTest::newRow("several narrow") << QByteArray("a=b=c") << QByteArray("Line 1 of the renames: expected old");
        QTest::newRow("empty side") << QByteArray("#\na =\n") << QByteArray("Line 2 of the renames: expected a module");
        QTest::newRow("no module") << QByteArray("!f = a!g") << QByteArray("Line 1 of the renames: expected a module");
        QTest::newRow("no function") << QByteArray("a! = a!g")
                                     << QByteArray("Line 1 of the renames: expected a module");
        QTest::newRow("two kinds") << QByteArray("a!f = b")
                                   << QByteArray("one side is a function and the other is a module");
        QTest::newRow("twice") << QByteArray("a!f = a!g\nA!f = a!h")
                               << QByteArray("Line 2 of the renames: the name on the left");
    }
    void wrongLinesAreRefusedWithTheirNumber() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        const auto renames = Renames::parse(text.toStdString());
        QVERIFY(!renames.hasValue());
        QCOMPARE(renames.error().kind, ErrorKind::Usage);
        QVERIFY2(renames.error().message.find(why.toStdString()) != std::string::npos, renames.error().message.c_str());
    }
    void workGrowsWithTheList() {
        const auto ratio = tests::workRatio(2'000, [](std::size_t count) {
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
                text += "a.dll!f" + std::to_string(i) + " = a.dll!g\n";
            (void)Renames::parse(text).value().text();
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
    void refusesALineThatIsLongerThanNames() {
        std::string line;
        while (line.size() < 1'000'000)
            line += "=\"x\"";
        QCOMPARE(Renames::parse("a = b\n" + line).error().message,
                 "Line 2 of the renames: the line is too long to be a rename: " + line.substr(0, 60));
    }
};

HIGHWATER_TEST(RenamesTest);
#include "renames_test.moc"
