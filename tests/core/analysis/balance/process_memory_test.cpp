#include "core/analysis/balance/process_memory.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr Address kHeapStart = 0x10000;

/// The memory of a process with a block of 1,000 bytes on the first page of its heap, and room for others.
ProcessMemory memoryWithBlock() {
    std::vector<UsedPage> pages;
    for (PageNumber page = 0x10; page < 0x20; ++page)
        pages.push_back({page, TraceTime{-1}});
    ProcessMemory memory(std::move(pages));
    memory.addBlock(kHeapStart + 16, 1000);
    return memory;
}

std::string layersAt(ProcessMemory& memory, const SampleBuilder& sample,
                     ProcessMemory::Free free = ProcessMemory::Free::Known) {
    const auto point = memory.pointAt(*sample.done(), {}, free);
    if (point.layers.sum() != point.resident) qFatal("the layers do not add up");
    return textOf(point.layers);
}

/// A heap of four resident pages.
SampleBuilder heapSample() {
    SampleBuilder sample;
    sample.map(kHeapStart, 8 * kPage, kDivided, "[heap]", {{0, 4}});
    return sample;
}

} // namespace

class ProcessMemoryTest : public QObject {
    Q_OBJECT

  private slots:
    void pagesOfAHeapAreDivided() {
        auto memory = memoryWithBlock();
        QCOMPARE(layersAt(memory, heapSample()),
                 std::string("live 1000, rounding 8, held_free 3088, returnable 12288"));
        memory.removeBlock(kHeapStart + 16, 1000);
        QCOMPARE(layersAt(memory, heapSample()), std::string("returnable 16384"));
    }
    void aBlockCountsOnlyWhereItIsResident() {
        auto memory = memoryWithBlock();
        memory.addBlock(kHeapStart + 3 * kPage + 16, 2 * kPage); // its last two pages are not resident
        QCOMPARE(layersAt(memory, heapSample()),
                 std::string("live 5080, rounding 16, held_free 3096, returnable 8192"));
        memory.addBlock(kHeapStart + kPage, std::uint64_t{1} << 63);
        QCOMPARE(layersAt(memory, heapSample()), std::string("live 13288, rounding 16, held_free 3080"));
    }
    /// The sizes are right, and the pages are a moment older.
    void surplusPagesAreTakenFromFreeMemoryFirst_data() {
        QTest::addColumn<quint64>("resident");
        QTest::addColumn<QString>("layers");
        QTest::newRow("from free pages") << quint64{3 * kPage}
                                         << "live 1000, rounding 8, held_free 3088, returnable 8192";
        QTest::newRow("from free bytes") << quint64{2000} << "live 1000, rounding 8, held_free 992";
        QTest::newRow("from live bytes") << quint64{500} << "live 492, rounding 8";
        QTest::newRow("from rounding") << quint64{3} << "rounding 3";
        QTest::newRow("from all") << quint64{0} << "";
        QTest::newRow("missing") << quint64{6 * kPage}
                                 << "live 1000, rounding 8, held_free 3088, returnable 12288, unknown 8192";
    }
    void surplusPagesAreTakenFromFreeMemoryFirst() {
        QFETCH(quint64, resident);
        QFETCH(QString, layers);
        auto memory = memoryWithBlock();
        auto sample = heapSample();
        sample.last().resident = resident;
        QCOMPARE(QString::fromStdString(layersAt(memory, sample)), layers);
    }
    void missingPagesOfAStackArePartOfIt() {
        ProcessMemory memory({});
        SampleBuilder sample;
        sample.map(0x1000, kPage, 0, "", {}).map(0x2000, 8 * kPage, kDivided, "", {{7, 1}});
        sample.last().resident = 2 * kPage;
        QCOMPARE(layersAt(memory, sample), std::string("stacks 8192"));
    }
    void heapsOfThreadsAreCounted() {
        ProcessMemory memory({{kArenaStart / kPage, TraceTime{-1}}});
        memory.addBlock(kArenaStart + 16, 1000);
        SampleBuilder sample = heapSample();
        for (const auto start : {kArenaStart, kArenaStart + kArenaBytes}) // the second one has no blocks
            sample.map(start, 8 * kPage, kDivided, "", {{0, 3}})
                .map(start + 8 * kPage, kArenaBytes - 8 * kPage, 0, "", {});
        const auto point = memory.pointAt(*sample.done(), {}, ProcessMemory::Free::Known);
        QCOMPARE(point.threadHeaps.count, std::uint64_t{2});
        QCOMPARE(point.threadHeaps.free, 3 * kPage - 1008);
        const auto unknown = memory.pointAt(*sample.done(), {}, ProcessMemory::Free::Unknown);
        QCOMPARE(unknown.threadHeaps.count, std::uint64_t{0});
    }
    void rowsOfVirtualAllocComeFirst() {
        auto memory = memoryWithBlock();
        memory.addPages({0x10, 0x12});
        QCOMPARE(layersAt(memory, heapSample()), std::string("returnable 8192, mapped 8192"));
        memory.removePages({0x10, 0x12});
        // Which part of it was released is not known. Blocks show that it was theirs.
        memory.addPartly({0x10, 0x12});
        QCOMPARE(layersAt(memory, heapSample()),
                 std::string("live 1000, rounding 8, held_free 3088, returnable 8192, mapped 4096"));
        memory.removePartly({0x10, 0x12});
        QCOMPARE(layersAt(memory, heapSample()),
                 std::string("live 1000, rounding 8, held_free 3088, returnable 12288"));
    }
    /// Heaps of Windows request their memory by VirtualAlloc. The regions of a heap are known by blocks in them.
    void aHeapOfWindowsIsNotMemoryOfTheProgram() {
        auto memory = memoryWithBlock();
        memory.addPages({0x10, 0x18});
        memory.addPages({0x40, 0x44});
        memory.addPartly({0x10, 0x18});
        SampleBuilder sample;
        sample.map(kHeapStart, 8 * kPage, kDivided, "[private]", {{0, 4}})
            .map(kHeapStart + 8 * kPage, 8 * kPage, 0, "[private]", {})
            .map(0x40000, 4 * kPage, kDivided, "[private]", {{0, 2}})
            .map(0x50000, kPage, kAnonymous, "[stack]")
            .map(0xFFFF800000000000, 3 * kPage, 0, "[rest of the working set]");
        QCOMPARE(layersAt(memory, sample), std::string("live 1000, rounding 8, held_free 3088, returnable 12288, "
                                                       "mapped 8192, stacks 4096, unknown 12288"));
    }
    void freeMemoryIsUnknownIfBlocksAreMissing() {
        auto memory = memoryWithBlock();
        QCOMPARE(layersAt(memory, heapSample(), ProcessMemory::Free::Unknown),
                 std::string("live 1000, rounding 8, unknown 15376"));
    }
    void withoutPagesAHeapIsUnknown() {
        auto memory = memoryWithBlock();
        const auto layersOf = [&](std::uint32_t flags, const SampleBuilder::Runs& runs) {
            SampleBuilder sample;
            sample.map(kHeapStart, 4 * kPage, flags, "", runs);
            return layersAt(memory, sample);
        };
        QCOMPARE(layersOf(kAnonymous, {{0, 2}}), std::string("unknown 8192"));
        QCOMPARE(layersOf(kAnonymous, {{0, 4}}), // but these are all
                 std::string("live 1000, rounding 8, held_free 3088, returnable 12288"));
        memory.addPages({0x10, 0x14});
        QCOMPARE(layersOf(kAnonymous, {{0, 2}}), std::string("mapped 8192"));
        SampleBuilder ofWindows;
        ofWindows.map(kHeapStart, 4 * kPage, kAnonymous, "[private]", {{0, 2}});
        QCOMPARE(layersAt(memory, ofWindows), std::string("unknown 8192"));
    }
    void aBlockWithItsOwnMappingMakesNoHeap() {
        ProcessMemory memory({{0x10, kNever}, {0x40, kNever}});
        SampleBuilder sample;
        sample.map(kHeapStart, 64 * kPage, kDivided, "", {{0, 64}});
        memory.addBlock(kHeapStart + 16, 200'000);
        QCOMPARE(layersAt(memory, sample), std::string("live 200000, rounding 704, unknown 61440"));
    }
    void imagesHaveTheirPagesInAMergedMapping() {
        auto memory = memoryWithBlock();
        auto sample = heapSample();
        const auto point = memory.pointAt(*sample.done(), {{{0x12, 0x13}}, {{0x13, 0x15}}}, ProcessMemory::Free::Known);
        QCOMPARE(textOf(point.layers), std::string("live 1000, rounding 8, held_free 3088, returnable 4096, "
                                                   "images 4096, highwater 4096"));
    }
    void partsAddUp() {
        auto memory = memoryWithBlock();
        auto sample = heapSample();
        auto& heap = sample.last();
        heap.proportional = 9999;
        heap.privateDirty = 12345;
        heap.swapped = 7;
        sample.map(0x90000, kPage, kFileCode, "/lib/a.so").map(0xa0000, kPage, kFileData, "/lib/a.so", {});
        std::vector<BalancePart> parts, modules;
        const auto point = memory.pointAt(*sample.done(), {}, ProcessMemory::Free::Known, {&parts, &modules});
        QCOMPARE(point.swapped, ByteCount{7});
        LayerBytes layers;
        BalancePart sum;
        std::string list;
        for (const auto& part : parts) {
            layers[part.layer] += part.resident;
            sum.proportional += part.proportional;
            sum.privateDirty += part.privateDirty;
            sum.swapped += part.swapped;
            sum.reserved += part.reserved;
            list += fmt::format("{}: {} x{}; ", layerId(part.layer), part.name, part.mappings);
        }
        QCOMPARE(textOf(layers), textOf(point.layers));
        QCOMPARE(sum.proportional, 9999 + kPage);
        QCOMPARE(sum.privateDirty, ByteCount{12345});
        QCOMPARE(sum.swapped, ByteCount{7});
        QCOMPARE(sum.reserved, 10 * kPage);
        QCOMPARE(list, std::string("returnable: [heap] x1; images: /lib/a.so x2; held_free: [heap] x1; "
                                   "live: [heap] x1; rounding: [heap] x1; "));
    }
    /// A file may claim any number of pages. Time and memory depend on the number of runs.
    void hugeMappingsAreFast() {
        constexpr PageNumber kMany = std::uint64_t{1} << 50;
        auto memory = memoryWithBlock();
        memory.addPages({0x20, 0x20 + kMany / 2});
        SampleBuilder sample;
        sample.map(0, kMany * kPage, kDivided, "", {{0, kMany}});
        QCOMPARE(layersAt(memory, sample),
                 fmt::format("live 1000, rounding 8, held_free 3088, returnable {}, mapped {}", (kMany / 2 - 1) * kPage,
                             kMany / 2 * kPage));
    }
};

HIGHWATER_TEST(ProcessMemoryTest);
#include "process_memory_test.moc"
