#include "core/analysis/explain/rises.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

#include <map>
#include <set>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::unique_ptr<RowSelection> selectionOf(const store::PublishedTrace& trace, FrameLabels& labels, Table table,
                                          TimeRange interval, const RowFilter* filter = nullptr) {
    auto selection =
        RowSelection::make(trace, labels, {table, interval, Membership::Table, {Column::Process}, filter}, {});
    if (!selection.hasValue()) qFatal("%s", selection.error().message.c_str());
    return std::move(selection).value();
}

std::vector<ProcessRise> risesOf(const store::PublishedTrace& trace, TimeRange interval, Table table = Table::Heap,
                                 const RowFilter* filter = nullptr) {
    FrameLabels labels;
    return findRises(*selectionOf(trace, labels, table, interval, filter), {}).value();
}

std::string describe(TimeRange part, std::int64_t bytes) {
    return fmt::format("{} in [{}, {})", bytes, part.start.ns, part.end.ns);
}

/// Instants at which rises can start and end; other instants cannot give larger ones.
std::set<std::int64_t> instantsOf(const Model& model, TimeRange interval) {
    std::set<std::int64_t> times{interval.start.ns, interval.end.ns};
    const auto add = [&](TraceTime time) {
        for (const auto ns : {time.ns, time.ns + 1})
            if (ns >= interval.start.ns && ns <= interval.end.ns) times.insert(ns);
    };
    for (const auto& row : model.rows) {
        if (row.begin != kBeforeTrace) add(row.begin);
        for (const auto& release : row.releases)
            add(release.time);
    }
    return times;
}

/// docs/numbers.md 13, literally: the Impacting Size of every part.
std::map<std::uint32_t, std::string> recountedRises(const Publication& publication, Table table, TimeRange interval) {
    struct Best {
        TimeRange part;
        std::int64_t bytes = 0;
    };
    std::map<std::uint32_t, Best> best;
    const auto times = instantsOf(publication.model, interval);
    for (auto end = times.begin(); end != times.end(); ++end) {
        for (auto start = end; start != times.begin();) { // the shortest first
            const TimeRange part{TraceTime{*--start}, TraceTime{*end}};
            const Recount recount(publication.model, table, part, publication.trace->horizon, false, "D");
            std::map<std::uint32_t, std::vector<RecountRow>> byProcess;
            for (auto& row : recount.members())
                byProcess[row.process].push_back(row);
            for (const auto& [process, rows] : byProcess) {
                const auto bytes = recount.sums(rows).impacting;
                if (bytes > best[process].bytes) best[process] = {part, bytes};
            }
        }
    }
    std::map<std::uint32_t, std::string> texts;
    for (const auto& [process, rise] : best)
        if (rise.bytes > 0) texts[process] = describe(rise.part, rise.bytes);
    return texts;
}

} // namespace

class RisesTest : public QObject {
    Q_OBJECT
  private slots:
    void isFromTheLowestPointToTheHighestAfterIt() {
        const auto trace = traceOfBlocks({{10, 20, 100, "a"}, {30, 50, 40, "a"}, {40, 45, 50, "a"}, {60, 70, 60, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises.size(), std::size_t{1});
        QCOMPARE(rises[0].bytes, SignedByteCount{100});
        QCOMPARE(rises[0].part, (TimeRange{TraceTime{10}, TraceTime{11}}));
        const auto later = risesOf(*trace, {TraceTime{15}, TraceTime{1000}});
        // 90 in [30, 41): bytes that were there before ended in between.
        QCOMPARE(later[0].bytes, SignedByteCount{90});
        QCOMPARE(later[0].part, (TimeRange{TraceTime{30}, TraceTime{41}}));
        QCOMPARE(later[0].startBytes, SignedByteCount{0});
        QCOMPARE(later[0].rows, std::uint64_t{4});
    }
    /// A buffer of 100 bytes that is replaced by one of 200: both exist for a moment.
    void whatIsOutstandingInTheEndIsKnownBesides() {
        const auto trace = traceOfBlocks({{10, 21, 100, "a"}, {20, 0, 200, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises[0].bytes, SignedByteCount{300});
        QCOMPARE(rises[0].lastBytes, SignedByteCount{200});
        QCOMPARE(risesOf(*trace, {TraceTime{0}, TraceTime{15}})[0].lastBytes, SignedByteCount{100});
    }
    void whatEndsWithItsProcessIsOutstandingInTheEnd() {
        ColumnsBuilder builder;
        ModelRow row;
        row.process = builder.process("a.exe", 7, TraceTime{0});
        row.heap = 0x10000;
        row.begin = TraceTime{10};
        row.size = 100;
        row.stack = "a";
        row.address = 0x1000;
        builder.alloc(row);
        builder.endProcess(row.process, TraceTime{500});
        const auto rises = risesOf(*builder.publish(TraceTime{1000}), {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises[0].lastBytes, SignedByteCount{100});
    }
    void eachProcessHasItsOwn() {
        const auto trace = traceOfBlocks({{10, 0, 5, "a", 0}, {20, 0, 7, "a", 1}, {30, 0, 5, "a", 0}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises.size(), std::size_t{2});
        QCOMPARE(rises[0].bytes, SignedByteCount{10});
        QCOMPARE(rises[0].part, (TimeRange{TraceTime{10}, TraceTime{31}}));
        QCOMPARE(rises[1].bytes, SignedByteCount{7});
    }
    void whatOnlyFallsNeverRose() {
        const auto trace = traceOfBlocks({{1, 500, 5, "a"}, {2, 600, 7, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{100}, TraceTime{1000}});
        QCOMPARE(rises[0].bytes, SignedByteCount{0});
        QVERIFY(rises[0].part.isEmpty());
        QVERIFY(risesOf(*traceOfBlocks({}), {TraceTime{0}, TraceTime{1000}}).empty());
    }
    void aFilterOfSingleRowsLeavesOutOthers() {
        const auto trace = traceOfBlocks({{10, 0, 5, "a"}, {20, 0, 7, "a"}});
        RowFilter filter;
        filter.query = QueryExpression::parse(Table::Heap, "Address:=0x2000").value();
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}}, Table::Heap, &filter);
        QCOMPARE(rises[0].bytes, SignedByteCount{7});
        QCOMPARE(rises[0].rows, std::uint64_t{1});
    }
    void stopsWhenAsked() {
        const auto trace = traceOfBlocks({{10, 0, 5, "a"}});
        FrameLabels labels;
        std::stop_source stop;
        stop.request_stop();
        const auto selection = selectionOf(*trace, labels, Table::Heap, {TraceTime{0}, TraceTime{1000}});
        QVERIFY(!findRises(*selection, stop.get_token()));
    }
    /// Every part of every interval of random traces with all kinds of events.
    void equalsTheRecount() {
        std::size_t compared = 0;
        for (unsigned seed = 0; seed < HIGHWATER_RANDOM_TRACES / 4; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                if (publication.model.rows.size() > 60) continue;
                const auto table = random.pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
                const auto interval = random.intervalOf(publication);
                const auto end = std::min(interval.end, publication.trace->horizon);
                if (interval.start >= end) continue;
                std::map<std::uint32_t, std::string> got;
                for (const auto& rise : risesOf(*publication.trace, interval, table))
                    if (rise.bytes > 0) got[rise.process.value] = describe(rise.part, rise.bytes);
                const auto wanted = recountedRises(publication, table, {interval.start, end});
                compared += wanted.size();
                for (const auto& [process, text] : wanted)
                    QVERIFY2(got[process] == text,
                             fmt::format("seed {}: {} instead of {}", seed, got[process], text).c_str());
                QCOMPARE(got.size(), wanted.size());
            }
        }
        QVERIFY2(compared > HIGHWATER_RANDOM_TRACES / 4, fmt::format("{} rises", compared).c_str());
    }
};

HIGHWATER_TEST(RisesTest);
#include "rises_test.moc"
