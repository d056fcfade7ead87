#include "core/summary/stack_key.h"
#include "core/summary/summarize.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::summary;
using namespace highwater::tests;

namespace {

using Names = std::vector<std::string>;

StackKey keyOf(const Names& names) {
    std::vector<StackKey> functions;
    for (const auto& name : names)
        functions.push_back(functionKey(name));
    return stackKey(functions);
}

RunSummary summaryOf(const NamedTrace& named) {
    const TraceProperties properties;
    const RecordedSystem system;
    SummaryOptions options;
    options.allocatorFrames = std::make_shared<const analysis::AllocatorFrames>("libc.so*!malloc");
    return summarize({*named.trace, *named.labels, properties, system, {}}, options).value();
}

Names framesOf(const RunSummary& summary, const Stack& stack) {
    Names names;
    for (const auto frame : stack.frames)
        names.push_back(summary.frames[frame].name);
    return names;
}

/// main calls Cache::store calls malloc, in a program with the files and addresses of one build.
NamedTrace build(const std::string& program, const std::string& library, unsigned shift) {
    NamedTrace named;
    const auto at = [&](unsigned offset) { return "+0x" + QString::number(offset + shift, 16).toStdString(); };
    const auto stack = program + at(0x10) + ";" + program + at(0x40) + ";" + library + at(0x20);
    named.block(100, stack);
    named.name(program, {{0, ""}, {0x8 + shift, "main"}, {0x38 + shift, "_ZN5Cache5storeIiEEvi"}, {0x80 + shift, ""}});
    named.name(library, {{0, ""}, {0x18 + shift, "malloc"}, {0x60 + shift, ""}});
    return named;
}

class SummaryStacksTest : public QObject {
    Q_OBJECT

  private slots:
    /// The names contain a hash that changes with each build, and the reader may show full names.
    void equalInTwoBuildsOfRust() {
        const auto summaryOfBuild = [](const std::string& hash, symbols::NameStyle style) {
            NamedTrace named;
            named.block(100, "lk+0x10;lk+0x40");
            named.name("lk",
                       {{0, "_ZN2lk4main17h" + hash + "E"},
                        {0x38, "_ZN56_$LT$lk..Cache$LT$T$GT$$u20$as$u20$lk..Keep$LT$T$GT$$GT$7keep_it17h" + hash + "E"},
                        {0x80, ""}});
            named.labels->setNameStyle(style);
            return summaryOf(named);
        };
        const auto before = summaryOfBuild("0123456789abcdef", symbols::NameStyle::Short);
        const auto after = summaryOfBuild("fedcba9876543210", symbols::NameStyle::Full);
        QCOMPARE(framesOf(before, before.stacks.at(0)),
                 (Names{"lk!<lk::Cache<> as lk::Keep<>>::keep_it", "lk!lk::main"}));
        QCOMPARE(framesOf(after, after.stacks.at(0)), framesOf(before, before.stacks.at(0)));
        QCOMPARE(after.stacks.at(0).key, before.stacks.at(0).key);
    }
    void equalInTwoBuilds() {
        const auto before = summaryOf(build("app-8120", "libc.so.6", 0));
        const auto after = summaryOf(build("app-8120", "libc.so.7", 0x30));
        QCOMPARE(before.stacks.size(), std::size_t{1});
        QVERIFY(before.stacks[0].key == after.stacks[0].key);
        const Names expected{"libc.so!malloc", "app-8120!Cache::store<>", "app-8120!main"};
        QCOMPARE(framesOf(before, before.stacks[0]), expected);
        QCOMPARE(framesOf(after, after.stacks[0]), expected);
        QVERIFY(after.stacks[0].key == keyOf(expected));
        QCOMPARE(after.frames[after.stacks[0].owner].name, std::string("app-8120!Cache::store<>"));
        QVERIFY(before.frames[before.stacks[0].frames[1]].rva != after.frames[after.stacks[0].frames[1]].rva);
    }
    void framesWithoutNamesSaySo() {
        NamedTrace named;
        named.block(8, "A;B");
        const auto summary = summaryOf(named);
        QCOMPARE(framesOf(summary, summary.stacks[0]), (Names{"B!+0x1", "A!+0x1"}));
        QVERIFY(std::none_of(summary.frames.begin(), summary.frames.end(), [](const auto& f) { return f.isNamed; }));
        // Another build of the module has another function there.
        std::vector<StackKey> functions;
        for (const auto frame : summary.stacks[0].frames)
            functions.push_back(unnamedFunctionKey(summary.frames[frame].name, summary.frames[frame].buildId));
        QVERIFY(summary.stacks[0].key == stackKey(functions));
        QVERIFY(summary.stacks[0].key != keyOf({"B!+0x1", "A!+0x1"}));
    }
    void namedFramesHaveTheirLine() {
        NamedTrace named;
        named.block(8, "A+0x10");
        named.nameCode("A", {{0, {{"outer", "outer.cpp", 7}, {"inner", "inner.h", 3}}}});
        const auto summary = summaryOf(named);
        QCOMPARE(framesOf(summary, summary.stacks[0]), (Names{"A!inner", "A!outer"}));
        QVERIFY(summary.stacks[0].key == keyOf(Names{"A!inner", "A!outer"}));
        const auto& inner = summary.frames[summary.stacks[0].frames[0]];
        QCOMPARE(inner.file, std::string("inner.h"));
        QCOMPARE(inner.line, 3u);
        QCOMPARE(summary.frames[summary.stacks[0].frames[1]].file, std::string("outer.cpp"));
    }
    /// Different addresses of the same functions are one stack, with one sample.
    void sameFunctionsAreOneStack() {
        NamedTrace named;
        named.block(8, "A+0x10;B+0x10");
        named.block(16, "A+0x20;B+0x30");
        named.name("A", {{0, "f"}});
        named.name("B", {{0, "g"}});
        const auto summary = summaryOf(named);
        QCOMPARE(summary.stacks.size(), std::size_t{1});
        QCOMPARE(summary.samples.size(), std::size_t{1});
        QCOMPARE(summary.samples[0].allocSpace, std::int64_t{24});
        QCOMPARE(summary.samples[0].allocObjects, std::int64_t{2});
    }
    void rowsWithoutAStackAreOne() {
        NamedTrace named;
        named.block(8, "");
        named.block(8, "?later");
        const auto summary = summaryOf(named);
        QCOMPARE(summary.stacks.size(), std::size_t{1});
        QVERIFY(summary.stacks[0].key == StackKey());
        QVERIFY(summary.stacks[0].frames.empty());
        QCOMPARE(summary.frames[summary.stacks[0].owner].name, std::string("(no stack)"));
        QCOMPARE(summary.samples[0].inuseSpace, std::int64_t{16});
    }
};

HIGHWATER_TEST(SummaryStacksTest);

} // namespace

#include "summary_stacks_test.moc"
