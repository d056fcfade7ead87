#include "core/analysis/balance/rows_on_pages.h"

#include "core/analysis/balance/allocator_rules.h"
#include "core/analysis/balance/block_extent.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/analysis/balance/sample_sweep.h"
#include "core/analysis/balance/used_pages.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace highwater::analysis {
namespace {

/// The resident bytes of a sample below an address, in mappings with known resident pages. Fast for ascending
/// addresses.
class ResidentBytes {
  public:
    explicit ResidentBytes(const ResidentSample& sample) {
        for (const auto& mapping : sample.mappings) {
            if (mapping.resident == 0) continue; // none of its pages is
            if (!arePagesKnown(mapping)) {
                unknown_.push_back({mapping.begin, mapping.end});
                continue;
            }
            eachResidentRun(mapping, [&](PageRange run) {
                runs_.push_back({run.first * kResidentPageBytes, run.last * kResidentPageBytes, all_});
                all_ += runs_.back().end - runs_.back().begin;
            });
        }
    }
    [[nodiscard]] ByteCount in(Address begin, Address end) { return begin < end ? below(end) - below(begin) : 0; }
    /// Whether it is unknown which pages of a mapping in [begin, end) are resident.
    [[nodiscard]] bool isUnknown(Address begin, Address end) const {
        const auto next = std::ranges::upper_bound(unknown_, begin, {}, &Extent::end);
        return next != unknown_.end() && next->begin < end;
    }

  private:
    struct Extent {
        Address begin = 0;
        Address end = 0;
    };
    struct Run {
        Address begin = 0;
        Address end = 0;
        ByteCount before = 0; ///< resident bytes below `begin`
    };

    ByteCount below(Address address) {
        const auto isPast = [&](std::size_t i) { return i < runs_.size() && runs_[i].begin < address; };
        // `next_` becomes the first run that begins at the address or above.
        const bool isNear = (next_ == 0 || isPast(next_ - 1)) && (!isPast(next_) || !isPast(next_ + 1));
        if (!isNear) {
            const auto found = std::ranges::lower_bound(runs_, address, {}, &Run::begin);
            next_ = static_cast<std::size_t>(found - runs_.begin());
        } else if (isPast(next_)) {
            ++next_;
        }
        if (next_ == 0) return 0;
        const auto& run = runs_[next_ - 1];
        return run.before + (std::min(address, run.end) - run.begin);
    }

    std::vector<Run> runs_;
    std::vector<Extent> unknown_; ///< ascending
    ByteCount all_ = 0;
    std::size_t next_ = 0;
};

struct LiveRow {
    BlockExtent extent;
    TraceTime since;
    RowId row = 0;
};

/// Visits the bytes of rows in the order of addresses, each with the newest of the rows that contain it: if an address
/// was allocated again, the free of the older row was lost. visit(row, begin, end), adjacent bytes of a row in one
/// call.
template <typename Visit>
bool eachNewest(std::vector<LiveRow>& rows, const std::stop_token& stop, Visit visit) {
    std::ranges::sort(rows, {}, [](const LiveRow& live) { return live.extent.begin; });
    const auto isOlder = [](const LiveRow* a, const LiveRow* b) {
        return std::tuple(a->since, a->row) < std::tuple(b->since, b->row);
    };
    std::priority_queue<const LiveRow*, std::vector<const LiveRow*>, decltype(isOlder)> open(isOlder);
    const LiveRow* current = nullptr;
    Address begin = 0, end = 0;
    const auto extend = [&](const LiveRow* row, Address from, Address to) {
        if (row != current || from != end) {
            if (current != nullptr) visit(*current, begin, end);
            current = row;
            begin = from;
        }
        end = to;
    };
    Address at = 0;
    for (std::size_t next = 0; next < rows.size() || !open.empty();) {
        constexpr std::size_t kStopEvery = 1 << 14;
        if (next % kStopEvery == 0 && stop.stop_requested()) return false;
        if (open.empty()) at = std::max(at, rows[next].extent.begin);
        for (; next < rows.size() && rows[next].extent.begin <= at; ++next)
            open.push(&rows[next]);
        while (!open.empty() && open.top()->extent.end <= at)
            open.pop();
        if (open.empty()) continue;
        const auto* const newest = open.top();
        auto until = newest->extent.end;
        if (next < rows.size()) until = std::min(until, rows[next].extent.begin);
        extend(newest, at, until);
        at = until;
    }
    if (current != nullptr) visit(*current, begin, end);
    return true;
}

BlockExtent extentOfPages(Address address, ByteCount size) {
    const auto pages = pagesOf(address, size);
    const auto begin = pages.first * kResidentPageBytes, end = pages.last * kResidentPageBytes;
    return {begin, begin, end, end};
}

} // namespace

/// Makes the parts of one process after the other.
class RowsOnPages::Builder {
  public:
    explicit Builder(RowsOnPages& made) : made_(made) {}

    /// False: stopped.
    bool add(const ResidentSample& sample, std::vector<LiveRow>& rows, const std::stop_token& stop) {
        ResidentBytes resident(sample);
        page_ = kNone;
        return eachNewest(
            rows, stop, [&](const LiveRow& live, Address begin, Address end) { addPart(live, begin, end, resident); });
    }
    void finish() { std::ranges::stable_sort(made_.parts_, {}, &Part::row); }

  private:
    static constexpr PageNumber kNone = std::numeric_limits<PageNumber>::max();

    void addPart(const LiveRow& live, Address begin, Address end, ResidentBytes& resident) {
        const auto first = begin / kResidentPageBytes, last = (end - 1) / kResidentPageBytes;
        Part part{.row = live.row};
        part.firstPage = numberOf(first, resident);
        part.resident = resident.in(std::max(begin, live.extent.blockBegin), std::min(end, live.extent.blockEnd));
        if (last > first) {
            const auto inner = resident.in((first + 1) * kResidentPageBytes, last * kResidentPageBytes);
            part.innerPages = inner / kResidentPageBytes;
            part.lastPage = numberOf(last, resident);
        }
        part.isOnUnknownPages = resident.isUnknown(begin, end);
        if (part.isResident() || part.isOnUnknownPages) made_.parts_.push_back(part);
    }
    /// Pages ascend, so that a page with several parts is the last one that was asked for.
    std::uint32_t numberOf(PageNumber page, ResidentBytes& resident) {
        if (page != page_) {
            page_ = page;
            isResident_ = resident.in(page * kResidentPageBytes, (page + 1) * kResidentPageBytes) != 0;
            if (isResident_) made_.partsOnPage_.push_back(0);
        }
        if (!isResident_) return kNoPage;
        ++made_.partsOnPage_.back();
        return made_.pageCount() - 1;
    }

    RowsOnPages& made_;
    PageNumber page_ = kNone;
    bool isResident_ = false;
};

std::optional<RowsOnPages> RowsOnPages::find(const store::PublishedTrace& trace, store::TableKind kind,
                                             TimeRange interval, const std::stop_token& stop) {
    RowsOnPages made;
    std::vector<SharedResidentSample> samples;
    std::vector<FollowedProcess> processes;
    for (const auto& ofProcess : samplesIn(trace, interval)) {
        samples.push_back(ofProcess.samples.back());
        processes.push_back(
            {ofProcess.process, {}, {samples.back()->time}, rulesOf(*trace.processes, ofProcess.process)});
        made.samples_.push_back({ofProcess.process, samples.back()->time, samples.back()->resident()});
    }
    if (samples.empty()) return made;
    const auto sites = followedSites(trace, kind, processes);
    const auto& view = trace.table(kind);
    const auto& rows = view.columns->rows;
    std::vector<std::vector<LiveRow>> live(processes.size());
    const auto addIfThere = [&](RowId row) {
        const auto process = sites[rows.site(row).value];
        if (process == kNotFollowed) return;
        const auto begin = view.begin(row), time = samples[process]->time;
        if (begin >= time || view.end(row) < time) return;
        const auto extent = kind == store::TableKind::Heap
                                ? extentOf(rows.address(row), view.size(row), processes[process].rules)
                                : extentOfPages(rows.address(row), view.size(row));
        if (!extent.isEmpty()) live[process].push_back({extent, begin, row});
    };
    const auto [first, last] = std::ranges::minmax(samples, {}, &ResidentSample::time);
    if (!eachRowThere(view, {first->time, last->time}, stop, addIfThere)) return std::nullopt;
    Builder builder(made);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (!builder.add(*samples[i], live[i], stop)) return std::nullopt;
        live[i] = {};
    }
    builder.finish();
    return made;
}

std::span<const RowsOnPages::Part> RowsOnPages::partsOf(RowId row) const {
    const auto found = std::ranges::equal_range(parts_, row, {}, &Part::row);
    return {found.begin(), found.end()};
}

bool RowsOnPages::isSampled(ProcessIndex process) const {
    return std::ranges::binary_search(samples_, process.value, {},
                                      [](const Sampled& sampled) { return sampled.process.value; });
}

} // namespace highwater::analysis
