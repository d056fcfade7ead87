#include "core/store/rundown_watch.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::store;

namespace {

constexpr TraceTime ms(std::int64_t count) { return TraceTime{count * 1'000'000}; }

} // namespace

class RundownWatchTest : public QObject {
    Q_OBJECT
  private slots:
    void aTraceWithoutRundownsHasNone() { QVERIFY(RundownWatch().zones(ms(5000)) == RundownZones{}); }
    void reachesFromTheBeginToTheLastRecord() {
        RundownWatch watch;
        for (const auto time : {0, 100, 900})
            watch.note(Occasion::RundownStart, ms(time));
        QVERIFY(watch.zones(ms(5000)).begin == (TimeRange{ms(0), ms(900)}));
        QVERIFY(watch.zones(ms(5000)).end.isEmpty());
    }
    void whatComesAloneLaterIsNoRundown() {
        RundownWatch watch;
        watch.note(Occasion::RundownStart, ms(10));
        watch.note(Occasion::RundownStart, ms(2500)); // a program was attached to
        QVERIFY(watch.zones(ms(5000)).begin == (TimeRange{ms(0), ms(10)}));
    }
    void allAtOnceIsNoSpan() {
        RundownWatch watch;
        watch.note(Occasion::RundownStart, ms(0));
        QVERIFY(watch.zones(ms(5000)).begin.isEmpty());
    }
    void theLastOneReachesToTheEnd() {
        RundownWatch watch;
        watch.note(Occasion::RundownEnd, ms(1000)); // a part that was recorded earlier
        for (const auto time : {4200, 4500, 4900})
            watch.note(Occasion::RundownEnd, ms(time));
        QVERIFY(watch.zones(ms(5000)).end == (TimeRange{ms(4200), ms(5000)}));
        QVERIFY(watch.zones(ms(9000)).end.isEmpty()); // it continued
    }
    void bothDoNotOverlap() {
        RundownWatch watch;
        watch.note(Occasion::RundownStart, ms(600));
        watch.note(Occasion::RundownEnd, ms(500));
        const auto zones = watch.zones(ms(700));
        QVERIFY(zones.begin == (TimeRange{ms(0), ms(500)}) && zones.end == (TimeRange{ms(500), ms(700)}));
    }
    void timesOfDamagedFilesDoNotOverflow() {
        RundownWatch watch;
        watch.note(Occasion::RundownEnd, kBeforeTrace);
        watch.note(Occasion::RundownEnd, kNever);
        watch.note(Occasion::RundownStart, kNever);
        QVERIFY(watch.zones(ms(1)).begin.isEmpty());
    }
};
HIGHWATER_TEST(RundownWatchTest);
#include "rundown_watch_test.moc"
