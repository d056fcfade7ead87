#include "core/source/systems/region_sample.h"

#include "core/event/mapping_names.h"
#include "tests/core/source/systems/made_up_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

using Kind = MemoryRegion::Kind;
namespace flag = mapping_flag;

ResidentSample sampleFrom(MadeUpMemory& memory) {
    auto sample = sampleOf(memory);
    if (!sample || !isValid(*sample)) qFatal("there is no valid sample");
    return *std::move(sample);
}

std::string namesIn(const ResidentSample& sample) {
    std::string text;
    for (const auto& mapping : sample.mappings)
        text += (text.empty() ? "" : ", ") + sample.nameOf(mapping);
    return text;
}

/// Regions of all kinds with random pages, in allocations with gaps between them.
MadeUpMemory randomMemory(std::mt19937& random) {
    const auto pick = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
    MadeUpMemory memory;
    Address begin = kStart;
    for (unsigned allocation = 0, all = 1 + pick(12); allocation < all; ++allocation) {
        const auto kind = static_cast<Kind>(pick(3));
        memory.allocate(begin);
        if (pick(2) == 0) memory.setFile("C:\\file" + std::to_string(pick(4)));
        for (unsigned i = 0, regions = 1 + pick(5); i < regions; ++i) {
            const auto pages = 1 + pick(pick(100) == 0 ? 9000 : 12);
            const auto what = pick(6);
            if (what == 0) {
                memory.addReserved(pages, kind);
            } else if (what == 1 && kind == Kind::Private) {
                memory.addGuard(1 + pick(3));
            } else {
                memory.add(kind, pages, pick(8));
                for (unsigned runs = pick(4); runs > 0; --runs) {
                    const auto first = pick(pages);
                    const bool isShared = kind != Kind::Private && pick(3) > 0;
                    memory.setResident(first, 1 + pick(pages - first),
                                       {true, isShared, static_cast<std::uint8_t>(isShared ? pick(8) : 0)});
                }
            }
        }
        begin = memory.regions().back().end + pick(3) * 16 * kPage;
    }
    memory.workingSetBytes = pick(4) == 0 ? 0 : pick(20'000) * kPage;
    return memory;
}

/// Compares each mapping with its region, page by page.
void compare(MadeUpMemory& memory, const ResidentSample& sample) {
    ByteCount all = 0;
    for (std::size_t i = 0; i < memory.regions().size(); ++i) {
        const auto& region = memory.regions()[i];
        const auto& mapping = sample.mappings.at(i);
        QCOMPARE(mapping.begin, region.begin);
        QCOMPARE(mapping.end, region.end);
        std::vector<bool> listed((region.end - region.begin) / kPage);
        mapping.pages.each([&](std::uint64_t first, std::uint64_t pages) {
            std::fill_n(listed.begin() + static_cast<std::ptrdiff_t>(first), pages, true);
        });
        const bool areListed = (mapping.flags & flag::kPages) != 0;
        QCOMPARE(areListed, region.kind == Kind::Private && region.isCommitted && !region.isGuard &&
                                (region.access & flag::kWrite) != 0);
        ByteCount resident = 0, proportional = 0, ofItsOwn = 0;
        std::vector<bool> expected(listed.size());
        for (std::size_t page = 0; page < listed.size(); ++page) {
            const auto facts = memory.pageAt(region.begin + page * kPage);
            if (!region.isCommitted || !facts.isResident) continue;
            expected[page] = areListed;
            resident += kPage;
            proportional += facts.isShared && facts.sharedBy > 1 ? kPage / facts.sharedBy : kPage;
            if (!facts.isShared) ofItsOwn += kPage;
        }
        QVERIFY(listed == expected);
        QCOMPARE(mapping.resident, resident);
        QCOMPARE(mapping.proportional, proportional);
        QCOMPARE(mapping.privateDirty, ofItsOwn);
        all += resident;
    }
    QCOMPARE(sample.resident(), std::max(all, memory.workingSetBytes));
    QCOMPARE(sample.mappings.size(), memory.regions().size() + (memory.workingSetBytes > all ? 1 : 0));
}

} // namespace

class RegionSampleTest : public QObject {
    Q_OBJECT

  private slots:
    void everyPageIsCountedOnce() {
        for (unsigned seed = 1; seed <= 3'000; ++seed) {
            std::mt19937 random(seed);
            auto memory = randomMemory(random);
            compare(memory, sampleFrom(memory));
            if (QTest::currentTestFailed()) qFatal("of seed %u", seed);
        }
    }
    void regionsHaveNames() {
        MadeUpMemory memory;
        memory.add(Kind::Private, 1, flag::kRead | flag::kWrite).addReserved(3);
        memory.allocate(0x100000).setFile("C:\\app.exe");
        memory.add(Kind::Image, 1, flag::kRead).add(Kind::Image, 1, flag::kRead | flag::kExecute);
        memory.allocate(0x200000).setFile("C:\\app.db").add(Kind::Mapped, 1, flag::kRead);
        memory.allocate(0x300000).setFile("").add(Kind::Mapped, 1, flag::kRead | flag::kWrite);
        memory.allocate(0x400000).add(Kind::Image, 1, flag::kRead);
        const auto sample = sampleFrom(memory);
        QCOMPARE(namesIn(sample), std::string("[private], [private], C:\\app.exe, C:\\app.exe, C:\\app.db, , [image]"));
        QCOMPARE(sample.names.size(), std::size_t{5});
        QCOMPARE(memory.filesAsked, std::size_t{4}); // once for each allocation, never for private memory
        std::vector<std::uint32_t> flags;
        for (const auto& mapping : sample.mappings)
            flags.push_back(mapping.flags);
        QCOMPARE(flags, (std::vector<std::uint32_t>{
                            flag::kRead | flag::kWrite | flag::kPages, 0, flag::kRead | flag::kFile,
                            flag::kRead | flag::kExecute | flag::kFile, flag::kRead | flag::kShared | flag::kFile,
                            flag::kRead | flag::kWrite | flag::kShared, flag::kRead | flag::kFile}));
    }
    /// The whole allocation is the stack. A guard elsewhere makes none.
    void aStackIsRecognisedByItsGuard() {
        MadeUpMemory memory;
        memory.addReserved(200).addGuard(3).add(Kind::Private, 50, flag::kRead | flag::kWrite);
        memory.allocate(0x400000).addGuard(1).addReserved(1).add(Kind::Private, 2, flag::kRead | flag::kWrite);
        memory.allocate(0x500000).addGuard(1).add(Kind::Private, 1, flag::kRead);
        memory.allocate(0x502000).addGuard(1);
        memory.allocate(0x503000).add(Kind::Private, 1,
                                      flag::kRead | flag::kWrite); // directly above, but another allocation
        const auto sample = sampleFrom(memory);
        QCOMPARE(namesIn(sample), std::string("[stack], [stack], [stack], [private], [private], [private], [private], "
                                              "[private], [private], [private]"));
        QCOMPARE(sample.mappings[1].flags & (flag::kRead | flag::kWrite), 0u); // the guard
    }
    void whatTheWorkingSetHasBesidesIsAMappingOfItsOwn() {
        MadeUpMemory memory;
        memory.add(Kind::Private, 8, flag::kRead | flag::kWrite).setResident(2, 3);
        memory.workingSetBytes = 10 * kPage + 5; // counted in whole pages
        const auto sample = sampleFrom(memory);
        QCOMPARE(namesIn(sample), std::string("[private], [rest of the working set]"));
        QCOMPARE(sample.resident(), 10 * kPage);
        memory.workingSetBytes = 3 * kPage;
        QCOMPARE(namesIn(sampleFrom(memory)), std::string("[private]"));
        memory.workingSetBytes = 2 * kPage; // pages came while they were read
        QCOMPARE(sampleFrom(memory).resident(), 3 * kPage);
    }
    void pagesAreReadInBatches() {
        MadeUpMemory memory;
        memory.add(Kind::Private, 10'000, flag::kRead | flag::kWrite)
            .setResident(4090, 10); // across the end of a batch
        const auto sample = sampleFrom(memory);
        QVERIFY(memory.mostAtOnce <= 4096);
        QCOMPARE(memory.pagesRead, std::uint64_t{10'000});
        ResidentRuns expected;
        expected.append(4090, 10);
        QCOMPARE(sample.mappings.front().pages.coded(), expected.coded());
    }
    void reservedMemoryCostsNothing() {
        MadeUpMemory memory;
        memory.addReserved(std::uint64_t{1} << 34);
        QCOMPARE(sampleFrom(memory).resident(), ByteCount{0});
        QCOMPARE(memory.pagesRead, std::uint64_t{0});
    }
    /// Their pages are not read, and are in the rest.
    void regionsBeyondTheMostPagesAreInTheRest() {
        MadeUpMemory memory;
        memory.add(Kind::Private, 1, flag::kRead | flag::kWrite).setResident(0, 1);
        memory.add(Kind::Private, kMostSampledPages, flag::kRead).setResident(0, 5);
        memory.add(Kind::Private, 1, flag::kRead | flag::kWrite).setResident(0, 1);
        memory.workingSetBytes = 7 * kPage;
        const auto sample = sampleFrom(memory);
        QCOMPARE(memory.pagesRead, std::uint64_t{2});
        QCOMPARE(sample.mappings.back().resident, 5 * kPage);
        QCOMPARE(sample.resident(), 7 * kPage);
    }
    void regionsWithoutEndAreBounded() {
        MadeUpMemory memory;
        memory.isEndless = true;
        QCOMPARE(sampleFrom(memory).mappings.size(), kMostSampledRegions);
    }
    void thereIsNoSampleIfTheSystemRefuses() {
        MadeUpMemory memory;
        memory.add(Kind::Private, 1, flag::kRead | flag::kWrite);
        memory.isRefused = true;
        QVERIFY(!sampleOf(memory));
    }
    void anEndedProcessHasNoRegions() {
        MadeUpMemory memory;
        memory.workingSetBytes = kPage;
        QVERIFY(sampleFrom(memory).mappings.empty());
    }
};

HIGHWATER_TEST(RegionSampleTest);
#include "region_sample_test.moc"
