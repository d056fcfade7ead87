#include "app/tools/fleet/page/fleet_words.h"

#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

QString sentenceOf(FleetKind kind, auto found) {
    FleetAnswer answer;
    answer.question.kind = kind;
    answer.question.fromBuild = "8121";
    answer.question.toBuild = "8123";
    answer.found = std::move(found);
    return summaryOf(answer);
}

} // namespace

class FleetWordsTest : public QObject {
    Q_OBJECT

    FakeFleet fleet_;

  private slots:
    void anAnswerIsOneSentence() {
        QCOMPARE(sentenceOf(FleetKind::Grew, fleet_.grew),
                 "2 of 1,204 tested stacks grew from build 8121 to build 8123.");
        QCOMPARE(sentenceOf(FleetKind::New, fleet_.appeared), "1 stack of build 8123 is new since build 8121.");
        QCOMPARE(sentenceOf(FleetKind::Gone, fleet_.appeared), "1 stack of build 8121 is gone in build 8123.");
        QCOMPARE(sentenceOf(FleetKind::Slope, fleet_.slopes), "1 stack grows while build 8123 runs, steepest first.");
        QCOMPARE(sentenceOf(FleetKind::Health, fleet_.health), "2 runs; the totals of 1 are bounds.");
        auto whole = fleet_.health;
        for (auto& row : whole)
            row.runsNotWhole = 0;
        QCOMPARE(sentenceOf(FleetKind::Health, whole), "2 runs; all totals are exact.");
        QCOMPARE(sentenceOf(FleetKind::Runs, fleet_.runs), "12 runs.");
    }
    void noRowsIsAnAnswerToo() {
        fleet::GrewAnswer none;
        none.tested = 1204;
        QCOMPARE(
            sentenceOf(FleetKind::Grew, none),
            "Growth from build 8121 to build 8123 cannot be determined because there are too few comparable runs.");
        none.canTell = true;
        QCOMPARE(sentenceOf(FleetKind::Grew, none),
                 "Nothing grew from build 8121 to build 8123 by 1 KB or more beyond noise (1,204 stacks tested).");
        QCOMPARE(sentenceOf(FleetKind::New, none), "No stack of build 8123 is new since build 8121.");
        QCOMPARE(sentenceOf(FleetKind::Runs, std::vector<fleet::RunRow>()), "No runs match.");
        QCOMPARE(sentenceOf(FleetKind::Slope, std::vector<fleet::SlopeRow>()),
                 "No stack of build 8123 grows while it runs.");
    }
    void aBoundIsReadAsItIsShown() {
        using enum fleet::Measure;
        QCOMPARE(fleetBound(InuseSpace, 1024), "1 KB");
        QCOMPARE(fleetBound(InuseSpace, 1536), "1.5 KB");
        QCOMPARE(fleetBound(InuseObjects, 1024), "1,024");
        for (const std::int64_t bytes : {0, 1, 1023, 1024, 65536, 1536, 3 << 20})
            QCOMPARE(parseFleetBound(Peak, fleetBound(Peak, bytes)).value(), bytes);
        QCOMPARE(parseFleetBound(AllocObjects, "1,024").value(), 1024);
        QCOMPARE(parseFleetBound(InuseSpace, " 64kb ").value(), 65536);
        QCOMPARE(parseFleetBound(InuseSpace, "0.0005 KB").value(), 1); // no fractions of bytes
        QCOMPARE(parseFleetBound(InuseSpace, "-3").value(), 0);        // like any other
        for (const QString wrong : {"many", "64 apples", "99999999999999999999"})
            QVERIFY(!parseFleetBound(InuseSpace, wrong).hasValue());
        QVERIFY(!parseFleetBound(InuseObjects, "64 KB").hasValue());
    }
    void hiddenRowsAreReported() {
        auto more = fleet_.grew;
        more.significant = 340;
        QCOMPARE(sentenceOf(FleetKind::Grew, more),
                 "340 of 1,204 tested stacks grew from build 8121 to build 8123. Showing the largest 2.");
    }
    void runsWithoutABuildHaveAName() { QCOMPARE(buildText({}), "(no build)"); }
    void contentsOfNothingAreEmpty() {
        const auto contents = contentsOf({});
        QVERIFY(contents.builds.empty() && contents.runs == 0);
    }
    /// One without a recording time comes last: it may be the newest.
    void buildsStandInTheOrderOfTheirFirstRun() {
        std::vector<fleet::RunRow> runs{fakeRun("c", "m", 0), fakeRun("b", "m", 30), fakeRun("a", "m", 20),
                                        fakeRun("b", "m", 10)};
        runs[0].facts.recordedAt.reset();
        QCOMPARE(contentsOf(runs).builds, (std::vector<std::string>{"b", "a", "c"}));
    }
    void timesBefore1970AreNone() { QCOMPARE(recordedText(-1), ""); }
};

HIGHWATER_TEST(FleetWordsTest);
#include "fleet_words_test.moc"
