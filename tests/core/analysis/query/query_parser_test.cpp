#include "core/analysis/query/query_expression.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <random>

using namespace highwater;
using namespace highwater::analysis;

namespace {

struct Case {
    const char* query;
    const char* spelled;
};

std::string spelled(std::string_view query, Table table = Table::VirtualAlloc) {
    const auto parsed = QueryExpression::parse(table, query);
    return parsed.hasValue() ? parsed.value().toString() : "error: " + parsed.error().sentence;
}

struct BadCase {
    const char* query;
    const char* marked; ///< the query with the reported bytes between { and }
    const char* says;   ///< part of the message
};

} // namespace

class QueryParserTest : public QObject {
    Q_OBJECT
  private slots:
    void readsWhatTheDocumentationShows() {
        const Case cases[] = {
            {"[Count]:>0", "[Count]:>0"},
            {"[Count]:= 5.6", "[Count]:=5.6"},
            {"ProcessName:* '.?explore.*'", "[Process Name]:*\".?explore.*\""},
            {"[Process Name]:* '.?explore.*'", "[Process Name]:*\".?explore.*\""},
            {"Size :> 20MB AND Size :< 0.5GB", "[Size]:>20MB AND [Size]:<0.5GB"},
            {"LifeTime :> 5ms OR LifeTime :< 1us", "[Commit LifeTime]:>5ms OR [Commit LifeTime]:<1us"},
            {"LifeTime := 4.5ms", "[Commit LifeTime]:=4.5ms"},
            {"LifeTime :=4.50ms", "[Commit LifeTime]:=4.50ms"},
            {"Process:~='iexplore'", "[Process]:~=\"iexplore\""},
            {"Process:~='iexplore' AND [Series Name] := 'Process'",
             "[Process]:~=\"iexplore\" AND [Series Name]:=\"Process\""},
            {"Process:~'iexplore' AND [Series Name] := 'stack'",
             "[Process]:~=\"iexplore\" AND [Series Name]:=\"Commit Stack\""},
            {"NOT [Type]:~<\"AI\"", "NOT [Type]:~<\"AI\""},
            {"[Size]:>1MB AND [Stack]:~=\"Inner\"", "[Size]:>1MB AND [Commit Stack]:~=\"Inner\""},
            {"([Series Name]:=\"Process\" AND NOT ([Process]:=\"Idle (0)\"))",
             "[Series Name]:=\"Process\" AND NOT [Process]:=\"Idle (0)\""},
        };
        for (const auto& [query, expected] : cases)
            QCOMPARE(spelled(query).c_str(), expected);
    }
    void readsEveryOperator() {
        const Case cases[] = {
            {"Process:=a", "[Process]:=\"a\""},
            {"Process:==a", "[Process]:=\"a\""},
            {"Process:<>a", "[Process]:<>\"a\""},
            {"Process:!=a", "[Process]:<>\"a\""},
            {"Process:~=a", "[Process]:~=\"a\""},
            {"Process~=\"Mem\"", "[Process]:~=\"Mem\""},
            {"Process:~~a", "[Process]:~=\"a\""},
            {"Process:~!a", "[Process]:~!\"a\""},
            {"Process:~<a", "[Process]:~<\"a\""},
            {"Process:~>a", "[Process]:~>\"a\""},
            {"Process:~a", "[Process]:~=\"a\""},
            {"Process:~*.exe", "[Process]:~\"*.exe\""},
            {"Process:*\"a.*\"", "[Process]:*\"a.*\""},
            {"Process:a", "[Process]:~=\"a\""},
            {"Count:5", "[Count]:=5"},
            {"Count:<>5", "[Count]:<>5"},
            {"Count:<=5", "[Count]:<=5"},
            {"Count:>=5", "[Count]:>=5"},
            {"Size > 20MB", "[Size]:>20MB"},
            {"Size>=20 mb", "[Size]:>=20MB"},
            {"[Size]!=5", "[Size]:<>5"},
            {"Size:>\" 5 kb \"", "[Size]:>5KB"},
            {"Process:=~Foo", "[Process]:=\"~Foo\""},
            {"Process = x", "[Process]:=\"x\""},
            {"Process:\"=x\"", "[Process]:~=\"=x\""},
        };
        for (const auto& [query, expected] : cases)
            QCOMPARE(spelled(query).c_str(), expected);
    }
    void findsColumnsByEveryName() {
        const Case cases[] = {
            {"commit stack:~=x", "[Commit Stack]:~=\"x\""},
            {"STACK:~=x", "[Commit Stack]:~=\"x\""},
            {"[ stack (bottom-up) ]:~=x", "[Commit Stack (bottom-up)]:~=\"x\""},
            {"Stack (bottom-up):~=x", "[Commit Stack (bottom-up)]:~=\"x\""},
            {"Type:=AIFO Commit Time:>5", "[Type]:=\"AIFO\" AND [Commit Time]:>5"},
            {"CommitStack:~=x AND impactingsize>5", "[Commit Stack]:~=\"x\" AND [Impacting Size]:>5"},
            {"peak size>5", "[Peak Size]:>5"},
            {"[Decommit Time]:=[] AND Thread:<>[] AND Process:=\"\"",
             "[Decommit Time]:=[] AND [Committing ThreadId]:<>[] AND [Process]:=\"\""},
            {"Thread:=\"\"", "[Committing ThreadId]:=[]"},
            {"ThreadName:worker AND Thread Name:<>x", "[Thread Name]:~=\"worker\" AND [Thread Name]:<>\"x\""},
            {"Address:=0x7FF6", "[Address]:=0x7FF6"},
        };
        for (const auto& [query, expected] : cases)
            QCOMPARE(spelled(query).c_str(), expected);
        QCOMPARE(spelled("AllocTime>1 handle=0x10", Table::Heap).c_str(), "[AllocTime]:>1 AND [Handle]:=0x10");
    }
    void takesTextsWithoutColumn() {
        const Case cases[] = {
            {"svchost", "\"svchost\""},
            {"ntdll.dll!RtlAllocateHeap heap", "\"ntdll.dll!RtlAllocateHeap\" AND \"heap\""},
            {"std::vector<int>", "\"std::vector<int>\""},
            {"a::~b C:\\x", "\"a::~b\" AND \"C:\\x\""},
            {"'it''s' \"a\"\"b\" don't", "\"it's\" AND \"a\"\"b\" AND \"don't\""},
            {"\"AND\" OR x", "\"AND\" OR \"x\""},
            {"\"a\"\"\"", "\"a\"\"\""},
            {"µTorrent OR a*b", "\"µTorrent\" OR \"a*b\""},
            {"operator==", "\"operator==\""},
            {"vector<int> a<b ~Widget", "\"vector<int>\" AND \"a<b\" AND \"~Widget\""},
            {"x!f=1 array<int,5>", "\"x!f=1\" AND \"array<int,5>\""},
            {"\"Foo>100\"", "\"Foo>100\""},
        };
        for (const auto& [query, expected] : cases)
            QCOMPARE(spelled(query).c_str(), expected);
    }
    void bindsNotBeforeAndBeforeOr() {
        const Case cases[] = {
            {"a OR b AND c", "\"a\" OR \"b\" AND \"c\""},
            {"(a OR b) AND c", "(\"a\" OR \"b\") AND \"c\""},
            {"a or b and not c", "\"a\" OR \"b\" AND NOT \"c\""},
            {"not (a b)", "NOT (\"a\" AND \"b\")"},
            {"NOT NOT a b", "NOT NOT \"a\" AND \"b\""},
            {"a AND (b AND (c)) AND (d OR (e OR f))", "\"a\" AND \"b\" AND \"c\" AND (\"d\" OR \"e\" OR \"f\")"},
            {"NOT(a)OR(b)", "NOT \"a\" OR \"b\""},
            {"NOT[Count]:=1 OR[Count]:=2", "NOT [Count]:=1 OR [Count]:=2"},
        };
        for (const auto& [query, expected] : cases)
            QCOMPARE(spelled(query).c_str(), expected);
    }
    void takesBlankTextForNoFilter() {
        for (const auto* blank : {"", "  ", "\t\r\n"}) {
            const auto parsed = QueryExpression::parse(Table::Heap, blank);
            QVERIFY(parsed.hasValue() && parsed.value().isEmpty());
            QVERIFY(parsed.value() == QueryExpression(Table::Heap));
            QVERIFY(!(parsed.value() == QueryExpression(Table::VirtualAlloc)));
        }
    }
    void tellsColumns() {
        const auto columns = [](std::string_view query) {
            return QueryExpression::parse(Table::VirtualAlloc, query).value().columns();
        };
        QVERIFY(columns("") == ColumnSet{});
        QVERIFY(columns("Size>1 OR NOT Stack:=x OR [FreeType]:=[]") ==
                (ColumnSet{Column::Size, Column::Stack, Column::FreeType}));
        QVERIFY(columns("x").contains(Column::Process) && columns("x").contains(Column::Stack));
        QVERIFY(!columns("x").contains(Column::Size) && !columns("x").contains(Column::Handle));
        QVERIFY(!QueryExpression::parse(Table::Heap, "Process:=x").value().usesSeriesName());
        QVERIFY(QueryExpression::parse(Table::Heap, "[Series Name]:=Process").value().usesSeriesName());
    }
    void pointsAtWhatIsWrong() {
        const BadCase cases[] = {
            {"Count:>1 AND Siez:>5", "Count:>1 AND {Siez}:>5", "no column \"Siez\". Did you mean [Size]"},
            {"[Comit Stack]:=x", "{[Comit Stack]}:=x", "Did you mean [Commit Stack]"},
            {"Handle:=0x5", "{Handle}:=0x5", "VirtualAlloc Commit LifeTimes has no column"},
            {"[Qwertzuiop]:=x", "{[Qwertzuiop]}:=x", "\"Qwertzuiop\"."},
            {"[]:=x", "{[]}:=x", "no column"},
            {":=x", "{:}=x", "column name is missing"},
            {"Foo>100", "{Foo}>100", "no column \"Foo\". To search for the text, put it in quotes."},
            {"a Siez<=2MB", "a {Siez}<=2MB", "Did you mean [Size], "},
            {"Proces~=\"Mem\"", "{Proces}~=\"Mem\"", "no column \"Proces\""},
            {"key=value", "{key}=value", "no column \"key\""},
            {"Stack:*\"(a)\\77777777777777777777\"", "Stack:*{\"(a)\\77777777777777777777\"}", "has a back reference"},
            {"Stack:*\"*\"", "Stack:*{\"*\"}", "nothing before it"},
            {"Foo > 100", "Foo {>} 100", "column name is missing before this operator"},
            {"[Size", "{[}Size", "[ is not closed"},
            {"[Size]", "[Size]{}", "operator is missing"},
            {"[Size]  5", "[Size]{}  5", "operator is missing"},
            {"Size:", "Size{:}", "operator is missing"},
            {"Size:=>5", "Size{:=>}5", "\":=>\" is not an operator"},
            {"Process:$=x", "Process{:$=}x", "\":$=\" is not an operator"},
            {"Size:~=5", "Size{:~=}5", "contains numbers"},
            {"Size:*5", "Size{:*}5", "contains numbers"},
            {"Process:>5", "Process{:>}5", "contains text"},
            {"Size:> ", "Size:>{} ", "value is missing after :>"},
            {"Size:> AND x", "Size:>{} AND x", "value is missing"},
            {"(Size:>)", "(Size:>{})", "value is missing"},
            {"Size:>abc", "Size:>{abc}", "\"abc\" is not a number"},
            {"Size:>5 ms", "Size:>{5 ms}", "unit ms cannot be used"},
            {"LifeTime:>\"5MB\"", "LifeTime:>{\"5MB\"}", "Use ns, us"},
            {"Count:=3KB", "Count:={3KB}", "no unit"},
            {"Size:>[]", "Size{:>[]}", "requires the operator := or :<>"},
            {"Process:~=\"abc", "Process:~={\"abc}", "is not closed"},
            {"it 'is", "it {'is}", "is not closed"},
            {"\"Size\":>5", "{\"Size\"}:>5", "not in quotes"},
            {"Stack:*\"a(b\"", "Stack:*{\"a(b\"}", "regular expression"},
            {"(a OR b", "{(}a OR b", "not closed"},
            {"a)", "a{)}", "no matching ("},
            {"()", "({)}", "missing before this )"},
            {"AND a", "{AND} a", "missing before AND"},
            {"a AND", "a AND{}", "ends where a condition is expected"},
            {"a AND OR b", "a AND {OR} b", "missing before OR"},
            {"NOT", "NOT{}", "ends where"},
        };
        for (const auto& [query, marked, says] : cases) {
            const auto parsed = QueryExpression::parse(Table::VirtualAlloc, query);
            QVERIFY2(!parsed.hasValue(), query);
            const auto& error = parsed.error();
            std::string shown = query;
            QVERIFY2(error.position + error.length <= shown.size(), query);
            shown.insert(error.position + error.length, "}").insert(error.position, "{");
            QCOMPARE(shown.c_str(), marked);
            QVERIFY2(error.sentence.find(says) != std::string::npos, (query + (": " + error.sentence)).c_str());
        }
    }
    void refusesDepthAndLengthWithoutExhaustingTheStack() {
        for (const auto* piece : {"(", "NOT ", "(NOT ", "[", "a:", "((a OR "}) {
            std::string text;
            while (text.size() < 60'000)
                text += piece;
            QVERIFY2(!QueryExpression::parse(Table::Heap, text).hasValue(), piece);
        }
        QVERIFY(!QueryExpression::parse(Table::Heap, std::string(60'001, '"')).hasValue());
        QVERIFY(!QueryExpression::parse(Table::Heap, std::string(100'000, '(')).hasValue());
        const std::string deep = std::string(100, '(') + "a" + std::string(100, ')');
        QCOMPARE(spelled(deep).c_str(), "\"a\"");
        std::string wide = "a";
        while (wide.size() < 60'000)
            wide += " OR Size:>5 AND b";
        QVERIFY(QueryExpression::parse(Table::Heap, wide).hasValue());
    }
    void survivesGarbage() {
        const std::string_view pieces[] = {
            "[",   "]",    "Size",  "Commit Stack", ":",  "=",   "<",    ">",   "~",  "*", "!",  "\"", "'",
            "(",   ")",    " ",     "AND",          "OR", "NOT", "5",    "MB",  ".",  "-", "0x", "::", "\\",
            "{9}", "\xC3", "Stack", "Series Name",  "a",  "[]",  ":*\"", ":~=", "\n", "$", "é"};
        std::mt19937 random(7);
        for (int round = 0; round < 60'000; ++round) {
            std::string text;
            for (auto left = random() % 24; left > 0; --left) {
                if (random() % 8 == 0) {
                    text += static_cast<char>(random() % 256);
                } else {
                    text += pieces[random() % std::size(pieces)];
                }
            }
            const auto table = static_cast<Table>(random() % 3);
            const auto parsed = QueryExpression::parse(table, text);
            if (parsed.hasValue()) {
                const auto again = QueryExpression::parse(table, parsed.value().toString());
                QVERIFY2(again.hasValue() && again.value() == parsed.value(), text.c_str());
            } else {
                QVERIFY2(parsed.error().position + parsed.error().length <= text.size(), text.c_str());
                QVERIFY(!parsed.error().sentence.empty());
            }
        }
    }
    /// Up to the longest query that is accepted; many times, because one run is too short to measure.
    void workGrowsWithTheList_data() {
        QTest::addColumn<QString>("part");
        for (const auto* part : {"[Size]:>%1 OR ", "[Size]:>%1 AND ", "a%1 OR ", "a%1 ", "NOT a%1 ",
                                 "[Process]:=\"%1\" OR ", "[Process]:~=\".*a%1\" OR ", "(a%1) OR "})
            QTest::newRow(part) << QString(part);
    }
    void workGrowsWithTheList() {
        QFETCH(QString, part);
        const auto ratio = tests::workRatio(150, [&](std::size_t count) {
            std::string text;
            for (std::size_t i = 0; i < count; ++i)
                text += part.arg(i).toStdString();
            text += "[Size]:>0";
            for (int again = 0; again < 100; ++again) {
                const auto parsed = QueryExpression::parse(Table::Heap, text);
                if (!parsed.hasValue()) qFatal("%s", parsed.error().sentence.c_str());
                (void)parsed.value().toString();
            }
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};
HIGHWATER_TEST(QueryParserTest);
#include "query_parser_test.moc"
