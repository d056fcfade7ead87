#include "core/event/trace_health.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <set>

using namespace highwater;

namespace {

HealthReport healthWith(std::initializer_list<std::pair<Loss, std::uint64_t>> losses) {
    HealthReport health;
    for (const auto& [loss, count] : losses)
        health.counts[static_cast<std::size_t>(loss)] = count;
    return health;
}

QString limitsOf(std::initializer_list<std::pair<Loss, std::uint64_t>> losses) {
    return QString::fromStdString(healthWith(losses).limitsText());
}

QString boundsOf(Loss loss) { return QString::fromStdString(healthWith({{loss, 1}}).boundsText()); }

} // namespace

/// The notes about missing data.
class TraceHealthTest : public QObject {
    Q_OBJECT
  private slots:
    void everyLossHasItsWordsAndAnIdOfItsOwn() {
        std::set<std::string> ids;
        for (std::size_t i = 0; i < kLossCount; ++i) {
            const auto loss = static_cast<Loss>(i);
            const auto text = describe(loss);
            QVERIFY(!text.name.empty() && !text.one.empty() && !text.many.empty() && text.sentence.ends_with('.'));
            const auto entries = healthWith({{loss, 1}}).entries();
            QCOMPARE(entries.size(), std::size_t{1});
            QVERIFY(ids.insert(entries[0].id).second);
        }
    }
    void oneIsNotSeveral() {
        QVERIFY(healthWith({{Loss::BuffersTruncated, 1}}).entries()[0].text().starts_with("1 buffer is cut off. "));
        QVERIFY(healthWith({{Loss::BuffersTruncated, 2}}).entries()[0].text().starts_with("2 buffers are cut off. "));
    }
    /// A lost free leaves its block outstanding, so amounts are too high, not too low.
    void lostFreesMakeAmountsTooHigh() {
        QCOMPARE(boundsOf(Loss::FreesLost), "Size, Impacting Size and Peak Size may be too high.");
        QCOMPARE(boundsOf(Loss::RowsDropped), "All totals may be too low.");
        QCOMPARE(boundsOf(Loss::EventsLost), "Count, Allocated and Freed may be too low; Size, Impacting Size and Peak "
                                             "Size too low or too high.");
        QCOMPARE(healthWith({{Loss::FreesLost, 1}, {Loss::RowsDropped, 1}}).boundsText(),
                 healthWith({{Loss::EventsLost, 1}}).boundsText());
    }
    /// The sizes of blocks whose frees were lost are known; those of lost events are not.
    void howMuchAtMostIsSaidWhereItIsKnown() {
        TraceHealth health;
        health.countBytes(Loss::FreesLost, 100);
        health.countBytes(Loss::FreesLost, 50);
        health.count(Loss::EventsLost, 7);
        const auto entries = health.report().entries();
        QCOMPARE(entries.size(), std::size_t{2});
        QVERIFY(!entries[0].mostBytes && !entries[0].sentence.empty());
        QCOMPARE(entries[1].count, std::uint64_t{2});
        QVERIFY(entries[1].mostBytes == std::uint64_t{150});
        QVERIFY(entries[1].text().ends_with(
            "so the free was not recorded. Size is at most 150 bytes too high because of this."));
        TraceHealth full;
        full.countBytes(Loss::RowsDropped, 8);
        QVERIFY(full.report().entries()[0].text().ends_with("Size is at most 8 bytes too low because of this."));
    }
    /// Each lost event is at most one block; the contents of lost buffers are unknown.
    void howManyAtMostIsSaidWhereItIsKnown() {
        QCOMPARE(limitsOf({{Loss::EventsLost, 7}}), "At most 7 heap allocations are missing.");
        QCOMPARE(limitsOf({{Loss::EventsLost, 1}}), "At most 1 heap allocation is missing.");
        QCOMPARE(limitsOf({{Loss::EventsLost, 7}, {Loss::RowsDropped, 2}}), "At most 9 heap allocations are missing.");
        QCOMPARE(limitsOf({{Loss::EventsLost, 7}, {Loss::BuffersLost, 1}}),
                 "The number of missing allocations is unknown.");
        QCOMPARE(limitsOf({{Loss::FreesLost, 7}}), "");
        QCOMPARE(limitsOf({{Loss::UnmatchedFrees, 7}}), "");
        auto health = healthWith({{Loss::EventsLost, 7}});
        QVERIFY(health.entries()[0].mostMissing == std::uint64_t{7});
        health.remarks = {"The file was cut off."};
        QVERIFY(!health.mostMissing());
        TraceHealth counted;
        counted.countAtLeast(Loss::EventsLost, 7); // a marker means one or more
        QVERIFY(!counted.report().mostMissing() && !counted.report().entries()[0].mostMissing);
    }
    void nothingIsMissingBeforeTheFirstOfAllPlaces() {
        TraceHealth health;
        health.count(Loss::EventsLost, 5);
        health.count(Loss::BuffersMissing, 1);
        health.addZone({TraceTime{8'000'000'000}, TraceTime{9'000'000'000}, "events lost", 5, true});
        QVERIFY(!health.report().wholeBefore()); // the buffer's position is unknown
        health.addZone({TraceTime{2'500'000'000}, TraceTime{3'000'000'000}, "buffers missing", 1, true});
        QVERIFY(health.report().wholeBefore() == TraceTime{2'500'000'000});
        QCOMPARE(QString::fromStdString(health.report().limitsText()),
                 "The number of missing allocations is unknown. Nothing is missing before 2.5 s, so amounts until then "
                 "are exact.");
        health.count(Loss::EventsLost, 1); // one more than the zones contain
        QVERIFY(!health.report().wholeBefore());
    }
    /// Rounded up, it would promise too much.
    void timesAreRoundedDownToMilliseconds() {
        const auto limitsBefore = [](std::int64_t ns) {
            TraceHealth health;
            health.count(Loss::EventsLost, 1);
            health.addZone({TraceTime{ns}, TraceTime{9'000'000'000}, "events lost", 1, true});
            return QString::fromStdString(health.report().limitsText());
        };
        QVERIFY(limitsBefore(2'345'999'999).contains("before 2.345 s,"));
        QVERIFY(limitsBefore(1'500).contains("before 0.0000015 s,")); // nothing would remain
    }
    void nothingIsSaidOfPlacesThatMayBeginEarlier() {
        TraceHealth health;
        health.count(Loss::EventsLost, 5);
        health.addZone({TraceTime{8}, TraceTime{9}, "events lost", 5, false});
        QVERIFY(!health.report().wholeBefore());
        TraceHealth atTheStart;
        atTheStart.count(Loss::EventsLost, 5);
        atTheStart.addZone({TraceTime{0}, TraceTime{9}, "events lost", 5, true});
        QVERIFY(!atTheStart.report().wholeBefore());
        QVERIFY(!healthWith({}).wholeBefore());
    }
    void remarksAboutAPlaceLieThere() {
        TraceHealth health;
        health.count(Loss::EventsLost, 5);
        for (int i = 0; i < 2; ++i) // the same remark is reported once
            health.remark("A gap.", {TraceTime{8}, TraceTime{9}, kEventsMissingInFile, 5, true});
        QVERIFY(health.report().wholeBefore() == TraceTime{8});
        QVERIFY(health.report().mostMissing() == std::uint64_t{5});
        health.remark("Something else.");
        QVERIFY(!health.report().wholeBefore() && !health.report().mostMissing());
    }
    void sumsOfBytesEndAtTheLargest() {
        TraceHealth health;
        for (int i = 0; i < 3; ++i)
            health.countBytes(Loss::FreesLost, ~std::uint64_t{0} / 2);
        QVERIFY(health.report().entries()[0].mostBytes == ~std::uint64_t{0});
    }
    void whatMakesNoTotalWrongIsNoBound() {
        auto health = healthWith({{Loss::UnmatchedFrees, 3}});
        health.notes = {"The program was ended by signal 9."};
        QVERIFY(!health.totalsAreBounds() && health.boundsText().empty());
        health.remarks = {"The file was cut off."};
        QVERIFY(health.totalsAreBounds() && !health.boundsText().empty());
    }
    /// A reader of one line gets only the worst.
    void whatMakesTotalsBoundsComesFirst() {
        auto health = healthWith({{Loss::StacksMissing, 5}, {Loss::UnmatchedFrees, 3}, {Loss::RowsDropped, 1}});
        health.remarks = {"R."};
        std::vector<std::string> ids;
        for (const auto& entry : health.entries())
            ids.push_back(entry.id);
        QVERIFY(ids == (std::vector<std::string>{"rows_dropped", "remark", "stacks_missing", "unmatched_frees"}));
    }
    void lossesComeBeforeRemarksBeforeNotes() {
        auto health = healthWith({{Loss::EventsLost, 2}});
        health.notes = {"N."};
        health.remarks = {"R."};
        const auto entries = health.entries();
        QCOMPARE(entries.size(), std::size_t{3});
        QCOMPARE(entries[0].id, std::string("events_lost"));
        QCOMPARE(entries[1].id, std::string("remark"));
        QCOMPARE(entries[1].text(), std::string("R."));
        QVERIFY(entries[1].severity == Severity::Bound && entries[2].severity == Severity::Note);
    }
};
HIGHWATER_TEST(TraceHealthTest);
#include "trace_health_test.moc"
