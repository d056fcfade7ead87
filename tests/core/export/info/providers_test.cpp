#include "core/export/info/providers.h"

#include "core/event/opcodes.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::exports;

class ProvidersTest : public QObject {
    Q_OBJECT
  private slots:
    void countsClassesOfTheKernelAndOthers() {
        const Guid unknown{1, 2, 3, {}};
        RecordCounts counts;
        counts.byGroup[group::kHeap][33] = 5;
        counts.byGroup[group::kHeap][36] = 4;
        counts.byGroup[group::kStackWalk][32] = 20;
        counts.byProvider[kImageIdProvider] = 7;
        counts.byProvider[unknown] = 1;
        counts.messages = 2;
        const auto providers = providersOf(counts);
        QCOMPARE(providers.size(), std::size_t{5});
        const auto is = [&](std::size_t i, std::string_view name, std::uint64_t events) {
            return providers[i].name == name && providers[i].events == events;
        };
        QVERIFY(is(0, "StackWalk", 20));
        QVERIFY(is(1, "Heap", 9));
        QVERIFY(is(2, "KernelTraceControl: ImageID", 7));
        QVERIFY(is(3, "WPP messages", 2));
        QVERIFY(is(4, "", 1));
        QCOMPARE(toString(*providers[0].guid), std::string("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"));
        QVERIFY(!providers[3].guid.has_value());
        QVERIFY(providers[4].guid == unknown);
    }
    void knowsTheNamesOfClassesByTheirGuids() {
        QCOMPARE(nameOfProvider({0x3d6fa8d0, 0xfe05, 0x11d0, {0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c}}),
                 std::string_view("Process"));
        QCOMPARE(nameOfProvider(kHighwaterProvider), std::string_view("Highwater"));
        QVERIFY(nameOfProvider({}).empty());
    }
};
HIGHWATER_TEST(ProvidersTest);
#include "providers_test.moc"
