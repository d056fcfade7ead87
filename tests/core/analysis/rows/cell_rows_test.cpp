#include "core/analysis/rows/cell_rows.h"

#include "core/analysis/rows/release_population.h"
#include "core/analysis/rows/row_population.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <memory>
#include <stop_token>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

/// CellRows against a plain walk over all members.
class CellRowsTest : public QObject {
    Q_OBJECT

    static void compare(const Population& population) {
        std::vector<std::vector<RowRef>> expected(population.cells().size());
        (void)population.visitMembers(1, {}, [&](unsigned, std::span<const Member> members) {
            for (const auto& member : members)
                expected[member.cell].push_back(member.row);
        });
        const auto found = CellRows::collect(population, {});
        QVERIFY(found.has_value());
        for (std::uint32_t cell = 0; cell < expected.size(); ++cell) {
            const auto rows = found->of(cell);
            QCOMPARE(std::vector<RowRef>(rows.begin(), rows.end()), expected[cell]);
            QCOMPARE(rows.size(), population.cells()[cell].sums.count);
        }
    }

  private slots:
    void hasTheRowsOfEachCellInRowOrder() {
        PopulationOptions options;
        options.byFreeType = options.byImpact = options.byRealloc = options.byTemporary = options.byAllocSite = true;
        for (unsigned seed = 1; seed <= 50; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                options.rows.interval = random.intervalOf(publication);
                for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc})
                    compare(*RowPopulation::make(*publication.trace, kind, options, {}));
                compare(*ReleasePopulation::make(*publication.trace, options, {}));
            }
        }
    }
    void hasNothingWhenStopped() {
        RandomTrace random(1);
        const auto& trace = *random.publications().back().trace;
        PopulationOptions options;
        options.rows.interval = trace.wholeRange();
        const auto population = RowPopulation::make(trace, store::TableKind::Heap, options, {});
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!CellRows::collect(*population, stopped.get_token()));
    }
};
HIGHWATER_TEST(CellRowsTest);
#include "cell_rows_test.moc"
