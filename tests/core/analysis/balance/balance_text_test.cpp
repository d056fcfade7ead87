#include "core/analysis/balance/balance.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

/// The sentences that balance_test.cpp does not reach.
class BalanceTextTest : public QObject {
    Q_OBJECT
  private slots:
    void theNoteCountsRowsOnUnknownPages() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, 2 * kPage, kDivided, "[heap]").done());
        const auto trace = script.publish();
        QCOMPARE(sampleNote(*trace, Table::Heap, trace->wholeRange(), 1200),
                 std::string("Resident and Held Pages are from a sample of resident memory, taken at 0.00 s. They "
                             "leave out 1,200 rows because it is unknown which of their pages are in RAM."));
    }
};

HIGHWATER_TEST(BalanceTextTest);
#include "balance_text_test.moc"
