#include "core/references/retained.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>

using namespace highwater;
using references::RetainedSizes;

namespace {

struct Owned {
    ByteCount bytes;
    std::uint32_t dominator;
};

/// Only bytes and dominators matter.
MemoryPicture pictureOf(const std::vector<Owned>& blocks, std::size_t roots = 0) {
    MemoryPicture picture;
    picture.roots.resize(roots);
    for (const auto& [bytes, dominator] : blocks)
        picture.blocks.push_back({.bytes = bytes, .dominator = dominator});
    return picture;
}

ByteCount groupOf(const RetainedSizes& sizes, const std::vector<std::uint32_t>& group) { return sizes.ofGroup(group); }

constexpr auto kNobody = PictureBlock::kNone;

} // namespace

class RetainedTest : public QObject {
    Q_OBJECT

  private slots:
    void aBlockRetainsItselfAndAllThatItDominates() {
        const RetainedSizes sizes(pictureOf({{1, kNobody}, {10, 2}, {100, 0}, {1000, 0}, {10000, kNobody}}));
        QCOMPARE(sizes.of(0), 1111u);
        QCOMPARE(sizes.of(1), 10u);
        QCOMPARE(sizes.of(2), 110u);
        QCOMPARE(sizes.of(3), 1000u);
        QCOMPARE(sizes.of(4), 10000u);
    }
    void aGroupRetainsEachBlockOnce() {
        const RetainedSizes sizes(pictureOf({{1, kNobody}, {10, 2}, {100, 0}, {1000, 0}, {10000, kNobody}}));
        QCOMPARE(groupOf(sizes, {}), 0u);
        QCOMPARE(groupOf(sizes, {1, 3}), 1010u);
        QCOMPARE(groupOf(sizes, {1, 2}), 110u); // the second dominates the first
        QCOMPARE(groupOf(sizes, {3, 1, 0, 3}), 1111u);
        QCOMPARE(groupOf(sizes, {4, 4, 2}), 10110u);
    }
    void aStackRetainsWhatItsFramesRetain() {
        auto picture = pictureOf({{1, 4}, {10, 5}, {100, 3}, {1000, kNobody}}, 2);
        picture.blocks[2].dominator = 4; // two frames refer to it
        picture.roots[1].parent = 0;
        const RetainedSizes sizes(picture);
        QCOMPARE(sizes.of(4), 111u);
        QCOMPARE(sizes.of(5), 10u);
        QCOMPARE(groupOf(sizes, {4, 5}), 111u);
    }
    void aRootRetainsAllBlocksThatItDominates() {
        const RetainedSizes sizes(pictureOf({{1, 5}, {10, 0}, {100, kNobody}, {1000, 5}, {10000, 7}}, 3));
        QCOMPARE(sizes.of(0), 11u);
        QCOMPARE(sizes.of(5), 1011u);
        QCOMPARE(sizes.of(6), 0u);
        QCOMPARE(sizes.of(7), 10000u);
        QCOMPARE(groupOf(sizes, {7, 1, 5, 2}), 11111u);
        QCOMPARE(groupOf(sizes, {6, 3, 0}), 1011u);
    }
    void sumsEndAtTheLargestNumber() {
        constexpr auto kHalf = ByteCount{1} << 63;
        const RetainedSizes sizes(pictureOf({{kHalf, kNobody}, {kHalf, 0}, {kHalf, kNobody}, {1, kNobody}}));
        QCOMPARE(sizes.of(0), ~ByteCount{0});
        QCOMPARE(groupOf(sizes, {1, 2}), ~ByteCount{0});
        QCOMPARE(groupOf(sizes, {1, 3}), kHalf + 1);
    }
    void longChainsNeedNoRecursion() {
        constexpr std::uint32_t kBlocks = 1'000'000;
        for (const bool isAscending : {true, false}) {
            std::vector<Owned> chain(kBlocks, {1, kNobody});
            for (std::uint32_t i = 1; i < kBlocks; ++i)
                isAscending ? chain[i].dominator = i - 1 : chain[i - 1].dominator = i;
            const RetainedSizes sizes(pictureOf(chain));
            QCOMPARE(sizes.of(isAscending ? 0 : kBlocks - 1), ByteCount{kBlocks});
            QCOMPARE(groupOf(sizes, {kBlocks / 2, kBlocks / 2 + 1}),
                     ByteCount{isAscending ? kBlocks / 2 : kBlocks / 2 + 2});
        }
    }
    void aBlockOwnsManyOthers() {
        constexpr std::uint32_t kBlocks = 100'000;
        std::vector<Owned> blocks(kBlocks, {2, 0});
        blocks[0] = {1, kNobody};
        const RetainedSizes sizes(pictureOf(blocks));
        QCOMPARE(sizes.of(0), ByteCount{2} * (kBlocks - 1) + 1);
        QCOMPARE(sizes.of(kBlocks - 1), 2u);
    }
};

HIGHWATER_TEST(RetainedTest);
#include "retained_test.moc"
