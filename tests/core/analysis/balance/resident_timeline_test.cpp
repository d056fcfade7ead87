#include "core/analysis/balance/resident_timeline.h"

#include "core/analysis/balance/page_ranges.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

using SeriesOf = ResidentTimelineQuery::Series;

constexpr std::uint32_t kFirst = 100, kSecond = 200;

/// Two processes. The first has 1, 3, 2 pages at 10, 20, 30, one of them with a block, and ends at 50; the second has 5
/// pages at 25, 4 at 60.
class TwoProcesses {
  public:
    TwoProcesses() {
        at(1).process(Occasion::Start, "a").alloc(0x10010, 100);
        at(2).inProcess(kSecond).process(Occasion::Start, "b").alloc(0x10010, 100);
        sample(10, kFirst, 1);
        sample(20, kFirst, 3);
        sample(25, kSecond, 5);
        sample(30, kFirst, 2);
        at(49).inProcess(kFirst).process(Occasion::End, "a");
        sample(60, kSecond, 4);
        at(99).inProcess(kSecond).alloc(0x20010, 8);
        trace = script.publish();
    }
    std::shared_ptr<const store::PublishedTrace> trace;

  private:
    EventScript& at(std::int64_t time) {
        script.now = time;
        return script;
    }
    void sample(std::int64_t time, std::uint32_t pid, ByteCount pages) {
        script.now = time;
        script.store.onResidentSample(SampleBuilder(time, pid).map(0x10000, pages * kPage, kDivided, "[heap]").done());
    }
    EventScript script;
};

ResidentTimeline timelineOf(const store::PublishedTrace& trace, TimeRange interval, std::uint32_t points,
                            SeriesOf series = SeriesOf::Layers) {
    auto timeline = computeResidentTimeline(trace, {interval, points, series});
    if (!timeline.hasValue()) qFatal("%s", timeline.error().message.c_str());
    return std::move(timeline).value();
}

/// "10: live 100, held_free 3996; 20: ..."; a series without a value in a slice is not listed.
std::string textOf(const ResidentTimeline& timeline) {
    std::string text;
    for (std::uint32_t i = 0; i < timeline.starts.size(); ++i) {
        text += fmt::format("{}{}:", i == 0 ? "" : "; ", timeline.starts[i].ns);
        for (const auto& series : timeline.series) {
            const auto value = std::ranges::find(series.values, i, &ResidentSeries::Value::slice);
            if (value != series.values.end()) text += fmt::format(" {} {}", series.name, value->bytes);
        }
    }
    return text;
}

/// Pages of all layers together, by slice.
std::string pagesOf(const ResidentTimeline& timeline) {
    std::string text;
    for (std::uint32_t i = 0; i < timeline.starts.size(); ++i) {
        ByteCount sum = 0;
        for (const auto& series : timeline.series)
            sum += series.values.at(i).bytes;
        text += fmt::format("{}{}:{}", i == 0 ? "" : " ", timeline.starts[i].ns, sum / kPage);
    }
    return text;
}

/// Processes with samples and ends at random times, and the same counted plainly.
class RandomSamples {
  public:
    explicit RandomSamples(unsigned seed) : random_(seed) {
        script.process(Occasion::Start, "a").alloc(0x10010, 8);
        for (std::uint32_t pid = 1; pid <= 3; ++pid)
            script.inProcess(pid).process(Occasion::Start, "p"); // at 3, 4, 5
        for (std::int64_t time = 6; time < kLast; ++time) {
            const auto pid = pick(1, 3);
            if (ends.contains(pid) || pick(0, 1) == 0) continue;
            script.now = time;
            if (pick(0, 15) == 0) {
                script.now = time - 1;
                script.inProcess(pid).process(Occasion::End, "p");
                ends[pid] = time;
                continue;
            }
            const auto pages = pick(1, 9);
            samples.push_back({time, pid, pages});
            script.store.onResidentSample(
                SampleBuilder(time, pid).map(0x100000, pages * kPage, kFileData, "/f").done());
        }
        script.now = kLast - 1;
        script.inProcess(EventScript::kPid).alloc(0x20010, 8);
        trace = script.publish();
    }
    std::uint32_t pick(std::uint32_t least, std::uint32_t most) {
        return std::uniform_int_distribution(least, most)(random_);
    }
    /// As pagesOf() prints it.
    [[nodiscard]] std::string expected(TimeRange interval, std::uint32_t points) const {
        std::map<std::int64_t, std::uint64_t> slices;
        for (const auto& sample : samples) {
            if (sample.time < interval.start.ns || sample.time >= interval.end.ns) continue;
            std::int64_t start = interval.start.ns;
            for (std::uint32_t i = 0; i < points; ++i) {
                const auto edge = interval.start.ns + (interval.end.ns - interval.start.ns) * i / points;
                if (edge <= sample.time) start = edge;
            }
            std::map<std::uint32_t, std::uint64_t> now;
            for (const auto& other : samples)
                if (other.time <= sample.time) now[other.pid] = other.pages;
            std::uint64_t sum = 0;
            for (const auto& [pid, pages] : now)
                if (!ends.contains(pid) || ends.at(pid) >= sample.time) sum += pages;
            slices[start] = std::max(slices[start], sum);
        }
        std::string text;
        for (const auto& [start, pages] : slices)
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", start, pages);
        return text;
    }

    static constexpr std::int64_t kLast = 80;
    struct Sample {
        std::int64_t time;
        std::uint32_t pid;
        std::uint64_t pages;
    };
    std::vector<Sample> samples;
    std::map<std::uint32_t, std::int64_t> ends;
    EventScript script;
    std::shared_ptr<const store::PublishedTrace> trace;

  private:
    std::mt19937 random_;
};

} // namespace

class ResidentTimelineTest : public QObject {
    Q_OBJECT

  private slots:
    void theOutlineIsThatOfTheHighestProcess() {
        const TwoProcesses two;
        const auto outline = residentOutline(*two.trace, 4);
        QCOMPARE(outline.interval, two.trace->wholeRange());
        QCOMPARE(outline.starts.size(), std::size_t{4});
        QCOMPARE(outline.series.size(), std::size_t{1});
        QCOMPARE(outline.series[0].name, std::string("b (200)"));
        std::string pages;
        for (const auto bytes : outline.series[0].peaks)
            pages += fmt::format("{} ", static_cast<ByteCount>(bytes) / kPage);
        QCOMPARE(pages, std::string("0 5 5 4 ")); // each sample lasts until the next one
        EventScript nothing;
        nothing.process(Occasion::Start, "app").alloc(0x10010, 100);
        QVERIFY(residentOutline(*nothing.publish(), 4).series.empty());
    }
    void theOutlineEndsWithItsProcess() {
        EventScript script;
        script.now = 1;
        script.process(Occasion::Start, "a").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(10).map(0x10000, 2 * kPage, kDivided, "[heap]").done());
        script.now = 49;
        script.process(Occasion::End, "a");
        script.now = 99;
        script.inProcess(kSecond).process(Occasion::Start, "b");
        const auto trace = script.publish();
        const auto outline = residentOutline(*trace, 100);
        QCOMPARE(outline.series.at(0).peaks[5], SignedByteCount{0}); // before the sample
        QCOMPARE(outline.series[0].peaks[40], SignedByteCount(2 * kPage));
        QCOMPARE(outline.series[0].peaks[60], SignedByteCount{0});
        QCOMPARE(outline.series[0].atEnd, SignedByteCount{0});
    }
    void layersAreThoseOfTheBalance() {
        const TwoProcesses two;
        QCOMPARE(textOf(timelineOf(*two.trace, {TraceTime{0}, TraceTime{15}}, 3)),
                 std::string("10: live 100 rounding 12 held_free 3984"));
    }
    void onlySlicesWithSamplesAreListed() {
        const TwoProcesses two;
        QCOMPARE(pagesOf(timelineOf(*two.trace, {TraceTime{0}, TraceTime{100}}, 100)),
                 std::string("10:1 20:3 25:8 30:7 60:4"));
        QVERIFY(timelineOf(*two.trace, {TraceTime{70}, TraceTime{90}}, 5).series.empty());
    }
    void aSliceHasTheSampleAtWhichAllProcessesTogetherHaveMost() {
        const TwoProcesses two;
        QCOMPARE(pagesOf(timelineOf(*two.trace, {TraceTime{0}, TraceTime{100}}, 2)), std::string("0:8 50:4"));
        QCOMPARE(pagesOf(timelineOf(*two.trace, {TraceTime{0}, TraceTime{100}}, 1)), std::string("0:8"));
    }
    void processesHaveTheirNewestSampleUntilTheyEnd() {
        const TwoProcesses two;
        // At 25, the first process still has its 3 pages; at 60 it has ended.
        QCOMPARE(pagesOf(timelineOf(*two.trace, {TraceTime{22}, TraceTime{100}}, 39)), std::string("24:8 30:7 60:4"));
        QCOMPARE(pagesOf(timelineOf(*two.trace, {TraceTime{55}, TraceTime{100}}, 45)), std::string("60:4"));
    }
    void seriesOfProcessesHaveTheirOwnSamplesOnly() {
        const TwoProcesses two;
        const auto by = [&](std::uint32_t points) {
            return textOf(timelineOf(*two.trace, {TraceTime{0}, TraceTime{100}}, points, SeriesOf::Processes));
        };
        QCOMPARE(by(100), std::string("10: a (100) 4096; 20: a (100) 12288; 25: b (200) 20480; 30: a (100) 8192; "
                                      "60: b (200) 16384"));
        QCOMPARE(by(2), std::string("0: b (200) 20480 a (100) 12288; 50: b (200) 16384"));
    }
    void sumsAreThoseOfAPlainCount() {
        for (unsigned seed = 0; seed < 300; ++seed) {
            RandomSamples random(seed);
            const auto first = random.pick(0, 40);
            const TimeRange interval{TraceTime{first}, TraceTime{first + random.pick(1, 40)}};
            const auto points = random.pick(1, 60);
            const auto found = pagesOf(timelineOf(*random.trace, interval, points));
            const auto expected = random.expected(interval, points);
            QVERIFY2(found == expected, fmt::format("seed {}: {} instead of {}", seed, found, expected).c_str());
        }
    }
    void sumsOfDamagedSizesWrapAround() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 8);
        script.inProcess(kSecond).process(Occasion::Start, "b").alloc(0x10010, 8);
        const ByteCount most = kLastMappingEnd - kPage;
        for (const auto pid : {EventScript::kPid, kSecond})
            script.store.onResidentSample(SampleBuilder(++script.now, pid).map(kPage, most, kFileData, "/f").done());
        const auto trace = script.publish();
        const auto timeline = timelineOf(*trace, trace->wholeRange(), 1000);
        QCOMPARE(timeline.starts.size(), std::size_t{2});
        QCOMPARE(timeline.series.at(0).values.front().bytes, most);
    }
    void moreFieldsThanOtherTimelinesHaveAreRefused() {
        constexpr std::uint32_t kProcesses = 12'000; // each is sampled in a slice of its own
        EventScript script;
        for (std::uint32_t pid = 1; pid <= kProcesses; ++pid)
            script.inProcess(pid).process(Occasion::Start, "p").alloc(0x10010, 8);
        const auto first = script.now;
        for (std::uint32_t pid = 1; pid <= kProcesses; ++pid)
            script.store.onResidentSample(SampleBuilder(++script.now, pid).map(0x10000, kPage, kDivided).done());
        const auto trace = script.publish();
        const TimeRange interval{TraceTime{first}, TraceTime{first + kProcesses + 1}};
        const auto all = computeResidentTimeline(*trace, {interval, kProcesses + 1, SeriesOf::Processes});
        QVERIFY(!all.hasValue());
        QVERIFY(all.error().kind == ErrorKind::Usage);
        QCOMPARE(timelineOf(*trace, interval, 1000, SeriesOf::Processes).series.size(), std::size_t{kProcesses});
    }
    void aTraceWithoutSamplesIsRefused() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 8);
        const auto answer = computeResidentTimeline(*script.publish(), {{TraceTime{0}, TraceTime{9}}});
        QCOMPARE(answer.error().kind, ErrorKind::Unsupported);
    }
};
HIGHWATER_TEST(ResidentTimelineTest);
#include "resident_timeline_test.moc"
