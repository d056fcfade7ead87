#include "core/analysis/explain/explain.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// Functions f0, f1, ... each allocate blocks through `inner`, which is one or more frames: of 16 bytes and more, or
/// all of 100.
std::vector<BlockOfTest> callsBy(int callers, const std::string& inner, bool isOfOneSize = false, int first = 0) {
    std::vector<BlockOfTest> blocks;
    for (int i = first; i < first + callers; ++i) {
        const auto size = static_cast<ByteCount>(isOfOneSize ? 100 : 16 + 24 * i);
        for (std::int64_t time = 100 + i; time < 1000; time += 60)
            blocks.push_back({time, 0, size, fmt::format("main;f{};{}", i, inner)});
    }
    return blocks;
}

std::vector<BlockOfTest> operator+(std::vector<BlockOfTest> a, const std::vector<BlockOfTest>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

LeakQuery queryOf(const store::PublishedTrace& trace, OwnerChoices owners = {}) {
    LeakQuery query;
    query.interval = trace.wholeRange();
    query.most = 100;
    query.owners = std::move(owners);
    return query;
}

std::vector<LeakSuspect> suspectsOf(const std::vector<BlockOfTest>& blocks, OwnerChoices owners = {}) {
    const auto trace = traceOfBlocks(blocks);
    FrameLabels labels;
    auto report = findLeaks(*trace, labels, queryOf(*trace, std::move(owners)));
    if (!report.hasValue()) qFatal("%s", report.error().message.c_str());
    return std::move(report).value().suspects;
}

/// The owners of all suspects, each once, by name.
std::string ownersOf(const std::vector<BlockOfTest>& blocks, OwnerChoices owners = {}) {
    std::vector<std::string> names;
    for (const auto& suspect : suspectsOf(blocks, std::move(owners)))
        names.push_back(suspect.owner.substr(0, suspect.owner.find('!')));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string text;
    for (const auto& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text;
}

} // namespace

class WrapperSearchTest : public QObject {
    Q_OBJECT
  private slots:
    void whatManyCallIsAWrapper() { QCOMPARE(ownersOf(callsBy(6, "get")), std::string("f0 f1 f2 f3 f4 f5")); }
    void whateverSizesTheyAskFor() { QCOMPARE(ownersOf(callsBy(6, "get", true)), std::string("f0 f1 f2 f3 f4 f5")); }
    void whatFewCallIsNone() { QCOMPARE(ownersOf(callsBy(3, "get")), std::string("get")); }
    /// It allocates for itself once, and calls others that allocate more.
    void whatMostlyCallsOthersIsNone() {
        const auto blocks = callsBy(6, "work", true) + callsBy(6, "work;part1") + callsBy(6, "work;part2");
        QCOMPARE(ownersOf(blocks), std::string("part1 part2 work")); // part1 and part2 have one caller
    }
    void aWrapperMayHaveFunctionsOfItsOwn() {
        QCOMPARE(ownersOf(callsBy(6, "get;check;ask")), std::string("f0 f1 f2 f3 f4 f5"));
    }
    /// Six functions make nodes through one function that has one size, so that function is their common owner.
    void whatMakesOneKindOfThingByAnotherIsNone() {
        QCOMPARE(ownersOf(callsBy(6, "addNode;newNode", true)), std::string("newNode"));
    }
    void theAnswerSaysThatItWasPassed() {
        const auto suspect = suspectsOf(callsBy(7, "get")).front();
        QCOMPARE(suspect.wrappers.size(), std::size_t{1});
        QCOMPARE(suspect.wrappers[0].function, std::string("get!+0x1"));
        QCOMPARE(suspect.wrappers[0].frame, std::size_t{0});
        QCOMPARE(suspect.wrappers[0].callers, std::size_t{7});
        QVERIFY2(suspect.why.find("is only a wrapper, called by 7 functions") != std::string::npos,
                 suspect.why.c_str());
    }
    void theUserOverrulesIt() {
        QCOMPARE(ownersOf(callsBy(6, "get"), {functionPatterns({"get!*"}), nullptr}), std::string("get"));
        QCOMPARE(ownersOf(callsBy(2, "get"), {nullptr, functionPatterns({"get!*"})}), std::string("f0 f1"));
        // The list overrides the list of containers as well.
        QCOMPARE(ownersOf(callsBy(2, "ntdll.dll"), {functionPatterns({"ntdll.dll!*"}), nullptr}),
                 std::string("ntdll.dll"));
    }
    void aFunctionIsAWrapperByItsNameInAnyModule() {
        const auto patterns = functionPatterns({"take", "shop!give*"});
        QVERIFY(patterns->matches("a!take") && patterns->matches("shop!giveAll") && !patterns->matches("a!giveAll"));
        QVERIFY(functionPatterns({}) == nullptr);
    }
    /// A filter that leaves only one caller does not turn the wrapper into an owner.
    void whatIsAskedAboutDoesNotChangeIt() {
        const auto trace = traceOfBlocks(callsBy(6, "get"));
        FrameLabels labels;
        auto query = queryOf(*trace);
        query.filter.query = QueryExpression::parse(Table::Heap, "Stack:=\"f3!+0x1\"").value();
        query.interval.end = TraceTime{500};
        const auto report = findLeaks(*trace, labels, query).value();
        QCOMPARE(report.suspects.size(), std::size_t{1});
        QCOMPARE(report.suspects[0].owner, std::string("f3!+0x1"));
    }
    void surgesHaveTheSameOwners() {
        const auto trace = traceOfBlocks(callsBy(6, "get"));
        FrameLabels labels;
        const auto answer = explain(*trace, labels, queryOf(*trace)).value();
        for (const auto& stack : answer.rise.surge->stacks)
            QVERIFY2(stack.owner.starts_with("f"), stack.owner.c_str());
        const auto chosen = explain(*trace, labels, queryOf(*trace, {functionPatterns({"get!*"}), nullptr})).value();
        QCOMPARE(chosen.rise.surge->stacks[0].owner, std::string("get!+0x1"));
    }
    void wrappersOfKnownProgramsNeedNoCallers() {
        for (const auto* name : {"perl!Perl_safesysmalloc", "redis-server!zmalloc", "redis-server!ztrymalloc_usable",
                                 "nginx!ngx_alloc", "tool!xmalloc"})
            QVERIFY2(knownWrappers().matches(name), name);
        for (const auto* name : {"shop!malloced", "shop!xmallocator", "shop!readOrder"})
            QVERIFY2(!knownWrappers().matches(name), name);
    }
    void librariesKeepTheirInsidesForOthers() {
        const auto& runtime = *AllocatorFrames::builtInRuntime();
        for (const auto* name :
             {"shop!boost::signals2::detail::connection_body<int>::connection_body",
              "shop!boost::asio::detail::executor_op<Order>::do_complete",
              "shop!std::__detail::_Hashtable_alloc<int>::_M_allocate_node", "shop!__gnu_cxx::hashtable<int>::resize",
              "shop!folly::detail::grow", "shop!absl::container_internal::raw_hash_set<int>::resize",
              "shop!absl::lts_2023::strings_internal::append", "shop!QtPrivate::QGenericArrayOps::emplace",
              "shop!hashbrown::raw::RawTable<T>::reserve_rehash", "shop!core::ops::call_once",
              "shop!alloc::vec::Vec<T>::push", "shop!runtime.growslice", "shop!fmt::v9::detail::grow",
              "shop!nlohmann::json_v3::detail::parse"})
            QVERIFY2(runtime.matches(name), name);
        for (const auto* name :
             {"shop!shop::detail::readOrder", "shop!Runtime::start", "shop!readOrder", "shop!shop::boost_detail"})
            QVERIFY2(!runtime.matches(name), name);
    }
    /// The first name in leaks is the first name in explain, if explain has one.
    void leaksAndExplainNameTheSameFirst() {
        std::vector<BlockOfTest> levelled, kept, growing;
        for (std::int64_t time = 200; time < 400; time += 10)
            levelled.push_back({time, 0, 100'000, "main;pool"});
        kept.push_back({700, 0, 10'000, "main;once"});
        for (std::int64_t time = 100; time < 1000; time += 10)
            growing.push_back({time, 0, 10, "main;leak"});
        for (const auto& blocks : {levelled + kept, kept + levelled + growing, levelled + growing, kept}) {
            const auto trace = traceOfBlocks(blocks);
            FrameLabels labels;
            const auto leaks = findLeaks(*trace, labels, queryOf(*trace)).value();
            const auto answer = explain(*trace, labels, queryOf(*trace)).value();
            QVERIFY(!answer.suspects.empty());
            QCOMPARE(answer.suspects[0].stack, leaks.suspects[0].stack);
        }
    }
};

HIGHWATER_TEST(WrapperSearchTest);
#include "wrapper_search_test.moc"
