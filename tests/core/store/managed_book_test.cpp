#include "core/store/managed_book.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <limits>
#include <string>
#include <string_view>

using namespace highwater;
using namespace highwater::store;

namespace {

/// Sends managed heap events to a store, and prints its rows.
class ManagedEvents {
  public:
    TraceHealth health;
    TraceStore store{health};

    std::uint32_t type(std::string_view name) {
        store.onManagedType(++types_, name);
        return types_;
    }
    void process(Occasion occasion, std::int64_t time, std::uint32_t pid) {
        ProcessEvent event;
        event.time = TraceTime{time};
        event.occasion = occasion;
        event.pid = pid;
        event.name = "app.exe";
        store.onProcess(event);
    }
    void allocate(std::int64_t time, std::uint32_t type, ByteCount bytes, std::uint32_t pid = 10,
                  std::uint32_t flags = 0) {
        MemoryEvent event;
        event.operation = MemoryOperation::ManagedAlloc;
        event.time = TraceTime{time};
        event.pid = pid;
        event.tid = ThreadId{7};
        event.heap = type;
        event.size = bytes;
        event.source = 1;
        event.flags = flags;
        store.onMemoryEvent(event);
    }
    void sizes(std::int64_t time, std::array<ByteCount, kGcGenerations> sizes, std::size_t told = kGcGenerations,
               std::uint32_t pid = 10) {
        GcEvent event;
        event.time = TraceTime{time};
        event.pid = pid;
        event.sizes = sizes;
        event.generations = told;
        store.onGc(event);
    }
    std::shared_ptr<const PublishedTrace> publish(std::int64_t horizon) {
        store.onTimeReached(TraceTime{horizon});
        return store.publish();
    }

  private:
    std::uint32_t types_ = 0;
};

/// "10 Byte[] 1: 100@5" for each row: pid, type, kind, size, time.
std::string allocationsOf(const PublishedTrace& trace) {
    std::string text;
    for (RowId row = 0; row < trace.managed.rows; ++row) {
        const auto& site = trace.managed.site(row);
        const auto& heap = trace.heapOf(site);
        text += fmt::format("{} {} {}: {}@{}\n", (*trace.processes)[heap.process].pid,
                            trace.columns->names->managedTypes.name(heap.managedType), site.kind,
                            trace.managed.size(row), trace.managed.begin(row).ns);
    }
    return text;
}

/// "10 Gen 2: 300 5..9" for each row.
std::string sizesOf(const PublishedTrace& trace) {
    std::string text;
    for (RowId row = 0; row < trace.gcHeap.rows; ++row) {
        const auto& site = trace.gcHeap.site(row);
        const auto end = trace.gcHeap.end(row);
        text += fmt::format("{} {}: {} {}..{}\n", (*trace.processes)[trace.heapOf(site).process].pid, site.kind,
                            trace.gcHeap.size(row), trace.gcHeap.begin(row).ns,
                            end == kNever ? "" : std::to_string(end.ns));
    }
    return text;
}

} // namespace

/// Events of runtimes about their managed heaps, as rows.
class ManagedBookTest : public QObject {
    Q_OBJECT
  private slots:
    void anAllocationIsARowOfItsInstant() {
        ManagedEvents story;
        const auto bytes = story.type("Byte[]");
        const auto text = story.type("String");
        story.allocate(5, bytes, 100);
        story.allocate(6, text, 200);
        story.allocate(6, 0, 300, 11); // its type is never reported
        story.allocate(7, bytes, 100);
        const auto trace = story.publish(10);
        QCOMPARE(allocationsOf(*trace),
                 std::string("10 Byte[] 1: 100@5\n10 String 1: 200@6\n11  1: 300@6\n10 Byte[] 1: 100@7\n"));
        for (RowId row = 0; row < trace->managed.rows; ++row)
            QVERIFY(trace->managed.end(row) == trace->managed.begin(row));
        QCOMPARE(trace->managed.sites, std::uint32_t{3});
        QCOMPARE(trace->heap.rows + trace->virtualAlloc.rows, std::uint64_t{0});
    }
    /// Both report the same allocations.
    void ofTicksAndSamplesThoseCountThatCameFirst() {
        ManagedEvents story;
        const auto type = story.type("A");
        story.allocate(1, type, 100);
        story.allocate(2, type, 50, 10, managed_flag::kSample);
        story.allocate(3, type, 70, 11, managed_flag::kSample); // another process has only those
        story.allocate(4, type, 100);
        const auto trace = story.publish(10);
        QCOMPARE(allocationsOf(*trace), std::string("10 A 1: 100@1\n11 A 1: 70@3\n10 A 1: 100@4\n"));
        QCOMPARE(trace->health.notes.size(), std::size_t{1});
        QVERIFY(trace->health.notes.front().starts_with("1 managed allocation was recorded in two ways"));
    }
    void aGenerationHasItsSizeUpToTheNextCollection() {
        ManagedEvents story;
        story.process(Occasion::Start, 0, 10);
        story.sizes(5, {1, 2, 3, 4, 0}, 4);
        story.sizes(6, {9, 9, 9, 9, 9}, kGcGenerations, 11);
        story.sizes(9, {5, 6, 7, 8, 0}, 4);
        story.process(Occasion::End, 20, 10);
        QCOMPARE(sizesOf(*story.publish(30)),
                 std::string("10 0: 1 5..9\n10 1: 2 5..9\n10 2: 3 5..9\n10 3: 4 5..9\n"
                             "11 0: 9 6..\n11 1: 9 6..\n11 2: 9 6..\n11 3: 9 6..\n11 4: 9 6..\n"
                             "10 0: 5 9..20\n10 1: 6 9..20\n10 2: 7 9..20\n10 3: 8 9..20\n"));
    }
    void aPidThatIsUsedAgainHasAHeapOfItsOwn() {
        ManagedEvents story;
        const auto type = story.type("A");
        story.process(Occasion::Start, 0, 10);
        story.allocate(1, type, 100);
        story.sizes(2, {1, 1, 1, 1, 0}, 4);
        story.process(Occasion::Start, 5, 10); // the end of the first was lost
        story.allocate(6, type, 100);
        const auto trace = story.publish(10);
        QCOMPARE(trace->managed.sites, std::uint32_t{2});
        QVERIFY(trace->gcHeap.end(0) == TraceTime{5});
    }
    void damagedSizesOverflowNothing() {
        ManagedEvents story;
        constexpr auto kMost = std::numeric_limits<ByteCount>::max();
        story.allocate(1, 12345, kMost); // a type that is never named
        story.sizes(2, {kMost, kMost, kMost, kMost, kMost});
        story.sizes(3, {0, 0, 0, 0, 0});
        const auto trace = story.publish(10);
        QCOMPARE(allocationsOf(*trace), fmt::format("10  1: {}@1\n", kMost));
        QCOMPARE(trace->gcHeap.rows, std::uint64_t{10});
    }
    /// A recording that keeps its newest part discards older allocations, but keeps the amounts of generations.
    void aCutLetsGoOfWhatIsOlder() {
        ManagedEvents story;
        const auto type = story.type("A");
        for (std::int64_t time = 1; time <= 100; ++time)
            story.allocate(time, type, static_cast<ByteCount>(time));
        story.sizes(20, {1, 2, 3, 4, 0}, 4);
        story.sizes(40, {5, 6, 7, 8, 0}, 4);
        story.store.onTimeReached(TraceTime{100});
        story.store.cutBefore(TraceTime{91});
        while (story.store.continueCut(7)) {
        }
        story.allocate(101, type, 101);
        story.sizes(102, {9, 9, 9, 9, 0}, 4);
        const auto trace = story.publish(110);
        QCOMPARE(trace->managed.rows, std::uint64_t{11});
        QVERIFY(trace->managed.begin(0) == TraceTime{91});
        QCOMPARE(trace->managed.evicted.rows, std::uint64_t{90});
        QCOMPARE(sizesOf(*trace), std::string("10 0: 5 40..102\n10 1: 6 40..102\n10 2: 7 40..102\n10 3: 8 40..102\n"
                                              "10 0: 9 102..\n10 1: 9 102..\n10 2: 9 102..\n10 3: 9 102..\n"));
    }
    void namesStayWhatTheyWere() {
        ManagedEvents story;
        const auto before = story.type("First");
        const auto empty = story.type("");
        const auto odd = story.type(std::string_view("a\0b", 3));
        const auto trace = story.publish(1);
        const auto& types = trace->columns->names->managedTypes;
        QCOMPARE(types.name(before), std::string("First"));
        QCOMPARE(types.name(empty), std::string());
        QCOMPARE(types.name(odd), std::string("a b"));
        QCOMPARE(types.name(odd + 1), std::string());
        QCOMPARE(types.name(0), std::string());
    }
};
HIGHWATER_TEST(ManagedBookTest);
#include "managed_book_test.moc"
