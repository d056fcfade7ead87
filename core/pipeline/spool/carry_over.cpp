#include "core/pipeline/spool/carry_over.h"

#include "core/decode/records/clock.h"
#include "core/decode/records/retained_range_record.h"
#include "core/event/memory_events.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace highwater::pipeline {
namespace {

using etl::HeaderType;
using etl::RawRecord;

constexpr std::size_t kRecordsAtOnce = 4096;

class CarryOverWriter {
  public:
    CarryOverWriter(const CarryOver& state, const TraceProperties& properties, std::uint16_t processor,
                    const WriteRecords& write)
        : state_(state),
          trace_(*state.trace),
          properties_(properties),
          clock_(properties),
          processor_(processor),
          write_(write) {}

    Result<std::uint64_t> run() {
        const auto& marks = trace_.heap.columns->rows.reallocMarks();
        for (std::uint64_t i = 0; i < trace_.heap.reallocMarks; ++i)
            reallocs_.push_back(marks[i]);
        std::sort(reallocs_.begin(), reallocs_.end());
        addWindow();
        TRY(writeRows());
        for (const auto& reservation : state_.pages->reservations)
            addReservation(reservation);
        TRY(write());
        return allocations_;
    }

  private:
    struct Shape {
        std::int64_t ticks = 0;
        std::uint8_t group = 0;
        std::uint8_t opcode = 0;
        HeaderType header = HeaderType::System64;
    };
    /// Pages that were committed or decommitted.
    struct PageChange {
        TraceTime time;
        store::PageRange pages;
        SiteId site; ///< end site of a decommit
        bool isDecommit = false;
    };
    /// A commit that was decommitted in part.
    struct PartialCommit {
        std::vector<store::PageRange> left;
        std::vector<store::PageRange> gone;
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

    /// Times before the trace map to its start.
    [[nodiscard]] std::int64_t ticksAt(TraceTime time) const {
        return time.ns <= 0 ? properties_.firstTicks : clock_.ticksAt(time);
    }
    [[nodiscard]] bool isKept(const store::Site& site) const {
        return !state_.pids || std::binary_search(state_.pids->begin(), state_.pids->end(), ownerOf(site).pid);
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

    /// Allocations that ended before the trace begins. Rows that ended before the current trace began are zero-length
    /// blocks that were written for reallocs (addBlock()); they were not discarded.
    [[nodiscard]] Evicted evicted(const store::TableView& table) const {
        auto sum = table.evicted;
        for (RowId row = 0; row < table.rows && table.begin(row) < state_.pages->time; ++row) {
            if (table.end(row) >= state_.pages->time || !isKept(table.site(row))) continue;
            if (trace_.isTrimmed() && table.end(row) < trace_.retainedFrom) continue;
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

    /// The page changes that led to the current commits, in time order.
    [[nodiscard]] std::vector<PageChange> pageChanges() const {
        std::vector<PageChange> changes;
        std::map<RowId, PartialCommit> partials;
        for (const auto& commit : state_.pages->commits) {
            if (!isKept(trace_.columns->virtualAlloc.sites[commit.site])) continue;
            const auto region = regionOf(commit.row);
            if (region.bytes() == commit.pages.bytes() || !contains(region, commit.pages)) {
                changes.push_back({commit.begin, commit.pages, commit.site, false});
                continue;
            }
            auto& partial = partials[commit.row];
            if (partial.left.empty()) changes.push_back({commit.begin, region, commit.site, false});
            partial.left.push_back(commit.pages);
        }
        addDecommits(partials, changes);
        std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
        return changes;
    }

    [[nodiscard]] store::PageRange regionOf(RowId row) const {
        const auto first = trace_.virtualAlloc.columns->rows.address(row) >> store::kPageShift;
        return {first, first + (trace_.virtualAlloc.size(row) >> store::kPageShift)};
    }
    [[nodiscard]] static bool contains(store::PageRange region, store::PageRange pages) {
        return region.first <= pages.first && pages.end <= region.end;
    }

    /// For a row, the times and numbers of released pages are known, and the remaining pages. The order of release is
    /// unknown, so the first released page counts as released first.
    void addDecommits(std::map<RowId, PartialCommit>& partials, std::vector<PageChange>& changes) const {
        for (auto& [row, partial] : partials)
            partial.gone = without(regionOf(row), partial.left);
        const auto& releases = trace_.virtualAlloc.columns->rows.partials();
        for (std::uint64_t i = 0; !partials.empty() && i < trace_.virtualAlloc.partials; ++i) {
            const auto& release = releases[i];
            const auto found = partials.find(release.row);
            if (found == partials.end() || release.time >= state_.pages->time) continue;
            auto& gone = found->second.gone;
            for (auto pages = release.bytes >> store::kPageShift; pages > 0 && !gone.empty();) {
                auto& next = gone.front();
                const auto some = std::min(pages, next.pages());
                changes.push_back({release.time, {next.first, next.first + some}, release.endSite, true});
                pages -= some;
                next.first += some;
                if (next.isEmpty()) gone.erase(gone.begin());
            }
        }
    }

    [[nodiscard]] static std::vector<store::PageRange> without(store::PageRange region,
                                                               std::vector<store::PageRange> left) {
        std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<store::PageRange> gone;
        for (const auto& pages : left) {
            if (region.first < pages.first) gone.push_back({region.first, pages.first});
            region.first = std::max(region.first, pages.end);
        }
        if (!region.isEmpty()) gone.push_back(region);
        return gone;
    }

    /// Blocks and commits in the order of their allocation.
    Result<void> writeRows() {
        const auto changes = pageChanges();
        auto change = changes.begin();
        for (RowId row = 0; row < trace_.heap.rows && trace_.heap.begin(row) < state_.pages->time; ++row) {
            if (trace_.heap.end(row) < state_.pages->time) continue;
            for (; change != changes.end() && change->time <= trace_.heap.begin(row); ++change)
                addChange(*change);
            addBlock(row);
            if (records_.size() < kRecordsAtOnce) continue;
            TRY(write());
        }
        for (; change != changes.end(); ++change)
            addChange(*change);
        return {};
    }

    void addBlock(RowId row) {
        const auto& site = trace_.heap.site(row);
        if (!isKept(site)) return;
        ++allocations_;
        const auto ticks = ticksAt(trace_.heap.begin(row));
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
        // In place: the zero-length block that is reallocated is before the trace.
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

    void addChange(const PageChange& change) {
        if (change.isDecommit) return addDecommit(change);
        ++allocations_;
        const auto& site = trace_.columns->virtualAlloc.sites[change.site];
        const auto ticks = ticksAt(change.time);
        if (change.time == kBeforeTrace) {
            const Shape rundown{.ticks = ticks, .group = group::kMemory, .opcode = virtual_opcode::kRundownStart};
            addRegion(rundown, site, change.pages, virtual_flag::kCommit);
            put(change.pages.bytes());
            return endPayload();
        }
        addRegion({.ticks = ticks, .group = group::kMemory, .opcode = virtual_opcode::kAlloc}, site, change.pages,
                  virtual_flag::kCommit);
        endPayload();
        addStack(ticks, site);
    }

    void addDecommit(const PageChange& change) {
        const auto& site = trace_.columns->virtualAlloc.endSites[change.site];
        const auto ticks = ticksAt(change.time);
        addRegion({.ticks = ticks, .group = group::kMemory, .opcode = virtual_opcode::kFree}, site, change.pages,
                  virtual_flag::kDecommit);
        endPayload();
        addStack(ticks, site);
    }

    /// At the last instant before the trace begins, where it does not create a row and its process is the right one.
    void addReservation(const store::PagesAt::Reservation& reservation) {
        store::Site site;
        site.heap = reservation.space;
        if (!isKept(site)) return;
        addRegion({.ticks = state_.startTicks - 1, .group = group::kMemory, .opcode = virtual_opcode::kAlloc}, site,
                  reservation.pages, virtual_flag::kReserve);
        endPayload();
        // The stack of the reservation is not needed, but without any stack it would count as missing.
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
            // Readers of the file detect by themselves that the stack was cut.
            if (stacks.node(node).address != store::kStackCut) put(stacks.node(node).address);
        }
        endPayload();
    }

    const CarryOver& state_;
    const store::PublishedTrace& trace_;
    const TraceProperties& properties_;
    decode::Clock clock_;
    std::uint16_t processor_;
    const WriteRecords& write_;
    std::uint64_t allocations_ = 0;
    std::vector<RowId> reallocs_; ///< rows to mark as realloc later
    std::vector<RawRecord> records_;
    std::vector<std::size_t> offsets_; ///< offsets of their payloads
    std::vector<std::byte> bytes_;
};

} // namespace

Result<std::uint64_t> writeCarryOver(const CarryOver& state, const TraceProperties& properties, std::uint16_t processor,
                                     const WriteRecords& write) {
    return CarryOverWriter(state, properties, processor, write).run();
}

} // namespace highwater::pipeline
