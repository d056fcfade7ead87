#pragma once

#include "core/event/trace_health.h"
#include "core/store/trace_store.h"

#include <QTest>

#include <cstdio>
#include <string>
#include <vector>

namespace highwater::tests {

/// Random traces per model test. Most of the time is spent making stores: the system maps and clears their columns,
/// slowly under sanitizers. Under ThreadSanitizer these single-threaded tests find nothing new.
#if defined(__SANITIZE_THREAD__)
inline constexpr unsigned kModelSeeds = 200;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr unsigned kModelSeeds = 1000;
#else
inline constexpr unsigned kModelSeeds = 3000;
#endif

/// Sends events to a TraceStore, one nanosecond apart unless specified otherwise, and prints its rows:
///    "1000+40 1..5 Free"        address + size, begin..end, how it ended
///    "1000+40 1.. realloc"      outstanding, made by a realloc
///    "1000+2000 old..5 Release (-1000@3 Decommit)(-1000@5 Release)"  older than the trace, released in parts
class EventScript {
  public:
    static constexpr Address kHeap = 0x10000;
    static constexpr std::uint32_t kPid = 100;

    explicit EventScript(store::BlockRows blocks = store::BlockRows::Kept) : store(health, blocks) {}

    TraceHealth health;
    store::TraceStore store;
    std::int64_t now = 0;
    std::uint32_t pid = kPid;
    std::uint32_t tid = 1;
    Address heap = kHeap;
    EventStack stack;

    EventScript& heapEvent(MemoryOperation operation, Address address = 0, ByteCount size = 0, Address oldAddress = 0) {
        MemoryEvent event;
        event.operation = operation;
        event.heap = heap;
        event.address = address;
        event.size = size;
        event.oldAddress = oldAddress;
        return send(event);
    }
    EventScript& alloc(Address address, ByteCount size) { return heapEvent(MemoryOperation::HeapAlloc, address, size); }
    EventScript& free(Address address) { return heapEvent(MemoryOperation::HeapFree, address); }
    EventScript& realloc(Address oldAddress, Address address, ByteCount size) {
        return heapEvent(MemoryOperation::HeapReAlloc, address, size, oldAddress);
    }
    EventScript& create() { return heapEvent(MemoryOperation::HeapCreate); }
    EventScript& destroy() { return heapEvent(MemoryOperation::HeapDestroy); }
    EventScript& onThread(std::uint32_t thread) {
        tid = thread;
        return *this;
    }
    EventScript& inHeap(Address handle) {
        heap = handle;
        return *this;
    }
    EventScript& inProcess(std::uint32_t process) {
        pid = process;
        return *this;
    }

    EventScript& virtualEvent(MemoryOperation operation, std::uint32_t flags, Address address, ByteCount size,
                              ByteCount committed = 0) {
        MemoryEvent event;
        event.operation = operation;
        event.flags = flags;
        event.address = address;
        event.size = size;
        event.oldSize = committed;
        return send(event);
    }
    EventScript& reserve(Address address, ByteCount size) {
        return virtualEvent(MemoryOperation::VirtualAlloc, virtual_flag::kReserve, address, size);
    }
    EventScript& commit(Address address, ByteCount size) {
        return virtualEvent(MemoryOperation::VirtualAlloc, virtual_flag::kCommit, address, size);
    }
    EventScript& reserveAndCommit(Address address, ByteCount size) {
        return virtualEvent(MemoryOperation::VirtualAlloc, virtual_flag::kReserve | virtual_flag::kCommit, address,
                            size);
    }
    EventScript& decommit(Address address, ByteCount size) {
        return virtualEvent(MemoryOperation::VirtualFree, virtual_flag::kDecommit, address, size);
    }
    EventScript& release(Address address, ByteCount size = 0) {
        return virtualEvent(MemoryOperation::VirtualFree, virtual_flag::kRelease, address, size);
    }
    EventScript& rundown(Address address, ByteCount size, ByteCount committed) {
        return virtualEvent(MemoryOperation::VirtualRundownStart, 0, address, size, committed);
    }

    /// For the thread of the following events.
    EventScript& thread(Occasion occasion, std::string name = {}) {
        store.onThread({TraceTime{++now}, occasion, pid, tid, std::move(name)});
        return *this;
    }
    EventScript& named(std::string name) { return thread(Occasion::Named, std::move(name)); }

    EventScript& process(Occasion occasion, std::string name = "a.exe") {
        ProcessEvent event;
        event.time = TraceTime{++now};
        event.occasion = occasion;
        event.pid = pid;
        event.name = std::move(name);
        store.onProcess(event);
        return *this;
    }

    std::shared_ptr<const store::PublishedTrace> publish() {
        store.onTimeReached(TraceTime{now + 1});
        return store.publish();
    }
    std::uint64_t losses(Loss loss) { return publish()->health[loss]; }
    /// All counters that are not zero: "frees lost 1, unmatched frees 2".
    std::string losses() {
        const auto report = publish()->health;
        std::string text;
        for (std::size_t i = 0; i < kLossCount; ++i) {
            if (report.counts[i] == 0 || static_cast<Loss>(i) == Loss::ProcessesUnknown) continue;
            if (!text.empty()) text += ", ";
            text += std::string(describe(static_cast<Loss>(i)).name) + " " + std::to_string(report.counts[i]);
        }
        return text;
    }
    std::string heapRows() { return rows(store::TableKind::Heap); }
    std::string commitRows() { return rows(store::TableKind::VirtualAlloc); }
    std::string rows(store::TableKind kind) {
        const auto trace = publish();
        std::string text;
        for (RowId row = 0; row < trace->table(kind).rows; ++row) {
            if (!text.empty()) text += "\n";
            text += describeRow(trace->table(kind), row);
        }
        return text;
    }

    /// The numbers of the rows that were temporary: "0 3".
    std::string temporaryRows() {
        const auto trace = publish();
        std::string text;
        for (RowId row = 0; row < trace->heap.rows; ++row) {
            if (trace->heap.end(row) == kNever || !trace->heap.endSite(row).isTemporary) continue;
            text += (text.empty() ? "" : " ") + std::to_string(row);
        }
        return text;
    }

    static std::string describeRow(const store::TableView& view, RowId row);

  private:
    EventScript& send(MemoryEvent& event) {
        event.time = TraceTime{++now};
        event.pid = pid;
        event.tid = ThreadId{tid};
        event.stack = stack;
        store.onMemoryEvent(event);
        return *this;
    }
};

inline std::string hex(std::uint64_t value) {
    char text[17];
    const auto length = std::snprintf(text, sizeof(text), "%llx", static_cast<unsigned long long>(value));
    return std::string(text, static_cast<std::size_t>(length));
}

inline std::string kindName(const store::Site& endSite) {
    constexpr const char* kNames[] = {"None",     "Free",    "ReAlloc",     "HeapDestroy", "FreeLost",
                                      "Decommit", "Release", "ProcessExit", "Exec"};
    return kNames[endSite.kind];
}

inline std::string EventScript::describeRow(const store::TableView& view, RowId row) {
    const auto& table = view.columns->rows;
    auto text = hex(table.address(row)) + "+" + hex(view.size(row)) + " ";
    text += view.begin(row) == kBeforeTrace ? "old" : std::to_string(view.begin(row).ns);
    text += "..";
    if (view.end(row) != kNever) text += std::to_string(view.end(row).ns) + " " + kindName(view.endSite(row));
    bool realloc = view.site(row).isRealloc;
    for (std::uint64_t i = 0; i < view.reallocMarks; ++i)
        realloc = realloc || table.reallocMarks()[i] == row;
    if (realloc) text += " realloc";
    std::string parts;
    for (std::uint64_t i = 0; i < view.partials; ++i) {
        const auto& part = table.partials()[i];
        if (part.row != row) continue;
        parts += "(-" + hex(part.bytes) + "@" + std::to_string(part.time.ns) + " " +
                 kindName(view.columns->endSites[part.endSite]) + ")";
    }
    return parts.empty() ? text : text + " " + parts;
}

} // namespace highwater::tests

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString(expected)) // NOLINT
