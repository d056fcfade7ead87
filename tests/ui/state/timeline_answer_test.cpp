#include "tests/support/test_registry.h"
#include "tests/ui/support/small_names.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/table/row_at.h"
#include "ui/state/timeline_answer.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::KeyPath;
using analysis::Table;

namespace {

constexpr auto kTransient = static_cast<std::uint64_t>(analysis::Impact::Transient);
constexpr auto kPersistent = static_cast<std::uint64_t>(analysis::Impact::Persistent);

/// a.exe: 4 pages that stay, a spike of 10 pages at 300 ms and one of 6 at 700 ms; b.exe: a spike of 2 at 300 ms.
struct Spiky {
    SmallTrace trace;
    std::shared_ptr<const store::PublishedTrace> published;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    std::uint64_t a = 0;
    std::uint64_t b = 0;

    Spiky() {
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400200, 0x400100});
        trace.commit(300, 1, 0x90000, 10 * kPage, {0x400300, 0x400100});
        trace.commit(300, 2, 0x90000, 2 * kPage, {0x400300, 0x400100});
        trace.decommit(320, 1, 0x90000, 10 * kPage).decommit(320, 2, 0x90000, 2 * kPage);
        trace.commit(700, 1, 0x90000, 6 * kPage, {0x400300, 0x400100});
        trace.decommit(720, 1, 0x90000, 6 * kPage);
        published = trace.publish(1000);
        a = process("a.exe (1)");
        b = process("b.exe (2)");
    }
    /// The key of the process with this name.
    std::uint64_t process(const std::string& name) const {
        auto query = timeline({ms(0), ms(1000)}, 1);
        query.by = Column::Process;
        const auto answer = answerTimeline({published, labels, query}, {}).value();
        for (const auto& series : answer.timeline.series) {
            if (series.name == name) return series.key;
        }
        return ~std::uint64_t{0};
    }
    static analysis::TimelineQuery timeline(TimeRange interval, std::uint32_t points) {
        analysis::TimelineQuery query;
        query.interval = interval;
        query.points = points;
        return query;
    }
    RowAtRequest pointing(TimeRange slice, analysis::KeyPath series = {}) const {
        RowAtRequest request{published, labels, {}, slice, std::move(series)};
        request.table.interval = {ms(50), ms(1000)};
        request.table.keys = {Column::Process, Column::ImpactingType, Column::Stack};
        return request;
    }
};

/// Slices with a value.
std::vector<std::size_t> filled(const std::vector<SignedByteCount>& peaks) {
    std::vector<std::size_t> slices;
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        if (peaks[i] != 0) slices.push_back(i);
    }
    return slices;
}

} // namespace

class TimelineAnswerTest : public QObject {
    Q_OBJECT
  private slots:
    void answersPrivateBytesIfTheyAreKnown() {
        const Spiky spiky;
        const auto query = Spiky::timeline({ms(0), ms(1000)}, 10);
        TimelineRequest request{spiky.published, spiky.labels, query};
        QVERIFY(!answerTimeline(request, {}).value().privateBytes.has_value());
        auto notes = std::make_shared<TraceNotes>();
        notes->privateBytes = {{ms(250), 1, 30 * kPage}, {ms(250), 2, 5 * kPage}, {ms(650), 1, 20 * kPage}};
        request.notes = notes;
        const auto line = answerTimeline(request, {}).value().privateBytes;
        QVERIFY(line.has_value());
        QCOMPARE(line->firstSlice, std::size_t{2});
        QCOMPARE(line->peaks[5], SignedByteCount{35 * kPage});
        QCOMPARE(line->atEnd, SignedByteCount{25 * kPage});
    }
    void paintsExactlyTheAmountsOfARow() {
        const Spiky spiky;
        const KeyPath row{{Column::Process, spiky.a}, {Column::ImpactingType, kTransient}};
        const auto query = Spiky::timeline({ms(50), ms(1000)}, 95); // 10 ms each
        const auto painted = answerPainted({spiky.published, spiky.labels, query, {row}}, {}).value();
        QCOMPARE(painted.rows.size(), std::size_t{1});
        const auto& peaks = painted.rows.front().peaks;
        QCOMPARE(filled(peaks), (std::vector<std::size_t>{25, 26, 27, 65, 66, 67}));
        QCOMPARE(peaks[25], SignedByteCount{10 * kPage});
        QCOMPARE(peaks[65], SignedByteCount{6 * kPage});
    }
    void paintsSeveralRowsWithinTheFilter() {
        const Spiky spiky;
        auto query = Spiky::timeline({ms(200), ms(400)}, 20);
        query.filter.clauses.push_back({analysis::RowFilter::Clause::Mode::Keep, {{{Column::Process, spiky.a}}}});
        const KeyPath a{{Column::Process, spiky.a}, {Column::ImpactingType, kPersistent}};
        const KeyPath b{{Column::Process, spiky.b}};
        const auto painted = answerPainted({spiky.published, spiky.labels, query, {a, b}}, {}).value();
        QCOMPARE(painted.rows[0].peaks, std::vector<SignedByteCount>(20, 4 * kPage));
        QCOMPARE(painted.rows[1].peaks, std::vector<SignedByteCount>(20, 0)); // the filter excludes it
    }
    void paintsAllThatIsNewOfARow() {
        const Spiky spiky;
        const KeyPath row{{Column::Process, spiky.a}};
        auto query = Spiky::timeline({ms(0), ms(1000)}, 10);
        query.measure = analysis::TimelineMeasure::NewBytes;
        const auto painted = answerPainted({spiky.published, spiky.labels, query, {row}}, {}).value();
        const auto& bytes = painted.rows.front().peaks;
        QCOMPARE(filled(bytes), (std::vector<std::size_t>{1, 3, 7}));
        QCOMPARE(bytes[1], SignedByteCount{4 * kPage});  // kept
        QCOMPARE(bytes[3], SignedByteCount{10 * kPage}); // freed
    }
    void showsTheTotalBesideThePeaksOfGroups() {
        SmallTrace trace;
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, kPage).decommit(110, 1, 0x10000, kPage); // one after the other
        trace.commit(120, 2, 0x10000, kPage).decommit(130, 2, 0x10000, kPage);
        auto query = Spiky::timeline({ms(0), ms(1000)}, 1);
        query.by = Column::Process;
        const TimelineRequest request{trace.publish(1000), std::make_shared<analysis::FrameLabels>(), query, true};
        const auto answer = answerTimeline(request, {}).value();
        QCOMPARE(answer.timeline.series.size(), std::size_t{2});
        QCOMPARE(answer.total->peaks,
                 std::vector<SignedByteCount>{kPage}); // not the two pages that the peaks add up to
    }
    void findsTheRowOfASpike() {
        const Spiky spiky;
        const auto path = findRowAt(spiky.pointing({ms(295), ms(305)}), {}).value();
        QCOMPARE(path.size(), std::size_t{4});
        QCOMPARE(path[0], (analysis::KeyStep{Column::Process, spiky.a})); // 10 pages compared with 2
        QCOMPARE(path[1], (analysis::KeyStep{Column::ImpactingType, kTransient}));
        QCOMPARE(path[3].column, Column::Stack);
        const analysis::KeyStep series{Column::Process, spiky.b};
        const auto other = findRowAt(spiky.pointing({ms(295), ms(305)}, {series}), {}).value();
        QCOMPARE(other[0], series);
        QCOMPARE(other[1].key, kTransient);
    }
    void findsTheLargestWhereNothingStarts() {
        const Spiky spiky;
        const analysis::KeyStep series{Column::Process, spiky.a};
        const auto path = findRowAt(spiky.pointing({ms(500), ms(510)}, {series}), {}).value();
        QCOMPARE(path[0], series);
        // It started within the table's interval, and exists at its end.
        QCOMPARE(path[1].key, static_cast<std::uint64_t>(analysis::Impact::Impacting));
    }
    void findsTheRowOfAFunctionInTheKeysOfTheTable() {
        const Spiky spiky;
        auto request = spiky.pointing({ms(295), ms(305)});
        const auto spike = findRowAt(request, {}).value();
        request.function = {spike[0], spike[2], spike[3]}; // Process and Stack
        QVERIFY(findRowAt(request, {}).value() == spike);
        request.function.pop_back();
        const auto path = findRowAt(request, {}).value();
        QCOMPARE(path.size(), std::size_t{3});
        QCOMPARE(path[2], spike[2]);
        // Its caller also keeps memory, and the row that grew is chosen, although the spike was larger.
        QCOMPARE(path[1].key, static_cast<std::uint64_t>(analysis::Impact::Impacting));
        request.function.back().key += 1000;
        QVERIFY(findRowAt(request, {}).value().empty()); // it has no rows
    }
    /// While a trace is loaded, names arrive between the answer that contains a function and the request for its row.
    void findsTheRowOfAFunctionThatHasGotItsName() {
        SmallTrace small;
        small.process(1, "a.exe").image(1, 0x400000, 0x1000, "app");
        small.commit(100, 1, 0x10000, 4 * kPage, {0x400310, 0x400210, 0x400110});
        const auto names = std::make_shared<SmallNames>();
        RowAtRequest request{small.publish(1000), std::make_shared<analysis::FrameLabels>(names), {}, {}, {}};
        request.table.interval = {ms(50), ms(1000)};
        request.table.keys = {Column::Process, Column::Stack};
        request.slice = {ms(95), ms(105)};
        const auto unnamed = findRowAt(request, {}).value();
        QCOMPARE(unnamed.size(), std::size_t{4});
        request.function = {unnamed.begin(), unnamed.end() - 1}; // to the second of three frames
        names->name(*request.trace, "app", {{0x100, "main"}, {0x200, "owner"}, {0x300, "allocate"}});
        const auto row = findRowAt(request, {}).value();
        QCOMPARE(row.size(), std::size_t{3}); // not to the innermost frame
        request.function.clear();
        const auto named = findRowAt(request, {}).value();
        QVERIFY(row == KeyPath(named.begin(), named.end() - 1));
    }
    void findsNothingWhereNothingIs() {
        const Spiky spiky;
        QVERIFY(findRowAt(spiky.pointing({ms(60), ms(70)}), {}).value().empty());
        auto elsewhere = spiky.pointing({ms(295), ms(305)});
        elsewhere.table.interval = {ms(400), ms(500)}; // not in the table
        QVERIFY(findRowAt(elsewhere, {}).value().empty());
    }
    void findsASpikeAlthoughTheFilterSpeaksOfTheTable() {
        const Spiky spiky;
        auto request = spiky.pointing({ms(295), ms(305)});
        const KeyPath transient{{Column::Process, spiky.a}, {Column::ImpactingType, kTransient}};
        request.table.filter.clauses.push_back({analysis::RowFilter::Clause::Mode::Keep, {transient}});
        const auto path = findRowAt(request, {}).value(); // within the slice the spike is not transient
        QCOMPARE(path.size(), std::size_t{4});
        QCOMPARE(path[1].key, kTransient);
    }
    void hasEachAllocationOnlyWhenAsked() {
        const Spiky spiky;
        const auto query = Spiky::timeline({ms(0), ms(1000)}, 10);
        QVERIFY(!answerTimeline({spiky.published, spiky.labels, query}, {}).value().lifetimes);
        const auto answer = answerTimeline({spiky.published, spiky.labels, query, false, true}, {}).value();
        QVERIFY(answer.lifetimes);
        QCOMPARE(answer.lifetimes->lifetimes.size(), std::size_t{4});
    }
};
HIGHWATER_TEST(TimelineAnswerTest);
#include "timeline_answer_test.moc"
