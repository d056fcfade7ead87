#include "tests/support/test_registry.h"
#include "ui/view/window/loss_banner.h"

#include <QLabel>
#include <QTest>
#include <QToolButton>

using namespace highwater;
using namespace highwater::ui;

namespace {

HealthReport healthWith(Loss loss, std::uint64_t count) {
    HealthReport health;
    health.counts[static_cast<std::size_t>(loss)] = count;
    return health;
}

} // namespace

class LossBannerTest : public QObject {
    Q_OBJECT
  private slots:
    void isHiddenWhileNothingIsMissing() {
        LossBanner banner;
        banner.setHealth({});
        QVERIFY(banner.isHidden());
        banner.setHealth(healthWith(Loss::UnmatchedFrees, 2)); // a note: totals are correct
        QVERIFY(banner.isHidden());
    }
    void reportsTheNumberOfMissingEvents() {
        LossBanner banner;
        banner.setHealth(healthWith(Loss::EventsLost, 1204));
        QVERIFY(!banner.isHidden());
        QCOMPARE(banner.headline(),
                 "1,204 events were lost. Count, Allocated and Freed may be too low; Size, Impacting "
                 "Size and Peak Size too low or too high.");
        QCOMPARE(banner.findChild<QLabel*>("lossHeadline")->text(), banner.headline());
    }
    void oneLossIsSingular() {
        LossBanner banner;
        banner.setHealth(healthWith(Loss::EventsLost, 1));
        QVERIFY2(banner.headline().startsWith("1 event was lost. "), qPrintable(banner.headline()));
        banner.setHealth(healthWith(Loss::BuffersLost, 1));
        QVERIFY2(banner.headline().startsWith("1 event buffer was lost. "), qPrintable(banner.headline()));
    }
    void namesTheEndOfAFileThatIsCutOff() {
        LossBanner banner;
        auto health = healthWith(Loss::BuffersTruncated, 1);
        health.zones = {{TraceTime{70'999'000}, TraceTime{9'000'000'000}, kEndOfFile, 1}};
        banner.setHealth(health);
        QVERIFY2(banner.headline().startsWith("The file is cut off after 0.070 s. Count, "), // not rounded up
                 qPrintable(banner.headline()));
        health.counts[static_cast<std::size_t>(Loss::BuffersTruncated)] = 0; // it was not closed
        health.remarks = {"The recorder did not close the file."};
        banner.setHealth(health);
        QVERIFY2(banner.headline().startsWith("Parts of this trace are missing. "), qPrintable(banner.headline()));
    }
    void listsEveryCounterWithItsSentence() {
        LossBanner banner;
        auto health = healthWith(Loss::BuffersMissing, 1);
        health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 2;
        health.remarks = {"A part of the file cannot be read."};
        banner.setHealth(health);
        const auto details = banner.details();
        QCOMPARE(details.size(), 4);
        QCOMPARE(details[0], "The number of missing allocations is unknown.");
        QVERIFY(details[1].startsWith("1 buffer is missing. "));
        QCOMPARE(details[2], "A part of the file cannot be read."); // losses that make totals bounds come first
        QVERIFY(details[3].startsWith("2 frees have no recorded allocation. "));
        auto* text = banner.findChild<QLabel*>("lossDetails");
        QVERIFY(text->isHidden());
        banner.findChild<QToolButton*>("lossMore")->click();
        QVERIFY(!text->isHidden());
        QCOMPARE(text->text(), details.join('\n'));
    }
    void aListThatWasAskedForCanBeClosed() {
        LossBanner banner;
        banner.setHealth({});
        banner.setDetailsVisible(true);
        auto* close = banner.findChild<QToolButton*>("lossClose");
        auto* more = banner.findChild<QToolButton*>("lossMore");
        QVERIFY(!banner.isHidden() && !close->isHidden());
        QVERIFY(more->isHidden()); // nothing is missing, so there are no details
        close->click();
        QVERIFY(banner.isHidden());
        banner.setHealth(healthWith(Loss::EventsLost, 1));
        QVERIFY(close->isHidden() && !more->isHidden()); // totals remain bounds
    }
    void reportsAnUpperBoundIfKnown() {
        LossBanner banner;
        banner.setHealth(healthWith(Loss::EventsLost, 12));
        QCOMPARE(banner.details()[0], "At most 12 heap allocations are missing.");
        banner.setHealth(healthWith(Loss::FreesLost, 12)); // each reports it itself
        QCOMPARE(banner.details().size(), 1);
    }
    void aNoteIsNotALoss() {
        LossBanner banner;
        HealthReport health;
        health.notes = {"The program was ended by signal 9."};
        banner.setHealth(health);
        QVERIFY(!health.totalsAreBounds());
        QVERIFY(banner.isHidden());
        QCOMPARE(banner.headline(), "No events are missing from this trace. Notes:");
        QCOMPARE(banner.details(), QStringList("The program was ended by signal 9."));
        health.counts[static_cast<std::size_t>(Loss::StacksMissing)] = 1;
        banner.setHealth(health);
        QCOMPARE(banner.headline(), "Totals of the recorded memory are correct, but some details are missing.");
    }
    /// Every event is there, but the graphs are not the memory of the program.
    void warnsOfMemoryThatWasNotRecorded() {
        LossBanner banner;
        HealthReport health;
        health.notes = {"It grew by 60 MB, and 49 MB of this was not recorded."};
        health.unrecordedGrowth = 49 << 20;
        banner.setHealth(health);
        QVERIFY(!banner.isHidden());
        QCOMPARE(banner.headline(), "49.0 MB of memory growth was not recorded.");
        QCOMPARE(banner.details().size(), 1);
    }
    void isReadableOnItsAmber() {
        LossBanner banner;
        banner.setHealth(healthWith(Loss::EventsLost, 1));
        const auto ground = banner.palette().color(QPalette::Window);
        const auto text = banner.palette().color(QPalette::WindowText);
        QVERIFY(std::abs(ground.lightness() - text.lightness()) > 90);
    }
};
HIGHWATER_TEST(LossBannerTest);
#include "loss_banner_test.moc"
