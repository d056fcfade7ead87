#include "core/analysis/rows/marked_times.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

SharedMarks marks(std::vector<std::pair<std::int64_t, std::string>> named) {
    std::vector<Mark> list;
    for (auto& [time, name] : named)
        list.push_back({static_cast<std::int64_t>(list.size()), TraceTime{time}, name});
    return std::make_shared<const std::vector<Mark>>(std::move(list));
}

std::string textAt(const MarkedTimes& times, std::int64_t begin) {
    return times.text(times.generation(TraceTime{begin}));
}

constexpr TimeRange kAll{TraceTime{0}, TraceTime{100}};

} // namespace

class MarkedTimesTest : public QObject {
    Q_OBJECT
  private slots:
    void namesWhatLiesBetween() {
        const MarkedTimes times(marks({{20, "full"}, {10, "warm"}}), kAll);
        QCOMPARE(textAt(times, 0), std::string("1. before warm"));
        QCOMPARE(textAt(times, 9), std::string("1. before warm"));
        QCOMPARE(textAt(times, 10), std::string("2. warm to full")); // events at the time of the mark are after it
        QCOMPARE(textAt(times, 20), std::string("3. after full"));
        QCOMPARE(textAt(times, kBeforeTrace.ns), std::string("0. before the trace"));
    }
    void withoutMarksThereIsOneGeneration() {
        for (const auto& none : {SharedMarks(), marks({})}) {
            const MarkedTimes times(none, kAll);
            QCOMPARE(textAt(times, 5), std::string("1. the whole trace"));
            QCOMPARE(textAt(times, kBeforeTrace.ns), std::string("0. before the trace"));
            QCOMPARE(times.survived(TraceTime{0}, kNever), std::uint64_t{0});
        }
    }
    void ofOneInstantTheLastCounts() {
        const MarkedTimes times(marks({{10, "a"}, {10, "b"}}), kAll);
        QCOMPARE(textAt(times, 3), std::string("1. before b"));
        QCOMPARE(textAt(times, 10), std::string("2. after b"));
        QCOMPARE(times.survived(TraceTime{3}, kNever), std::uint64_t{2});
    }
    /// Keys of rows that were filtered by stay valid.
    void keysStayWhenMarksAreMadeElsewhere() {
        const MarkedTimes before(marks({{10, "a"}, {30, "b"}}), kAll);
        const MarkedTimes after(marks({{5, "new"}, {10, "renamed"}, {20, "new, too"}, {30, "b"}}), kAll);
        QCOMPARE(after.generation(TraceTime{12}), before.generation(TraceTime{12}));
        QCOMPARE(after.generation(TraceTime{30}), before.generation(TraceTime{30}));
        QCOMPARE(after.text(before.generation(TraceTime{12})), std::string("3. renamed to new, too"));
    }
    void textsSortAsGenerationsFollow() {
        std::vector<std::pair<std::int64_t, std::string>> many;
        for (int i = 0; i < 11; ++i)
            many.emplace_back(10 * i - 30, "mark");
        const MarkedTimes times(marks(std::move(many)), kAll);
        std::string last = times.text(0);
        std::uint64_t key = 0;
        for (std::int64_t begin = -35; begin < 100; begin += 10) {
            if (times.generation(TraceTime{begin}) == key) continue;
            QVERIFY(times.generation(TraceTime{begin}) > key);
            QVERIFY2(textAt(times, begin) > last, last.c_str());
            last = textAt(times, begin);
            key = times.generation(TraceTime{begin});
        }
        QCOMPARE(last, std::string("12. after mark"));
    }
    void survivedCountsThoseOfTheIntervalOnly() {
        const MarkedTimes times(marks({{10, "a"}, {20, "b"}, {30, "c"}, {100, "d"}}), {TraceTime{15}, TraceTime{100}});
        QCOMPARE(times.survived(TraceTime{0}, kNever), std::uint64_t{2});
        QCOMPARE(times.survived(TraceTime{20}, kNever), std::uint64_t{1});       // not there yet
        QCOMPARE(times.survived(TraceTime{0}, TraceTime{20}), std::uint64_t{1}); // freed after it
        QCOMPARE(times.survived(TraceTime{0}, TraceTime{19}), std::uint64_t{0});
        QCOMPARE(times.survived(kBeforeTrace, TraceTime{30}), std::uint64_t{2});
        QCOMPARE(times.survived(TraceTime{20}, TraceTime{20}), std::uint64_t{0});
    }
    void timesAtTheEndsOfTheirRangeHaveKeysOfTheirOwn() {
        const MarkedTimes times(marks({{kBeforeTrace.ns, "a"}, {kNever.ns, "b"}}), kAll);
        QVERIFY(times.generation(TraceTime{0}) > 1);
        QCOMPARE(textAt(times, 0), std::string("2. a to b"));
        QCOMPARE(textAt(times, kNever.ns), std::string("3. after b"));
    }
};
HIGHWATER_TEST(MarkedTimesTest);
#include "marked_times_test.moc"
