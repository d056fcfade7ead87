#include "app/recording/growth_watch.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using app::missingGrowth, app::MissingGrowth;

namespace {

constexpr ByteCount kMegabyteOfGrowth = 1 << 20;

pipeline::UnrecordedMemory grown(const char* process, ByteCount megabytes, ByteCount unrecorded) {
    pipeline::UnrecordedMemory memory;
    memory.process = process;
    memory.grown = megabytes * kMegabyteOfGrowth;
    memory.grownUnrecorded = unrecorded * kMegabyteOfGrowth;
    return memory;
}

} // namespace

/// When the window reports that growth is not recorded.
class GrowthWatchTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheProcessThatLacksMost() {
        const auto missing =
            missingGrowth({grown("small (1)", 20, 4), grown("some (2)", 60, 6), grown("most (3)", 40, 30)}, {});
        QCOMPARE(missing.bytes, 36 * kMegabyteOfGrowth);
        QVERIFY2(missing.sentence.find("most (3)") != std::string::npos, missing.sentence.c_str());
        QVERIFY(missing.processes == (std::set<std::string>{"most (3)", "some (2)"}));
    }
    /// A program whose missing share is about a tenth would otherwise be reported in every other answer.
    void staysNearTheLimit() {
        MissingGrowth missing;
        const auto next = [&](ByteCount megabytes, ByteCount unrecorded) {
            missing = missingGrowth({grown("node (7)", megabytes, unrecorded)}, missing.processes);
            return missing.bytes / kMegabyteOfGrowth;
        };
        QCOMPARE(next(100, 9), ByteCount{0});
        QCOMPARE(next(100, 10), ByteCount{10});
        QCOMPARE(next(120, 9), ByteCount{9});
        QVERIFY(missing.sentence.starts_with("The private memory of node (7) grew by 120.0 MB"));
        QCOMPARE(next(100, 11), ByteCount{11});
        QCOMPARE(next(100, 4), ByteCount{0}); // less than a twentieth
        QCOMPARE(next(120, 9), ByteCount{0});
        QCOMPARE(next(10, 5), ByteCount{5});
        QCOMPARE(next(10, 3), ByteCount{3});
        QCOMPARE(next(10, 2), ByteCount{0}); // less than half of 5 MB
    }
    void isOfOneProcess() {
        const auto missing = missingGrowth({grown("other (8)", 100, 9)}, {"node (7)"});
        QCOMPARE(missing.bytes, ByteCount{0});
        QVERIFY(missing.sentence.empty() && missing.processes.empty());
    }
};
HIGHWATER_TEST(GrowthWatchTest);
#include "growth_watch_test.moc"
