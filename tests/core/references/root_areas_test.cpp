#include "core/references/root_areas.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr Address kBase = 0x7F00'0000'0000;

references::RootAreas foundIn(const FakeProcess& process) {
    const auto memory = process.memory();
    std::vector<PictureBlock> blocks;
    for (const auto& [address, bytes] : memory.blocks)
        blocks.push_back({.address = address, .bytes = bytes});
    return references::findRootAreas(
        memory.mappings, memory.threads, blocks,
        {.threadLocals = memory.threadLocals, .endedStacks = memory.endedStacks, .modules = memory.modules});
}

/// "1000-2000 variable libfoo.so", by address, without registers; addresses relative to kBase.
std::string areasOf(const FakeProcess& process) {
    const auto memory = process.memory();
    auto found = foundIn(process);
    std::ranges::stable_sort(found.areas, {}, &references::RootArea::begin);
    constexpr std::array<const char*, kRootKinds> kTexts{"variable", "thread-local", "stack", "register", "mapping"};
    std::string text;
    for (const auto& area : found.areas) {
        if (area.kind == RootKind::Register) continue;
        text += fmt::format("{:x}-{:x} {} {}", area.begin - kBase, area.end - kBase,
                            kTexts[static_cast<std::size_t>(area.kind)], found.names[area.name]);
        if (area.thread != references::RootArea::kNoThread) text += fmt::format(" {}", memory.threads[area.thread].tid);
        text += "; ";
    }
    return text;
}

FakeProcess processWith(ByteCount bytes, std::uint32_t flags, const char* name) {
    auto process = FakeProcess::withoutMappings();
    process.mapping(kBase, kBase + bytes, flags, name);
    return process;
}

CopiedThread& addThread(FakeProcess& process, std::uint32_t tid, Address stackPointer, Address threadPointer) {
    auto& thread = process.threads().emplace_back();
    thread.tid = tid, thread.name = "worker";
    thread.stackPointer = kBase + stackPointer;
    thread.threadPointer = threadPointer == 0 ? 0 : kBase + threadPointer;
    return thread;
}

} // namespace

class RootAreasTest : public QObject {
    Q_OBJECT

  private slots:
    void memoryThatTheProgramCannotWriteHasNoRoots() {
        QCOMPARE(areasOf(processWith(0x1000, kReadOnly, "")), "");
        QCOMPARE(areasOf(processWith(0x1000, mapping_flag::kWrite, "")), ""); // nor read
        QCOMPARE(areasOf(processWith(0x1000, kReadWrite, "")), "0-1000 mapping ; ");
    }
    void sharedMemoryIsSearchedButFilesAreNot() {
        constexpr auto kShared = kReadWrite | mapping_flag::kShared;
        QCOMPARE(areasOf(processWith(0x1000, kShared | mapping_flag::kFile, "/data/table.db")), "");
        QCOMPARE(areasOf(processWith(0x1000, kShared | mapping_flag::kFile, "/dev/dri/card0")), "");
        QCOMPARE(areasOf(processWith(0x1000, kShared | mapping_flag::kFile, "/memfd:pool (deleted)")),
                 "0-1000 mapping /memfd:pool (deleted); ");
        QCOMPARE(areasOf(processWith(0x1000, kShared | mapping_flag::kFile, "/dev/zero (deleted)")),
                 "0-1000 mapping /dev/zero (deleted); ");
    }
    void dataOfModulesIsVariablesWithTheMemoryBehindIt() {
        auto process = processWith(0x1000, kReadExecute | mapping_flag::kFile, "/lib/libfoo.so");
        process.mapping(kBase + 0x1000, kBase + 0x2000, kPrivateFile, "/lib/libfoo.so");
        process.mapping(kBase + 0x2000, kBase + 0x4000, kReadWrite, "");
        process.mapping(kBase + 0x5000, kBase + 0x6000, kReadWrite, ""); // not adjacent
        QCOMPARE(areasOf(process), "1000-2000 variable /lib/libfoo.so; 2000-4000 variable /lib/libfoo.so; "
                                   "5000-6000 mapping ; ");
    }
    void dataOfAModuleEndsWithItsSegment() { // the system merges memory without a file with the mapping above
        auto process = processWith(0x1000, kReadExecute | mapping_flag::kFile, "/lib/libfoo.so");
        process.mapping(kBase + 0x1000, kBase + 0x2000, kPrivateFile, "/lib/libfoo.so");
        process.mapping(kBase + 0x2000, kBase + 0x4000, kReadWrite, "");
        process.mapping(kBase + 0x4000, kBase + 0x5000, kReadWrite, "[anon:pool]");
        process.module(kBase, kBase + 0x3000);
        QCOMPARE(areasOf(process), "1000-2000 variable /lib/libfoo.so; 2000-3000 variable /lib/libfoo.so; "
                                   "3000-4000 mapping ; 4000-5000 mapping [anon:pool]; ");
        process.block(kBase + 0x3500, 0x10); // of an allocator
        QCOMPARE(areasOf(process), "1000-2000 variable /lib/libfoo.so; 2000-3000 variable /lib/libfoo.so; "
                                   "4000-5000 mapping [anon:pool]; ");
    }
    void aFileThatIsNoModuleHasNoDataBehindIt() {
        auto process = processWith(0x1000, kPrivateFile, "/data/table.db");
        process.mapping(kBase + 0x1000, kBase + 0x2000, kReadWrite, "");
        process.module(kBase, kBase);
        QCOMPARE(areasOf(process), "0-1000 variable /data/table.db; 1000-2000 mapping ; ");
    }
    void memoryAboveTheDataOfTheAgentIsSearched() {
        auto process = processWith(0x1000, kPrivateFile, "/opt/highwater/libhighwater-agent.so");
        process.mapping(kBase + 0x1000, kBase + 0x4000, kReadWrite, "");
        process.module(kBase, kBase + 0x3000);
        QCOMPARE(areasOf(process), "3000-4000 mapping ; ");
    }
    void memoryBehindAFileThatIsOnlyReadBelongsToItOnlyIfItIsAModule() {
        const auto behind = [](std::uint32_t flags) {
            auto process = processWith(0x1000, flags | mapping_flag::kFile, "/lib/libfoo.so");
            process.mapping(kBase + 0x1000, kBase + 0x2000, kReadOnly | mapping_flag::kFile, "/lib/libfoo.so");
            process.mapping(kBase + 0x2000, kBase + 0x3000, kReadWrite, "");
            return areasOf(process);
        };
        QCOMPARE(behind(kReadExecute), "2000-3000 variable /lib/libfoo.so; "); // all data is read-only after relocation
        QCOMPARE(behind(kReadOnly), "2000-3000 mapping ; ");
    }
    void theAgentIsNotSearched() {
        auto process = processWith(0x1000, kPrivateFile, "/opt/highwater/libhighwater-agent.so");
        process.mapping(kBase + 0x1000, kBase + 0x2000, kReadWrite, "");
        process.mapping(kBase + 0x3000, kBase + 0x4000, kReadWrite | mapping_flag::kShared | mapping_flag::kFile,
                        "/memfd:highwater-agent (deleted)");
        process.mapping(kBase + 0x4000, kBase + 0x5000, kReadWrite, "[anon:highwater-agent]");
        process.mapping(kBase + 0x6000, kBase + 0x7000, kReadWrite, "");
        QCOMPARE(areasOf(process), "6000-7000 mapping ; ");
    }
    void memoryOfTheProgramThatIsMergedWithThatOfTheAgentIsSearched() {
        auto process = processWith(0x1000, kPrivateFile, "/opt/highwater/libhighwater-agent.so");
        process.mapping(kBase + 0x1000, kBase + 0x201000, kReadWrite, "");
        QCOMPARE(areasOf(process), "1000-201000 mapping ; ");
    }
    void librariesThatReplaceMallocAreNotSearched() {
        QCOMPARE(areasOf(processWith(0x1000, kPrivateFile, "/usr/lib/libjemalloc.so.2")), "");
    }
    void blocksInDataAreNoRoots() {
        auto process = processWith(0x1000, kPrivateFile, "/lib/libfoo.so");
        process.block(kBase + 0x100, 0x10).block(kBase + 0x113, 4).block(kBase + 0xFF0, 0x10);
        QCOMPARE(areasOf(process), "0-100 variable /lib/libfoo.so; 118-ff0 variable /lib/libfoo.so; ");
    }
    void memoryBetweenTheBlocksOfAnAllocatorIsStale() {
        auto process = processWith(0x10000, kReadWrite, "");
        process.block(kBase + 0x100, 0x10);
        QCOMPARE(areasOf(process), "");
        QCOMPARE(areasOf(processWith(0x10000, kReadWrite, "[heap]")), "");
    }
    void arenasOfGlibcAreStaleWithoutBlocksToo() {
        constexpr Address kArena = 64 << 20;
        auto process = processWith(0x21000, kReadWrite, ""); // kBase is a multiple of 64 MB
        process.mapping(kBase + 0x21000, kBase + kArena, kInaccessible, "");
        QCOMPARE(areasOf(process), "");
        auto merged = FakeProcess::withoutMappings(); // the system has joined an arena with the memory below
        merged.mapping(kBase - 0x2000, kBase + 0x21000, kReadWrite, "");
        merged.mapping(kBase + 0x21000, kBase + kArena, kInaccessible, "");
        QCOMPARE(areasOf(merged), fmt::format("{:x}-0 mapping ; ", ~Address{0} - 0x1FFF));
        QCOMPARE(areasOf(processWith(0x21000, kReadWrite, "")), "0-21000 mapping ; "); // nothing is reserved behind it
        auto middle = FakeProcess::withoutMappings();                                  // begins in the middle of 64 MB
        middle.mapping(kBase + 0x1000, kBase + 0x21000, kReadWrite, "");
        middle.mapping(kBase + 0x21000, kBase + kArena, kInaccessible, "");
        QCOMPARE(areasOf(middle), "1000-21000 mapping ; ");
    }
    void stacksAreSearchedFromTheStackPointerUp() {
        auto process = processWith(0x10000, kReadWrite, "");
        addThread(process, 7, 0x8010, 0);
        QCOMPARE(areasOf(process), "8010-10000 stack worker 7; ");
        process.threads()[0].threadPointer = kBase + 0xF700;
        QCOMPARE(areasOf(process), "8010-f080 stack worker 7; f080-10000 thread-local worker 7; ");
        process.threads()[0].stackPointer = kBase + 0xF600; // little on the stack: thread-local data is above it
        QCOMPARE(areasOf(process), "f600-10000 thread-local worker 7; ");
    }
    void theStackOfTheMainThreadHasNoControlBlock() {
        auto process = processWith(0x10000, kReadWrite, "[stack]");
        process.mapping(kBase + 0x20000, kBase + 0x24000, kReadWrite, "");
        addThread(process, 7, 0x8000, 0x21000);
        QCOMPARE(areasOf(process),
                 "8000-10000 stack worker 7; 20000-20980 mapping ; 20980-22000 thread-local worker 7; "
                 "22000-24000 mapping ; ");
    }
    /// The system merges the mapping of a large block with other memory of the program.
    void memoryBesideABlockWithItsOwnMappingIsSearched() {
        auto process = processWith(0x300000, kReadWrite, "");
        process.block(kBase + 0x100010, 0x100000);
        QCOMPARE(areasOf(process), "0-100010 mapping ; 200010-300000 mapping ; ");
        process.block(kBase + 0x2000, 0x40); // a heap after all
        QCOMPARE(areasOf(process), "");
    }
    void memoryBesideAnAlignedBlockWithItsOwnMappingIsSearched() {
        auto process = processWith(0x300000, kReadWrite, "");
        process.block(kBase + 0x101000, 0x20000); // aligned_alloc(4096)
        process.block(kBase + 0x180040, 0x80000); // aligned_alloc(64)
        QCOMPARE(areasOf(process), "0-101000 mapping ; 121000-180040 mapping ; 200040-300000 mapping ; ");
        process.block(kBase + 0x220000, 0x1000); // too small: a heap after all
        QCOMPARE(areasOf(process), "");
    }
    void memoryOfAllocatorsIsSearchedIfItMayHaveUnknownBlocks() {
        auto process = processWith(0x3000, kReadWrite, "[heap]");
        process.block(kBase + 0x1000, 0x1000);
        const auto memory = process.memory();
        const std::vector<PictureBlock> blocks{{.address = kBase + 0x1000, .bytes = 0x1000}};
        QVERIFY(references::findRootAreas(memory.mappings, {}, blocks).areas.empty());
        const auto found = references::findRootAreas(memory.mappings, {}, blocks, {.hasUnknownBlocks = true});
        QCOMPARE(found.areas.size(), std::size_t{2});
        QVERIFY(found.areas[0].kind == RootKind::Mapping);
    }
    void threadLocalDataIsSearchedInAHeap() { // of a statically linked program
        auto process = processWith(0x10000, kReadWrite, "[heap]");
        process.block(kBase + 0x4000, 0x100);
        addThread(process, 7, 0x100000, 0x3800);
        QCOMPARE(areasOf(process), "3180-4000 thread-local worker 7; 4100-4800 thread-local worker 7; ");
    }
    void knownThreadLocalDataBelongsToItsModules() {
        auto process = processWith(0x10000, kReadWrite, "");
        process.mapping(kBase + 0x20000, kBase + 0x21000, kPrivateFile, "/lib/libfoo.so");
        process.mapping(kBase + 0x30000, kBase + 0x31000, kPrivateFile, "/lib/libbar.so");
        addThread(process, 7, 0x8000, 0xF700);
        process.threadLocals(kBase + 0xF680, kBase + 0xF700, 0, kBase + 0x20000);
        process.threadLocals(kBase + 0xF600, kBase + 0xF670, 0, kBase + 0x30000);
        QCOMPARE(areasOf(process),
                 "8000-f600 stack worker 7; f600-f670 thread-local /lib/libbar.so 7; f670-f680 stack worker 7; "
                 "f680-f700 thread-local /lib/libfoo.so 7; f700-10000 thread-local worker 7; "
                 "20000-21000 variable /lib/libfoo.so; 30000-31000 variable /lib/libbar.so; ");
        addThread(process, 8, 0x100000, 0x100); // nothing is known about this one
        QVERIFY(areasOf(process).starts_with("0-1100 thread-local worker 8; "));
    }
    void threadLocalDataInABlockIsNotScannedAsOne() { // of a library that was loaded later
        auto process = processWith(0x10000, kReadWrite, "[heap]");
        process.mapping(kBase + 0x20000, kBase + 0x21000, kPrivateFile, "/lib/libfoo.so");
        process.block(kBase + 0x1000, 0x40).block(kBase + 0x2000, 0x100);
        addThread(process, 7, 0x100000, 0x200000);
        process.threadLocals(kBase + 0x2010, kBase + 0x2210, 0, kBase + 0x20000);
        QCOMPARE(areasOf(process), "2010-2100 thread-local /lib/libfoo.so 7; 20000-21000 variable /lib/libfoo.so; ");
        QCOMPARE(foundIn(process).unscanned, std::vector<std::uint32_t>{1});
    }
    void theAgentAndLibrariesThatReplaceMallocHaveNoThreadLocalRoots() {
        for (const auto* file : {"/opt/highwater/libhighwater-agent.so", "/usr/lib/libjemalloc.so.2"}) {
            auto process = processWith(0x10000, kReadWrite, "");
            process.mapping(kBase + 0x20000, kBase + 0x21000, kPrivateFile, file);
            addThread(process, 7, 0x100000, 0x8000);
            process.threadLocals(kBase + 0x7FE0, kBase + 0x8000, 0, kBase + 0x20000);
            QCOMPARE(areasOf(process), "0-7fe0 mapping ; 8000-9000 thread-local worker 7; 9000-10000 mapping ; ");
        }
    }
    void stacksOfEndedThreadsAreNotSearched() {
        auto process = processWith(0x20000, kReadWrite, "");
        process.block(kBase + 0x100010, 0x40).block(kBase + 0x100110, 0x40);
        process.endedStack({{kBase + 0x4000, kBase + 0x10000}, kBase + 0xF708, {kBase + 0x100120, kBase + 0x500000}});
        QCOMPARE(areasOf(process), "0-4000 mapping ; f708-f710 mapping ; 10000-20000 mapping ; ");
        QCOMPARE(foundIn(process).unscanned, std::vector<std::uint32_t>{1}); // its thread-local data
        auto guarded = processWith(0x1000, kInaccessible, "");
        guarded.mapping(kBase + 0x1000, kBase + 0x20000, kReadWrite, "");
        guarded.endedStack({{kBase, kBase + 0x10000}, kBase + 0xF708, {}});
        QCOMPARE(areasOf(guarded), "f708-f710 mapping ; 10000-20000 mapping ; ");
    }
    void adjacentStacksEndWithTheirControlBlocks() {
        auto process = processWith(0x20000, kReadWrite, "");
        addThread(process, 8, 0x18000, 0x1F700);
        addThread(process, 7, 0x8000, 0xF000);
        QCOMPARE(areasOf(process), "8000-e980 stack worker 7; e980-10000 thread-local worker 7; "
                                   "18000-1f080 stack worker 8; 1f080-20000 thread-local worker 8; ");
    }
    void adjacentStacksWithoutControlBlocksEndAtTheNextStackPointer() {
        auto process = processWith(0x20000, kReadWrite, "");
        addThread(process, 7, 0x8000, 0);
        addThread(process, 8, 0x18000, 0);
        QCOMPARE(areasOf(process), "8000-18000 stack worker 7; 18000-20000 stack worker 8; ");
    }
    void memoryBelowAStackOfTheProgramIsSearched() { // other coroutines may have their stacks there
        auto process = processWith(0x20000, kReadWrite, "");
        addThread(process, 7, 0x8000, 0x100000);
        QCOMPARE(areasOf(process), "0-8000 mapping ; 8000-20000 stack worker 7; ");
    }
    void aStackInABlockIsSearchedToTheEndOfTheBlock() {
        auto process = processWith(0x20000, kReadWrite, "[heap]");
        process.block(kBase + 0x1000, 0x4000);
        addThread(process, 7, 0x3000, 0x100000);
        QCOMPARE(areasOf(process), "3000-5000 stack worker 7; ");
    }
    void hugeReservationsAreLeftOut() {
        constexpr ByteCount kShadow = ByteCount{16} << 40; // of the address sanitizer
        const auto memory = processWith(kShadow, kReadWrite, "").memory();
        const auto found = references::findRootAreas(memory.mappings, {}, {});
        QVERIFY(found.areas.empty());
        QCOMPARE(found.leftOut, kShadow);
    }
    void aReservationOfWhichLittleIsUsedIsSearched() {
        constexpr ByteCount kBytes = ByteCount{16} << 40;
        auto process = processWith(kBytes, kReadWrite, "[anon:pool]");
        process.touched(kBase, {kBase + 0x3000, kBase + kBytes - 0x1000});
        QCOMPARE(areasOf(process), fmt::format("0-{:x} mapping [anon:pool]; ", kBytes));
        auto memory = process.memory();
        constexpr std::uint64_t kPages = (ByteCount{9} << 30) / kResidentPageBytes;
        memory.mappings.mappings[0].pages = {};
        memory.mappings.mappings[0].pages.append(1, kPages);
        const auto found = references::findRootAreas(memory.mappings, {}, {});
        QVERIFY(found.areas.empty());
        QCOMPARE(found.leftOut, kPages * kResidentPageBytes);
    }
    void areasAreInTheOrderOfTheirPreference() {
        FakeProcess process;
        process.thread(7, "worker");
        process.mapping(kBase - 0x10000, kBase - 0x8000, kReadWrite, "");
        const auto memory = process.memory();
        const auto found = references::findRootAreas(memory.mappings, memory.threads, {});
        std::vector<RootKind> kinds;
        for (const auto& area : found.areas)
            kinds.push_back(area.kind);
        QVERIFY((kinds == std::vector{RootKind::Variable, RootKind::ThreadLocal, RootKind::Stack, RootKind::Register,
                                      RootKind::Mapping}));
    }
    void hostileThreadsAreBounded() {
        auto process = processWith(0x10000, kReadWrite, "");
        process.mapping(kBase + 0x20000, kBase + 0x30000, kReadWrite, "[stack]");
        for (const auto address : {Address{0}, ~Address{0}, kBase, kBase + 0xFFFF, kBase + 0x20001, kBase + 0x20001}) {
            for (const auto pointer : {Address{0}, ~Address{0}, kBase + 1, kBase + 0x2FFFF})
                addThread(process, 1, address - kBase, pointer - kBase);
        }
        const auto memory = process.memory();
        const auto found = references::findRootAreas(memory.mappings, memory.threads, {});
        Address reached = 0;
        auto areas = found.areas;
        std::erase_if(areas, [](const references::RootArea& area) { return area.kind == RootKind::Register; });
        std::ranges::sort(areas, {}, &references::RootArea::begin);
        for (const auto& area : areas) {
            QVERIFY(area.begin >= reached && area.end > area.begin && area.end <= kBase + 0x30000);
            reached = area.end;
        }
    }
};

HIGHWATER_TEST(RootAreasTest);
#include "root_areas_test.moc"
