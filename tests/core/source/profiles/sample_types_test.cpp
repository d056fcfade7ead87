#include "core/source/profiles/sample_types.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace highwater;

namespace {

using Pairs = std::initializer_list<std::pair<std::string_view, std::string_view>>;

source::SampleTypes typesOf(Pairs pairs) {
    source::SampleTypes types;
    for (const auto& [type, unit] : pairs)
        types.add(type, unit);
    return types;
}

/// In use and allocated: "1/10 of 2/20" objects and bytes.
std::string amountsOf(const source::SampleTypes& types, const std::vector<std::int64_t>& values) {
    const auto amounts = types.amountsOf(values);
    if (!amounts) return "does not fit";
    return std::to_string(amounts->usedObjects) + '/' + std::to_string(amounts->usedBytes) + " of " +
           std::to_string(amounts->allocatedObjects) + '/' + std::to_string(amounts->allocatedBytes);
}

} // namespace

class SampleTypesTest : public QObject {
    Q_OBJECT
  private slots:
    void findsAmountsByTheirNames() {
        const auto types = typesOf({{"alloc_objects", "count"},
                                    {"cpu", "nanoseconds"},
                                    {"Inuse-Space", "bytes"},
                                    {"alloc_space", "bytes"},
                                    {"inuse_objects", "count"}});
        QCOMPARE(amountsOf(types, {2, 7, 10, 20, 1}), std::string("1/10 of 2/20"));
        QVERIFY(types.known().used && types.known().allocated && types.known().objects);
        QCOMPARE(types.listOfOthers(), std::string("cpu"));
    }
    /// The first of two types with the same meaning counts, except that Java's allocations inside and outside thread
    /// buffers are added.
    void takesEachMeaningOnce() {
        const auto types = typesOf({{"inuse_space", "bytes"}, {"space", "bytes"}});
        QCOMPARE(amountsOf(types, {10, 99}), std::string("0/10 of 0/0"));
        QCOMPARE(types.listOfOthers(), std::string("space"));
        const auto java = typesOf(
            {{"alloc_in_new_tlab_bytes", "bytes"}, {"alloc_space", "bytes"}, {"alloc_outside_tlab_bytes", "bytes"}});
        QCOMPARE(amountsOf(java, {10, 50, 7}), std::string("0/0 of 0/17"));
    }
    /// JAX counts allocations, async-profiler their bytes: the unit decides.
    void tellsBytesFromCountsByTheirUnit() {
        QCOMPARE(amountsOf(typesOf({{"allocations", "count"}, {"space", "bytes"}}), {1, 10}),
                 std::string("1/10 of 0/0"));
        QCOMPARE(amountsOf(typesOf({{"allocations", "bytes"}}), {10}), std::string("0/0 of 0/10"));
        QCOMPARE(amountsOf(typesOf({{"malloc", "bytes"}}), {10}), std::string("0/0 of 0/10"));
        QVERIFY(!typesOf({{"allocations", "count"}}).haveBytes());
        QVERIFY(!typesOf({{"malloc", "count"}}).haveBytes());
    }
    void leavesOutObjectsWithoutBytes() {
        const auto types =
            typesOf({{"alloc-samples", "count"}, {"heap-live-samples", "count"}, {"heap-live-size", ""}});
        QCOMPARE(amountsOf(types, {5, 1, 10}), std::string("1/10 of 0/0"));
        QVERIFY(!types.known().allocated);
        QCOMPARE(types.listOfOthers(), std::string("alloc-samples"));
        QVERIFY(!typesOf({{"live", "count"}, {"alloc-samples", "count"}}).haveBytes());
    }
    void multipliesUnits_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("none") << "" << qint64{3};
        QTest::newRow("bytes") << "bytes" << qint64{3};
        QTest::newRow("kB") << "kB" << qint64{3 << 10};
        QTest::newRow("Kilobytes") << "Kilobytes" << qint64{3 << 10};
        QTest::newRow("MiB") << "MiB" << qint64{3 << 20};
        QTest::newRow("gigabyte") << "gigabyte" << (qint64{3} << 30);
        QTest::newRow("tb") << "tb" << (qint64{3} << 40);
    }
    void multipliesUnits() {
        QFETCH(QString, unit);
        QFETCH(qint64, bytes);
        const auto name = unit.toStdString();
        const auto types = typesOf({{"space", name}});
        QCOMPARE(amountsOf(types, {3}), "0/" + std::to_string(bytes) + " of 0/0");
        QCOMPARE(amountsOf(types, {-3}), "0/" + std::to_string(-bytes) + " of 0/0");
        QCOMPARE(amountsOf(types, {std::numeric_limits<std::int64_t>::min()}) == "does not fit", bytes > 3);
    }
    void swapsMeanings() {
        auto types = typesOf({{"objects", "count"}, {"space", "bytes"}});
        types.swapUsedAndAllocated();
        QCOMPARE(amountsOf(types, {1, 10}), std::string("0/0 of 1/10"));
    }
    /// A file may contain any number of types, of any length.
    void listsTheFirstTypes() {
        const std::string longName(1000, 'x');
        source::SampleTypes types;
        for (int i = 0; i < 100; ++i)
            types.add(longName, "");
        const auto list = types.list();
        QVERIFY(list.size() < 4000);
        QVERIFY2(list.ends_with("x and 76 more"), list.c_str());
    }
    /// A text of a megabyte that all types refer to is not read for each of them; with this many types the test would
    /// otherwise not end.
    void readsNoLongNames() {
        const std::string name(1 << 20, 'A');
        source::SampleTypes types;
        for (int i = 0; i < 1'000'000; ++i)
            types.add(name, name);
        QVERIFY(!types.haveBytes());
        QCOMPARE(types.otherKind(), std::string_view("a pprof profile, but not a heap profile"));
    }
};

HIGHWATER_TEST(SampleTypesTest);
#include "sample_types_test.moc"
