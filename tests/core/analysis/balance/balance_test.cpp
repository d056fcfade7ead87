#include "core/analysis/balance/balance.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// A process with one mapping of each kind, with two pages each unless stated otherwise.
class EachKind {
  public:
    EachKind() {
        script.process(Occasion::Start, "app");
        script.alloc(0x10010, 1000).alloc(kArenaStart + 0x1010, 4096).free(kArenaStart + 0x1010);
        script.alloc(kArenaStart + 0x1010, 5000);
        script.reserveAndCommit(0x60000, 2 * kPage);
        SampleBuilder sample(++script.now);
        sample.map(0x1000, 2 * kPage, kFileCode, "/usr/bin/app")
            .map(0x3000, 2 * kPage, kAnonymous) // .bss
            .map(0x10000, 2 * kPage, kDivided, "[heap]")
            .map(0x40000, 2 * kPage, kFileData, "/var/app.db")
            .map(0x50000, 2 * kPage, kAnonymous | mapping_flag::kExecute)
            .map(0x60000, 2 * kPage, kDivided)
            .map(0x70000, 2 * kPage, kSharedData | mapping_flag::kFile, "/dev/shm/app")
            .map(0x80000, 2 * kPage, kFileCode, "/opt/libhighwater-agent.so")
            .map(0x90000, 2 * kPage, kDivided)
            .map(kArenaStart, 4 * kPage, kDivided)
            .map(kArenaStart + 4 * kPage, 0x4000000 - 4 * kPage, 0, "", {})
            .map(0x7fff00000000, 2 * kPage, kAnonymous, "[stack]");
        sample.last().swapped = 3 * kPage;
        script.store.onResidentSample(sample.done());
        trace = script.publish();
    }

    EventScript script;
    std::shared_ptr<const store::PublishedTrace> trace;
};

Balance onlyBalance(const store::PublishedTrace& trace, const BalanceQuery& query) {
    auto balances = balanceAt(trace, query);
    if (!balances.hasValue()) qFatal("%s", balances.error().message.c_str());
    if (balances.value().size() != 1) qFatal("there are %zu balances", balances.value().size());
    return std::move(balances).value().front();
}

} // namespace

class BalanceTest : public QObject {
    Q_OBJECT

  private slots:
    void everyKindOfMemoryHasItsLayer() {
        const EachKind kinds;
        const auto balance = onlyBalance(*kinds.trace, {kinds.trace->wholeRange()});
        QCOMPARE(balance.name, std::string("app (100)"));
        QCOMPARE(balance.point.resident, ByteCount{24 * kPage});
        QCOMPARE(balance.point.swapped, ByteCount{3 * kPage});
        QCOMPARE(textOf(balance.point.layers),
                 std::string("live 6000, rounding 16, held_free 6272, returnable 12288, mapped 8192, stacks 8192, "
                             "code 8192, images 16384, files 8192, shared 8192, highwater 8192, unknown 8192"));
    }
    void theNewestSampleAnswers() {
        EventScript script;
        script.process(Occasion::Start, "app");
        for (int i = 1; i <= 3; ++i) {
            script.alloc(0x10000u + 64u * static_cast<unsigned>(i), 24); // 2, 4, 6
            script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, kPage, kDivided, "[heap]").done());
        }
        const auto trace = script.publish();
        const auto liveIn = [&](TimeRange interval) {
            const auto balance = onlyBalance(*trace, {interval});
            return fmt::format("{} at {}", balance.point.layers[MemoryLayer::Live], balance.point.time.ns);
        };
        QCOMPARE(liveIn(trace->wholeRange()), std::string("72 at 7"));
        QCOMPARE(liveIn(upTo(TraceTime{7})), std::string("72 at 7"));
        QCOMPARE(liveIn(upTo(TraceTime{6})), std::string("48 at 5"));
        QCOMPARE(liveIn({TraceTime{0}, TraceTime{5}}), std::string("24 at 3"));
        QVERIFY(balanceAt(*trace, {{TraceTime{0}, TraceTime{3}}}).value().empty());
        const auto sampled = sampledProcesses(*trace, trace->wholeRange());
        QCOMPARE(sampled.size(), std::size_t{1});
        QCOMPARE(sampled.front().samples, std::size_t{3});
        QCOMPARE(sampled.front().peakTime.ns, std::int64_t{3});
        QVERIFY(balanceAt(*trace, {trace->wholeRange(), std::vector<ProcessIndex>{}}).value().empty());
        QCOMPARE(balanceAt(*trace, {trace->wholeRange(), std::vector{sampled.front().process}}).value().size(),
                 std::size_t{1});
    }
    void oneSweepGivesTheBalanceAndTheCourses() {
        EventScript script;
        script.process(Occasion::Start, "app");
        for (int i = 1; i <= 4; ++i) {
            script.alloc(0x10000u + 64u * static_cast<unsigned>(i), 24); // 2, 4, 6, 8
            script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, kPage, kDivided, "[heap]").done());
        }
        const auto trace = script.publish();
        const TimeRange courses{TraceTime{4}, TraceTime{8}}; // the samples at 5 and 7
        for (const std::int64_t at : {3, 4, 5, 6, 7, 9}) {
            const auto both = balanceWithCourses(*trace, {upTo(TraceTime{at})}, courses).value();
            const auto balance = onlyBalance(*trace, {upTo(TraceTime{at})});
            QVERIFY(both.balances.at(0).point == balance.point);
            QCOMPARE(both.balances[0].parts.size(), balance.parts.size());
            QVERIFY(both.courses.at(0).points == balanceCourses(*trace, {courses}).value().front().points);
            QCOMPARE(both.courses[0].points.size(), std::size_t{2});
        }
        const auto early = balanceWithCourses(*trace, {upTo(TraceTime{2})}, courses).value(); // before the first sample
        QVERIFY(early.balances.empty());
        QCOMPARE(early.courses.size(), std::size_t{1});
        const auto late = balanceWithCourses(*trace, {trace->wholeRange()}, {TraceTime{0}, TraceTime{2}}).value();
        QCOMPARE(late.balances.size(), std::size_t{1});
        QVERIFY(late.courses.empty());
    }
    void thePeakIsTheHighestSample() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x90010, 8);
        for (const ByteCount pages : {1, 3, 2})
            script.store.onResidentSample(
                SampleBuilder(++script.now).map(0x10000, pages * kPage, kDivided, "[heap]").done());
        const auto trace = script.publish();
        const auto balances = balanceAtPeak(*trace, {trace->wholeRange()});
        QCOMPARE(balances.value().front().point.time.ns, std::int64_t{4});
        QCOMPARE(explainedShare(balances.value().front().point), 1.0);
        QCOMPARE(sampledProcesses(*trace, trace->wholeRange()).front().peak, 3 * kPage);
    }
    void eachRowHasItsOwnPeak() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x10010, 1000);
        const auto sampleOf = [&](ByteCount heapPages, ByteCount filePages) {
            SampleBuilder sample(++script.now);
            sample.map(0x10000, heapPages * kPage, kDivided, "[heap]");
            sample.map(0x80000, kPage, kFileCode, "/lib/a.so").map(0x81000, filePages * kPage, kAnonymous);
            script.store.onResidentSample(sample.done());
        };
        sampleOf(9, 1);
        sampleOf(3, 5);
        sampleOf(2, 2);
        const auto trace = script.publish();
        const auto found = balanceWithCourses(*trace, {trace->wholeRange()}, trace->wholeRange()).value();
        const auto& peaks = *found.balances.at(0).peaks;
        QCOMPARE(&peaks, found.courses.at(0).peaks.get());
        QCOMPARE(peaks.ofProcess(), 11 * kPage);
        QCOMPARE(peaks.of(MemoryLayer::Returnable), 8 * kPage);
        QCOMPARE(peaks.of(MemoryLayer::Images), 6 * kPage);
        QCOMPARE(peaks.of(PartsBy::Mapping, "[heap]"), 9 * kPage);
        QCOMPARE(peaks.of(PartsBy::Mapping, "[heap]", MemoryLayer::Live), ByteCount{1000});
        QCOMPARE(peaks.of(PartsBy::Mapping, "(anonymous)"), 5 * kPage);
        QCOMPARE(peaks.of(PartsBy::Module, "/lib/a.so", MemoryLayer::Images), 6 * kPage); // with its .bss
        const auto late = balanceWithCourses(*trace, {trace->wholeRange()}, {TraceTime{5}, kNever}).value();
        QCOMPARE(late.balances.at(0).peaks->ofProcess(), 5 * kPage);
        QVERIFY(!onlyBalance(*trace, {trace->wholeRange()}).peaks); // one sample, no course
    }
    void modulesHaveTheMemoryOfTheirMappings() {
        const EachKind kinds;
        const auto balance = onlyBalance(*kinds.trace, {kinds.trace->wholeRange()});
        LayerBytes mappings, modules;
        for (const auto& part : balance.parts)
            mappings[part.layer] += part.resident;
        std::string ofModules;
        for (const auto& part : balance.modules) {
            modules[part.layer] += part.resident;
            if (isOfModules(part.layer)) ofModules += fmt::format("{} {} ", part.name, part.resident);
        }
        QCOMPARE(textOf(modules), textOf(mappings));
        QCOMPARE(ofModules, std::string("/usr/bin/app 16384 /opt/libhighwater-agent.so 8192 "));
    }
    void aProcessThatHasEndedHasNoResidentMemory() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, kPage, kDivided, "[heap]").done());
        script.process(Occasion::End, "app");
        const auto trace = script.publish();
        const auto end = (*trace->processes)[ProcessIndex{0}].end;
        const auto balancesAt = [&](std::int64_t ns) {
            return balanceAt(*trace, {upTo(TraceTime{ns}), {}, TraceTime{ns}}).value().size();
        };
        QCOMPARE(balancesAt(end.ns), std::size_t{1});
        QCOMPARE(balancesAt(end.ns + 1), std::size_t{0});
        QCOMPARE(balanceAt(*trace, {trace->wholeRange()}).value().size(), std::size_t{1}); // the newest sample
        QCOMPARE(balanceCourses(*trace, {trace->wholeRange()}).value().front().end, end);
    }
    void samplesBehindThePublishedPartDoNotCount() {
        EventScript script;
        script.process(Occasion::Start, "app");
        script.store.onResidentSample(SampleBuilder(100).map(0x10000, kPage, kDivided, "[heap]").done());
        const auto early = script.publish();
        QVERIFY(sampledProcesses(*early, early->wholeRange()).empty());
        script.now = 99;
        const auto late = script.publish(); // ends at 100
        QCOMPARE(sampledProcesses(*late, late->wholeRange()).size(), std::size_t{1});
    }
    void aForkHasBlocksOfItsParent() {
        EventScript script;
        script.process(Occasion::Forked, "app").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, 2 * kPage, kDivided, "[heap]").done());
        const auto trace = script.publish();
        const auto balance = onlyBalance(*trace, {trace->wholeRange()});
        QVERIFY(balance.isIncomplete());
        QCOMPARE(textOf(balance.point.layers), std::string("live 100, rounding 12, unknown 8080"));
        QVERIFY(meaningOf(balance).ends_with("because blocks inherited from the parent process were not recorded."));
        QCOMPARE(
            sampleNote(*trace, Table::Heap, trace->wholeRange()),
            std::string("Resident and Held Pages are from a sample of resident memory, taken at 0.00 s. Held Pages "
                        "may be too high because blocks that were not recorded may be on the same pages."));
        QCOMPARE(sampleNote(*trace, Table::VirtualAlloc, trace->wholeRange()),
                 std::string("Resident and Held Pages are from a sample of resident memory, taken at 0.00 s."));
    }
    void aForkThatExecutesAProgramHasNoBlocksOfItsParent() {
        EventScript script;
        script.process(Occasion::Forked, "shell").process(Occasion::Executed, "app").alloc(0x10010, 100);
        script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, 2 * kPage, kDivided, "[heap]").done());
        const auto trace = script.publish();
        const auto balance = onlyBalance(*trace, {trace->wholeRange()});
        QVERIFY(!balance.isIncomplete());
        QCOMPARE(textOf(balance.point.layers), std::string("live 100, rounding 12, held_free 3984, returnable 4096"));
    }
    void withoutHeapEventsTheHeapIsUnknown() {
        EventScript script;
        script.process(Occasion::Start, "app");
        script.store.onResidentSample(SampleBuilder(++script.now).map(0x10000, 2 * kPage, kDivided, "[heap]").done());
        const auto trace = script.publish();
        const auto balance = onlyBalance(*trace, {trace->wholeRange()});
        QCOMPARE(textOf(balance.point.layers), std::string("unknown 8192"));
        QCOMPARE(meaningOf(balance),
                 std::string("Live blocks use at least 0 B of 8.0 KB in RAM. Free heap memory is unknown because the "
                             "recording has no heap events."));
    }
    void withoutSamplesItIsRefused() {
        EventScript script;
        script.process(Occasion::Start, "app").alloc(0x10010, 100);
        const auto trace = script.publish();
        const auto messageOf = [](const store::PublishedTrace& asked) {
            return QString::fromStdString(balanceAt(asked, {asked.wholeRange()}).error().message);
        };
        QCOMPARE(messageOf(*trace),
                 QString("This trace has no balance of resident memory because it contains no samples "
                         "of resident memory. It was not recorded by Highwater, or by an earlier version, or it ended "
                         "before the first sample."));
        auto ofAgent = *trace;
        ofAgent.isOfAgent = true;
        QVERIFY(messageOf(ofAgent).endsWith(
            "It ended before the first sample, an earlier version of Highwater recorded it, or the samples are in a "
            "missing part of it."));
        auto imported = *trace;
        imported.lacks.addresses = true;
        QCOMPARE(messageOf(imported), QString("This trace has no balance of resident memory because the file does not "
                                              "contain samples of resident memory."));
        QCOMPARE(balanceCourses(imported, {}).error().kind, ErrorKind::Unsupported);
        QVERIFY(sampledProcesses(*trace, trace->wholeRange()).empty());
    }
    /// Windows has no malloc_trim(), and a process that was running before has unrecorded blocks.
    void aBalanceOfWindowsNamesNoFunctionOfGlibc() {
        for (const bool isLaunched : {true, false}) {
            EventScript script;
            script.process(isLaunched ? Occasion::Start : Occasion::RundownStart, "app.exe").alloc(0x10010, 100);
            SampleBuilder sample(++script.now);
            sample.map(0x10000, 1000 * kPage, kDivided, "[private]");
            script.store.onResidentSample(sample.done());
            const auto trace = script.publish();
            const auto balance = onlyBalance(*trace, {trace->wholeRange()});
            QVERIFY(balance.hasOtherAllocator);
            QCOMPARE(balance.isIncomplete(), !isLaunched);
            QCOMPARE(meaningOf(balance).find("malloc_trim"), std::string::npos);
            QCOMPARE(meaningOf(balance).ends_with("because blocks from before the recording were not recorded."),
                     !isLaunched);
        }
    }
    void sentencesSayWhatToDo() {
        Balance balance;
        auto& point = balance.point;
        point.layers[MemoryLayer::Live] = 20 << 20;
        point.layers[MemoryLayer::Returnable] = 900 << 20;
        point.layers[MemoryLayer::HeldFree] = 10 << 20;
        point.layers[MemoryLayer::Images] = 5 << 20;
        point.resident = point.layers.sum();
        QCOMPARE(meaningOf(balance),
                 std::string("Live blocks use 20.0 MB of 935.0 MB in RAM; 900.0 MB is free, on pages without live "
                             "blocks (malloc_trim() may return these pages to the system)."));
        auto threaded = balance;
        threaded.point.threadHeaps.count = 1;
        QVERIFY(meaningOf(threaded).ends_with(
            "may return these pages to the system, except at the ends of thread arenas)."));
        auto other = balance;
        other.hasOtherAllocator = true;
        QVERIFY(meaningOf(other).ends_with("900.0 MB is free, on pages without live blocks."));
        point.layers[MemoryLayer::Returnable] = 0;
        point.layers[MemoryLayer::Unknown] = 30 << 20;
        point.resident = point.layers.sum();
        point.swapped = 1 << 20;
        QCOMPARE(meaningOf(balance),
                 std::string("Live blocks use 20.0 MB of 65.0 MB in RAM; 10.0 MB is free, but on pages held by live "
                             "blocks. 30.0 MB is unknown. In addition, 1.0 MB is in swap."));
    }
    /// The agent's buffers can be most of the memory of a small program.
    void theLargestTwoOfTheOtherUsesAreNamed() {
        Balance balance;
        auto& point = balance.point;
        point.layers[MemoryLayer::Live] = 600 << 20;
        point.layers[MemoryLayer::HeldFree] = 100 << 20;
        point.layers[MemoryLayer::Rounding] = 80 << 20;
        point.layers[MemoryLayer::Mapped] = 120 << 20;
        point.layers[MemoryLayer::Highwater] = 70 << 20;
        point.resident = ByteCount{1000} << 20;
        const std::string begin =
            "Live blocks use 600.0 MB of 1000.0 MB in RAM; 100.0 MB is free, but on pages held by live blocks; ";
        QCOMPARE(meaningOf(balance),
                 begin +
                     "120.0 MB was mapped by the program; 80.0 MB is overhead of small blocks (headers and rounding).");
        point.layers[MemoryLayer::Highwater] = 90 << 20;
        point.layers[MemoryLayer::Mapped] = 49 << 20; // little
        QCOMPARE(
            meaningOf(balance),
            begin +
                "90.0 MB belongs to Highwater's recorder; 80.0 MB is overhead of small blocks (headers and rounding).");
        point.layers[MemoryLayer::Rounding] = 49 << 20;
        QCOMPARE(meaningOf(balance), begin + "90.0 MB belongs to Highwater's recorder.");
    }
    void arenasAreNamedWhereFewerOfThemWouldHelp() {
        Balance balance;
        auto& point = balance.point;
        point.layers[MemoryLayer::Returnable] = 380 << 20;
        point.layers[MemoryLayer::HeldFree] = 20 << 20;
        point.resident = ByteCount{1000} << 20;
        const auto says = [&](std::uint64_t count, ByteCount megabytes) {
            point.threadHeaps = {count, megabytes << 20};
            return meaningOf(balance).ends_with(
                " 12 thread arenas of glibc keep 340.0 MB of this free memory. Setting M_ARENA_MAX to 2 (environment "
                "variable MALLOC_ARENA_MAX) avoids most of them.");
        };
        QVERIFY(says(12, 340));
        QVERIFY(!says(3, 340));  // as many as it allows, or nearly
        QVERIFY(!says(12, 199)); // most of it is in the main arena
        point.resident = ByteCount{10'000} << 20;
        QVERIFY(!says(12, 340));
    }
    void layersHaveIds() {
        for (const auto layer : allMemoryLayers()) {
            QCOMPARE(layerOfId(layerId(layer)), std::optional(layer));
            QVERIFY(!layerName(layer).empty() && layerMeaning(layer).ends_with('.'));
        }
        QVERIFY(!layerOfId("other"));
    }
};

HIGHWATER_TEST(BalanceTest);
#include "balance_test.moc"
