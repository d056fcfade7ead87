#include "core/store/published/partly_loaded.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

class PartlyLoadedTest : public QObject {
    Q_OBJECT
  private slots:
    void saysWhereLoadingWasStopped() {
        auto trace = std::make_shared<store::PublishedTrace>();
        trace->horizon = TraceTime{1'500'000'000};
        const auto part = store::partlyLoaded(trace);
        QVERIFY(store::isPartlyLoaded(*part) && !store::isPartlyLoaded(*trace));
        QVERIFY(part->health.totalsAreBounds() && !trace->health.totalsAreBounds());
        QCOMPARE(part->health.remarks.size(), std::size_t{1});
        QVERIFY(part->health.remarks[0].find("at 1.500 s") != std::string::npos);
        QCOMPARE(part->health.wholeBefore(), std::optional(trace->horizon));
        QCOMPARE(part->horizon, trace->horizon);
    }
    void saysItOnce() {
        auto trace = std::make_shared<store::PublishedTrace>();
        trace->horizon = TraceTime{1};
        const auto part = store::partlyLoaded(trace);
        QCOMPARE(store::partlyLoaded(part), part);
    }
    void knowsNoExactPartIfOtherDataIsMissing() {
        auto trace = std::make_shared<store::PublishedTrace>();
        trace->horizon = TraceTime{5};
        trace->health.remarks = {"Something is missing."};
        const auto part = store::partlyLoaded(trace);
        QCOMPARE(part->health.wholeBefore(), std::nullopt);
        QCOMPARE(part->health.remarks.size(), std::size_t{2});
    }
};

HIGHWATER_TEST(PartlyLoadedTest);
#include "partly_loaded_test.moc"
