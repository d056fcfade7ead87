#include "core/pipeline/spool/carry_over.h"

#include "core/decode/records/clock.h"
#include "core/decode/records/retained_range_record.h"
#include "core/event/memory_events.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <cstring>

namespace highwater::pipeline {
namespace {

using etl::HeaderType;
using etl::RawRecord;

constexpr std::size_t kRecordsAtOnce = 4096;

/// The first ticks that are not before the time.
std::int64_t ticksAt(const TraceProperties& properties, TraceTime time) {
    __extension__ using Wide = __int128;
    constexpr Wide kNsPerSecond = 1'000'000'000;
    if (time.ns <= 0) return properties.firstTicks;
    const auto ticks = (Wide{time.ns} * properties.ticksPerSecond + kNsPerSecond - 1) / kNsPerSecond;
    return properties.firstTicks + static_cast<std::int64_t>(ticks);
}

class CarryOverWriter {
  public:
    CarryOverWriter(const CarryOver& state, const TraceProperties& properties, std::uint16_t processor,
                    const WriteRecords& write)
        : state_(state), trace_(*state.trace), properties_(properties), processor_(processor), write_(write) {}

    Result<void> run() {
        const auto& marks = trace_.heap.columns->rows.reallocMarks();
        for (std::uint64_t i = 0; i < trace_.heap.reallocMarks; ++i)
            reallocs_.push_back(marks[i]);
        std::sort(reallocs_.begin(), reallocs_.end());
        addWindow();
        if (auto rows = writeRows(); !rows.hasValue()) return rows;
        for (const auto& reservation : state_.pages->reservations)
            addReservation(reservation);
        return write();
    }

  private:
    struct Shape {
        std::int64_t ticks = 0;
        std::uint8_t group = 0;
        std::uint8_t opcode = 0;
        HeaderType header = HeaderType::System64;
    };
    struct Owner {
        std::uint32_t pid = 0;
        Address heap = 0;
    };

    [[nodiscard]] Owner ownerOf(const store::Site& site) const {
        const auto& heap = trace_.heapOf(site);
        if (heap.process.value >= trace_.processes->processes().size()) return {};
        return {(*trace_.processes)[heap.process].pid, heap.handle};
    }

    RawRecord& add(const Shape& shape, const store::Site& site) {
        RawRecord record;
        record.ticks = shape.ticks;
        record.header = shape.header;
        record.group = shape.group;
        record.opcode = shape.opcode;
        record.version = kVersion2;
        record.processor = processor_;
        record.pid = ownerOf(site).pid;
        record.tid = site.thread.value;
        records_.push_back(record);
        offsets_.push_back(bytes_.size());
        return records_.back();
    }
    template <typename T>
    void put(const T& value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof(value));
    }
    void endPayload() { records_.back().payloadBytes = static_cast<std::uint32_t>(bytes_.size() - offsets_.back()); }

    Result<void> write() {
        for (std::size_t i = 0; i < records_.size(); ++i)
            records_[i].payload = bytes_.data() + offsets_[i];
        auto written = write_(records_);
        records_.clear();
        offsets_.clear();
        bytes_.clear();
        return written;
    }

    /// What had ended before the trace begins.
    [[nodiscard]] Evicted evicted(const store::TableView& table) const {
        auto sum = table.evicted;
        for (RowId row = 0; row < table.rows && table.begin(row) < state_.pages->time; ++row) {
            if (table.end(row) >= state_.pages->time) continue;
            ++sum.rows;
            sum.bytes += table.size(row);
        }
        return sum;
    }

    void addWindow() {
        RetainedRange window;
        window.start = state_.pages->time;
        window.heap = evicted(trace_.heap);
        window.virtualAlloc = evicted(trace_.virtualAlloc);
        auto& record = add({.ticks = properties_.firstTicks, .header = HeaderType::Full64}, store::Site{});
        record.kind = RawRecord::Kind::Provider;
        record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
        record.opcode = highwater_opcode::kWindow;
        record.pid = 0;
        record.tid = 0;
        const auto payload = decode::encodeRetainedRange(window, state_.startTicks);
        bytes_.insert(bytes_.end(), payload.begin(), payload.end());
        endPayload();
    }

    /// Blocks and commits, in the order in which they were made.
    Result<void> writeRows() {
        const auto& commits = state_.pages->commits;
        auto commit = commits.begin();
        for (RowId row = 0; row < trace_.heap.rows && trace_.heap.begin(row) < state_.pages->time; ++row) {
            if (trace_.heap.end(row) < state_.pages->time) continue;
            for (; commit != commits.end() && commit->begin <= trace_.heap.begin(row); ++commit)
                addCommit(*commit);
            addBlock(row);
            if (records_.size() < kRecordsAtOnce) continue;
            if (auto written = write(); !written.hasValue()) return written;
        }
        for (; commit != commits.end(); ++commit)
            addCommit(*commit);
        return {};
    }

    void addBlock(RowId row) {
        const auto& site = trace_.heap.site(row);
        const auto ticks = ticksAt(properties_, trace_.heap.begin(row));
        const auto address = trace_.heap.columns->rows.address(row);
        const auto size = trace_.heap.size(row);
        add({.ticks = ticks, .group = group::kHeap, .opcode = heap_opcode::kAlloc}, site);
        put(ownerOf(site).heap);
        put(size);
        put(address);
        put(std::uint32_t{site.kind});
        endPayload();
        addStack(ticks, site);
        if (!site.isRealloc && !std::binary_search(reallocs_.begin(), reallocs_.end(), row)) return;
        // In place: the block that there was for no time, to be reallocated, lies before the trace.
        add({.ticks = ticks, .group = group::kHeap, .opcode = heap_opcode::kReAlloc}, site);
        put(ownerOf(site).heap);
        put(address);
        put(address);
        put(size);
        put(size);
        put(std::uint32_t{site.kind});
        endPayload();
        addStack(ticks, site);
    }

    void addRegion(const Shape& shape, const store::Site& site, store::PageRange pages, std::uint32_t flags) {
        add(shape, site);
        put(pages.first << store::kPageShift);
        put(pages.bytes());
        put(ownerOf(site).pid);
        put(flags);
    }

    void addCommit(const store::PagesAt::Commit& commit) {
        const auto& site = trace_.columns->virtualAlloc.sites[commit.site];
        const auto ticks = ticksAt(properties_, commit.begin);
        if (commit.begin == kBeforeTrace) {
            const Shape rundown{.ticks = ticks, .group = group::kMemory, .opcode = virtual_opcode::kRundownStart};
            addRegion(rundown, site, commit.pages, virtual_flag::kCommit);
            put(commit.pages.bytes());
            return endPayload();
        }
        addRegion({.ticks = ticks, .group = group::kMemory, .opcode = virtual_opcode::kAlloc}, site, commit.pages,
                  virtual_flag::kCommit);
        endPayload();
        addStack(ticks, site);
    }

    /// At the last instant before the trace begins: it makes no row, and its process is the right one then.
    void addReservation(const store::PagesAt::Reservation& reservation) {
        store::Site site;
        site.heap = reservation.space;
        addRegion({.ticks = state_.startTicks - 1, .group = group::kMemory, .opcode = virtual_opcode::kAlloc}, site,
                  reservation.pages, virtual_flag::kReserve);
        endPayload();
        // Who reserved it is not asked any more; without any stack it would count as one that is missing.
        addReference(state_.startTicks - 1, site);
        put(Address{0});
        endPayload();
    }

    void addReference(std::int64_t ticks, const store::Site& site) {
        add({ticks, group::kStackWalk, stack_opcode::kStackWalk, HeaderType::PerfInfo64}, site);
        put(static_cast<std::uint64_t>(ticks));
        put(ownerOf(site).pid);
        put(site.thread);
    }

    void addStack(std::int64_t ticks, const store::Site& site) {
        const auto& stacks = trace_.columns->stacks;
        auto node = trace_.leaf(site.stack);
        if (stacks.node(node).depth == 0) return;
        addReference(ticks, site);
        for (; stacks.node(node).depth > 0; node = stacks.node(node).parent) {
            // Whoever reads the file finds by itself that the stack was cut.
            if (stacks.node(node).address != store::kStackCut) put(stacks.node(node).address);
        }
        endPayload();
    }

    const CarryOver& state_;
    const store::PublishedTrace& trace_;
    const TraceProperties& properties_;
    std::uint16_t processor_;
    const WriteRecords& write_;
    std::vector<RowId> reallocs_; ///< rows that were marked later
    std::vector<RawRecord> records_;
    std::vector<std::size_t> offsets_; ///< of their payloads
    std::vector<std::byte> bytes_;
};

} // namespace

Result<void> writeCarryOver(const CarryOver& state, const TraceProperties& properties, std::uint16_t processor,
                            const WriteRecords& write) {
    return CarryOverWriter(state, properties, processor, write).run();
}

} // namespace highwater::pipeline
