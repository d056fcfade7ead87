#include "core/analysis/leaks/heap_memory.h"

#include "core/analysis/leaks/leak_suspects.h"
#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr Address kSegment = 0x100'0000, kPage = 0x1000;
constexpr std::uint32_t kWithBlocks = 10, kWithout = 20;

/// Two processes, of which only one has heap blocks.
class HeapEvents {
  public:
    HeapEvents() {
        for (const auto pid : {kWithBlocks, kWithout}) {
            ProcessEvent event;
            event.occasion = Occasion::Start;
            event.time = TraceTime{1};
            event.pid = pid;
            event.name = "app.exe";
            store_.onProcess(event);
        }
    }
    void tell(MemoryOperation operation, std::int64_t time, Address address, ByteCount size, Address frame,
              std::uint32_t pid = kWithBlocks) {
        const std::array<Address, 2> frames{frame, 0x70000};
        MemoryEvent event;
        event.operation = operation;
        event.time = TraceTime{time};
        event.pid = pid;
        event.tid = ThreadId{pid + 1};
        event.heap = operation == MemoryOperation::VirtualAlloc ? 0 : kSegment;
        event.flags = operation == MemoryOperation::VirtualAlloc ? virtual_flag::kCommit | virtual_flag::kReserve : 0;
        event.address = address;
        event.size = size;
        event.stack.kind = EventStack::Kind::Frames;
        event.stack.frames = frames;
        store_.onMemoryEvent(event);
    }
    void block(std::int64_t time, Address address) { tell(MemoryOperation::HeapAlloc, time, address, 64, 0x50000); }
    void commit(std::int64_t time, Address address, Address frame, std::uint32_t pid = kWithBlocks) {
        tell(MemoryOperation::VirtualAlloc, time, address, kPage, frame, pid);
    }
    std::shared_ptr<const store::PublishedTrace> publish() {
        store_.onTimeReached(TraceTime{1000});
        return store_.publish();
    }

  private:
    TraceHealth health_;
    store::TraceStore store_{health_};
};

constexpr Address kExtendsHeap = 0x60000, kOwnPages = 0x61000;

/// A heap that grows page by page inside its range, as its blocks do; the program also commits pages of its own, one of
/// them where the heap was before.
std::shared_ptr<const store::PublishedTrace> growingHeap(bool hasRanges = true) {
    HeapEvents events;
    if (hasRanges) events.tell(MemoryOperation::HeapRangeReserve, 5, kSegment, 64 * kPage, 0);
    for (unsigned i = 0; i < 32; ++i) {
        const auto time = 100 + 25 * static_cast<std::int64_t>(i);
        events.commit(time, kSegment + i * kPage, kExtendsHeap);
        events.block(time + 1, kSegment + i * kPage);
        events.commit(time + 2, 2 * kSegment + i * kPage, kOwnPages);
        events.commit(time + 3, 3 * kSegment + i * kPage, kExtendsHeap, kWithout);
    }
    return events.publish();
}

LeakReport leaksOfBoth(const store::PublishedTrace& trace) {
    LeakQuery query;
    query.interval = {TraceTime{0}, TraceTime{1000}};
    query.otherFilter.emplace();
    FrameLabels labels;
    auto report = findLeaks(trace, labels, query);
    if (!report.hasValue()) qFatal("%s", report.error().message.c_str());
    return std::move(report).value();
}

SiteId siteOf(const store::PublishedTrace& trace, std::uint32_t pid) {
    for (std::uint32_t site = 0; site < trace.virtualAlloc.sites; ++site) {
        const auto process = trace.heapOf(trace.virtualAlloc.columns->sites[SiteId{site}]).process;
        if ((*trace.processes)[process].pid == pid) return SiteId{site};
    }
    qFatal("no site of process %u", pid);
}

} // namespace

class HeapMemoryTest : public QObject {
    Q_OBJECT
  private slots:
    /// The blocks are the leak; the pages below them would be its second half.
    void pagesInTheRangeOfAHeapAreNoSecondSuspect() {
        const auto report = leaksOfBoth(*growingHeap());
        std::vector<std::string> suspects;
        for (const auto& suspect : report.suspects)
            suspects.push_back(std::string(tableWord(suspect.table)) + " " + suspect.process);
        std::ranges::sort(suspects);
        QCOMPARE(suspects, (std::vector<std::string>{"heap app.exe (10)", "virtualalloc app.exe (10)",
                                                     "virtualalloc app.exe (20)"}));
        QCOMPARE(report.heapMemory, (LeftOutStacks{1, 32, 32 * kPage}));
        QCOMPARE(report.tables[1], (SearchedTable{Table::VirtualAlloc, 2, 64 * kPage}));
    }
    void withoutRangesAndNamesNothingIsLeftOut() {
        const auto report = leaksOfBoth(*growingHeap(false));
        QCOMPARE(report.suspects.size(), std::size_t{4});
        QCOMPARE(report.heapMemory, LeftOutStacks());
    }
    /// The table alone has all its rows, as the graph does.
    void theTableAloneLeavesNothingOut() {
        LeakQuery query;
        query.table = Table::VirtualAlloc;
        query.interval = {TraceTime{0}, TraceTime{1000}};
        FrameLabels labels;
        const auto report = findLeaks(*growingHeap(), labels, query);
        QCOMPARE(report.value().suspects.size(), std::size_t{3});
        QCOMPARE(report.value().heapMemory, LeftOutStacks());
    }

    void functionsOfTheHeapAreKnownByName_data() {
        QTest::addColumn<QStringList>("frames");
        QTest::addColumn<bool>("isOfHeap");
        const QStringList kernel{"ntoskrnl.exe!MiCommit", "ntdll.dll!NtAllocateVirtualMemory"};
        const QStringList program{"app.exe!work", "app.exe!main"};
        const auto add = [&](const char* name, const QStringList& between, bool isOfHeap) {
            QTest::newRow(name) << kernel + between + program << isOfHeap;
        };
        add("a heap that extends", {"ntdll.dll!RtlpFindAndCommitPages", "ntdll.dll!RtlpExtendHeap"}, true);
        add("malloc", {"ntdll.dll!RtlpExtendHeap", "NTDLL.DLL!RtlAllocateHeap", "ucrtbase.dll!malloc"}, true);
        add("a large block", {"ntdll.dll!RtlpAllocateHeap", "ntdll.dll!RtlpAllocateHeapInternal"}, true);
        add("the segment heap", {"ntdll.dll!RtlpHpEnvAllocVA", "ntdll.dll!RtlpHpAllocWithExceptionProtection"}, true);
        add("realloc", {"ntdll.dll!RtlpReAllocateHeapInternal", "ucrtbase.dll!realloc"}, true);
        add("VirtualAlloc", {"KernelBase.dll!VirtualAlloc"}, false);
        add("HeapCreate", {"ntdll.dll!RtlCreateHeap", "KernelBase.dll!HeapCreate"}, false);
        add("a new segment heap", {"ntdll.dll!RtlpHpEnvAllocVA", "ntdll.dll!RtlpHpHeapCreate"}, false);
        add("no names", {"ntdll.dll!+0x1000", "ntdll.dll!+0x2000"}, false);
        add("another module", {"app.exe!RtlAllocateHeap"}, false);
        add("a thread", {"ntdll.dll!RtlCreateUserStack"}, false);
    }
    void functionsOfTheHeapAreKnownByName() {
        QFETCH(QStringList, frames);
        QFETCH(bool, isOfHeap);
        const auto trace = growingHeap(false);
        FrameLabels labels;
        std::vector<std::uint32_t> ids;
        for (const auto& frame : frames)
            ids.push_back(labels.textId(frame.toStdString()).value);
        HeapMemory memory(*trace, labels, {});
        QCOMPARE(memory.contains(siteOf(*trace, kWithBlocks), ids), isOfHeap);
        QVERIFY(!memory.contains(siteOf(*trace, kWithout), ids)); // no block shows its leak
    }
};

HIGHWATER_TEST(HeapMemoryTest);
#include "heap_memory_test.moc"
