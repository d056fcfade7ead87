#include "core/references/heap_chunks.h"
#include "tests/core/references/fake_heap.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr Address kChunks = FakeProcess::kHeap;
constexpr ByteCount kListsBytes = 0x290;

/// "10 24, 50 40": addresses of blocks, relative to kChunks, and bytes; then the heaps.
std::string chunksOf(const FakeProcess& process) {
    const auto memory = process.memory();
    const auto found = references::findHeapChunks(memory.mappings, memory.read, {});
    std::string text;
    for (const auto& [address, bytes] : found.blocks)
        text += fmt::format("{:x} {}, ", address - kChunks, bytes);
    for (const auto& [begin, end] : found.heaps)
        text += fmt::format("heap {:x}-{:x}", begin - kChunks, end - kChunks);
    return text;
}

constexpr const char* kWhole = "heap 0-1000000";

} // namespace

/// The heap of a fake program. Heaps of real ones: heap_chunks_test_linux.cpp.
class HeapChunksFormTest : public QObject {
    Q_OBJECT

  private slots:
    void chunksInUseAreBlocks() {
        FakeProcess process;
        FakeHeap heap(process);
        heap.add(32);
        heap.add(48);
        heap.add(64, 0); // the one before it is free
        heap.add(32);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("10 24, 60 56, a0 24, {}", kWhole));
    }
    void chunksInFastListsAreFree() {
        FakeProcess process;
        FakeHeap heap(process);
        const auto first = heap.add(32), second = heap.add(32);
        heap.add(32);
        heap.link(first, second - 16), heap.link(second, 0);
        heap.fastList(0, first);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("50 24, {}", kWhole));
    }
    void chunksInListsOfThreadsAreFreeAndSoAreTheLists() {
        FakeProcess process;
        FakeHeap heap(process);
        const auto lists = heap.add(kListsBytes);
        const auto first = heap.add(64), second = heap.add(64);
        heap.add(64);
        heap.link(first, second), heap.link(second, 0);
        heap.threadList(lists, 2, 2, first);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("320 56, {}", kWhole));
    }
    void listsOfThreadsThatAreNoneStayBlocks_data() {
        QTest::addColumn<unsigned>("list");
        QTest::addColumn<unsigned>("length");
        QTest::newRow("a wrong size") << 3u << 1u;
        QTest::newRow("too short") << 2u << 1u;
        QTest::newRow("too long") << 2u << 3u;
        QTest::newRow("far too long") << 2u << 60'000u;
    }
    void listsOfThreadsThatAreNoneStayBlocks() {
        QFETCH(const unsigned, list);
        QFETCH(const unsigned, length);
        FakeProcess process;
        FakeHeap heap(process);
        const auto lists = heap.add(kListsBytes);
        const auto first = heap.add(64), second = heap.add(64);
        heap.link(first, second), heap.link(second, 0);
        heap.threadList(lists, list, length, first);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("10 648, 2a0 56, 2e0 56, {}", kWhole));
    }
    void listsWithoutAnEndAreRead() {
        FakeProcess process;
        FakeHeap heap(process);
        const auto lists = heap.add(kListsBytes);
        const auto first = heap.add(64), second = heap.add(32);
        heap.link(first, first), heap.link(second, second - 16);
        heap.threadList(lists, 2, 4'096, first);
        heap.fastList(0, second);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("10 648, 2a0 56, {}", kWhole));
    }
    /// After a fork.
    void aHeapMayHaveSeveralMappings() {
        auto process = FakeProcess::withoutMappings();
        constexpr auto kEnd = kChunks + FakeProcess::kHeapBytes;
        process.mapping(kChunks, kChunks + 0x1000, kReadWrite, "[heap]");
        process.mapping(kChunks + 0x1000, kChunks + 0x2000, kReadWrite, "[heap]");
        process.mapping(kChunks + 0x2000, kEnd, kReadWrite, "[heap]");
        FakeHeap heap(process);
        heap.add(0xFF0);
        heap.add(0x1020); // from one mapping to the third
        heap.add(32);
        heap.end();
        QCOMPARE(chunksOf(process), fmt::format("10 4072, 1000 4120, 2020 24, {}", kWhole));
    }
    void aHeapThatIsNotFollowedToItsEndHasNoBlocks_data() {
        QTest::addColumn<quint64>("size");
        QTest::newRow("nothing") << quint64{0};
        QTest::newRow("too small") << quint64{16 | FakeHeap::kBeforeIsUsed};
        QTest::newRow("no multiple of 16") << quint64{40 | FakeHeap::kBeforeIsUsed};
        QTest::newRow("beyond the heap") << quint64{0x1'000'000 | FakeHeap::kBeforeIsUsed};
        QTest::newRow("the largest number") << ~quint64{0} - 15;
        QTest::newRow("with a mapping of its own") << quint64{64 | FakeHeap::kBeforeIsUsed | 2};
        QTest::newRow("of a thread") << quint64{64 | FakeHeap::kBeforeIsUsed | 4};
    }
    void aHeapThatIsNotFollowedToItsEndHasNoBlocks() {
        QFETCH(const quint64, size);
        FakeProcess process;
        FakeHeap heap(process);
        heap.add(32);
        const auto block = heap.add(64);
        heap.end();
        process.word(block - 8, size);
        QCOMPARE(chunksOf(process), std::string());
    }
    void aHeapWithoutItsArenaHasNoBlocks() {
        FakeProcess process;
        FakeHeap heap(process);
        heap.add(32);
        heap.end();
        process.word(FakeHeap::kArena + 112, 1);
        QCOMPARE(chunksOf(process), std::string());
    }
    void blocksWithAMappingOfTheirOwnAreFound() {
        auto process = FakeProcess::withoutMappings();
        process.mapping(kChunks, kChunks + 0x9000, kReadWrite, "");
        process.word(kChunks + 8, 0x3000 | 2).word(kChunks + 0x3008, 0x2000 | 2);
        process.word(kChunks + 0x30F0, 0xF0).word(kChunks + 0x30F8, 0x1F10 | 2); // aligned
        process.word(kChunks + 0x5008, 0x5000 | 2);                              // other memory
        QCOMPARE(chunksOf(process), std::string("10 12272, 3100 7936, "));
    }

    /// Such as the data of the agent, with which the system has joined them.
    void blocksWithAMappingAreFoundAboveOtherMemory() {
        auto process = FakeProcess::withoutMappings();
        process.mapping(kChunks, kChunks + 0x80000, kReadWrite, "");
        process.word(kChunks + 0x2000, 7);
        process.word(kChunks + 0x3008, 0x2000 | 2); // not large enough to be certain
        process.word(kChunks + 0x6008, 0x30000 | 2).word(kChunks + 0x36008, 0x4000 | 2);
        QCOMPARE(chunksOf(process), std::string("6010 196592, 36010 16368, "));
    }
    void unknownBlocksOfAKnownHeapCanBeLeaked() {
        FakeProcess process;
        FakeHeap heap(process);
        const auto held = heap.add(32), inner = heap.add(32), recorded = heap.add(64);
        heap.add(48);
        heap.end();
        process.variable(held), process.word(held, inner), process.word(inner, recorded);
        process.block(recorded, 40).unknownBlocks();
        const auto picture = process.picture();
        QVERIFY(!picture.hasUnknownBlocks);
        QCOMPARE(textOf(picture),
                 std::string("10000010 reachable, held by variable 7f0000000000 /usr/lib/libapp.so, and dominated\n"
                             "10000030 reachable, held by 10000010, and dominated\n"
                             "10000050 reachable, held by 10000030, and dominated\n"
                             "10000090 unreachable\n"));
        QCOMPARE(picture.blocks[2].bytes, ByteCount{40});
    }
    void withoutAHeapOfTheCLibraryBlocksAreUnknown() {
        FakeProcess process;
        QVERIFY(!process.picture().hasUnknownBlocks);
        process.unknownBlocks();
        QVERIFY(process.picture().hasUnknownBlocks);
    }
    void aHeapWithUnknownBlocksIsARoot() {
        FakeProcess process;
        process.block(kChunks + 0x50, 40).unknownBlocks();
        process.word(kChunks + 0x10, kChunks + 0x50);
        const auto picture = process.picture();
        QVERIFY(picture.hasUnknownBlocks);
        QCOMPARE(picture.blocks.size(), std::size_t{1});
        QCOMPARE(picture.blocks[0].reachability, Reachability::Reachable);
    }
};

HIGHWATER_TEST(HeapChunksFormTest);
#include "heap_chunks_test.moc"
