#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/table/column_offer.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

ColumnOffer offerNamed(const std::vector<ColumnOffer>& offers, const QString& name) {
    const auto found =
        std::find_if(offers.begin(), offers.end(), [&](const auto& offer) { return offer.name == name; });
    return found == offers.end() ? ColumnOffer{"(no such column)", {}, {}, "(no such column)", {}} : *found;
}

} // namespace

class ColumnOfferTest : public QObject {
    Q_OBJECT
  private slots:
    void listsEveryColumnOfWpa_data() {
        QTest::addColumn<int>("table");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("VirtualAlloc") << int(Table::VirtualAlloc)
                                      << QStringList{"Process Name",  "Process",         "Annotation",
                                                     "Type",          "Impacting Type",  "Committing ThreadId",
                                                     "Commit Stack",  "Commit LifeTime", "Count",
                                                     "Size",          "Impacting Size",  "Commit Time",
                                                     "Decommit Time", "Stack Tag"};
        QTest::newRow("Heap") << int(Table::Heap)
                              << QStringList{"Process Name",
                                             "Process",
                                             "Type",
                                             "Handle",
                                             "Impacting Type",
                                             "Allocation Nature",
                                             "Stack",
                                             "Stack (Frame Tags)",
                                             "Stack Tag",
                                             "Thread Name",
                                             "Thread Activity Tag",
                                             "Annotation",
                                             "Address",
                                             "Page Address",
                                             "Source",
                                             "Bucket",
                                             "SubSegment",
                                             "Thread",
                                             "FreeTime",
                                             "SelectionLifeTime",
                                             "Is Realloc",
                                             "FreeType",
                                             "AllocTime",
                                             "Count",
                                             "Impacting Size",
                                             "Size",
                                             "LifeTime"};
    }
    void listsEveryColumnOfWpa() {
        QFETCH(int, table);
        QFETCH(QStringList, names);
        const auto offers = columnOffers(static_cast<Table>(table), {});
        for (const auto& name : names)
            QCOMPARE(offerNamed(offers, name).name, name);
        QVERIFY(std::is_sorted(offers.begin(), offers.end(), [](auto& a, auto& b) { return a.zone < b.zone; }));
    }
    void offersEveryColumnThatItCanFill() {
        for (const auto table : analysis::kTables) {
            const auto offers = columnOffers(table, {});
            for (const auto column : analysis::columnsOf(table)) {
                const auto count = std::count_if(offers.begin(), offers.end(),
                                                 [column](const auto& offer) { return offer.column == column; });
                QCOMPARE(count, 1);
            }
        }
        for (const auto* own : {"Allocated", "Freed", "Peak Size", "Stack (bottom-up)"})
            QVERIFY(offerNamed(columnOffers(Table::Heap, {}), own).reason.isEmpty());
    }
    void saysWhyNot() {
        const auto offers = columnOffers(Table::Heap, {});
        QVERIFY(offerNamed(offers, "Bucket").reason.contains("heap internals"));
        QVERIFY(offerNamed(offers, "Stack Tag").reason.isEmpty());
        QVERIFY(offerNamed(offers, "Thread Activity Tag").reason.contains("not recorded"));
        QVERIFY(offerNamed(offers, "Thread Name").reason.isEmpty());
        QVERIFY(!offerNamed(offers, "Bucket").column);
    }
    void putsGroupingColumnsAmongTheKeys() {
        const auto offers = columnOffers(Table::Heap, {});
        QCOMPARE(offerNamed(offers, "Thread").zone, LayoutZone::Keys);
        QCOMPARE(offerNamed(offers, "Stack (bottom-up)").zone, LayoutZone::Keys);
        QCOMPARE(offerNamed(offers, "AllocTime").zone, LayoutZone::Values);
        QCOMPARE(offerNamed(offers, "Peak Size").zone, LayoutZone::Values);
    }
    void marksColumnsThatTheTraceDidNotRecord() {
        SmallTrace trace;
        trace.process(1, "a.exe").commit(1, 1, 0x10000, 4096);
        const auto held = columnOffers(Table::VirtualAlloc, traceFactsOf(trace.publish(10).get(), Table::VirtualAlloc));
        QVERIFY(offerNamed(held, "Commit Stack").reason.contains("no stacks"));
        QVERIFY(offerNamed(held, "Decommit Time").reason.contains("nothing was freed"));
        QVERIFY(offerNamed(held, "Committing ThreadId").reason.isEmpty());
        QVERIFY(offerNamed(held, "Thread Name").reason.contains("no thread has a name"));
        trace.threadName(15, 1, "worker");
        trace.commit(20, 1, 0x20000, 4096, {0x400100}).decommit(30, 1, 0x20000, 4096);
        const auto whole = trace.publish(40);
        const auto freed = columnOffers(Table::VirtualAlloc, traceFactsOf(whole.get(), Table::VirtualAlloc));
        QVERIFY(offerNamed(freed, "Commit Stack").reason.isEmpty());
        QVERIFY(offerNamed(freed, "Decommit Time").reason.isEmpty());
        QVERIFY(offerNamed(freed, "Thread Name").reason.isEmpty());
        const auto frees = columnOffers(Table::Frees, traceFactsOf(whole.get(), Table::Frees));
        QVERIFY(offerNamed(frees, "Stack").reason.contains("no stacks of frees"));
        QVERIFY(offerNamed(frees, "Alloc Stack").reason.isEmpty());
        QVERIFY(offerNamed(frees, "Alloc Stack (bottom-up)").reason.isEmpty());
        QVERIFY(offerNamed(frees, "Stack (bottom-up)").reason.contains("no stacks of frees"));
    }
    void blamesNothingOnATraceThatIsNotThere() {
        const auto offers = columnOffers(Table::Heap, traceFactsOf(nullptr, Table::Heap));
        QVERIFY(offerNamed(offers, "Stack").reason.isEmpty());
        SmallTrace trace;
        QVERIFY(!traceFactsOf(trace.publish(1).get(), Table::Heap).hasRows);
    }
};
HIGHWATER_TEST(ColumnOfferTest);
#include "column_offer_test.moc"
