#include "core/analysis/balance/block_pages.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <limits>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr Address kNoAddress = std::numeric_limits<Address>::max();

/// "8 before, 24 live, 16 behind"
std::string extentText(const BlockExtent& extent) {
    return fmt::format("{} before, {} live, {} behind", extent.blockBegin - extent.begin,
                       extent.blockEnd - extent.blockBegin, extent.end - extent.blockEnd);
}

std::vector<UsedPage> firstPages(PageNumber count) {
    std::vector<UsedPage> pages;
    for (PageNumber page = 0; page < count; ++page)
        pages.push_back({page, kNever});
    return pages;
}

/// "0: 24+16 1-3: free"
std::string usesOf(BlockPages& blocks, PageRange range) {
    std::string text;
    const auto add = [&](const std::string& more) { text += (text.empty() ? "" : " ") + more; };
    blocks.countIn(
        range, [&](PageUse use) { add(fmt::format("{}+{}", use.live, use.rounding)); },
        [&](PageRange gap) { add(fmt::format("free {}-{}", gap.first, gap.last)); });
    return text;
}

} // namespace

class BlockPagesTest : public QObject {
    Q_OBJECT

  private slots:
    void theAllocatorNeedsMore() {
        QCOMPARE(extentText(extentOf(0x1010, 0)), std::string("8 before, 0 live, 24 behind"));
        QCOMPARE(extentText(extentOf(0x1010, 24)), std::string("8 before, 24 live, 0 behind"));
        QCOMPARE(extentText(extentOf(0x1010, 25)), std::string("8 before, 25 live, 15 behind"));
        QCOMPARE(extentText(extentOf(0x1010, 1000)), std::string("8 before, 1000 live, 0 behind"));
        QCOMPARE(extentText(extentOf(0x1020, 200'000)), std::string("8 before, 200000 live, 8 behind")); // in a heap
        // Its own mapping: 49 pages, of which the last bytes are not used.
        QCOMPARE(extentText(extentOf(0x1010, 200'000)), std::string("16 before, 200000 live, 688 behind"));
        QVERIFY(extentOf(0x1010, 200'000).hasOwnMapping);
        QCOMPARE(extentText(extentOf(0x2000, 25, BlockRules::None)), std::string("0 before, 25 live, 0 behind"));
        QCOMPARE(extentText(extentOf(0x1010, 200'000, BlockRules::None)),
                 std::string("0 before, 200000 live, 0 behind"));
        QVERIFY(extentOf(0x2000, 0, BlockRules::None).isEmpty());
        QCOMPARE(extentText(extentOf(0, 24)), std::string("0 before, 24 live, 0 behind"));
    }
    void nothingIsBeyondTheLastMapping() {
        QVERIFY(extentOf(kNoAddress, 1).isEmpty());
        QCOMPARE(extentOf(kNoAddress - 8192, kNoAddress).end, kLastMappingEnd);
        QCOMPARE(extentOf(16, kNoAddress).end, kLastMappingEnd);
        int pieces = 0;
        PageRanges whole;
        eachPage(
            extentOf(24, std::uint64_t{1} << 63), [&](PageNumber, const PagePiece&) { ++pieces; },
            [&](PageRange range) { whole.push_back(range); });
        QCOMPARE(pieces, 2);
        QCOMPARE(whole, (PageRanges{{1, std::uint64_t{1} << 51}}));
        QVERIFY(pagesOf(kNoAddress, 4).isEmpty());
        QVERIFY(pagesOf(4096, 0).isEmpty());
        QCOMPARE(pagesOf(4095, 2), (PageRange{0, 2}));
    }
    void eachByteCountsOnce() {
        BlockPages blocks(firstPages(8));
        blocks.add(extentOf(0x1010, 24));
        blocks.add(extentOf(0x1030, 24));
        QCOMPARE(usesOf(blocks, {0, 3}), std::string("free 0-1 48+16 free 2-3"));
        blocks.add(extentOf(0x1018, 100)); // its predecessors were freed, but the trace has lost it
        QCOMPARE(usesOf(blocks, {0, 3}), std::string("free 0-1 108+12 free 2-3"));
        blocks.remove(extentOf(0x1018, 100));
        blocks.remove(extentOf(0x1018, 100)); // never added
        blocks.remove(extentOf(0x1010, 24));
        QCOMPARE(usesOf(blocks, {1, 3}), std::string("24+8 free 2-3"));
        blocks.add(extentOf(0x2000, 24)); // its header is on the page before
        QCOMPARE(usesOf(blocks, {1, 3}), std::string("24+16 24+0"));
        blocks.add(extentOf(0x9010, 24)); // a page that was not passed to the constructor
        QCOMPARE(usesOf(blocks, {8, 10}), std::string("free 8-10"));
    }
    void largeBlocksAreRanges() {
        BlockPages blocks(firstPages(3));
        const auto large = extentOf(0x1010, 0x40000 - 0x20);
        blocks.add(large);
        QCOMPARE(blocks.wholePages(), (PageRanges{{2, 0x40}}));
        QCOMPARE(usesOf(blocks, {1, 2}), std::string("4080+16"));
        blocks.add(extentOf(0x2000, 24)); // within it
        QCOMPARE(usesOf(blocks, {1, 2}), std::string("4080+16"));
        blocks.remove(large);
        QVERIFY(blocks.wholePages().empty());
        QCOMPARE(usesOf(blocks, {1, 3}), std::string("0+8 24+0"));
    }
    void aHeapIsKnownFromItsFirstBlock() {
        const BlockPages blocks({{1, kNever}, {2, TraceTime{5}}, {7, kBeforeTrace}});
        QVERIFY(!blocks.isHeapBefore({0, 7}, TraceTime{5}));
        QVERIFY(blocks.isHeapBefore({0, 7}, TraceTime{6}));
        QVERIFY(blocks.isHeapBefore({7, 8}, TraceTime{0}));
        QVERIFY(!blocks.isHeapBefore({0, 2}, kNever));
    }
    void rangesFormTheirUnion() {
        ChangingRanges ranges;
        ranges.add({5, 7});
        ranges.add({1, 3});
        ranges.add({2, 5});
        ranges.add({9, 9});
        QCOMPARE(ranges.merged(), (PageRanges{{1, 7}}));
        ranges.remove({2, 5});
        ranges.remove({2, 5});
        QCOMPARE(ranges.merged(), (PageRanges{{1, 3}, {5, 7}}));
        QCOMPARE(unionOf({{1, 3}, {8, 9}}, {{2, 4}, {5, 6}}), (PageRanges{{1, 4}, {5, 6}, {8, 9}}));
        std::string text;
        RangeCursor cursor(ranges.merged());
        for (const auto& range : PageRanges{{0, 2}, {2, 6}, {6, 9}})
            cursor.split(
                range, [&](PageRange in) { text += fmt::format("in {}-{} ", in.first, in.last); },
                [&](PageRange out) { text += fmt::format("out {}-{} ", out.first, out.last); });
        QCOMPARE(text, std::string("out 0-1 in 1-2 in 2-3 out 3-5 in 5-6 in 6-7 out 7-9 "));
    }
};

HIGHWATER_TEST(BlockPagesTest);
#include "block_pages_test.moc"
