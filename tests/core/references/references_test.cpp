#include "core/references/references.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <atomic>
#include <limits>

using namespace highwater;
using namespace highwater::tests;
using references::findReferences;

namespace {

constexpr auto kHeap = FakeProcess::kHeap, kData = FakeProcess::kData;

std::string reachabilitiesOf(const MemoryPicture& picture) {
    std::string letters;
    for (const auto& block : picture.blocks)
        letters += "RPUL"[static_cast<std::size_t>(block.reachability)];
    return letters;
}

/// A list of blocks of 16 bytes, each of which refers to the next one.
references::Memory longList(std::uint32_t blocks) {
    references::Memory memory;
    FakeProcess process;
    memory.mappings = process.memory().mappings;
    memory.mappings.mappings[0].end = kHeap + (Address{blocks} * 16 + 0xFFF) / 0x1000 * 0x1000;
    for (std::uint32_t i = 0; i < blocks; ++i)
        memory.blocks.push_back({kHeap + Address{i} * 16, 16});
    memory.read = [=](Address from, std::span<std::byte> to) {
        const std::span words(reinterpret_cast<std::uint64_t*>(to.data()), to.size() / 8);
        for (auto& word : words) {
            word = from == kData ? kHeap : from >= kData || from % 16 != 0 ? 0 : from + 16;
            from += 8;
        }
        return to.size();
    };
    return memory;
}

} // namespace

class ReferencesTest : public QObject {
    Q_OBJECT

  private slots:
    void aProcessWithoutBlocksHasAnEmptyPicture() {
        FakeProcess process;
        process.variable(kHeap);
        const auto picture = process.picture();
        QVERIFY(picture.blocks.empty());
        QVERIFY(picture.roots.empty());
        QCOMPARE(picture.rootBytes, FakeProcess::kDataBytes);
        QCOMPARE(references::findReferences({}).value().blocks.size(), std::size_t{0});
    }
    void aPictureNamesWhatHoldsEachBlock() {
        FakeProcess process;
        process.block(kHeap, 32).block(kHeap + 0x40, 32).block(kHeap + 0x80, 32).block(kHeap + 0xC0, 16);
        process.variable(0);
        process.variable(kHeap + 0x40);
        process.word(kHeap + 0x48, kHeap + 0x80).word(kHeap + 0x88, kHeap + 0x40 + 8).word(kHeap, kHeap + 0xC0);
        QCOMPARE(textOf(process.picture()), "10000000 unreachable\n"
                                            "10000040 reachable, held by variable 7f0000000000 "
                                            "/usr/lib/libapp.so, and dominated\n"
                                            "10000080 reachable, held by 10000040, and dominated\n"
                                            "100000c0 only leaked, held by 10000000, and dominated\n");
    }
    void onlyRootsThatHoldABlockAreRecorded() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16);
        for (const auto* name : {"app!a", "app!b", "app!c"})
            process.symbol(process.variable(kHeap), 8, name);
        process.symbol(process.variable(0), 8, "app!null").symbol(process.variable(kHeap + 16), 8, "app!d");
        const auto picture = process.picture();
        QCOMPARE(picture.roots.size(), std::size_t{2});
        QCOMPARE(picture.roots[0].address, kData);
        QCOMPARE(picture.roots[1].address, kData + 32);
        QCOMPARE(picture.names, (std::vector<std::string>{"app!a", "app!d"}));
        QCOMPARE(picture.blocks[1].holder, 3u);
        QCOMPARE(picture.blocks[1].dominator, 3u);
        QCOMPARE(picture.blocks[0].dominator, PictureBlock::kNone); // three variables refer to it
    }
    void allWordsOfARootAreOneHolder() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16).block(kHeap + 32, 16);
        for (const Address at : {16, 0, 32})
            process.variable(kHeap + at);
        auto picture = process.picture();
        QCOMPARE(picture.roots, (std::vector<PictureRoot>{{.address = kData, .kind = RootKind::Variable}}));
        for (const auto& block : picture.blocks)
            QVERIFY(block.holder == 3 && block.dominator == 3);
        process.symbol(kData + 8, 8, "libapp.so!g");
        picture = process.picture();
        QCOMPARE(picture.roots.size(), std::size_t{2});
        QCOMPARE(picture.blocks[0].dominator, 3u + 1);
        QCOMPARE(picture.blocks[1].dominator, 3u);
        QCOMPARE(picture.blocks[2].dominator, 3u); // behind the variable
    }
    /// A program can place its heap in its own data.
    void aVariableInTwoPiecesIsOneRoot() {
        FakeProcess process;
        process.symbol(kData + 0x100, 0x1000, "libapp.so!g_pool").block(kData + 0x200, 0x100).block(kHeap, 16);
        process.word(kData + 0x400, kHeap).word(kData + 0x180, kData + 0x200).word(kData + 0x200, kHeap);
        QCOMPARE(textOf(process.picture()),
                 "10000000 reachable, held by variable 7f0000000100 libapp.so!g_pool, and dominated\n"
                 "7f0000000200 reachable, held by variable 7f0000000100 libapp.so!g_pool, and dominated\n");
    }
    void theFirstPieceOfARootMayReferToNothing() {
        FakeProcess process;
        process.symbol(kData + 0x100, 0x1000, "libapp.so!g_pool").block(kData + 0x200, 0x100).block(kHeap, 16);
        process.word(kData + 0x400, kHeap);
        QCOMPARE(process.picture().roots.front().address, kData + 0x100);
    }
    void threadLocalVariablesOfSeveralThreadsAreSeveralRoots() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16).block(kHeap + 32, 16);
        for (const std::uint32_t tid : {7, 8}) {
            const auto pointer = process.thread(tid, "worker").threadPointer;
            process.symbol(pointer - 24, 8, "app!t_scratch", RootKind::ThreadLocal);
            process.word(pointer - 24, kHeap + 16 * (tid - 7)).word(pointer - 16, kHeap + 32);
        }
        QCOMPARE(textOf(process.picture()),
                 "10000000 reachable, held by thread-local 7e000000f6e8 app!t_scratch of thread 7, and dominated\n"
                 "10000010 reachable, held by thread-local 7e000002f6e8 app!t_scratch of thread 8, and dominated\n"
                 "10000020 reachable, held by thread-local 7e000000f080 worker of thread 7\n");
    }
    void manyVariablesAreFewRoots() {
        constexpr Address kTable = 0x7D00'0000'0000, kVariables = 300'000;
        FakeProcess process;
        process.block(kHeap, 16).mapping(kTable, kTable + (8 << 20), kPrivateFile, "/usr/lib/libbig.so");
        for (Address i = 0; i < kVariables; ++i)
            process.symbol(kTable + 16 * i, 8, "libbig.so!" + std::to_string(i));
        process.word(kTable + 16 * (kVariables - 1), kHeap);
        const auto picture = process.picture();
        QCOMPARE(textOf(picture),
                 "10000000 reachable, held by variable 7d0000493df0 libbig.so!299999, and dominated\n");
        QVERIFY(picture.bytes() < 1000);
    }
    void wordsInABlockReferToItAndOnePastTheEndDoesNot() {
        const auto classOf = [](Address value, ByteCount bytes) {
            FakeProcess process;
            process.block(kHeap + 0x100, bytes);
            process.variable(value);
            return reachabilitiesOf(process.picture());
        };
        QCOMPARE(classOf(kHeap + 0x100, 24), "R");
        QCOMPARE(classOf(kHeap + 0x101, 24), "P");
        QCOMPARE(classOf(kHeap + 0x117, 24), "P");
        QCOMPARE(classOf(kHeap + 0x118, 24), "U");
        QCOMPARE(classOf(kHeap + 0xFF, 24), "U");
        QCOMPARE(classOf(kHeap + 0x100, 0), "R");
        QCOMPARE(classOf(kHeap + 0x101, 0), "U");
    }
    void aPathIsCertainOnlyIfAllOfItsReferencesAre() {
        FakeProcess process;
        for (int i = 0; i < 4; ++i)
            process.block(kHeap + Address(i) * 0x20, 0x20);
        process.variable(kHeap + 8); // into the first
        process.word(kHeap, kHeap + 0x20).word(kHeap + 0x20, kHeap + 0x40);
        process.variable(kHeap + 0x60);
        QCOMPARE(reachabilitiesOf(process.picture()), "PPPR");
        process.word(kHeap + 0x60, kHeap + 0x20); // a certain path to the second
        QCOMPARE(reachabilitiesOf(process.picture()), "PRRR");
    }
    void variablesAreBetterHoldersThanThreadLocalDataStacksRegistersAndMappings() {
        FakeProcess process;
        process.block(kHeap, 16);
        const auto holder = [&] {
            const auto text = textOf(process.picture());
            return text.substr(text.find("by ") + 3);
        };
        process.mapping(0x7D00'0000'0000, 0x7D00'0001'0000, kReadWrite, "[anon:pool]").word(0x7D00'0000'0010, kHeap);
        QCOMPARE(holder(), "mapping 7d0000000000 [anon:pool], and dominated\n");
        auto& thread = process.thread(7, "worker");
        thread.registers[3] = kHeap;
        QCOMPARE(holder(), "register 0 worker of thread 7\n");
        process.word(thread.stackPointer + 8, kHeap);
        QCOMPARE(holder(), "stack 7e0000008000 worker of thread 7\n");
        process.word(thread.threadPointer - 16, kHeap);
        QCOMPARE(holder(), "thread-local 7e000000f080 worker of thread 7\n");
        process.variable(kHeap);
        QCOMPARE(holder(), "variable 7f0000000000 /usr/lib/libapp.so\n");
    }
    void theShorterPathIsTheHolderEvenFromAWorseRoot() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16);
        process.variable(kHeap);
        process.word(kHeap, kHeap + 16);
        auto& thread = process.thread(7, "worker");
        thread.registers[0] = kHeap + 16;
        QVERIFY(textOf(process.picture()).find("10000010 reachable, held by register 0") != std::string::npos);
    }
    void aCertainHolderIsPreferredToAShorterPossiblePath() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16);
        process.variable(kHeap + 16 + 8);
        process.variable(kHeap);
        process.word(kHeap, kHeap + 16);
        QVERIFY(textOf(process.picture()).find("10000010 reachable, held by 10000000") != std::string::npos);
    }
    void aLeakedCycleHasOneHeadAtItsLowestAddress() {
        FakeProcess process;
        for (int i = 0; i < 5; ++i)
            process.block(kHeap + Address(i) * 16, 16);
        // 3 -> 1 -> 2 -> 3 -> 0, 4 by itself
        process.word(kHeap + 0x30, kHeap + 0x10).word(kHeap + 0x10, kHeap + 0x20).word(kHeap + 0x20, kHeap + 0x30);
        process.word(kHeap + 0x38, kHeap);
        QCOMPARE(reachabilitiesOf(process.picture()), "LULLU");
    }
    void aLeakedCycleBelowAnotherLeakIsOnlyLeaked() {
        FakeProcess process;
        for (int i = 0; i < 3; ++i)
            process.block(kHeap + Address(i) * 16, 16);
        process.word(kHeap, kHeap + 0x10).word(kHeap + 0x10, kHeap).word(kHeap + 0x20, kHeap + 0x10); // 0 <-> 1 <- 2
        QCOMPARE(textOf(process.picture()), "10000000 only leaked, held by 10000010, and dominated\n"
                                            "10000010 only leaked, held by 10000020, and dominated\n"
                                            "10000020 unreachable\n");
    }
    void leaksDoNotHoldWhatTheProgramReaches() {
        FakeProcess process;
        process.block(kHeap, 16).block(kHeap + 16, 16).block(kHeap + 32, 16);
        process.variable(kHeap);
        process.word(kHeap, kHeap + 16).word(kHeap + 32, kHeap + 16); // the third is a leak
        QCOMPARE(textOf(process.picture()), "10000000 reachable, held by variable 7f0000000000 /usr/lib/libapp.so, "
                                            "and dominated\n"
                                            "10000010 reachable, held by 10000000, and dominated\n"
                                            "10000020 unreachable\n");
    }
    void blocksMayBeInAnyOrderAndOverlap() {
        FakeProcess process;
        process.block(kHeap + 0x40, 0x20)
            .block(kHeap, 0x20)
            .block(kHeap + 0x18, 0x10)
            .block(kHeap, 8)
            .block(kHeap + 0x10, 0);
        process.variable(kHeap + 0x20);
        QCOMPARE(textOf(process.picture()), "10000000 unreachable\n10000040 unreachable\n");
    }
    void hostileBlocksAtTheEndsOfTheAddressSpaceAreBounded() {
        constexpr auto kLast = std::numeric_limits<Address>::max();
        FakeProcess process;
        process.block(kLast, 0)
            .block(0, 4)
            .block(8, 0)
            .block(kLast, 0)
            .block(kLast - 3, 1)
            .block(kLast - 100, 50)
            .block(kLast - 40, kLast);
        process.block(0x8000'0000'0000, kLast / 2); // half of the address space
        process.variable(0);
        process.variable(kLast);
        process.variable(kLast - 1);
        process.variable(kLast - 100);
        process.variable(0x8000'0000'2000);
        const auto picture = process.picture();
        QCOMPARE(reachabilitiesOf(picture), "UUPRPR");
        QVERIFY(picture.unreadBytes > kLast / 4);
    }
    void unreadablePagesAreCountedAndTheRestIsRead() {
        FakeProcess process;
        process.block(kHeap, 0x10000).block(kHeap + 0x20000, 16).block(kHeap + 0x20010, 16);
        process.variable(kHeap);
        process.word(kHeap + 0x3000, kHeap + 0x20000).word(kHeap + 0x5000, kHeap + 0x20010);
        process.unreadable(kHeap + 0x3000).unreadable(kHeap + 0x4000).unreadable(kData + 0x8000);
        const auto picture = process.picture();
        QCOMPARE(reachabilitiesOf(picture), "RUR");
        QCOMPARE(picture.unreadBytes, 0x3000u);
        QCOMPARE(picture.rootBytes, FakeProcess::kDataBytes - 0x1000);
    }
    void mappingsMustBeInOrder() {
        auto memory = FakeProcess().memory();
        std::swap(memory.mappings.mappings[0], memory.mappings.mappings[1]);
        QCOMPARE(findReferences(std::move(memory)).error().kind, ErrorKind::Unsupported);
    }
    void aListOfAMillionBlocksIsFollowedWithoutRecursion() {
        constexpr std::uint32_t kBlocks = 1'000'000;
        const auto picture = findReferences(longList(kBlocks)).value();
        QVERIFY(isValid(picture));
        QCOMPARE(picture.blocks.size(), std::size_t{kBlocks});
        for (std::uint32_t i = 1; i < kBlocks; ++i) {
            if (picture.blocks[i].holder != i - 1 || picture.blocks[i].dominator != i - 1) QFAIL("not a list");
        }
    }
    void theSearchEndsSoonAfterItIsCancelled() {
        std::stop_source stop;
        auto memory = longList(1'000'000);
        std::atomic<int> reads = 0;
        memory.read = [&, read = memory.read](Address from, std::span<std::byte> to) {
            if (++reads == 2) stop.request_stop();
            return read(from, to);
        };
        QCOMPARE(findReferences(std::move(memory), stop.get_token()).error().kind, ErrorKind::Cancelled);
        QVERIFY(reads < 6);
    }
};

HIGHWATER_TEST(ReferencesTest);
#include "references_test.moc"
