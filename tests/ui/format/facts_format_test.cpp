#include "tests/support/test_registry.h"
#include "ui/format/facts_format.h"

#include <QTest>

using namespace highwater;
using analysis::FrameFacts;
using ui::factsLines;

namespace {

FrameFacts function() {
    FrameFacts facts;
    facts.kind = FrameFacts::Kind::Function;
    facts.module = "app.exe";
    facts.name = "Ring::push(int)";
    facts.sources = {{"C:\\app\\ring.h", 7, 9}};
    return facts;
}

} // namespace

class FactsFormatTest : public QObject {
    Q_OBJECT
  private slots:
    void showsAFunctionAndItsLines() {
        QCOMPARE(factsLines(function()), (QStringList{"Ring::push(int)", "C:\\app\\ring.h:7-9"}));
    }
    void showsWhereItWasInlined() {
        auto facts = function();
        facts.isInlined = true;
        facts.hosts = 1;
        facts.inlinedInto = {{"work(int)", {"C:\\app\\main.cpp", 20, 20}}, {"main", {}}};
        QCOMPARE(factsLines(facts).mid(2),
                 (QStringList{"inlined into work(int) at C:\\app\\main.cpp:20", "inlined into main"}));
        facts.hosts = 3;
        facts.inlinedInto.clear();
        QCOMPARE(factsLines(facts).mid(2), QStringList{"Inlined in 3 different places"});
    }
    void doesNotHideHowSureANameIs() {
        auto facts = function();
        facts.origin = symbols::NameOrigin::Export;
        facts.bytesBehindName = 120;
        facts.foldedWith = 2;
        const auto text = factsLines(facts).join('\n');
        QVERIFY(text.contains("nearest exported name, 120 bytes before"));
        QVERIFY(text.contains("folded 2 other functions with"));
        facts.foldedWith = 1;
        facts.bytesBehindName = 1;
        const auto one = factsLines(facts).join('\n');
        QVERIFY(one.contains("nearest exported name, 1 byte before") && one.contains("folded 1 other function with"));
    }
    void namesTheFirstOfManyFiles() {
        auto facts = function();
        facts.sources.assign(7, {"a.cpp", 1, 1});
        QCOMPARE(factsLines(facts).last(), QString("and 3 more files"));
        facts.sources.resize(5);
        QCOMPARE(factsLines(facts).last(), QString("and 1 more file"));
    }
    void labelsUnnamedPlaces() {
        FrameFacts facts;
        facts.kind = FrameFacts::Kind::Nameless;
        facts.module = "app.exe";
        QCOMPARE(factsLines(facts), QStringList{"No symbol is known for this code in app.exe"});
        facts.name = "Exported";
        facts.bytesBehindName = 70'000;
        QCOMPARE(factsLines(facts).last(), QString("The nearest symbol before it is Exported, 70,000 bytes away"));
        facts.kind = FrameFacts::Kind::Unknown;
        QVERIFY(factsLines(facts).first().contains("JIT"));
        facts.kind = FrameFacts::Kind::NoStack;
        QVERIFY(factsLines(facts).first().contains("No stack"));
    }
};
HIGHWATER_TEST(FactsFormatTest);
#include "facts_format_test.moc"
