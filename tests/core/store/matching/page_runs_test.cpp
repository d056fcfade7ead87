#include "core/store/matching/page_map.h"
#include "core/store/matching/page_runs.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::store;

class PageRunsTest : public QObject {
    Q_OBJECT
  private slots:
    void countsAndFindsGapsAsPagesOneByOneDo() {
        constexpr std::uint64_t kPages = 200;
        std::mt19937 random(7);
        const auto anyRange = [&] {
            const std::uint64_t first = random() % kPages;
            return PageRange{first, std::min<std::uint64_t>(kPages, first + random() % 20)};
        };
        PageRuns runs;
        std::vector<bool> known(kPages);
        for (int step = 0; step < 20'000; ++step) {
            const auto changed = anyRange();
            const bool isAdded = random() % 2 == 0;
            if (isAdded) {
                runs.add(changed);
            } else {
                runs.remove(changed);
            }
            for (auto page = changed.first; page < changed.end; ++page)
                known[page] = isAdded;

            const auto asked = anyRange();
            const std::uint64_t most = random() % 2 == 0 ? kPages : random() % 10;
            std::vector<bool> inGaps(kPages);
            std::vector<PageRange> gaps;
            runs.findGaps(asked, most, gaps);
            for (const auto gap : gaps) {
                QVERIFY(!gap.isEmpty());
                for (auto page = gap.first; page < gap.end; ++page)
                    inGaps[page] = true;
            }
            std::uint64_t pages = 0, unknown = 0;
            for (auto page = asked.first; page < asked.end; ++page) {
                pages += known[page] ? 1 : 0;
                unknown += known[page] ? 0 : 1;
                QCOMPARE(static_cast<bool>(inGaps[page]), !known[page] && unknown <= most);
            }
            QCOMPARE(runs.pagesIn(asked), pages);
        }
    }
    /// With a walk over all pieces for each call this would take many minutes.
    void manyPiecesCostACallNothing() {
        constexpr std::uint64_t kPieces = 100'000;
        constexpr PageRange kAll{0, 2 * kPieces};
        PageMap map;
        for (std::uint64_t i = 0; i < kPieces; ++i)
            map.map({2 * i, 2 * i + 1}, static_cast<RowId>(i));
        std::vector<PageRange> gaps;
        for (std::uint64_t i = 0; i < kPieces; ++i)
            QCOMPARE(map.mappedPages(kAll), kPieces);
        map.findGaps(kAll, gaps, 5);
        QCOMPARE(gaps.size(), std::size_t{5});
        gaps.clear();
        map.findGaps(kAll, gaps);
        QCOMPARE(gaps.size(), std::size_t{kPieces});
        for (const auto gap : gaps)
            map.map(gap, 7);
        for (std::uint64_t i = 0; i < kPieces; ++i) {
            gaps.clear();
            map.findGaps(kAll, gaps);
            QVERIFY(gaps.empty());
        }
    }
    void manyReservationsCostADecommitLittle() {
        constexpr std::uint64_t kReservations = 100'000;
        PageMap map;
        for (std::uint64_t i = 0; i < kReservations; ++i)
            map.reserve({2 * i, 2 * i + 1});
        std::uint64_t unknown = 0;
        for (std::uint64_t i = 0; i < kReservations; ++i)
            unknown = map.unknownPages({0, 2 * kReservations});
        QVERIFY(unknown > 0 && unknown <= kReservations);
        QCOMPARE(map.unknownPages({0, 20}), std::uint64_t{10});
    }
};

HIGHWATER_TEST(PageRunsTest);
#include "page_runs_test.moc"
