#include "core/analysis/balance/private_bytes.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using Values = std::vector<SignedByteCount>;

/// a (7) and b (8) have blocks; b ends at 60 and another b (8) without blocks starts at 80. c (9) has none.
std::shared_ptr<const store::PublishedTrace> traceOfProcesses() {
    ColumnsBuilder builder;
    const auto a = builder.process("a.exe", 7, TraceTime{0});
    const auto b = builder.process("b.exe", 8, TraceTime{0});
    builder.process("c.exe", 9, TraceTime{0});
    for (const auto process : {a, b}) {
        ModelRow row;
        row.process = process;
        row.heap = 0x10000;
        row.begin = TraceTime{1};
        row.size = 100;
        row.stack = "main";
        row.address = 0x1000 * (process + 1);
        builder.alloc(row);
    }
    builder.endProcess(b, TraceTime{60});
    builder.process("b.exe", 8, TraceTime{80});
    return builder.publish(TraceTime{100});
}

struct PrivateBytesStage {
    std::shared_ptr<const store::PublishedTrace> trace = traceOfProcesses();
    FrameLabels labels;
    TraceNotes notes;
    TimelineQuery query;

    explicit PrivateBytesStage(std::vector<PrivateBytesSample> samples) {
        notes.privateBytes = std::move(samples);
        query.table = Table::Heap;
        query.interval = {TraceTime{0}, TraceTime{100}};
        query.points = 10;
        query.by = Column::Process;
    }
    void filter(const std::string& text) { query.filter.query = QueryExpression::parse(query.table, text).value(); }
    std::optional<PrivateBytesLine> line() {
        const auto timeline = computeTimeline(*trace, labels, query).value();
        return privateBytesLine(*trace, labels, query, timeline, notes).value();
    }
};

PrivateBytesSample sampleOf(std::int64_t ns, std::uint32_t pid, ByteCount bytes, ByteCount workingSet = 0) {
    return {TraceTime{ns}, pid, bytes, workingSet};
}

} // namespace

class PrivateBytesTest : public QObject {
    Q_OBJECT
  private slots:
    void addsTheNewestSamplesOfTheProcesses() {
        PrivateBytesStage stage({sampleOf(15, 7, 1000), sampleOf(25, 8, 200), sampleOf(45, 7, 3000),
                                 sampleOf(47, 7, 500), sampleOf(70, 7, 400)});
        const auto line = stage.line();
        QVERIFY(line.has_value());
        QCOMPARE(line->firstSlice, std::size_t{1});
        // b ends at 60.
        QCOMPARE(line->peaks, (Values{0, 1000, 1200, 1200, 3200, 700, 500, 400, 400, 400}));
        QCOMPARE(line->atEnd, SignedByteCount{400});
    }
    void appliesChangesOfOneInstantTogether() {
        PrivateBytesStage stage({sampleOf(0, 7, 1000), sampleOf(0, 8, 10), sampleOf(30, 7, 10), sampleOf(30, 8, 1000)});
        const auto line = stage.line();
        QVERIFY(line.has_value());
        QCOMPARE(line->firstSlice, std::size_t{0});
        QCOMPARE(line->peaks, (Values{1010, 1010, 1010, 1010, 1010, 1010, 10, 10, 10, 10}));
    }
    void ignoresProcessesWithoutRows() {
        PrivateBytesStage stage(
            {sampleOf(5, 7, 1000), sampleOf(5, 9, 5000), sampleOf(5, 1234, 5000), sampleOf(85, 8, 5000)});
        QCOMPARE(stage.line()->peaks, Values(10, 1000));
        PrivateBytesStage others({sampleOf(5, 9, 5000), sampleOf(5, 1234, 5000)});
        QVERIFY(!others.line().has_value());
    }
    /// A zoom does not change the processes, and an earlier sample applies.
    void isTheSameInAnyInterval() {
        PrivateBytesStage stage({sampleOf(15, 7, 1000), sampleOf(25, 8, 200), sampleOf(45, 7, 3000)});
        stage.query.interval = {TraceTime{40}, TraceTime{50}};
        stage.query.points = 2;
        QCOMPARE(stage.line()->peaks, (Values{1200, 3200}));
        QCOMPARE(stage.line()->atEnd, SignedByteCount{3200});
        stage.query.interval = {TraceTime{0}, TraceTime{10}};
        QVERIFY(!stage.line().has_value());
    }
    void followsFiltersOfProcesses() {
        PrivateBytesStage stage({sampleOf(5, 7, 1000), sampleOf(5, 8, 200)});
        stage.query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{{Column::Process, 1}}}});
        QCOMPARE(stage.line()->peaks.front(), SignedByteCount{200});
        stage.query.filter.clauses.front().mode = RowFilter::Clause::Mode::Remove;
        QCOMPARE(stage.line()->peaks.front(), SignedByteCount{1000});
        stage.query.filter = {};
        stage.filter("[Process Name]:=\"b.exe\"");
        QCOMPARE(stage.line()->peaks.front(), SignedByteCount{200});
    }
    /// Such amounts are not comparable with those of whole processes.
    void isAbsentForPartsOfProcesses() {
        PrivateBytesStage stage({sampleOf(5, 7, 1000)});
        stage.query.filter.clauses.push_back({RowFilter::Clause::Mode::Keep, {{{Column::Thread, 0}}}});
        QVERIFY(!stage.line().has_value());
        stage.query.filter = {};
        stage.filter("Size:>10");
        QVERIFY(!stage.line().has_value());
        stage.query.filter = {};
        stage.query.measure = TimelineMeasure::Count;
        QVERIFY(!stage.line().has_value());
        stage.query.measure = TimelineMeasure::Bytes;
        stage.query.table = Table::Frees;
        QVERIFY(!stage.line().has_value());
        stage.query.table = Table::Heap;
        QVERIFY(stage.line().has_value());
        stage.notes = {};
        QVERIFY(!stage.line().has_value());
    }
    void toleratesSamplesOfAnySize() {
        constexpr auto kMost = std::numeric_limits<ByteCount>::max();
        PrivateBytesStage stage({sampleOf(5, 7, kMost), sampleOf(15, 8, kMost), sampleOf(25, 7, 10),
                                 sampleOf(25, 8, 20), sampleOf(-50, 7, 5)});
        const auto line = stage.line();
        QCOMPARE(line->peaks[0], std::numeric_limits<SignedByteCount>::max());
        QCOMPARE(line->peaks[3], SignedByteCount{30});
    }
    /// Slice by slice, against a search of all samples at each instant.
    void equalsARecountAtEachInstant() {
        std::mt19937 random(1);
        for (int round = 0; round < 300; ++round) {
            std::vector<PrivateBytesSample> samples;
            std::int64_t time = 0;
            while ((time += static_cast<std::int64_t>(random() % 9)) < 100)
                samples.push_back(sampleOf(time, 7 + static_cast<std::uint32_t>(random() % 4), random() % 1000));
            PrivateBytesStage stage(samples);
            stage.query.points = 1 + static_cast<std::uint32_t>(random() % 20);
            const auto sumAt = [&](std::int64_t instant) {
                SignedByteCount sum = 0;
                for (const std::uint32_t pid : {7u, 8u}) {
                    SignedByteCount newest = 0;
                    for (const auto& sample : samples) {
                        if (sample.pid == pid && sample.time.ns <= instant)
                            newest = static_cast<SignedByteCount>(sample.bytes);
                    }
                    if (pid == 7 || instant < 60) sum += newest;
                }
                return sum;
            };
            const auto timeline = computeTimeline(*stage.trace, stage.labels, stage.query).value();
            const auto line = stage.line();
            for (std::size_t i = 0; line && i < timeline.starts.size(); ++i) {
                const auto end = i + 1 < timeline.starts.size() ? timeline.starts[i + 1].ns : std::int64_t{100};
                SignedByteCount most = 0;
                for (auto at = timeline.starts[i].ns; at < end; ++at)
                    most = std::max(most, sumAt(at));
                QCOMPARE(line->peaks[i], most);
            }
        }
    }
    void findsThePeaksOfEachProcess() {
        const PrivateBytesStage stage({sampleOf(10, 7, 500, 900), sampleOf(20, 7, 700, 800), sampleOf(30, 7, 700, 900),
                                       sampleOf(50, 8, 2000, 10), sampleOf(90, 8, 30, 40), sampleOf(50, 1234, 1, 2)});
        const auto peaks = processMemoryPeaks(*stage.trace, stage.notes);
        QCOMPARE(peaks.size(), std::size_t{4});
        QCOMPARE(peaks[0].process, std::string("b.exe (8)"));
        QCOMPARE(peaks[1].process, std::string("a.exe (7)"));
        QCOMPARE(peaks[1].samples, std::size_t{3});
        QCOMPARE(peaks[1].privateBytes, ByteCount{700});
        QCOMPARE(peaks[1].privateTime, TraceTime{20});
        QCOMPARE(peaks[1].workingSet, ByteCount{900});
        QCOMPARE(peaks[1].workingSetTime, TraceTime{10});
        QCOMPARE(peaks[2].process, std::string("b.exe (8) #2"));
        QCOMPARE(peaks[3].process, std::string("Unknown (1234)"));
        QVERIFY(processMemoryPeaks(*stage.trace, {}).empty());
    }
};
HIGHWATER_TEST(PrivateBytesTest);
#include "private_bytes_test.moc"
