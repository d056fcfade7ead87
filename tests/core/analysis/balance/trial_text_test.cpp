#include "core/analysis/balance/trial_text.h"

#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

#include <utility>

using namespace highwater;
using namespace highwater::analysis;

namespace {

using Numbers = std::vector<std::pair<AllocatorNumber, ByteCount>>;

AllocatorTrial allocatorTrial(OtherAllocator allocator, const Numbers& megabytes,
                              std::optional<ByteCount> triedMegabytes) {
    AllocatorTrial trial;
    trial.allocator = allocator;
    for (const auto& [number, amount] : megabytes)
        trial.numbers[static_cast<std::size_t>(number)] = amount << 20;
    if (triedMegabytes) trial.tried = *triedMegabytes << 20;
    return trial;
}

/// Of a process with 1,000 MB.
std::string lineOf(const AllocatorTrial& allocator) {
    TrimTrial trial{"server (7)", ByteCount{1000} << 20, 0};
    trial.allocators.push_back(allocator);
    return meaningOf(trial).at(1);
}

AllocatorTrial jemalloc(AllocatorTrial::End end = AllocatorTrial::End::Answered) {
    auto trial = allocatorTrial(OtherAllocator::Jemalloc,
                                {{AllocatorNumber::Allocated, 12},
                                 {AllocatorNumber::Active, 20},
                                 {AllocatorNumber::Metadata, 5},
                                 {AllocatorNumber::Resident, 380},
                                 {AllocatorNumber::Mapped, 390},
                                 {AllocatorNumber::Retained, 100},
                                 {AllocatorNumber::Arenas, 0}},
                                300);
    trial.end = end;
    if (end != AllocatorTrial::End::Answered) trial.tried.reset();
    return trial;
}

constexpr std::string_view kReportOfJemalloc =
    "jemalloc reports 12.0 MB allocated, 20.0 MB of pages with allocated blocks, at most 380.0 MB resident and 100.0 "
    "MB of address space without memory.";

/// The line of an allocator with these numbers.
std::string afterReport(std::string_view more) { return fmt::format("{} {}", kReportOfJemalloc, more); }

} // namespace

/// Sentences about trials.
class TrialTextTest : public QObject {
    Q_OBJECT

  private slots:
    void triedBytesHaveASentence() {
        const auto lines = meaningOf(TrimTrial{"server (7)", ByteCount{1144} << 20, ByteCount{197} << 20});
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines.front(), std::string("malloc_trim() would return 197.0 MB of 1.1 GB Rss to the system (tried in "
                                            "a forked copy; the process itself is unchanged)."));
    }
    void anotherAllocatorHasItsNumbersAndItsSettings() {
        QCOMPARE(lineOf(jemalloc()),
                 afterReport("mallctl(\"arena.4096.purge\") would return 300.0 MB (tried in the same copy). With "
                             "MALLOC_CONF=dirty_decay_ms:0, it returns free pages at once; with "
                             "MALLOC_CONF=dirty_decay_ms:1000,background_thread:true, after a second."));
        QCOMPARE(lineOf(allocatorTrial(OtherAllocator::Tcmalloc,
                                       {{AllocatorNumber::Allocated, 5},
                                        {AllocatorNumber::Mapped, 230},
                                        {AllocatorNumber::Caches, 38},
                                        {AllocatorNumber::FreePages, 189},
                                        {AllocatorNumber::Retained, 0}},
                                       188)),
                 std::string("tcmalloc reports 5.0 MB allocated, 38.0 MB of freed blocks in its caches, 189.0 MB of "
                             "free pages and 0 B of address space without memory. MallocExtension_ReleaseFreeMemory() "
                             "would return 188.0 MB (tried in the same copy). With TCMALLOC_AGGRESSIVE_DECOMMIT=1, it "
                             "returns free pages at once; with TCMALLOC_RELEASE_RATE=10, sooner."));
        QCOMPARE(
            lineOf(allocatorTrial(OtherAllocator::Mimalloc, {{AllocatorNumber::Committed, 250}}, 190)),
            std::string("mimalloc reports 250.0 MB committed. mi_collect(true) would return 190.0 MB (tried in the "
                        "same copy). With MIMALLOC_PURGE_DELAY=0 (mimalloc 2.0: MIMALLOC_DECOMMIT_DELAY=0), it "
                        "returns free pages at once."));
    }
    void aPrefixIsPartOfTheNames() {
        auto trial = jemalloc();
        trial.allocator = OtherAllocator::JemallocRjem;
        const auto line = lineOf(trial);
        QVERIFY(line.find(" _rjem_mallctl(\"arena.4096.purge\") would") != std::string::npos);
        QVERIFY(line.find("With _RJEM_MALLOC_CONF=dirty") != std::string::npos);
        QVERIFY(line.find(" MALLOC_CONF") == std::string::npos);
        trial.allocator = OtherAllocator::JemallocJe;
        QVERIFY(lineOf(trial).find("with JE_MALLOC_CONF=dirty") != std::string::npos);
    }
    void settingsAreNamedOnlyWhereTheyWouldHelp() {
        auto trial = jemalloc();
        trial.tried = ByteCount{49} << 20;
        QVERIFY(lineOf(trial).ends_with("would return 49.0 MB (tried in the same copy)."));
        trial.tried = ByteCount{50} << 20;
        QVERIFY(lineOf(trial).ends_with("after a second."));
        trial.tried.reset(); // it offers no such call
        QCOMPARE(lineOf(trial), std::string(kReportOfJemalloc));
    }
    void anAllocatorMayHaveNoNumbers() {
        QCOMPARE(lineOf(allocatorTrial(OtherAllocator::JemallocJe, {}, 0)),
                 std::string("jemalloc reports no numbers. je_mallctl(\"arena.4096.purge\") would return 0 B (tried in "
                             "the same copy)."));
    }
    void anAllocatorThatDoesNotReturnIsNamed() {
        using End = AllocatorTrial::End;
        QCOMPARE(lineOf(jemalloc(End::TooLate)),
                 afterReport("mallctl(\"arena.4096.purge\") of jemalloc did not return within the copy's limit of 2 "
                             "seconds. Try again when the machine is less busy."));
        auto uncounted = allocatorTrial(OtherAllocator::Tcmalloc, {}, {});
        uncounted.end = End::Failed;
        QCOMPARE(lineOf(uncounted),
                 std::string("MallocExtension_GetNumericProperty of tcmalloc failed in all copies, perhaps because "
                             "threads were in the middle of allocations. Try again when the process is less busy."));
    }
    void eachAllocatorHasANameAndAFunction() {
        for (std::size_t i = 0; i < kOtherAllocators; ++i) {
            const auto allocator = static_cast<OtherAllocator>(i);
            QVERIFY(!allocatorName(allocator).empty() && !allocatorFunction(allocator).empty());
        }
    }
};
HIGHWATER_TEST(TrialTextTest);

#include "trial_text_test.moc"
