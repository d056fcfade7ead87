#include "core/analysis/explain/rises.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

#include <limits>
#include <map>
#include <random>
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
    return bytes <= 0 ? "none" : fmt::format("{} in [{}, {})", bytes, part.start.ns, part.end.ns);
}

std::string describe(const ProcessRise& rise) {
    return fmt::format("largest {}, steepest {}, later {}{}", describe(rise.largest.part, rise.largest.bytes),
                       describe(rise.steepest.part, rise.steepest.bytes), describe(rise.later.part, rise.later.bytes),
                       rise.isStartUp ? ", at the start" : "");
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

struct PartOfTest {
    TimeRange part;
    std::int64_t bytes = 0;
};

/// The Impacting Size of every part, by process; the ones that end first come first, of these the shortest.
std::map<std::uint32_t, std::vector<PartOfTest>> partsByProcess(const Publication& publication, Table table,
                                                                TimeRange interval) {
    std::map<std::uint32_t, std::vector<PartOfTest>> parts;
    const auto times = instantsOf(publication.model, interval);
    for (auto end = times.begin(); end != times.end(); ++end) {
        for (auto start = end; start != times.begin();) {
            const TimeRange part{TraceTime{*--start}, TraceTime{*end}};
            const Recount recount(publication.model, table, part, publication.trace->horizon, false, "D");
            std::map<std::uint32_t, std::vector<RecountRow>> byProcess;
            for (auto& row : recount.members())
                byProcess[row.process].push_back(row);
            for (const auto& [process, rows] : byProcess)
                parts[process].push_back({part, recount.sums(rows).impacting});
        }
    }
    return parts;
}

/// The first part with the most: bytes times `time`, minus `slope` for each nanosecond between its first and its last
/// instant.
PartOfTest bestOf(const std::vector<PartOfTest>& parts, std::int64_t from, std::int64_t time, std::int64_t slope) {
    PartOfTest best;
    std::int64_t most = 0;
    for (const auto& part : parts) {
        const auto value = part.bytes * time - slope * (part.part.end.ns - 1 - part.part.start.ns);
        if (part.part.start.ns < from || value <= most) continue;
        most = value;
        best = part;
    }
    return best;
}

/// docs/numbers.md 13, word by word. Only processes that rose.
std::map<std::uint32_t, std::string> recountedRises(const Publication& publication, Table table, TimeRange interval) {
    std::map<std::uint32_t, std::string> texts;
    for (const auto& [process, parts] : partsByProcess(publication, table, interval)) {
        constexpr auto kAlways = std::numeric_limits<std::int64_t>::min();
        const auto largest = bestOf(parts, kAlways, 1, 0);
        if (largest.bytes == 0) continue;
        const auto time = interval.end.ns - interval.start.ns;
        const auto steepest = bestOf(parts, kAlways, time, 4 * largest.bytes);
        const auto& instance = (*publication.trace->processes)[ProcessIndex{process}];
        const auto last = std::min(interval.end, instance.end).ns;
        const bool isStarted = instance.start >= interval.start && instance.start.ns < last;
        const auto started = isStarted ? instance.start.ns + (last - instance.start.ns) / 20 : kAlways;
        const auto later = bestOf(parts, started, time, 4 * largest.bytes);
        const bool isStartUp = isStarted && steepest.bytes > 0 && steepest.part.end.ns <= started;
        texts[process] = fmt::format("largest {}, steepest {}, later {}{}", describe(largest.part, largest.bytes),
                                     describe(steepest.part, steepest.bytes), describe(later.part, later.bytes),
                                     isStartUp ? ", at the start" : "");
    }
    return texts;
}

/// A process that starts somewhere in [0, 400), allocates most in its first moments, and may end.
Publication startOf(unsigned seed) {
    std::mt19937 random(seed);
    const auto pick = [&](unsigned count) { return static_cast<std::int64_t>(random() % count); };
    ColumnsBuilder builder;
    auto now = pick(400);
    const auto process = builder.process("a.exe", 7, TraceTime{now});
    std::vector<std::size_t> rows;
    for (Address number = 0; number < 24; ++number) {
        now += pick(number < 12 ? 3 : 60);
        if (!rows.empty() && pick(4) == 0) {
            const auto freed = rows.begin() + pick(static_cast<unsigned>(rows.size()));
            ModelRelease release;
            release.time = TraceTime{now};
            builder.end(*freed, release);
            rows.erase(freed);
            continue;
        }
        ModelRow row;
        row.process = process;
        row.heap = 0x10000;
        row.begin = TraceTime{now};
        row.size = static_cast<ByteCount>(pick(100) * (pick(8) == 0 ? 10 : 1));
        row.address = 0x1000 * (number + 1);
        rows.push_back(builder.alloc(row));
    }
    if (pick(2) == 0) builder.endProcess(process, TraceTime{now + pick(20)});
    return {builder.publish(TraceTime{1300}), builder.model()};
}

} // namespace

class RisesTest : public QObject {
    Q_OBJECT
  private slots:
    void isFromTheLowestPointToTheHighestAfterIt() {
        const auto trace = traceOfBlocks({{10, 20, 100, "a"}, {30, 50, 40, "a"}, {40, 45, 50, "a"}, {60, 70, 60, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises.size(), std::size_t{1});
        QCOMPARE(rises[0].largest.bytes, SignedByteCount{100});
        QCOMPARE(rises[0].largest.part, (TimeRange{TraceTime{10}, TraceTime{11}}));
        const auto later = risesOf(*trace, {TraceTime{15}, TraceTime{1000}});
        // The rise in [30, 41) has 90 bytes, because the older block ends before it.
        QCOMPARE(later[0].largest.bytes, SignedByteCount{90});
        QCOMPARE(later[0].largest.part, (TimeRange{TraceTime{30}, TraceTime{41}}));
        QCOMPARE(later[0].largest.startBytes, SignedByteCount{0});
        QCOMPARE(later[0].rows, std::uint64_t{4});
    }
    /// A buffer of 100 bytes that is replaced by one of 200: both exist for a moment.
    void whatIsOutstandingInTheEndIsKnownBesides() {
        const auto trace = traceOfBlocks({{10, 21, 100, "a"}, {20, 0, 200, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises[0].largest.bytes, SignedByteCount{300});
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
    void aSteepPartIsWorthItsTime() {
        std::vector<BlockOfTest> blocks{{500, 0, 60, "a"}, {540, 0, 20, "a"}};
        for (std::int64_t time = 501; time <= 505; ++time)
            blocks.push_back({time, 0, 4, "a"});
        const auto trace = traceOfBlocks(blocks);
        const auto steepest = [&](std::int64_t start, std::int64_t end) {
            const auto rises = risesOf(*trace, {TraceTime{start}, TraceTime{end}});
            return describe(rises[0].steepest.part, rises[0].steepest.bytes);
        };
        // 80 bytes in 100 ns: a nanosecond costs 3.2 bytes.
        QCOMPARE(steepest(440, 540), std::string("80 in [500, 506)"));
        // 100 bytes in 100 ns: it costs 4 bytes. Of equal parts the one that ends first.
        QCOMPARE(steepest(450, 550), std::string("60 in [500, 501)"));
        // 100 bytes in 99 ns.
        QCOMPARE(steepest(451, 550), std::string("60 in [500, 501)"));
    }
    void eachProcessHasItsOwn() {
        const auto trace = traceOfBlocks({{10, 0, 5, "a", 0}, {20, 0, 7, "a", 1}, {30, 0, 5, "a", 0}});
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}});
        QCOMPARE(rises.size(), std::size_t{2});
        QCOMPARE(rises[0].largest.bytes, SignedByteCount{10});
        QCOMPARE(rises[0].largest.part, (TimeRange{TraceTime{10}, TraceTime{31}}));
        QCOMPARE(rises[1].largest.bytes, SignedByteCount{7});
    }
    void whatOnlyFallsNeverRose() {
        const auto trace = traceOfBlocks({{1, 500, 5, "a"}, {2, 600, 7, "a"}});
        const auto rises = risesOf(*trace, {TraceTime{100}, TraceTime{1000}});
        QCOMPARE(rises[0].largest.bytes, SignedByteCount{0});
        QVERIFY(rises[0].largest.part.isEmpty());
        QVERIFY(risesOf(*traceOfBlocks({}), {TraceTime{0}, TraceTime{1000}}).empty());
    }
    void aFilterOfSingleRowsLeavesOutOthers() {
        const auto trace = traceOfBlocks({{10, 0, 5, "a"}, {20, 0, 7, "a"}});
        RowFilter filter;
        filter.query = QueryExpression::parse(Table::Heap, "Address:=0x2000").value();
        const auto rises = risesOf(*trace, {TraceTime{0}, TraceTime{1000}}, Table::Heap, &filter);
        QCOMPARE(rises[0].largest.bytes, SignedByteCount{7});
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
    void startsEqualTheRecount() {
        std::size_t starts = 0;
        std::size_t later = 0; // another steep part
        for (unsigned seed = 0; seed < 100; ++seed) {
            const auto publication = startOf(seed);
            const TimeRange interval{TraceTime{seed % 2 == 0 ? 0 : 200}, TraceTime{1200}};
            const auto rises = risesOf(*publication.trace, interval);
            QCOMPARE(rises.size(), std::size_t{1});
            const auto wanted = recountedRises(publication, Table::Heap, interval);
            if (rises[0].largest.bytes == 0) {
                QVERIFY(wanted.empty());
                continue;
            }
            const auto got = describe(rises[0]);
            QVERIFY2(wanted.at(0) == got, fmt::format("seed {}: {} instead of {}", seed, got, wanted.at(0)).c_str());
            starts += rises[0].isStartUp ? 1 : 0;
            later += rises[0].isStartUp && rises[0].later.bytes > 0 ? 1 : 0;
        }
        const auto counts = fmt::format("{} starts, {} with another steep part", starts, later);
        QVERIFY2(starts > 10 && later > 5, counts.c_str());
    }
    /// Every part of every interval of traces of all that can happen.
    void equalsTheRecount() {
        std::size_t compared = 0;
        std::size_t parts = 0; // that are not the largest rise
        for (unsigned seed = 0; seed < HIGHWATER_RANDOM_TRACES / 4; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                if (publication.model.rows.size() > 60) continue;
                const auto table = random.pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
                const auto interval = random.intervalOf(publication);
                const auto end = std::min(interval.end, publication.trace->horizon);
                if (interval.start >= end) continue;
                std::map<std::uint32_t, std::string> got;
                for (const auto& rise : risesOf(*publication.trace, {interval.start, end}, table))
                    if (rise.largest.bytes > 0) {
                        got[rise.process.value] = describe(rise);
                        parts += rise.steepest.bytes > 0 && rise.steepest.part != rise.largest.part ? 1 : 0;
                    }
                const auto wanted = recountedRises(publication, table, {interval.start, end});
                compared += wanted.size();
                for (const auto& [process, text] : wanted)
                    QVERIFY2(got[process] == text,
                             fmt::format("seed {}: {} instead of {}", seed, got[process], text).c_str());
                QCOMPARE(got.size(), wanted.size());
            }
        }
        const auto counts = fmt::format("{} rises, {} of them with a steep part", compared, parts);
        QVERIFY2(compared > HIGHWATER_RANDOM_TRACES / 4, counts.c_str());
        QVERIFY2(parts > HIGHWATER_RANDOM_TRACES / 40, counts.c_str());
    }
};

HIGHWATER_TEST(RisesTest);
#include "rises_test.moc"
