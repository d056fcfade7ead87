#include "core/analysis/rows/release_population.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// The sizes of the releases in [start, end), sorted.
struct Releases {
    Releases(const store::PublishedTrace& trace, std::int64_t start, std::int64_t end) {
        PopulationOptions options;
        options.rows.interval = {TraceTime{start}, TraceTime{end}};
        population = ReleasePopulation::make(trace, options, {});
        const bool isWhole = population->visitMembers(1, {}, [&](unsigned, std::span<const Member> some) {
            for (const auto& member : some) {
                bytes.push_back(population->facts(member.row).sums.size);
                isInItsCell = isInItsCell && population->facts(member.row).key == population->cells()[member.cell].key;
            }
        });
        if (!isWhole) qFatal("stopped");
        std::sort(bytes.begin(), bytes.end());
    }
    std::unique_ptr<ReleasePopulation> population;
    std::vector<ByteCount> bytes;
    bool isInItsCell = true;
};

/// 100 bytes of a block released in parts (30 at 20, the rest at 40), and a free of an unknown block at 50.
std::shared_ptr<const store::PublishedTrace> partsAndUnmatched() {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    ModelRow row;
    row.table = store::TableKind::VirtualAlloc;
    row.address = 0x10000;
    row.size = 100;
    row.begin = TraceTime{10};
    const auto block = builder.alloc(row);
    ModelRelease part;
    part.time = TraceTime{20};
    part.bytes = 30;
    builder.release(block, part);
    part.time = TraceTime{40};
    part.bytes = 70;
    builder.release(block, part);
    ModelUnmatched unmatched;
    unmatched.table = store::TableKind::VirtualAlloc;
    unmatched.address = 0x90000;
    unmatched.release.time = TraceTime{50};
    unmatched.release.bytes = 7;
    builder.unmatched(unmatched);
    return builder.publish(TraceTime{1000});
}

} // namespace

/// Releases as rows: whole, in parts, and of unknown blocks.
class ReleasePopulationTest : public QObject {
    Q_OBJECT
  private slots:
    void takesTheReleasesOfTheInterval() {
        const auto trace = traceOfBlocks({{1, 10, 1}, {1, 15, 2}, {1, 20, 4}, {1, 0, 8}});
        QCOMPARE(Releases(*trace, 10, 20).bytes, (std::vector<ByteCount>{1, 2})); // its start, not its end
        QCOMPARE(Releases(*trace, 0, 1000).bytes, (std::vector<ByteCount>{1, 2, 4}));
        QVERIFY(Releases(*trace, 30, 1000).bytes.empty());
    }
    void tellsEachPartOfABlock() {
        const auto trace = partsAndUnmatched();
        QCOMPARE(Releases(*trace, 0, 45).bytes, (std::vector<ByteCount>{30, 70}));
        QCOMPARE(Releases(*trace, 20, 40).bytes, (std::vector<ByteCount>{30}));
    }
    void listsWhatWasNotKnown() {
        const auto trace = partsAndUnmatched();
        const Releases releases(*trace, 50, 51);
        QCOMPARE(releases.bytes, (std::vector<ByteCount>{7}));
    }
    void cellsAreTheSumsOfTheirRows() {
        const auto trace = traceOfBlocks({{1, 10, 1, "main"}, {1, 15, 2, "main"}, {1, 20, 4, "other"}});
        const Releases releases(*trace, 0, 1000);
        QVERIFY(releases.isInItsCell);
        Sums total;
        for (const auto& cell : releases.population->cells())
            total += cell.sums;
        QCOMPARE(total.count, std::uint64_t{3});
        QCOMPARE(total.size, std::uint64_t{7});
        QCOMPARE(releases.population->cells().size(), std::size_t{2}); // two places of release
    }
    void saysNothingWhenStopped() {
        std::stop_source stop;
        stop.request_stop();
        PopulationOptions options;
        options.rows.interval = {TraceTime{0}, TraceTime{1000}};
        QVERIFY(ReleasePopulation::make(*traceOfBlocks({{1, 10, 1}}), options, stop.get_token()) == nullptr);
    }
};
HIGHWATER_TEST(ReleasePopulationTest);
#include "release_population_test.moc"
