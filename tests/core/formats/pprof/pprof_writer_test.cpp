#include "core/formats/pprof/pprof_writer.h"

#include "tests/core/analysis/named_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/core/formats/pprof/read_profile.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <map>
#include <optional>
#include <sstream>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::formats;
using namespace highwater::tests;

namespace {

/// The key of a sample, and its four values.
using Samples = std::map<std::string, std::array<std::int64_t, 4>>;

#ifdef HIGHWATER_READS_PPROF
ReadProfile profileOf(const store::PublishedTrace& trace, FrameLabels& labels, const PprofQuery& query,
                      const PprofFacts& facts = {}) {
    std::ostringstream out;
    const auto written = writePprof(trace, labels, query, facts, out);
    auto profile = readProfile(out.str());
    if (!written.hasValue() || written.value() != profile.samples.size()) profile.problem = "not written";
    return profile;
}

Samples samplesOf(const ReadProfile& profile) {
    Samples samples;
    for (const auto& sample : profile.samples) {
        const auto label = [&](const char* key) {
            const auto found = sample.labels.find(key);
            return found == sample.labels.end() ? std::string() : found->second;
        };
        auto& sums = samples[fmt::format("{}|{}|{}|{}|{}", label("process"), label("heap"), label("thread"),
                                         label("thread_name"), sample.path())];
        sums[0] += sample.values.at("alloc_objects");
        sums[1] += sample.values.at("alloc_space");
        sums[2] += sample.values.at("inuse_objects");
        sums[3] += sample.values.at("inuse_space");
    }
    return samples;
}

/// Row by row, by a model that is independent of the store.
Samples recounted(const Recount& recount, Table table, TraceTime end, std::optional<ByteCount> moreThan) {
    Samples samples;
    for (const auto& row : recount.members()) {
        if (moreThan && row.size <= *moreThan) continue;
        std::string stack;
        for (const auto& [column, text] : recount.path(row, {Column::Stack}))
            stack += (stack.empty() ? "" : ";") + text;
        auto name = recount.keyText(row, Column::ThreadName);
        if (name == "(no name)") name.clear();
        const auto heap = table == Table::Heap ? recount.keyText(row, Column::Handle) : std::string();
        const auto type = recount.keyText(row, Column::Type);
        auto& sums = samples[fmt::format("{}|{}|{}|{}|{}", recount.keyText(row, Column::Process), heap,
                                         recount.keyText(row, Column::Thread), name, stack)];
        sums[0] += type.starts_with("AI") ? 1 : 0;
        sums[1] += recount.sums({row}).allocated;
        sums[2] += type.ends_with("FO") ? 1 : 0;
        sums[3] += recount.outstanding(row, end);
    }
    std::erase_if(samples, [](const auto& sample) { return sample.second == std::array<std::int64_t, 4>{}; });
    return samples;
}

std::string textOf(const Samples& samples) {
    std::string text;
    for (const auto& [key, sums] : samples)
        text += fmt::format("{}: {} {} {} {}\n", key, sums[0], sums[1], sums[2], sums[3]);
    return text;
}
#endif

} // namespace

/// Profiles for pprof, read back with protobuf's own code.
class PprofWriterTest : public QObject {
    Q_OBJECT
  private slots:
#ifdef HIGHWATER_READS_PPROF
    void everySampleIsWhatItsRowsAddUpTo() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                PprofQuery query;
                query.table = random.pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
                query.interval = random.intervalOf(publication);
                query.processExitFreesHeap = random.pick(2) == 0;
                const auto moreThan = random.pick(2) == 0 ? std::nullopt : std::optional<ByteCount>(20);
                if (moreThan) query.filter.query = QueryExpression::parse(query.table, "Size:>20").value();
                FrameLabels labels;
                const auto profile = profileOf(*publication.trace, labels, query);
                QCOMPARE(profile.problem, std::string());
                const auto horizon = publication.trace->horizon;
                const Recount recount(publication.model, query.table, query.interval, horizon,
                                      query.processExitFreesHeap, "D");
                const auto end = std::min(query.interval.end, horizon);
                const auto wanted = recounted(recount, query.table, end, moreThan);
                QVERIFY2(textOf(samplesOf(profile)) == textOf(wanted),
                         fmt::format("seed {}:\n{}instead of\n{}", seed, textOf(samplesOf(profile)), textOf(wanted))
                             .c_str());
            }
        }
    }
    void saysWhatItsValuesAre() {
        NamedTrace t;
        t.block(10, "app+0x10");
        const auto profile = profileOf(*t.trace, *t.labels,
                                       {Table::Heap,
                                        { TraceTime{0},
                                          TraceTime {
                                              1000
                                          } }},
                                       {1'500'000'000'000'000'007,
                                        { "Heap of <a>",
                                          "5 events lost." }});
        QCOMPARE(profile.problem, std::string());
        QCOMPARE(profile.types, (std::vector<std::string>{"alloc_objects/count", "alloc_space/bytes",
                                                          "inuse_objects/count", "inuse_space/bytes"}));
        QCOMPARE(profile.defaultType, std::string("inuse_space"));
        QCOMPARE(profile.timeNanos, std::int64_t{1'500'000'000'000'000'007});
        QCOMPARE(profile.durationNanos, std::int64_t{1000});
        QCOMPARE(profile.period, std::int64_t{0}); // nothing was sampled
        QCOMPARE(profile.comments, (std::vector<std::string>{"Heap of <a>", "5 events lost."}));
    }
    void inlinedCallsAreLinesOfTheirLocation() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        t.nameCode("app", {{0,
                            { { "main",
                                "main.cpp",
                                7 } }},
                           { 0x100,
                             { {"work", "work.cpp", 40},
                               {"push", "vector", 900},
                               { "grow",
                                 "vector",
                                 1000 } } }});
        const auto profile = profileOf(*t.trace, *t.labels, {Table::Heap, { TraceTime{0}, TraceTime { 1000 } }});
        QCOMPARE(profile.problem, std::string());
        QCOMPARE(profile.samples.size(), std::size_t{1});
        const auto& stack = profile.samples[0].stack;
        QCOMPARE(profile.samples[0].path(), std::string("app!main;app!work;app!push;app!grow;lib!+0x5"));
        QCOMPARE(stack.size(), std::size_t{3});
        QCOMPARE(stack[1].lines.size(), std::size_t{3});
        QCOMPARE(stack[1].lines[0].function, std::string("app!grow"));
        QCOMPARE(stack[1].lines[0].file, std::string("vector"));
        QCOMPARE(stack[1].lines[0].line, std::int64_t{1000});
        QCOMPARE(stack[1].lines[2].systemName, std::string("work"));
        QCOMPARE(stack[1].lines[2].line, std::int64_t{40});
        for (const auto& mapping : profile.mappings) {
            QVERIFY(mapping.hasFunctions); // otherwise pprof looks for names itself
            QCOMPARE(mapping.hasInlineFrames, mapping.file.ends_with("app"));
        }
    }
    void aCallLiesBeforeTheAddressItReturnsTo() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        const auto stack = profileOf(*t.trace, *t.labels,
                                     {Table::Heap,
                                      { TraceTime{0},
                                        TraceTime {
                                            1000
                                        } }})
                               .samples.at(0)
                               .stack;
        QCOMPARE(stack[0].address - stack[1].address, std::uint64_t{0x101}); // for the leaf, the place itself
        QVERIFY(stack[0].mapping.ends_with("app"));
    }
    void foldedFunctionsAreMarked() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110");
        t.nameCode("app", {{0, { { "main" } }}, { 0x100, { { "a", "", 0, symbols::NameOrigin::Private, 2 } } }});
        const auto profile = profileOf(*t.trace, *t.labels, {Table::Heap, { TraceTime{0}, TraceTime { 1000 } }});
        QVERIFY(profile.samples.at(0).stack[0].isFolded);
        QVERIFY(!profile.samples.at(0).stack[1].isFolded);
    }
    void leavesAllocatorsOutWhereAskedTo() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        t.block(20, "lib+0x5;lib+0x7"); // one call is unchanged
        PprofQuery query{Table::Heap, { TraceTime{0}, TraceTime { 1000 } }};
        query.allocatorFrames = std::make_shared<const AllocatorFrames>("lib!*");
        const auto profile = profileOf(*t.trace, *t.labels, query);
        QCOMPARE(profile.samples.at(0).path(), std::string("app!+0x10;app!+0x110"));
        QCOMPARE(profile.samples.at(1).path(), std::string("lib!+0x5"));
    }
    void equalTracesAreEqualFiles() {
        const auto bytesOf = [] {
            NamedTrace t;
            t.block(10, "app+0x10");
            std::ostringstream out;
            (void)writePprof(*t.trace, *t.labels, {Table::Heap, { TraceTime{0}, TraceTime { 1000 } }}, {}, out);
            return out.str();
        };
        QVERIFY(bytesOf() == bytesOf());
    }
#else
    void isReadByProtobuf() { QSKIP("There is no protobuf: installer/packages-test.txt."); }
#endif
    void isOfAllocationsOnly() {
        NamedTrace t;
        t.block(10, "app+0x10");
        std::ostringstream out;
        for (const auto table : {Table::Frees, Table::Snapshot, Table::GcHeap}) {
            const auto written = writePprof(*t.trace, *t.labels, {table, {TraceTime{0}, TraceTime{1000}}}, {}, out);
            QVERIFY(!written.hasValue());
            QCOMPARE(written.error().kind, ErrorKind::Usage);
        }
        QVERIFY(out.str().empty());
    }
};
HIGHWATER_TEST(PprofWriterTest);
#include "pprof_writer_test.moc"
