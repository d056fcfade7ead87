#include "core/references/block_index.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <random>

using namespace highwater;
using references::BlockIndex;

namespace {

std::vector<PictureBlock> blocksAt(const std::vector<std::pair<Address, ByteCount>>& places) {
    std::vector<PictureBlock> blocks;
    for (const auto& [address, bytes] : places)
        blocks.push_back({.address = address, .bytes = bytes});
    return blocks;
}

std::uint32_t findAt(const std::vector<PictureBlock>& blocks, Address address) {
    const BlockIndex index(blocks);
    std::size_t place = 0;
    return index.find(address, place);
}

/// The definition, block by block.
std::uint32_t expectedAt(const std::vector<PictureBlock>& blocks, Address address) {
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        const auto& block = blocks[i];
        if (address == block.address || (address > block.address && address - block.address < block.bytes)) return i;
    }
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].bytes == 8 && address == blocks[i].address + 8) return i;
    return BlockIndex::kNone;
}

} // namespace

class BlockIndexTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingIsFoundWithoutBlocks() { QCOMPARE(findAt({}, 0x1000), BlockIndex::kNone); }
    void nullIsInNoBlock() {
        QCOMPARE(findAt(blocksAt({{0, 16}}), 0), BlockIndex::kNone);
        QCOMPARE(findAt(blocksAt({{0, 16}}), 8), 0u);
        QCOMPARE(findAt(blocksAt({{0, 0}}), 1), BlockIndex::kNone);
    }
    void blocksMayFillTheAddressSpace() {
        const auto blocks = blocksAt({{1, ~Address{0} - 2}, {~Address{0}, 0}});
        QCOMPARE(findAt(blocks, 1), 0u);
        QCOMPARE(findAt(blocks, ~Address{0} - 2), 0u);
        QCOMPARE(findAt(blocks, ~Address{0} - 1), BlockIndex::kNone);
        QCOMPARE(findAt(blocks, ~Address{0}), 1u);
    }
    /// new T[0], if T has a destructor, returns the address behind the number of elements.
    void anArrayWithoutElementsIsFoundByItsEnd() {
        const auto blocks = blocksAt({{0x1000, 8}, {0x1020, 16}, {0x1040, 8}, {0x1048, 8}});
        QCOMPARE(findAt(blocks, 0x1008), 0u);
        QCOMPARE(findAt(blocks, 0x1009), BlockIndex::kNone);
        QCOMPARE(findAt(blocks, 0x1030), BlockIndex::kNone);
        QCOMPARE(findAt(blocks, 0x1048), 3u); // the next block begins there
        QCOMPARE(findAt(blocks, 0x1050), 3u);
    }
    void eachBlockIsFoundWhereverItIs() {
        std::mt19937_64 random(3);
        for (int round = 0; round < 300; ++round) {
            std::vector<std::pair<Address, ByteCount>> places;
            Address address = random() % 100'000;
            const auto sparse = random() % 3;
            for (auto count = 1 + random() % 60; count > 0; --count) {
                const auto bytes = random() % 10 == 0 ? random() % 3'000'000 : random() % 64;
                places.emplace_back(address, bytes);
                address += std::max<ByteCount>(bytes, 1) + random() % 40;
                if (random() % 10 < sparse) address += random() % (Address{1} << (10 + random() % 32));
            }
            const auto blocks = blocksAt(places);
            const BlockIndex index(blocks);
            std::size_t place = 0;
            for (const auto& [begin, bytes] : places) {
                for (const auto at : {begin - 1, begin, begin + 1, begin + bytes / 2, begin + bytes - 1, begin + bytes,
                                      begin + bytes + 7, random() % (address + 10)})
                    if (at != 0) QCOMPARE(index.find(at, place), expectedAt(blocks, at));
            }
        }
    }
};

HIGHWATER_TEST(BlockIndexTest);
#include "block_index_test.moc"
