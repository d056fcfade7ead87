#include "core/event/lost_zones.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;

namespace {

LostZone zone(std::int64_t start, std::int64_t end, const char* what = "buffers missing") {
    return {TraceTime{start}, TraceTime{end}, what};
}

/// "3-5 buffers missing, 7-7 events lost"
QString textOf(const LostZones& zones) {
    QStringList parts;
    for (const auto& one : zones.list())
        parts << QString("%1-%2 %3").arg(one.start.ns).arg(one.end.ns).arg(one.what.c_str());
    return parts.join(", ");
}

QString afterAdding(const std::vector<LostZone>& added) {
    LostZones zones;
    for (const auto& one : added)
        zones.add(one);
    return textOf(zones);
}

} // namespace

/// The times at which data is missing.
class LostZonesTest : public QObject {
    Q_OBJECT
  private slots:
    void standInTheOrderOfTime() {
        QCOMPARE(afterAdding({zone(7, 9), zone(1, 2), zone(4, 5)}),
                 "1-2 buffers missing, 4-5 buffers missing, 7-9 buffers missing");
    }
    void oneThatEndsBeforeItBeginsIsAnInstant() { QCOMPARE(afterAdding({zone(7, 3)}), "7-7 buffers missing"); }
    void thoseOfAKindThatTouchAreOne() {
        QCOMPARE(afterAdding({zone(1, 2), zone(5, 6), zone(2, 5)}), "1-6 buffers missing");
        QCOMPARE(afterAdding({zone(1, 9), zone(3, 4)}), "1-9 buffers missing");
        QCOMPARE(afterAdding({zone(1, 2), zone(2, 5, "events lost")}), "1-2 buffers missing, 2-5 events lost");
    }
    /// If one count is unknown, or one start uncertain, so is that of the joined zone.
    void countsOfWhatIsJoinedAreAdded() {
        const auto joined = [](std::uint64_t second, bool isCertain) {
            LostZones zones;
            zones.add({TraceTime{1}, TraceTime{5}, "events lost", 12, true});
            zones.add({TraceTime{3}, TraceTime{9}, "events lost", second, isCertain});
            return zones.list().front();
        };
        QCOMPARE(joined(2, true), (LostZone{TraceTime{1}, TraceTime{9}, "events lost", 14, true}));
        QCOMPARE(joined(0, true).count, std::uint64_t{0});
        QCOMPARE(joined(~std::uint64_t{0}, true).count, ~std::uint64_t{0});
        QVERIFY(!joined(2, false).isStartCertain);
    }
    void whatIsJoinedEndsAsTheOneThatEndsLast() {
        LostZones zones;
        zones.add({TraceTime{1}, TraceTime{5}, "events lost", 0, false, ZoneEdge::TraceStart, ZoneEdge::BufferAfter});
        zones.add({TraceTime{2}, TraceTime{4}, "events lost", 0, false, ZoneEdge::Marker, ZoneEdge::Marker});
        QVERIFY(zones.list().front().endEdge == ZoneEdge::BufferAfter);
        zones.add({TraceTime{5}, TraceTime{9}, "events lost", 0, false, ZoneEdge::Recorder, ZoneEdge::Recorder});
        QCOMPARE(zones.list().size(), std::size_t{1});
        QVERIFY(zones.list().front().startEdge == ZoneEdge::TraceStart);
        QVERIFY(zones.list().front().endEdge == ZoneEdge::Recorder);
    }
    void sayWhatTheyCount() {
        QCOMPARE(countedIn(zone(1, 2)), std::string_view("buffers"));
        QCOMPARE(countedIn(zone(1, 2, kEndOfFile)), std::string_view("buffers"));
        QCOMPARE(countedIn(zone(1, 2, "events lost")), std::string_view("events"));
        QCOMPARE(countedIn(zone(1, 2, kEventsMissingInFile)), std::string_view("events"));
        QCOMPARE(countedIn(zone(1, 2, "several losses")), std::string_view());
    }
    void aCountHasANounOfItsNumber() {
        const auto text = [](const char* what, std::uint64_t count) {
            auto lost = zone(1, 2, what);
            lost.count = count;
            return countedLoss(lost);
        };
        QCOMPARE(text("buffers missing", 1), std::string("1 buffer missing"));
        QCOMPARE(text("events lost", 1204), std::string("1,204 events lost"));
        QCOMPARE(text("events lost", 0), std::string("events lost"));
        QCOMPARE(text(kEventsMissingInFile, 1), std::string("1 event missing in the file"));
        QCOMPARE(text(kEndOfFile, 75), std::string("the end of the file: 75 buffers"));
        QCOMPARE(text("several losses", 3), std::string("several losses"));
    }
    void ofVeryManyTheNearestBecomeOne() {
        LostZones zones;
        for (std::int64_t i = 0; i < 5000; ++i)
            zones.add(zone(i * 100, i * 100 + (i == 17 ? 60 : 10), i % 2 == 0 ? "events lost" : "buffers missing"));
        QCOMPARE(zones.list().size(), LostZones::kMost);
        QCOMPARE(zones.list().front().start.ns, std::int64_t{0});
        QCOMPARE(zones.list().back().end.ns, std::int64_t{499'910});
        for (std::size_t i = 1; i < zones.list().size(); ++i)
            QVERIFY(zones.list()[i - 1].end < zones.list()[i].start);
    }
    void timesOfDamagedFilesDoNotOverflow() {
        constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMostNs = std::numeric_limits<std::int64_t>::max();
        LostZones zones;
        zones.add(zone(kLeast, kLeast));
        for (std::int64_t i = 0; i < 300; ++i)
            zones.add(zone(kMostNs - i * 2, kMostNs - i * 2));
        QCOMPARE(zones.list().size(), LostZones::kMost);
        QCOMPARE(zones.list().front(), zone(kLeast, kLeast)); // nothing is near it
    }
};
HIGHWATER_TEST(LostZonesTest);
#include "lost_zones_test.moc"
