#include "core/analysis/table/nothing_found.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/event/code_opcodes.h"
#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;
using fixtures::ManagedAllocation;
using fixtures::seconds;

namespace {

using Trace = std::shared_ptr<const store::PublishedTrace>;

constexpr ByteCount kTick = 100 * 1024;
constexpr Address kSegment = 0x2551000;
constexpr ByteCount kSegmentBytes = 0xFFFF000;

Trace loadedFrom(const fixtures::TraceBuilder& builder) { return load(builder.bytes().value()); }

Query managedBy(std::vector<Column> keys, const Trace& trace) {
    Query query;
    query.table = Table::Managed;
    query.interval = trace->wholeRange();
    query.keys = std::move(keys);
    query.sort = {{Column::Size, true}};
    return query;
}

/// A program with the CLR that allocates strings, bytes and one large array, with and without a stack.
fixtures::TraceBuilder allocatingProgram(fixtures::TraceShape shape = {}) {
    fixtures::TraceBuilder builder(shape);
    builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {"clr.dll"}});
    const auto tick = [&](double second, std::string type, std::uint32_t kind, std::string_view stack) {
        ManagedAllocation allocation;
        allocation.amount = kTick;
        allocation.type = std::move(type);
        allocation.kind = kind;
        builder.managedAlloc({seconds(second), 10, 11}, allocation, stack);
    };
    tick(1, "System.String", 0, "app.exe!main;clr.dll!Alloc");
    tick(2, "System.String", 0, "app.exe!main;clr.dll!Alloc");
    tick(3, "System.Byte[]", 0, "app.exe!other;clr.dll!Alloc");
    tick(4, "System.Byte[]", 1, {});
    tick(5, "System.String", 2, "app.exe!main;clr.dll!Alloc");
    builder.endsAt(seconds(7));
    return builder;
}

constexpr fixtures::Bitness kBitnesses[] = {fixtures::Bitness::Bits64, fixtures::Bitness::Bits32,
                                            fixtures::Bitness::Wow64};

/// The bytes of ticks by type, read from the records by offsets, and whether a stack follows each.
class PlainScan final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            if (record.kind == etl::RawRecord::Kind::Provider && record.providerGuid() == kClrProvider) add(record);
        }
    }

    std::map<std::string, std::uint64_t> bytes, counts;
    std::uint64_t ticks = 0, withStack = 0;

  private:
    void add(const etl::RawRecord& record) {
        if (record.eventId == 82 && lastOfThread_[record.tid] == 10) ++withStack;
        lastOfThread_[record.tid] = record.eventId;
        if (record.eventId != 10) return;
        ++ticks;
        const auto at = [&](std::size_t offset) { return record.payload + offset; };
        std::string name;
        for (auto offset = 18 + std::size_t{record.pointerBytes}; *reinterpret_cast<const char*>(at(offset)) != 0;
             offset += 2)
            name += *reinterpret_cast<const char*>(at(offset));
        bytes[name] += loadUnchecked<std::uint64_t>(at(10));
        ++counts[name];
    }
    std::map<std::uint32_t, std::uint16_t> lastOfThread_;
};

struct RealTrace {
    Trace trace;
    RecordCounts counts;
    PlainScan plain;
};

std::optional<RealTrace> realTrace() {
    if (sharedTracesFolder().empty()) return std::nullopt;
    const std::filesystem::path path = std::filesystem::path(sharedTracesFolder()) / "perfview_net.4.5.2.x64.etl";
    RealTrace real;
    TraceHealth health;
    const auto source = source::EtlFileSource::open({path}, health);
    if (!source.hasValue()) return std::nullopt;
    Progress progress;
    (void)source.value()->run(real.plain, health, {}, progress);
    pipeline::TraceInput input;
    input.open = [path](TraceHealth& errors) -> Result<std::unique_ptr<source::RecordSource>> {
        auto file = TRY(source::EtlFileSource::open({path}, errors));
        return std::unique_ptr<source::RecordSource>(std::move(file));
    };
    pipeline::TraceLoader loader(std::move(input));
    loader.wait();
    real.trace = loader.latest();
    real.counts = loader.facts().counts;
    return real;
}

/// "name: amount in the first slice, the second, ..." for each series.
std::string printedTimeline(const Trace& trace, TimelineQuery query) {
    FrameLabels labels;
    const auto timeline = computeTimeline(*trace, labels, query);
    if (!timeline.hasValue()) return timeline.error().message;
    std::string text;
    for (const auto& series : timeline.value().series) {
        text += series.name + ":";
        for (const auto amount : series.peaks)
            text += fmt::format(" {}", amount);
        text += '\n';
    }
    return text;
}

} // namespace

/// Allocations of managed objects, from the bytes of a trace to tables and lines.
class ManagedAllocationsTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsOfEveryKey() {
        for (const auto bitness : kBitnesses) {
            const auto trace = loadedFrom(allocatingProgram({.bitness = bitness}));
            QCOMPARE(printed(trace, managedBy({Column::Process, Column::ManagedType, Column::ManagedKind}, trace)),
                     std::string("app.exe (10): 5 512000 \n"
                                 "  System.String: 3 307200 \n"
                                 "    Small: 2 204800 \n"
                                 "    Pinned: 1 102400 \n"
                                 "  System.Byte[]: 2 204800 \n"
                                 "    Large: 1 102400 \n"
                                 "    Small: 1 102400 \n"));
            QCOMPARE(printed(trace, managedBy({Column::Thread}, trace)), std::string("11: 5 512000 \n"));
        }
    }
    /// In the record itself, as in PerfView's own recordings, or in an event of the CLR after it.
    void stacksOfBothForms() {
        const auto expected = std::string("app.exe!+0x1020: 3 307200 \n"
                                          "  clr.dll!+0x1020: 3 307200 \n"
                                          "(no stack): 1 102400 \n"
                                          "app.exe!+0x1120: 1 102400 \n"
                                          "  clr.dll!+0x1020: 1 102400 \n");
        // Modules of built traces are at addresses where a 32-bit process of a 64-bit system has none.
        for (const auto bitness : {fixtures::Bitness::Bits64, fixtures::Bitness::Bits32}) {
            for (const auto form : {fixtures::StackForm::StackWalk, fixtures::StackForm::Extended}) {
                const auto trace = loadedFrom(allocatingProgram({.bitness = bitness, .stacks = form}));
                const auto text = printed(trace, managedBy({Column::Stack}, trace));
                QVERIFY2(text == expected, text.c_str());
            }
        }
    }
    void aStackOfAnotherEventOfTheThreadIsNotTaken() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {"clr.dll"}});
        builder.managedAlloc({seconds(1), 10, 11}, {}); // its stack was lost
        GcEvent sizes;
        sizes.generations = 4;
        builder.gc({seconds(1.1), 10, 11}, sizes); // the next stack would belong to this
        builder.managedAlloc({seconds(1.2), 10, 12}, {}, "app.exe!main;clr.dll!Alloc");
        builder.endsAt(seconds(3));
        const auto trace = loadedFrom(builder);
        auto query = managedBy({Column::Thread, Column::Stack}, trace);
        query.sort = {{Column::Thread, false}};
        QCOMPARE(printed(trace, query), std::string("11: 1 102400 \n"
                                                    "  (no stack): 1 102400 \n"
                                                    "12: 1 102400 \n"
                                                    "  app.exe!+0x1020: 1 102400 \n"
                                                    "    clr.dll!+0x1020: 1 102400 \n"));
    }
    void oldVersionsHaveNoType() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        for (std::uint8_t version = 0; version <= 4; ++version) {
            ManagedAllocation allocation;
            allocation.version = version;
            builder.managedAlloc({seconds(1 + version), 10, 11}, allocation);
        }
        ManagedAllocation sample;
        sample.isSample = true;
        builder.managedAlloc({seconds(7), 10, 11}, sample); // repeats the ticks
        builder.endsAt(seconds(8));
        const auto trace = loadedFrom(builder);
        QCOMPARE(printed(trace, managedBy({Column::ManagedType}, trace)),
                 std::string("System.String: 3 307200 \n(unknown): 2 204800 \n"));
        QCOMPARE(trace->health[Loss::RecordsTruncated], std::uint64_t{0});
    }
    /// Allocations at the end of the interval are not in it; each slice has its own.
    void anIntervalHasWhatWasAllocatedInIt() {
        const auto trace = loadedFrom(allocatingProgram());
        auto query = managedBy({Column::ManagedType}, trace);
        query.interval = {seconds(2), seconds(5)};
        QCOMPARE(printed(trace, query), std::string("System.Byte[]: 2 204800 \nSystem.String: 1 102400 \n"));
        TimelineQuery lines;
        lines.table = Table::Managed;
        lines.interval = {seconds(0), seconds(7)};
        lines.points = 7;
        QCOMPARE(printedTimeline(trace, lines), std::string("Total: 0 102400 102400 102400 102400 102400 0\n"));
        lines.by = Column::ManagedType;
        lines.measure = TimelineMeasure::Count;
        QCOMPARE(printedTimeline(trace, lines),
                 std::string("System.Byte[]: 0 0 0 1 1 0 0\nSystem.String: 0 1 1 0 0 1 0\n"));
    }
    void filtersChooseFromThem() {
        const auto trace = loadedFrom(allocatingProgram());
        auto query = managedBy({Column::ManagedType}, trace);
        query.filter.query = QueryExpression::parse(Table::Managed, "[Type]:=System.String AND [Kind]:=Pinned").value();
        QCOMPARE(printed(trace, query), std::string("System.String: 1 102400 \n"));
    }
    void damagedPayloadsAreCountedAndLeftOut() {
        // Each length of a tick, up to the whole.
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        for (int i = 0; i < 40; ++i)
            builder.managedAlloc({seconds(1 + 0.1 * i), 10, 11}, {});
        builder.endsAt(seconds(7));
        const auto whole = builder.bytes().value();
        const auto clean = load(whole);
        QCOMPARE(clean->managed.rows, std::uint64_t{40});
        std::mt19937 random(19);
        for (int round = 0; round < 200; ++round) {
            auto bytes = whole;
            for (int i = 0; i < 40; ++i)
                bytes[72 + random() % (bytes.size() - 72)] = static_cast<std::byte>(random());
            const auto trace = load(bytes);
            if (!trace) continue;
            QVERIFY(trace->managed.rows <= 40);
            (void)printed(trace, managedBy({Column::Process, Column::ManagedType, Column::ManagedKind}, trace));
        }
    }
    void hundredsOfThousandsWithPidsThatAreUsedAgain() {
        constexpr int kTicks = 300'000;
        fixtures::TraceBuilder builder;
        std::mt19937 random(1);
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> plain; // by process and type: count, bytes
        builder.processRunsAlready({.pid = 20, .name = "other.exe", .mainTid = 21, .modules = {}});
        std::uint32_t life = 1;
        builder.processStarts(seconds(0.1), {.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        for (int i = 0; i < kTicks; ++i) {
            const auto time = 1 + i * 1e-5;
            if (i % 100'000 == 99'999) {
                builder.processEnds(seconds(time), 10);
                builder.processStarts(seconds(time), {.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
                ++life;
                continue;
            }
            const bool isOther = random() % 3 == 0;
            ManagedAllocation allocation;
            allocation.type = fmt::format("App.Type{}", random() % 500);
            allocation.amount = kTick + random() % 1000;
            allocation.kind = static_cast<std::uint32_t>(random() % 3);
            builder.managedAlloc({seconds(time), isOther ? 20u : 10u, isOther ? 21u : 11u}, allocation);
            const auto process = isOther     ? std::string("other.exe (20)")
                                 : life == 1 ? std::string("app.exe (10)")
                                             : fmt::format("app.exe (10) #{}", life);
            auto& [count, bytes] = plain[process + " " + allocation.type];
            ++count;
            bytes += allocation.amount;
        }
        builder.endsAt(seconds(10));
        const auto trace = loadedFrom(builder);
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(),
                                           managedBy({Column::Process, Column::ManagedType}, trace));
        QVERIFY(table.hasValue());
        std::size_t groups = 0;
        for (const auto process : table.value()->children(GroupedTable::kRoot)) {
            for (const auto type : table.value()->children(process)) {
                const auto found = plain.find(table.value()->keyText(process) + " " + table.value()->keyText(type));
                QVERIFY(found != plain.end());
                const auto& [count, bytes] = found->second;
                QVERIFY(table.value()->value(type, Column::Count) == CellValue(static_cast<std::int64_t>(count)));
                QVERIFY(table.value()->value(type, Column::Size) == CellValue(static_cast<std::int64_t>(bytes)));
                ++groups;
            }
        }
        QCOMPARE(groups, plain.size());
    }
    void sizesOfGenerationsAreLines() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        const auto collect = [&](double second, std::array<ByteCount, kGcGenerations> sizes) {
            GcEvent event;
            event.sizes = sizes;
            event.generations = kGcGenerations;
            builder.gc({seconds(second), 10, 11}, event);
        };
        collect(1, {10, 20, 30, 40, 50});
        collect(3, {1, 22, 33, 40, 50});
        builder.processEnds(seconds(5), 10);
        builder.endsAt(seconds(6));
        const auto trace = loadedFrom(builder);
        TimelineQuery lines;
        lines.table = Table::GcHeap;
        lines.interval = {seconds(0), seconds(6)};
        lines.points = 6;
        lines.by = Column::GcGeneration;
        QCOMPARE(printedTimeline(trace, lines), std::string("Pinned: 0 50 50 50 50 50\n"
                                                            "Large: 0 40 40 40 40 40\n"
                                                            "Gen 2: 0 30 30 33 33 33\n"
                                                            "Gen 1: 0 20 20 22 22 22\n"
                                                            "Gen 0: 0 10 10 10 1 1\n"));
        lines.by.reset();
        QCOMPARE(printedTimeline(trace, lines), std::string("Total: 0 150 150 150 146 146\n"));
        Query query;
        query.table = Table::GcHeap;
        query.interval = {seconds(2), seconds(4)};
        query.keys = {Column::GcGeneration};
        query.columns = {Column::Count, Column::PeakSize, Column::ImpactingSize};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query);
        QVERIFY(table.hasValue());
        const auto groups = table.value()->children(GroupedTable::kRoot);
        QVERIFY(table.value()->computeValues(groups).hasValue());
        std::string text;
        for (const auto group : groups) {
            text += table.value()->keyText(group);
            for (const auto column : query.columns)
                text += " " + plainText(column.column, table.value()->value(group, column));
            text += '\n';
        }
        std::string sorted;
        std::set<std::string> rows;
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
            rows.insert(text.substr(at, text.find('\n', at) - at + 1));
        for (const auto& row : rows)
            sorted += row;
        QVERIFY2(sorted == "Gen 0 2 10 -9\nGen 1 2 22 2\nGen 2 2 33 3\nLarge 2 40 0\nPinned 2 50 0\n", sorted.c_str());
    }
    /// The segment is reported after the commit.
    void commitsInSegmentsAreOfTheGcHeap() {
        for (const auto bitness : kBitnesses) {
            fixtures::TraceBuilder builder({.bitness = bitness});
            builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
            const fixtures::Moment now{seconds(1), 10, 11};
            constexpr auto kFlags = virtual_flag::kCommit | virtual_flag::kReserve;
            builder.virtualAlloc(now, {kSegment - 0x1000, 0x10000}, kFlags); // the head of the segment is before it
            builder.virtualAlloc(now, {0x60000000, 0x20000}, kFlags);
            builder.virtualAlloc(now, {0x61000000, 0x4000}, kFlags);
            GcEvent segment;
            segment.kind = GcEvent::Kind::SegmentCreated;
            segment.address = kSegment;
            segment.size = kSegmentBytes;
            builder.gc({seconds(1.1), 10, 11}, segment);
            builder.threadStarts({seconds(1.2), 10, 12}, {0x61001000, 0x3000}); // after its guard page
            builder.virtualAlloc({seconds(2), 10, 11}, {kSegment + 0x100000, 0x8000}, virtual_flag::kCommit);
            builder.endsAt(seconds(3));
            const auto trace = loadedFrom(builder);
            Query query;
            query.table = Table::VirtualAlloc;
            query.interval = trace->wholeRange();
            query.keys = {Column::Process, Column::Owner};
            query.sort = {{Column::Size, true}};
            QCOMPARE(printed(trace, query), std::string("app.exe (10): 4 245760 245760\n"
                                                        "  unknown: 1 131072 131072\n"
                                                        "  [GC heap]: 2 98304 98304\n"
                                                        "  stack: 1 16384 16384\n"));
            query.filter.query = QueryExpression::parse(Table::VirtualAlloc, "[Owner]:=\"[GC heap]\"").value();
            QCOMPARE(printed(trace, query), std::string("app.exe (10): 2 98304 98304\n"
                                                        "  [GC heap]: 2 98304 98304\n"));
        }
    }
    void aTraceWithoutThemSaysHowTheyAreRecorded() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        const auto trace = loadedFrom(builder);
        const auto managed = whyEmpty(*trace, Table::Managed, trace->wholeRange(), {});
        QVERIFY2(managed.starts_with("This trace has no managed allocations. ") &&
                     managed.find("PerfView") != std::string::npos,
                 managed.c_str());
        QVERIFY(whyEmpty(*trace, Table::GcHeap, trace->wholeRange(), {})
                    .starts_with("This trace has no managed heap sizes"));
    }
    /// Counted by a separate reader, and by a script that shares no code with the program: 1,105,577,280 bytes.
    void realPrograms() {
        const auto real = realTrace();
        if (!real) QSKIP("The folder of real traces is not there.");
        QCOMPARE(real->plain.ticks, std::uint64_t{10382});
        QCOMPARE(real->plain.withStack, std::uint64_t{10382}); // in time order; 10,379 in file order
        QCOMPARE(real->counts.code.allocationTicks, std::uint64_t{10382});
        QCOMPARE(real->counts.code.collections, std::uint64_t{264});
        QCOMPARE(real->counts.code.heapStats, std::uint64_t{264});
        QCOMPARE(real->counts.code.segments, std::uint64_t{2});
        QCOMPARE(real->trace->managed.rows, std::uint64_t{10382});
        auto table = GroupedTable::compute(real->trace, std::make_shared<FrameLabels>(),
                                           managedBy({Column::ManagedType}, real->trace));
        QVERIFY(table.hasValue());
        const auto types = table.value()->children(GroupedTable::kRoot);
        QCOMPARE(table.value()->keyText(types.front()), std::string("System.Object"));
        QVERIFY(table.value()->value(types.front(), Column::Size) == CellValue(std::int64_t{1'105'577'280}));
        QCOMPARE(types.size(), real->plain.bytes.size());
        for (const auto type : types) {
            const auto name = table.value()->keyText(type);
            QVERIFY(table.value()->value(type, Column::Size) ==
                    CellValue(static_cast<std::int64_t>(real->plain.bytes.at(name))));
            QVERIFY(table.value()->value(type, Column::Count) ==
                    CellValue(static_cast<std::int64_t>(real->plain.counts.at(name))));
        }
        std::uint64_t without = 0;
        for (RowId row = 0; row < real->trace->managed.rows; ++row)
            without += real->trace->managed.site(row).stack.value == 0 ? 1 : 0;
        QCOMPARE(without, std::uint64_t{0});
    }
};
HIGHWATER_TEST(ManagedAllocationsTest);
#include "managed_allocations_test.moc"
