#include "core/analysis/table/grouped_table.h"
#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr unsigned kSeeds = 1000;
constexpr Address kPage = 0x1000;
constexpr std::uint32_t kPid = 10;

struct Segment {
    std::uint32_t process;
    Address first, last;
    std::int64_t from, to;
};

/// Commits, decommits and segments of one pid that is reused, at random.
class SegmentEvents {
  public:
    explicit SegmentEvents(unsigned seed) : random_(seed) {
        process(Occasion::RundownStart);
        for (int step = 0; step < 80; ++step)
            tell();
        store_.onTimeReached(TraceTime{now_ + 1});
    }
    std::shared_ptr<const store::PublishedTrace> publish() { return store_.publish(); }
    /// Whether any of these pages were in a segment at any of this time, by checking all segments.
    [[nodiscard]] bool isInSegment(std::uint32_t process, Address first, Address last, std::int64_t begin,
                                   std::int64_t end) const {
        return std::ranges::any_of(segments_, [&](const Segment& segment) {
            // A segment that came and went in one instant never contained anything.
            return segment.from < segment.to && segment.process == process && segment.first <= last &&
                   first <= segment.last && segment.from < std::max(end, begin + 1) && begin < segment.to;
        });
    }

  private:
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    void process(Occasion occasion) {
        ProcessEvent event;
        event.time = TraceTime{now_};
        event.occasion = occasion;
        event.pid = kPid;
        event.name = "app.exe";
        store_.onProcess(event);
    }
    void pages(MemoryOperation operation, std::uint32_t flags, Address address, ByteCount size) {
        MemoryEvent event;
        event.operation = operation;
        event.time = TraceTime{now_};
        event.pid = kPid;
        event.tid = ThreadId{kPid + 1 + below(2)};
        event.flags = flags;
        event.address = address;
        event.size = size;
        store_.onMemoryEvent(event);
    }
    void segment(GcEvent::Kind kind, Address address, ByteCount size) {
        GcEvent event;
        event.kind = kind;
        event.time = TraceTime{now_};
        event.pid = kPid;
        event.address = address;
        event.size = size;
        store_.onGc(event);
    }
    void closeAll() {
        for (auto& [address, number] : open_)
            segments_[number].to = now_;
        open_.clear();
    }
    void tell() {
        now_ += below(3);
        const Address address = Address{0x10000} + below(24) * kPage;
        const ByteCount size = (1 + below(6)) * kPage;
        switch (below(9)) {
        case 0:
        case 1:
        case 2:
            return pages(MemoryOperation::VirtualAlloc, virtual_flag::kCommit | virtual_flag::kReserve, address, size);
        case 3:
        case 4:
            return pages(MemoryOperation::VirtualFree, virtual_flag::kDecommit, address, size);
        case 5:
        case 6: {
            const auto found = open_.find(address);
            if (found != open_.end()) segments_[found->second].to = now_;
            segment(GcEvent::Kind::SegmentCreated, address, size);
            open_[address] = segments_.size();
            segments_.push_back({process_, address, address + size - 1, now_, kNever.ns});
            return;
        }
        case 7: {
            if (open_.empty()) return;
            auto at = open_.begin();
            std::advance(at, below(static_cast<std::uint32_t>(open_.size())));
            segment(GcEvent::Kind::SegmentFreed, at->first, 0);
            segments_[at->second].to = now_;
            open_.erase(at);
            return;
        }
        default:
            if (below(6) != 0) return;
            ++now_;
            process(Occasion::End);
            closeAll();
            ++now_;
            process(Occasion::Start);
            ++process_;
        }
    }

    std::mt19937 random_;
    TraceHealth health_;
    store::TraceStore store_{health_};
    std::int64_t now_ = 1;
    std::uint32_t process_ = 0;
    std::vector<Segment> segments_;
    std::map<Address, std::size_t> open_;
};

using Counted = std::map<std::string, std::pair<std::int64_t, std::int64_t>>; ///< by "process owner": count, bytes

std::int64_t numberIn(const CellValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? 0 : *number;
}

Counted countedByTable(const std::shared_ptr<const store::PublishedTrace>& trace, Query query) {
    auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), std::move(query));
    Counted counted;
    if (!table.hasValue()) return counted;
    for (const auto process : table.value()->children(GroupedTable::kRoot)) {
        for (const auto owner : table.value()->children(process))
            counted[table.value()->keyText(process) + " " + table.value()->keyText(owner)] = {
                numberIn(table.value()->value(owner, Column::Count)),
                numberIn(table.value()->value(owner, Column::Size))};
    }
    return counted;
}

Counted countedPlainly(const store::PublishedTrace& trace, const SegmentEvents& story, bool onlyGcHeap) {
    Counted counted;
    const auto& view = trace.virtualAlloc;
    for (RowId row = 0; row < view.rows; ++row) {
        const auto process = trace.heapOf(view.site(row)).process;
        const auto address = view.columns->rows.address(row);
        const bool isIn = story.isInSegment(process.value, address, address + view.size(row) - 1, view.begin(row).ns,
                                            view.end(row).ns);
        if (onlyGcHeap && !isIn) continue;
        auto& [count, bytes] = counted[trace.processes->key(process) + (isIn ? " [GC heap]" : " unknown")];
        ++count;
        bytes += static_cast<std::int64_t>(view.size(row));
    }
    return counted;
}

std::string printed(const Counted& counted) {
    std::string text;
    for (const auto& [name, numbers] : counted)
        text += fmt::format("{}: {} {}\n", name, numbers.first, numbers.second);
    return text;
}

} // namespace

/// The column Owner, from events to groups and filters. The owners themselves are checked by the test of PageOwners.
class OwnerColumnTest : public QObject {
    Q_OBJECT
  private slots:
    void groupsAndFiltersAreThoseOfAPlainRecount() {
        std::size_t ofGcHeap = 0;
        for (unsigned seed = 0; seed < kSeeds; ++seed) {
            SegmentEvents story(seed);
            const auto trace = story.publish();
            Query query;
            query.table = Table::VirtualAlloc;
            query.interval = trace->wholeRange();
            query.keys = {Column::Process, Column::Owner};
            const auto all = printed(countedPlainly(*trace, story, false));
            const auto found = printed(countedByTable(trace, query));
            QVERIFY2(found == all, fmt::format("seed {}:\n{}instead of\n{}", seed, found, all).c_str());
            query.filter.query = QueryExpression::parse(Table::VirtualAlloc, "Owner:=\"[GC heap]\"").value();
            const auto filtered = printed(countedByTable(trace, query));
            const auto kept = printed(countedPlainly(*trace, story, true));
            QVERIFY2(filtered == kept, fmt::format("seed {}:\n{}instead of\n{}", seed, filtered, kept).c_str());
            ofGcHeap += kept.empty() ? 0 : 1;
        }
        QVERIFY(ofGcHeap > kSeeds / 2); // otherwise too little was tested
    }
    void theOneOwnerThatAGroupHasIsSaid() {
        SegmentEvents story(3);
        const auto trace = story.publish();
        Query query;
        query.table = Table::VirtualAlloc;
        query.interval = trace->wholeRange();
        query.keys = {Column::Owner};
        query.columns = {Column::Owner, Column::Count, {Column::Owner, Aggregation::UniqueCount}};
        auto table = GroupedTable::compute(trace, std::make_shared<FrameLabels>(), query);
        QVERIFY(table.hasValue());
        const auto groups = table.value()->children(GroupedTable::kRoot);
        QVERIFY(!groups.empty());
        QVERIFY(table.value()->computeValues(groups).hasValue());
        for (const auto group : groups) {
            QVERIFY(table.value()->value(group, Column::Owner) == CellValue(table.value()->keyText(group)));
            QVERIFY(table.value()->value(group, {Column::Owner, Aggregation::UniqueCount}) ==
                    CellValue(std::int64_t{1}));
        }
    }
};
HIGHWATER_TEST(OwnerColumnTest);
#include "owner_column_test.moc"
