#include "core/references/memory_scan.h"

#include "core/references/variable_areas.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <atomic>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::references;

namespace {

/// The memory of a process with its blocks in order, scanned.
struct Scan {
    explicit Scan(Memory from) : memory(std::move(from)) {
        for (const auto& [address, bytes] : memory.blocks)
            blocks.push_back({.address = address, .bytes = bytes});
        areas = findRootAreas(memory.mappings, memory.threads, blocks);
        splitByVariables(areas, memory.variables);
        numberRoots(areas);
        scanned = std::move(scanMemory(memory, blocks, areas, {{}, nullptr}, {})).value();
    }
    /// Numbers of the blocks that this one refers to; -1 - n if possibly.
    [[nodiscard]] std::vector<int> of(std::uint32_t block) const {
        std::vector<int> numbers;
        for (const auto reference : scanned.graph.of(block)) {
            const auto number = static_cast<int>(reference.block());
            numbers.push_back(reference.isCertain() ? number : -1 - number);
        }
        return numbers;
    }
    /// Kinds of the roots that refer to the block, in order.
    [[nodiscard]] std::vector<RootKind> rootsOf(std::uint32_t block) const {
        std::vector<RootKind> kinds;
        for (const auto& root : scanned.roots)
            if (root.reference.block() == block) kinds.push_back(areas.areas[root.area].kind);
        return kinds;
    }
    Memory memory;
    std::vector<PictureBlock> blocks;
    RootAreas areas;
    ScannedMemory scanned;
};

using Numbers = std::vector<int>;

constexpr Address kFirst = FakeProcess::kHeap;

} // namespace

class MemoryScanTest : public QObject {
    Q_OBJECT

  private slots:
    void referencesAreInTheOrderOfTheirAddresses() {
        FakeProcess process;
        process.block(kFirst, 64).block(kFirst + 64, 64).block(kFirst + 128, 64);
        process.word(kFirst, kFirst + 128).word(kFirst + 16, kFirst + 65).word(kFirst + 56, kFirst + 64);
        process.word(kFirst + 64, kFirst + 64).word(kFirst + 72, kFirst + 128);
        const Scan scan(process.memory());
        QCOMPARE(scan.of(0), (Numbers{2, -2, 1}));
        QCOMPARE(scan.of(1), (Numbers{1, 2}));
        QCOMPARE(scan.of(2), Numbers{});
    }
    void repeatedReferencesAreKeptOnce() {
        FakeProcess process;
        process.block(kFirst, 64).block(kFirst + 64, 64);
        for (int i = 0; i < 8; ++i)
            process.word(kFirst + 8 * Address(i), kFirst + 64 + (i / 4 == 1 ? 4 : 0));
        QCOMPARE(Scan(process.memory()).of(0), (Numbers{1, -2}));
    }
    void onlyWholeAlignedWordsOfABlockAreRead() {
        FakeProcess process;
        process.block(kFirst + 4, 16).block(kFirst + 0x40, 16);
        process.word(kFirst, kFirst + 0x40).word(kFirst + 16, kFirst + 0x40); // each only half in the block
        QCOMPARE(Scan(process.memory()).of(0), Numbers{});
        process.word(kFirst + 8, kFirst + 0x40);
        QCOMPARE(Scan(process.memory()).of(0), Numbers{1});
    }
    void largeBlocksAreReadInPiecesByBothThreads() {
        FakeProcess process;
        constexpr ByteCount kLarge = 10 << 20;
        process.block(kFirst, kLarge).block(kFirst + kLarge, 16).block(kFirst + kLarge + 16, 16);
        Numbers expected;
        for (Address at = 0; at < kLarge; at += 0x3FFF8) {
            process.word(kFirst + at, kFirst + kLarge + (expected.size() % 2 == 0 ? 0 : 16));
            expected.push_back(expected.size() % 2 == 0 ? 1 : 2);
        }
        QCOMPARE(Scan(process.memory()).of(0), expected);
    }
    void blocksThatAreFarApartAreReadApart() {
        FakeProcess process;
        process.mapping(0x6000'0000'0000, 0x6000'0000'1000, kReadWrite, "");
        process.block(kFirst, 16).block(kFirst + 0x10000, 16).block(0x6000'0000'0000, 16);
        process.word(kFirst + 8, kFirst + 0x10000)
            .word(kFirst + 0x10000, 0x6000'0000'0000)
            .word(0x6000'0000'0008, kFirst);
        auto memory = process.memory();
        std::atomic<std::size_t> bytes = 0;
        memory.read = [&, read = memory.read](Address from, std::span<std::byte> to) {
            if (from < FakeProcess::kData) bytes += to.size();
            return read(from, to);
        };
        const Scan scan(std::move(memory));
        QCOMPARE(scan.of(0), Numbers{1});
        QCOMPARE(scan.of(1), Numbers{2});
        QCOMPARE(scan.of(2), Numbers{0});
        QCOMPARE(bytes.load(), std::size_t{48});
    }
    void theBestRootsOfABlockComeFirst() {
        FakeProcess process;
        process.block(kFirst, 16);
        process.mapping(0x7D00'0000'0000, 0x7D00'0001'0000, kReadWrite, "").word(0x7D00'0000'0010, kFirst);
        auto& thread = process.thread(7, "worker");
        thread.registers[3] = kFirst;
        process.word(thread.stackPointer, kFirst);
        QCOMPARE(Scan(process.memory()).rootsOf(0).front(), RootKind::Stack);
        process.variable(kFirst + 8);
        QCOMPARE(Scan(process.memory()).rootsOf(0).front(), RootKind::Variable);
    }
    /// One more root makes a block independent of the first one. Others change nothing.
    void referencesFromTwoRootsAreKept() {
        FakeProcess process;
        process.block(kFirst, 64);
        for (int i = 0; i < 100; ++i)
            process.variable(kFirst);
        QCOMPARE(Scan(process.memory()).rootsOf(0).size(), std::size_t{1});
        process.symbol(FakeProcess::kData + 80, 400, "libapp.so!g_table");
        const Scan scan(process.memory());
        QCOMPARE(scan.scanned.roots.size(), std::size_t{2});
        QVERIFY(scan.areas.areas[scan.scanned.roots[0].area].root != scan.areas.areas[scan.scanned.roots[1].area].root);
        process.symbol(FakeProcess::kData + 480, 40, "libapp.so!g_other").variable(kFirst + 8);
        const Scan more(process.memory());
        QCOMPARE(more.scanned.roots.size(), std::size_t{3}); // the possible one
        QVERIFY(!more.scanned.roots[2].reference.isCertain());
    }
    /// bins and top of main_arena.
    void freeListsOfTheCLibraryDoNotReferToTheBlockBelowAFreeChunk() {
        const auto rootsOf = [](const char* module, Address value, const char* symbol = "") {
            auto process = FakeProcess::withoutMappings();
            process.mapping(kFirst, kFirst + 0x10000, kReadWrite, "[heap]");
            process.mapping(FakeProcess::kData, FakeProcess::kData + 0x1000, kPrivateFile, module);
            process.block(kFirst + 0x10, 24); // the next chunk begins at 0x20, in its last word
            process.variable(kFirst + value);
            if (*symbol != 0) process.symbol(FakeProcess::kData, 0x900, symbol);
            return Scan(process.memory()).rootsOf(0).size();
        };
        QCOMPARE(rootsOf("/usr/lib/libc.so.6", 0x20), std::size_t{0});
        QCOMPARE(rootsOf("/usr/lib/libc.so.6", 0x20, "libc.so.6!main_arena"), std::size_t{0});
        QCOMPARE(rootsOf("/usr/lib/libc.so.6", 0x21), std::size_t{1});
        QCOMPARE(rootsOf("/usr/lib/libc.so.6", 0x18), std::size_t{1});
        QCOMPARE(rootsOf("/usr/lib/libc.so.6", 0x10), std::size_t{1});
        QCOMPARE(rootsOf("/usr/lib/libapp.so", 0x20), std::size_t{1});
    }
    void neighbouringVariablesAreReadAtOnce() {
        constexpr Address kTable = 0x7D00'0000'0000;
        constexpr ByteCount kBytes = 8 << 20;
        FakeProcess process;
        process.block(kFirst, 16).mapping(kTable, kTable + kBytes, kPrivateFile, "/usr/lib/libbig.so");
        for (Address at = 0; at < kBytes; at += 16)
            process.symbol(kTable + at, 8, "libbig.so!" + std::to_string(at));
        process.word(kTable + kBytes - 16, kFirst);
        auto memory = process.memory();
        std::atomic<int> reads = 0;
        memory.read = [&, read = memory.read](Address from, std::span<std::byte> to) {
            ++reads;
            return read(from, to);
        };
        const Scan scan(std::move(memory));
        QCOMPARE(scan.areas.areas.size(), std::size_t{1 + 2 * kBytes / 16});
        QCOMPARE(scan.scanned.roots.size(), std::size_t{1});
        QCOMPARE(scan.scanned.rootBytes, kBytes + FakeProcess::kDataBytes);
        QVERIFY(reads < 20);
    }
    void pagesThatWereNeverTouchedAreNotRead_data() {
        QTest::addColumn<quint64>("bytes");
        QTest::addColumn<bool>("isAllReadAsWell");
        QTest::newRow("64 MB, compared with all pages") << (quint64{64} << 20) << true;
        QTest::newRow("4 GB") << (quint64{4} << 30) << false;
    }
    void pagesThatWereNeverTouchedAreNotRead() {
        QFETCH(const quint64, bytes);
        QFETCH(const bool, isAllReadAsWell);
        constexpr Address kSparse = 0x7D00'0000'0000;
        const std::vector<Address> pages{kSparse + 0x5000, kSparse + 0x7000, kSparse + bytes / 2,
                                         kSparse + bytes - 0x1000};
        FakeProcess process;
        // One for each word: which of several references from a root to a block are kept depends on the threads.
        process.block(kFirst, 64).block(kFirst + 64, 64).block(kFirst + 128, 64);
        process.mapping(kSparse, kSparse + bytes, kReadWrite, "[anon:sparse]");
        process.word(pages[0] + 0xFF8, kFirst).word(pages[2], kFirst + 64).word(pages[3] + 0xFF8, kFirst + 129);
        const auto all = process.memory();
        auto memory = process.touched(kSparse, pages).memory();
        std::atomic<ByteCount> read = 0;
        memory.read = [&, readAny = memory.read](Address from, std::span<std::byte> to) {
            read += to.size();
            return readAny(from, to);
        };
        const Scan scan(std::move(memory));
        QVERIFY(read < FakeProcess::kDataBytes + 0x10000);
        QCOMPARE(scan.scanned.unreadBytes, 0u);
        QCOMPARE(scan.scanned.rootBytes, FakeProcess::kDataBytes + 0x5000); // with a page between two of them
        std::vector<Address> found;
        for (const auto& root : scan.scanned.roots)
            found.push_back(root.address);
        QVERIFY((found == std::vector<Address>{pages[0] + 0xFF8, pages[2], pages[3] + 0xFF8}));
        if (!isAllReadAsWell) return;
        const Scan expected(all);
        QCOMPARE(expected.scanned.roots.size(), found.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(expected.scanned.roots[i].address, found[i]);
            QVERIFY(expected.scanned.roots[i].reference == scan.scanned.roots[i].reference);
        }
    }
    void untouchedPagesOfBlocksAreNotReadEither() {
        constexpr Address kSparse = 0x7D00'0000'0000;
        constexpr ByteCount kBytes = ByteCount{4} << 30;
        FakeProcess process;
        process.block(kFirst, 64).block(kSparse + 16, kBytes / 2).block(kSparse + kBytes / 2 + 32, kBytes / 2 - 32);
        process.mapping(kSparse, kSparse + kBytes, kReadWrite, "").word(kSparse + kBytes / 2 + 0x20000, kFirst);
        process.touched(kSparse, {kSparse, kSparse + kBytes / 2 + 0x20000});
        auto memory = process.memory();
        std::atomic<ByteCount> bytes = 0;
        memory.read = [&, read = memory.read](Address from, std::span<std::byte> to) {
            bytes += to.size();
            return read(from, to);
        };
        const Scan scan(std::move(memory));
        QCOMPARE(scan.of(1), Numbers{});
        QCOMPARE(scan.of(2), Numbers{0});
        QCOMPARE(scan.scanned.unreadBytes, 0u);
        QVERIFY(bytes < FakeProcess::kDataBytes + 0x10000);
    }
    void memoryThatIsNotMappedIsUnreadWithoutReadingIt() {
        FakeProcess process;
        constexpr ByteCount kHuge = ByteCount{1} << 46;
        process.block(kFirst + 0x1000, kHuge);
        auto memory = process.memory();
        std::atomic<int> reads = 0;
        memory.read = [&, read = memory.read](Address from, std::span<std::byte> to) {
            ++reads;
            return read(from, to);
        };
        const Scan scan(std::move(memory));
        QCOMPARE(scan.scanned.unreadBytes, kHuge - (FakeProcess::kHeapBytes - 0x1000) - 0);
        QVERIFY(reads < 40);
    }
    void aReaderThatReturnsTooMuchOrNothingIsBounded() {
        FakeProcess process;
        process.block(kFirst, 1 << 20);
        auto memory = process.memory();
        memory.read = [](Address, std::span<std::byte> to) { return to.size() + 100; };
        QCOMPARE(Scan(memory).scanned.unreadBytes, 0u);
        std::atomic<int> reads = 0;
        memory.read = [&](Address, std::span<std::byte>) {
            ++reads;
            return std::size_t{0};
        };
        QCOMPARE(Scan(memory).scanned.unreadBytes, (1u << 20) + FakeProcess::kDataBytes);
        QCOMPARE(reads.load(), 512);
    }
};

HIGHWATER_TEST(MemoryScanTest);
#include "memory_scan_test.moc"
