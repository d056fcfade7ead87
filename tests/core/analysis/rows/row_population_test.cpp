#include "core/analysis/rows/row_population.h"

#include "tests/core/analysis/blocks_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

PopulationOptions membersOf(std::int64_t start, std::int64_t end) {
    PopulationOptions options;
    options.rows.interval = {TraceTime{start}, TraceTime{end}};
    return options;
}

Sums totalOf(const Population& population) {
    Sums total;
    for (const auto& cell : population.cells())
        total += cell.sums;
    return total;
}

std::vector<Member> rowsIn(const Population& population) {
    std::vector<Member> members;
    if (!population.visitMembers(1, {}, [&](unsigned, std::span<const Member> some) {
            members.insert(members.end(), some.begin(), some.end());
        }))
        qFatal("stopped");
    return members;
}

constexpr ByteCount kWide = ByteCount{5} << 30; ///< more than the narrow size column holds

/// Before, inside, across and after [10, 20).
const std::vector<BlockOfTest> kAllTypes{{1, 5, 1},           {1, 15, 2, "main"}, {1, 0, 4, "main"}, {12, 18, 8},
                                         {12, 0, 16, "main"}, {25, 0, 32},        {13, 0, kWide}};

} // namespace

/// The rows that take part, summed by cells and one by one.
class RowPopulationTest : public QObject {
    Q_OBJECT
  private slots:
    void takesTheRowsThatTouchTheInterval() {
        const auto trace = traceOfBlocks(kAllTypes);
        const auto population = RowPopulation::make(*trace, store::TableKind::Heap, membersOf(10, 20), {});
        std::vector<ByteCount> sizes;
        for (const auto& member : rowsIn(*population))
            sizes.push_back(population->facts(member.row).size);
        std::sort(sizes.begin(), sizes.end());
        QCOMPARE(sizes, (std::vector<ByteCount>{2, 4, 8, 16, kWide}));
        QVERIFY(RowPopulation::make(*trace, store::TableKind::VirtualAlloc, membersOf(10, 20), {})->cells().empty());
    }
    void sumsWhatHappenedInTheInterval() {
        const auto trace = traceOfBlocks(kAllTypes);
        const auto population = RowPopulation::make(*trace, store::TableKind::Heap, membersOf(10, 20), {});
        const auto total = totalOf(*population);
        QCOMPARE(total.count, std::uint64_t{5});
        QCOMPARE(total.size, 30 + kWide);
        QCOMPARE(total.allocated, 24 + kWide);
        QCOMPARE(total.freed, std::uint64_t{10});
        QCOMPARE(total.opening, std::uint64_t{6});
    }
    void cellsAreTheSumsOfTheirRows() {
        const auto trace = traceOfBlocks(kAllTypes);
        auto options = membersOf(10, 20);
        options.byImpact = options.byFreeType = true;
        const auto population = RowPopulation::make(*trace, store::TableKind::Heap, options, {});
        std::map<std::uint32_t, Sums> sums;
        for (const auto& member : rowsIn(*population)) {
            const auto facts = population->facts(member.row);
            sums[member.cell] += facts.sums;
            QVERIFY(population->cells()[member.cell].key == facts.key);
            QCOMPARE(population->cellOf(static_cast<RowId>(member.row)), member.cell);
        }
        QCOMPARE(sums.size(), population->cells().size());
        for (const auto& [cell, ofRows] : sums)
            QVERIFY(population->cells()[cell].sums == ofRows);
    }
    void countsWhatThePassCannotDoOneByOne() {
        const auto trace = traceOfBlocks(kAllTypes);
        const auto population = RowPopulation::make(*trace, store::TableKind::Heap, membersOf(10, 20), {});
        QCOMPARE(population->exceptions().size(), std::size_t{1}); // more than 4 GB
        QCOMPARE(population->facts(population->exceptions()[0]).size, kWide);
        QCOMPARE(population->cellsOfExceptions().size(), std::size_t{1});
    }
    void forgetsTheRowsOfCellsThatAreNotKept() {
        const auto trace = traceOfBlocks(kAllTypes);
        const auto population = RowPopulation::make(*trace, store::TableKind::Heap, membersOf(10, 20), {});
        std::vector<std::uint8_t> keep(population->cells().size());
        std::uint64_t kept = 0;
        for (std::size_t i = 0; i < keep.size(); ++i) {
            keep[i] = population->cells()[i].key.type == RowType::AIFO ? 1 : 0;
            if (keep[i] != 0) kept += population->cells()[i].sums.count;
        }
        population->keepCells(keep);
        QCOMPARE(kept, std::uint64_t{2});
        QCOMPARE(totalOf(*population).count, kept);
        const auto members = rowsIn(*population);
        QCOMPARE(members.size(), std::size_t{kept});
        for (const auto& member : members)
            QVERIFY(population->cells()[member.cell].key.type == RowType::AIFO);
    }
    void saysNothingWhenStopped() {
        std::stop_source stop;
        stop.request_stop();
        const auto trace = traceOfBlocks(kAllTypes);
        QVERIFY(RowPopulation::make(*trace, store::TableKind::Heap, membersOf(0, 1000), stop.get_token()) == nullptr);
    }
};
HIGHWATER_TEST(RowPopulationTest);
#include "row_population_test.moc"
