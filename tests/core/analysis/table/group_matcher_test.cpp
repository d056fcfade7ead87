#include "core/analysis/table/group_matcher.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <string>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// a.exe: main;f 10 and main;g 30. b.exe: main;f 5. All of them outstanding.
std::shared_ptr<const store::PublishedTrace> twoPrograms() {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    builder.process("b.exe", 8, TraceTime{0});
    std::int64_t time = 0;
    const auto block = [&](std::uint32_t process, ByteCount size, const char* stack) {
        ModelRow row;
        row.process = process;
        row.heap = 0x10000;
        row.size = size;
        row.stack = stack;
        row.begin = TraceTime{++time};
        row.address = 0x1000 * static_cast<Address>(time);
        builder.alloc(row);
    };
    block(0, 10, "main;f");
    block(0, 30, "main;g");
    block(1, 5, "main;f");
    return builder.publish(TraceTime{1000});
}

/// A table by process and stack, with its groups by the texts that lead to them.
class MatchedTable {
  public:
    explicit MatchedTable(std::vector<ValueColumn> columns = {}) {
        auto query = heapQuery({Column::Process, Column::Stack});
        query.columns = std::move(columns);
        table_ = GroupedTable::compute(trace_, std::make_shared<FrameLabels>(), query).value();
    }
    GroupedTable& table() { return *table_; }

    GroupedTable::NodeId node(std::initializer_list<std::string> texts) {
        auto node = GroupedTable::kRoot;
        for (const auto& text : texts) {
            const auto& children = table_->children(node);
            const auto found = std::find_if(children.begin(), children.end(),
                                            [&](auto child) { return table_->keyText(child).starts_with(text); });
            if (found == children.end()) qFatal("no group %s", text.c_str());
            node = *found;
        }
        return node;
    }
    GroupMatcher matcher(const std::string& text) {
        const auto query = QueryExpression::parse(Table::Heap, text);
        if (!query.hasValue()) qFatal("%s: %s", text.c_str(), query.error().sentence.c_str());
        query_ = std::make_unique<QueryExpression>(query.value());
        return {*table_, *query_};
    }
    bool matches(const std::string& text, std::initializer_list<std::string> path) {
        return matcher(text).matches(node(path));
    }
    bool mayMatchBelow(const std::string& text, std::initializer_list<std::string> path) {
        return matcher(text).mayMatchBelow(node(path));
    }

  private:
    std::shared_ptr<const store::PublishedTrace> trace_ = twoPrograms();
    std::shared_ptr<GroupedTable> table_;
    std::unique_ptr<QueryExpression> query_;
};

} // namespace

/// Which groups match a query, and whether a match may be below a group that was not opened.
class GroupMatcherTest : public QObject {
    Q_OBJECT
  private slots:
    void asksAnAggregateOfTheGroupsSum() {
        MatchedTable groups;
        QVERIFY(groups.matches("Size:=40", {"a.exe"}));
        QVERIFY(!groups.matches("Size:=10", {"a.exe"})); // a single row in it has that size
        QVERIFY(groups.matches("Size:=10 AND Count:=1", {"a.exe", "main", "f"}));
    }
    void keysOfTheGroupsAroundCount() {
        MatchedTable groups;
        QVERIFY(groups.matches("[Process]:~=a.exe AND Size:>=30", {"a.exe", "main", "g"}));
        QVERIFY(!groups.matches("[Process]:~=a.exe AND Size:>=30", {"a.exe", "main", "f"}));
        QVERIFY(!groups.matches("[Process]:~=a.exe AND Size:>=5", {"b.exe", "main", "f"}));
    }
    void whatTheGroupsAroundAnswerAloneIsFoundWhereItBegins() {
        MatchedTable groups;
        QVERIFY(groups.matches("[Process]:~=a.exe", {"a.exe"}));
        QVERIFY(!groups.matches("[Process]:~=a.exe", {"a.exe", "main"}));
        QVERIFY(!groups.mayMatchBelow("[Process]:~=a.exe", {"a.exe"}));
        QVERIFY(groups.mayMatchBelow("[Process]:~=a.exe", {}));
        QVERIFY(groups.matches("[Stack]:~=main", {"a.exe", "main"}));
        QVERIFY(!groups.matches("[Stack]:~=main", {"a.exe", "main", "f"}));
    }
    void whatAGroupCannotTellIsNeitherTrueNorFalse() {
        MatchedTable groups;
        QVERIFY(!groups.matches("[Stack]:~=f!", {"a.exe"}));
        QVERIFY(!groups.matches("NOT [Stack]:~=f!", {"a.exe"}));
        QVERIFY(groups.matches("[Stack]:~=f! OR Size:=40", {"a.exe"}));
        QVERIFY(!groups.matches("Size:=40", {})); // the totals are not a group
    }
    void aFrameIsAskedForByEitherStackColumn() {
        MatchedTable groups;
        QVERIFY(groups.matches("[Stack (Bottom-up)]:~=g!", {"a.exe", "main", "g"}));
        QVERIFY(!groups.matches("[Stack (Bottom-up)]:~=g!", {"a.exe", "main", "f"}));
    }
    void looksForFramesThatWereNotOpened() {
        MatchedTable groups;
        QVERIFY(groups.mayMatchBelow("[Stack]:~=g!", {"a.exe"}));
        QVERIFY(!groups.mayMatchBelow("[Stack]:~=g!", {"b.exe"}));
        QVERIFY(groups.mayMatchBelow("g!", {"a.exe"}));
        QVERIFY(!groups.mayMatchBelow("g!", {"b.exe"}));
        QVERIFY(!groups.mayMatchBelow("[Stack]:~=f!", {"a.exe", "main", "f"})); // nothing is below
    }
    void partsOfASumAreNotAboveIt() {
        MatchedTable groups;
        QVERIFY(groups.mayMatchBelow("Size:>39", {"a.exe"}));
        QVERIFY(!groups.mayMatchBelow("Size:>40", {"a.exe"}));
    }
    void aSeriesIsTheColumnOfAGroup() {
        MatchedTable groups;
        QVERIFY(groups.matches("[Series Name]:=Process", {"a.exe"}));
        QVERIFY(!groups.matches("[Series Name]:=Process", {"a.exe", "main"}));
        QVERIFY(groups.mayMatchBelow("[Series Name]:=Process", {}));
        QVERIFY(!groups.mayMatchBelow("[Series Name]:=Process", {"a.exe"}));
    }
    void aValueThatAllRowsShareIsTheGroups() {
        MatchedTable groups({Column::Address});
        QVERIFY(groups.matches("Address:=0x1000", {"a.exe", "main", "f"}));
        QVERIFY(!groups.matches("Address:=0x2000", {"a.exe", "main", "f"}));
        QVERIFY(!groups.matches("Address:=0x1000", {"a.exe"}));
        QVERIFY(!groups.matches("Address:<>0x1000", {"a.exe"})); // some rows are elsewhere, one is there
    }
    void needsAPeakOnlyWhileItDecides() {
        MatchedTable groups;
        const auto a = groups.node({"a.exe"});
        QVERIFY(groups.matcher("[Peak Size]:>39").needsPeak(a));
        QVERIFY(!groups.matcher("[Peak Size]:>40").needsPeak(a)); // the sum of all of it is 40
        QVERIFY(!groups.matcher("[Peak Size]:>39 AND Size:>40").needsPeak(a));
        QVERIFY(!groups.matcher("Size:>39").needsPeak(a));
        QVERIFY(groups.table().computePeaks(std::vector{a}).hasValue());
        QVERIFY(!groups.matcher("[Peak Size]:>39").needsPeak(a));
        QVERIFY(groups.matcher("[Peak Size]:>39").matches(a));
    }
};
HIGHWATER_TEST(GroupMatcherTest);
#include "group_matcher_test.moc"
