#include "core/analysis/callers/callers.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Way = std::vector<std::string>;
/// The expected values of a tree: the sums of each way that starts at the function; the empty way is the function
/// itself.
using Ways = std::map<Way, CallSums>;

CallersQuery callersOf(const char* function) {
    CallersQuery query;
    query.interval = {TraceTime{0}, TraceTime{1000}};
    query.function = function;
    return query;
}

Callers foundCallers(const store::PublishedTrace& trace, const CallersQuery& query) {
    FrameLabels labels;
    auto callers = findCallers(trace, labels, query);
    if (!callers.hasValue()) qFatal("%s", callers.error().message.c_str());
    return std::move(callers).value();
}

Ways waysOf(const CallTree& tree) {
    Ways ways;
    for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
        Way way;
        for (auto node = i; node != 0; node = tree.nodes()[node].parent)
            way.insert(way.begin(), tree.nodes()[node].function);
        ways[way] = tree.nodes()[i].sums;
    }
    return ways;
}

std::string waysText(const Ways& ways) {
    std::string text;
    for (const auto& [way, sums] : ways)
        text += fmt::format("{}/{}: {} {} {}", text.empty() ? "" : "\n", fmt::format("{}", fmt::join(way, "/")),
                            sums.count, sums.size, static_cast<std::int64_t>(sums.impacting));
    return text;
}

const std::vector<BlockOfTest> kCalls{{1, 0, 10, "main;f;malloc"},
                                      {2, 5, 100, "main;g;f;malloc"},
                                      {3, 0, 1, "main;f;h;f;malloc"},
                                      {4, 0, 7, "main;g;malloc"},
                                      {5, 0, 3, ""}};

} // namespace

/// Callers and callees of a function.
class CallersTest : public QObject {
    Q_OBJECT
  private slots:
    void mergesWhatLeadsToItAndWhatItLeadsTo() {
        const auto callers = foundCallers(*traceOfBlocks(kCalls), callersOf("f!+0x1"));
        QCOMPARE(callers.function, std::string("f!+0x1"));
        QCOMPARE(waysText(waysOf(callers.callers)),
                 std::string("/: 3 111 11\n/g!+0x1: 1 100 0\n/g!+0x1/main!+0x1: 1 100 0\n/main!+0x1: 2 11 11"));
        // If f calls itself, only its outermost call counts.
        QCOMPARE(waysText(waysOf(callers.callees)),
                 std::string("/: 3 111 11\n/h!+0x1: 1 1 1\n/h!+0x1/f!+0x1: 1 1 1\n/h!+0x1/f!+0x1/malloc!+0x1: 1 1 1\n"
                             "/malloc!+0x1: 2 110 10"));
    }
    void theLargestComesFirst() {
        const auto callers = foundCallers(*traceOfBlocks(kCalls), callersOf("F!+0X1"));
        const auto& nodes = callers.callers.nodes();
        QCOMPARE(nodes[nodes[0].children[0]].function, std::string("g!+0x1"));
        QCOMPARE(nodes[nodes[0].children[1]].function, std::string("main!+0x1"));
    }
    void withoutAModuleItIsOfAny() {
        QCOMPARE(foundCallers(*traceOfBlocks(kCalls), callersOf("+0x1")).callees.nodes()[0].sums.count,
                 std::uint64_t{4});
    }
    void findsInlinedCallsByTheNameOfTheirFunction() {
        NamedTrace named;
        named.block(8, "a.exe");
        named.nameCode("a.exe", {{0, {{"outer"}, {"inner"}}}});
        CallersQuery query = callersOf("a.exe!inner");
        auto callers = findCallers(*named.trace, *named.labels, query);
        QVERIFY(callers.hasValue());
        QCOMPARE(waysText(waysOf(callers.value().callers)), std::string("/: 1 8 8\n/a.exe!outer: 1 8 8"));
    }
    void saysWhatItDidNotFind() {
        const auto callers = foundCallers(*traceOfBlocks(kCalls), callersOf("nothing"));
        QCOMPARE(callers.function, std::string("nothing"));
        QCOMPARE(callers.callers.nodes().size(), std::size_t{1});
        FrameLabels labels;
        const auto refused = findCallers(*traceOfBlocks(kCalls), labels, callersOf("  "));
        QVERIFY(!refused.hasValue() && refused.error().kind == ErrorKind::Usage);
    }
    void stopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto callers = findCallers(*traceOfBlocks(kCalls), labels, callersOf("f!+0x1"), stop.get_token());
        QVERIFY(!callers.hasValue() && callers.error().kind == ErrorKind::Cancelled);
    }
    void equalsTheRecountOverRandomTraces() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 8; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications())
                compare(random, publication, fmt::format("seed {}\n", seed));
        }
    }

  private:
    static void compare(RandomTrace& random, const Publication& publication, const std::string& where) {
        static const char* const kFunctions[] = {"A!+0x1", "B!+0x1", "C!+0x1", "D!+0x1"};
        auto query = callersOf(kFunctions[random.pick(4)]);
        query.table = static_cast<Table>(random.pick(3));
        query.interval = random.intervalOf(publication);
        query.processExitFreesHeap = random.pick(3) == 0;
        const Recount recount(publication.model, query.table, query.interval, publication.trace->horizon,
                              query.processExitFreesHeap, "");
        Ways callers{{{}, {}}};
        Ways callees{{{}, {}}};
        for (const auto& row : recount.members()) {
            Way stack;
            for (const auto& [_, frame] : recount.path(row, {Column::Stack}))
                stack.push_back(frame);
            const auto cut = std::find(stack.begin(), stack.end(), query.function);
            if (cut == stack.end()) continue;
            const auto sums = recount.sums({row});
            const CallSums own{static_cast<std::uint64_t>(sums.count), static_cast<std::uint64_t>(sums.size),
                               static_cast<std::uint64_t>(sums.impacting)};
            addAll(callees, {cut + 1, stack.end()}, own);
            addAll(callers, {std::make_reverse_iterator(cut), stack.rend()}, own);
        }
        const auto found = foundCallers(*publication.trace, query);
        const auto same = [&](const CallTree& tree, const Ways& wanted) {
            const auto ways = waysOf(tree);
            QVERIFY2(ways == wanted, (where + waysText(ways) + "\n---\n" + waysText(wanted)).c_str());
        };
        same(found.callers, callers);
        same(found.callees, callees);
    }
    static void addAll(Ways& ways, const Way& way, const CallSums& sums) {
        for (std::size_t length = 0; length <= way.size(); ++length)
            ways[{way.begin(), way.begin() + static_cast<std::ptrdiff_t>(length)}] += sums;
    }
};
HIGHWATER_TEST(CallersTest);
#include "callers_test.moc"
