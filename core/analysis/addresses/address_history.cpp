#include "core/analysis/addresses/address_history.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/frames/stack_paths.h"
#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/rows/parallel_spans.h"
#include "core/analysis/rows/row_selection.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace highwater::analysis {
namespace {

using store::AllocationTable, store::TableKind;

/// A row or a free, before its texts are looked up.
struct Hit {
    TableKind table = TableKind::Heap;
    bool isUnmatchedFree = false;
    std::uint64_t number = 0; ///< row number, or index among the unmatched frees
    TraceTime time;
};

bool covers(Address first, ByteCount size, Address address) {
    return address - first < size || (size == 0 && address == first);
}

class AddressSearch {
  public:
    AddressSearch(const store::PublishedTrace& trace, const AddressQuery& query, const std::stop_token& stop)
        : trace_(trace),
          query_(query),
          stop_(stop),
          rows_{IntervalRows(trace, TableKind::VirtualAlloc, optionsOf(trace, query)),
                IntervalRows(trace, TableKind::Heap, optionsOf(trace, query))} {}

    /// False: stopped.
    bool collect() {
        for (const auto kind : {TableKind::VirtualAlloc, TableKind::Heap}) {
            if (!collectRows(kind)) return false;
            if (!query_.at) collectUnmatched(kind);
        }
        std::sort(hits_.begin(), hits_.end(), [](const Hit& a, const Hit& b) {
            return std::tuple(a.time, a.table, a.isUnmatchedFree, a.number) <
                   std::tuple(b.time, b.table, b.isUnmatchedFree, b.number);
        });
        return true;
    }
    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    [[nodiscard]] const IntervalRows& rowsOf(TableKind kind) const { return rows_[kind == TableKind::Heap ? 1 : 0]; }

  private:
    static IntervalRows::Options optionsOf(const store::PublishedTrace& trace, const AddressQuery& query) {
        return {{TraceTime{0}, trace.horizon}, Membership::Table, query.processExitFreesHeap};
    }
    [[nodiscard]] bool isOfProcess(const store::Site& site) const {
        if (!query_.pid) return true;
        const auto process = trace_.heapOf(site).process;
        return process.value < trace_.processes->processes().size() && (*trace_.processes)[process].pid == *query_.pid;
    }
    [[nodiscard]] bool isAtInstant(RowId row, TableKind kind) const {
        return !query_.at || (trace_.table(kind).begin(row) <= *query_.at && rowsOf(kind).end(row) > *query_.at);
    }
    bool collectRows(TableKind kind) {
        const auto& view = trace_.table(kind);
        const auto& table = view.columns->rows;
        const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
        std::vector<std::vector<RowId>> found(workersFor(spans));
        const bool finished =
            forEachSpan(spans, static_cast<unsigned>(found.size()), stop_, [&](unsigned worker, std::uint64_t span) {
                const auto first = span << AllocationTable::kSpanShift;
                const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
                for (auto row = first; row < last; ++row) {
                    const auto id = static_cast<RowId>(row);
                    if (covers(table.address(id), table.size(id), query_.address)) found[worker].push_back(id);
                }
            });
        for (const auto& part : found) {
            for (const auto row : part) {
                // Events at or after the horizon have not happened yet.
                if (view.begin(row) < view.horizon && isOfProcess(view.site(row)) && isAtInstant(row, kind))
                    hits_.push_back({kind, false, row, view.begin(row)});
            }
        }
        return finished;
    }
    void collectUnmatched(TableKind kind) {
        const auto& view = trace_.table(kind);
        for (std::uint64_t i = 0; i < view.unmatchedFrees; ++i) {
            const auto& free = view.columns->unmatchedFrees[i];
            const bool isHere = covers(free.address, free.bytes, query_.address);
            if (isHere && free.time < view.horizon && isOfProcess(view.columns->endSites[free.endSite]))
                hits_.push_back({kind, true, i, free.time});
        }
    }

    const store::PublishedTrace& trace_;
    const AddressQuery& query_;
    const std::stop_token& stop_;
    IntervalRows rows_[2];
    std::vector<Hit> hits_;
};

/// Looks up the texts of a hit.
class UseReader {
  public:
    UseReader(const store::PublishedTrace& trace, FrameLabels& labels)
        : trace_(trace),
          labels_(labels),
          paths_(trace, labels, labels.labelsOf(trace), StackPaths::Order::LeafFirst, nullptr),
          owners_(*trace.processes, labels, nullptr) {}

    AddressUse read(const Hit& hit, const IntervalRows& rows) {
        AddressUse use;
        use.table = hit.table;
        use.isUnmatchedFree = hit.isUnmatchedFree;
        if (hit.isUnmatchedFree)
            readFree(rows.view().columns->unmatchedFrees[hit.number], rows.view(), use);
        else
            readRow(static_cast<RowId>(hit.number), rows, use);
        return use;
    }

  private:
    void readRow(RowId row, const IntervalRows& rows, AddressUse& use) {
        const auto& view = rows.view();
        const auto& site = view.site(row);
        readOwner(site, use);
        use.address = view.columns->rows.address(row);
        use.size = view.size(row);
        use.begin = view.begin(row);
        use.end = rows.end(row);
        use.endKind = rows.endKind(row);
        use.thread = site.thread;
        use.stack = stackOf(site);
        if (trace_.heapOf(site).process.value < trace_.processes->processes().size())
            use.ownerFrame = owners_.ownerOf(trace_.heapOf(site).process, paths_.of(site.stack));
        for (const auto& partial : rows.partialsOf(row)) {
            if (partial.isFinal == 0 && partial.time < use.end) use.releasedInParts += partial.bytes;
        }
        if (use.end == kNever || rows.endedWithProcess(row)) return;
        use.endThread = view.endSite(row).thread;
        use.endStack = endStackOf(view, view.endSite(row));
    }
    void readFree(const store::UnmatchedFree& free, const store::TableView& view, AddressUse& use) {
        const auto& site = view.columns->endSites[free.endSite];
        readOwner(site, use);
        use.address = free.address;
        use.size = free.bytes;
        use.end = free.time;
        use.endKind = static_cast<store::EndKind>(site.kind);
        use.endThread = site.thread;
        use.endStack = endStackOf(view, site);
    }
    std::vector<std::string> endStackOf(const store::TableView& view, const store::Site& site) {
        if (site.stack != StackId{0} || hasStacks(view, site.kind)) return stackOf(site);
        return {"(stacks on free were not recorded)"};
    }
    /// Whether any end of this kind in the table has a stack.
    static bool hasStacks(const store::TableView& view, std::uint8_t kind) {
        for (std::uint32_t i = 0; i < view.endSites; ++i) {
            const auto& site = view.columns->endSites[SiteId{i}];
            if (site.kind == kind && site.stack != StackId{0}) return true;
        }
        return false;
    }
    void readOwner(const store::Site& site, AddressUse& use) const {
        const auto& heap = trace_.heapOf(site);
        const bool isKnown = heap.process.value < trace_.processes->processes().size();
        use.process = isKnown ? trace_.processes->key(heap.process) : "Unknown";
        use.heap = heap.handle;
    }
    std::vector<std::string> stackOf(const store::Site& site) {
        paths_.add(site.stack);
        std::vector<std::string> frames;
        for (const auto label : paths_.of(site.stack))
            frames.emplace_back(labels_.text(LabelId{label}));
        return frames;
    }

    const store::PublishedTrace& trace_;
    FrameLabels& labels_;
    StackPaths paths_;
    OwnerFrames owners_;
};

} // namespace

Result<AddressHistory> findAddress(const store::PublishedTrace& trace, FrameLabels& labels, const AddressQuery& query,
                                   const std::stop_token& stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Address, trace.lacks)) return *std::move(refused);
    AddressSearch search(trace, query, stop);
    if (!search.collect()) return cancelled();
    const auto& hits = search.hits();
    AddressHistory history;
    history.count = hits.size();
    UseReader reader(trace, labels);
    for (auto i = hits.size() - std::min(query.most, hits.size()); i < hits.size(); ++i) {
        if (stop.stop_requested()) return cancelled();
        history.uses.push_back(reader.read(hits[i], search.rowsOf(hits[i].table)));
    }
    return history;
}

std::optional<Address> parseAddress(std::string_view text) {
    std::string digits(trimmed(text));
    std::erase(digits, '`');
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.erase(0, 2);
    Address address = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    const bool isWhole = error == std::errc() && end == digits.data() + digits.size();
    return isWhole ? std::optional(address) : std::nullopt;
}

} // namespace highwater::analysis
