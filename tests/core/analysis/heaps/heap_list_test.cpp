#include "core/analysis/heaps/heap_list.h"
#include "core/analysis/heaps/heap_lives.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <random>
#include <set>

using namespace highwater;
using namespace highwater::analysis;

namespace {

constexpr ByteCount kPage = 4096;

/// Heap events of two processes, sent to a store and to a plain list beside it.
class HeapEvents {
  public:
    struct Told {
        MemoryEvent event;
        std::vector<Address> frames;
    };

    HeapEvents() {
        for (const std::uint32_t pid : {100u, 200u}) {
            ProcessEvent process;
            process.occasion = pid == 100 ? Occasion::Start : Occasion::RundownStart;
            process.pid = pid;
            process.name = pid == 100 ? "one.exe" : "two.exe";
            store.onProcess(process);
        }
    }
    void tell(MemoryOperation operation, std::uint32_t pid, Address heap, Address address = 0, ByteCount size = 0,
              std::vector<Address> frames = {}) {
        Told told;
        auto& event = told.event;
        event.time = TraceTime{now};
        event.operation = operation;
        event.pid = pid;
        event.tid = ThreadId{1};
        event.heap = heap;
        event.address = address;
        event.size = size;
        if (operation == MemoryOperation::VirtualAlloc) event.flags = virtual_flag::kCommit;
        if (operation == MemoryOperation::VirtualFree) event.flags = virtual_flag::kDecommit;
        told.frames = std::move(frames);
        events.push_back(told);
        auto sent = events.back().event;
        if (!events.back().frames.empty()) sent.stack = {EventStack::Kind::Frames, {}, events.back().frames};
        store.onMemoryEvent(sent);
    }
    std::shared_ptr<const store::PublishedTrace> publish() {
        store.onTimeReached(TraceTime{now});
        return store.publish();
    }

    TraceHealth health;
    store::TraceStore store{health};
    std::vector<Told> events;
    std::int64_t now = 0;
};

HeapList listOf(const std::shared_ptr<const store::PublishedTrace>& trace, HeapsQuery query) {
    FrameLabels labels;
    auto list = findHeaps(*trace, labels, query);
    if (!list.hasValue()) qFatal("%s", list.error().message.c_str());
    return std::move(list).value();
}

std::string textOf(const HeapFacts& heap) {
    const auto amount = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
    return fmt::format("{} {:x} {} x{} made {} gone {}: {} in {}, peak {}, growth {}, reserved {} committed {} live {} "
                       "slack {} gap {} by {}",
                       heap.process, heap.handle, originWord(heap.origin), heap.creations,
                       heap.created ? heap.created->ns : -1, heap.destroyed ? heap.destroyed->ns : -1, heap.bytes,
                       heap.count, heap.peak, heap.growth, amount(heap.reserved), amount(heap.committed),
                       heap.liveInRanges, amount(heap.slack), static_cast<int>(heap.gap), heap.stack.size());
}

/// The definitions of docs/numbers.md, event by event and page by page.
class HeapRecount {
  public:
    HeapRecount(const HeapEvents& story, TimeRange interval) : story_(story), interval_(interval) {}

    [[nodiscard]] std::multiset<std::string> heaps() const {
        std::set<std::pair<std::uint32_t, Address>> keys;
        for (const auto& [event, frames] : story_.events) {
            if (event.heap != 0) keys.insert({event.pid, event.heap});
        }
        std::multiset<std::string> texts;
        for (const auto& [pid, handle] : keys) {
            if (const auto text = heap(pid, handle); !text.empty()) texts.insert(text);
        }
        return texts;
    }

  private:
    struct Block {
        std::int64_t begin = 0, end = 0; ///< end: that of the trace or later when it is live
        Address address = 0;
        ByteCount size = 0;
    };
    [[nodiscard]] std::vector<Block> blocksOf(std::uint32_t pid, Address handle) const {
        std::vector<Block> blocks;
        for (const auto& [event, frames] : story_.events) {
            if (event.pid != pid || event.heap != handle) continue;
            if (event.operation == MemoryOperation::HeapAlloc)
                blocks.push_back({event.time.ns, std::int64_t{1} << 60, event.address, event.size});
            for (auto& block : blocks) {
                const bool isFreed = event.operation == MemoryOperation::HeapFree && event.address == block.address;
                const bool isGone = isFreed || event.operation == MemoryOperation::HeapDestroy;
                if (isGone && block.end == std::int64_t{1} << 60) block.end = event.time.ns;
            }
        }
        return blocks;
    }
    /// The highest value that it reached, event by event.
    [[nodiscard]] ByteCount peakOf(std::uint32_t pid, Address handle) const {
        std::map<Address, ByteCount> live;
        ByteCount level = 0;
        for (const auto& block : blocksOf(pid, handle)) { // blocks that end at the start of the interval do not count
            if (block.begin >= interval_.start.ns || block.end <= interval_.start.ns) continue;
            live[block.address] = block.size;
            level += block.size;
        }
        auto peak = level;
        for (const auto& [event, frames] : story_.events) {
            if (!interval_.contains(event.time) || event.pid != pid || event.heap != handle) continue;
            if (event.operation == MemoryOperation::HeapAlloc) level += live[event.address] = event.size;
            if (event.operation == MemoryOperation::HeapFree) level -= std::exchange(live[event.address], 0);
            if (event.operation == MemoryOperation::HeapDestroy) live.clear(), level = 0;
            peak = std::max(peak, level);
        }
        return peak;
    }
    [[nodiscard]] std::string heap(std::uint32_t pid, Address handle) const {
        const auto t0 = interval_.start.ns;
        const auto t1 = interval_.end.ns;
        HeapFacts facts;
        facts.process = pid == 100 ? "one.exe (100)" : "two.exe (200)";
        facts.handle = handle;
        facts.origin = handle == 1  ? HeapOrigin::Malloc
                       : pid == 100 ? HeapOrigin::NotRecorded
                                    : HeapOrigin::BeforeTrace;
        std::set<Address> ranges, pages;
        bool hasRanges = false, isMade = false;
        for (const auto& [event, frames] : story_.events) {
            if (event.pid != pid || event.time.ns >= t1) continue;
            const auto each = [&](auto visit) {
                for (Address page = 0; page < event.size; page += kPage)
                    visit(event.address + page);
            };
            if (event.operation == MemoryOperation::VirtualAlloc) each([&](Address page) { pages.insert(page); });
            if (event.operation == MemoryOperation::VirtualFree) each([&](Address page) { pages.erase(page); });
            if (event.heap != handle) continue;
            if (event.operation == MemoryOperation::HeapCreate) {
                facts.origin = HeapOrigin::Recorded;
                facts.created = event.time;
                facts.destroyed.reset();
                facts.stack.assign(frames.size(), "");
                ++facts.creations;
                isMade = true;
            } else if (event.operation == MemoryOperation::HeapDestroy) {
                facts.destroyed = event.time;
                ranges.clear();
                hasRanges = false;
            } else if (event.operation == MemoryOperation::HeapRangeReserve) {
                hasRanges = true;
                each([&](Address page) { ranges.insert(page); });
            } else if (event.operation == MemoryOperation::HeapRangeRelease) {
                each([&](Address page) { ranges.erase(page); });
            } else if (event.operation == MemoryOperation::HeapRangeDestroy) {
                ranges.clear();
            }
        }
        const auto blocks = blocksOf(pid, handle);
        bool hasRows = false;
        for (const auto& block : blocks) {
            if (block.begin >= t1 || (block.end <= t0 && block.begin < t0)) continue;
            hasRows = true;
            const bool isLive = block.end >= t1;
            facts.growth -= block.begin < t0 ? static_cast<SignedByteCount>(block.size) : 0;
            if (!isLive) continue;
            facts.growth += static_cast<SignedByteCount>(block.size);
            ++facts.count;
            facts.bytes += block.size;
            if (ranges.contains(block.address / kPage * kPage)) facts.liveInRanges += block.size;
        }
        facts.peak = peakOf(pid, handle);
        const bool isThere = !facts.destroyed && (isMade || hasRanges);
        if (!hasRows && !isThere && !(facts.destroyed && facts.destroyed->ns >= t0)) return {};
        ByteCount committed = 0;
        for (const auto page : pages)
            committed += ranges.contains(page) ? kPage : 0;
        if (facts.destroyed || !hasRanges) {
            facts.gap = facts.destroyed ? SlackGap::Gone : SlackGap::NoRanges;
            facts.liveInRanges = 0;
            return textOf(facts);
        }
        facts.reserved = ranges.size() * kPage;
        facts.gap = committed == 0 ? SlackGap::NoCommits : SlackGap::None;
        if (committed == 0) return textOf(facts);
        facts.committed = committed;
        if (committed < facts.liveInRanges)
            facts.gap = SlackGap::MoreLive;
        else
            facts.slack = committed - facts.liveInRanges;
        return textOf(facts);
    }

    const HeapEvents& story_;
    TimeRange interval_;
};

/// Makes a random next event.
class RandomHeaps {
  public:
    explicit RandomHeaps(unsigned seed) : random_(seed) {
        const auto steps = pick(120);
        for (unsigned i = 0; i < steps; ++i)
            step();
        story.now += pick(3) + 1;
    }
    unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random_); }

    HeapEvents story;

  private:
    void step() {
        story.now += pick(3);
        const std::uint32_t pid = 100 * (1 + pick(2));
        const Address handle = std::array<Address, 3>{1, 0x10000, 0x20000}.at(pick(3));
        const Address page = 0x100000 + kPage * pick(24);
        const ByteCount size = kPage * (1 + pick(4));
        switch (pick(10)) {
        case 0:
            return story.tell(MemoryOperation::HeapCreate, pid, handle, 0, 0,
                              pick(2) == 0 ? std::vector<Address>{} : std::vector<Address>{0x7000, 0x8000});
        case 1:
            if (pick(2) == 0) return;
            std::erase_if(blocks_, [&](const auto& block) { return block.first == std::pair(pid, handle); });
            return story.tell(MemoryOperation::HeapDestroy, pid, handle);
        case 2:
            return story.tell(MemoryOperation::HeapRangeReserve, pid, handle, page, size);
        case 3:
            return story.tell(MemoryOperation::HeapRangeRelease, pid, handle, page, size);
        case 4:
            if (pick(4) != 0) return;
            return story.tell(MemoryOperation::HeapRangeDestroy, pid, handle);
        case 5:
        case 6:
            return commit(pid, page, size);
        case 7:
            if (blocks_.empty()) return;
            return free();
        default:
            return alloc(pid, handle, page + 16 * pick(3));
        }
    }
    /// Only whole commits are freed, because events do not report which part of one is freed.
    void commit(std::uint32_t pid, Address page, ByteCount size) {
        for (auto at = commits_.begin(); at != commits_.end(); ++at) {
            const auto& [owner, first, bytes] = *at;
            if (owner != pid || first >= page + size || page >= first + bytes) continue;
            story.tell(MemoryOperation::VirtualFree, pid, 0, first, bytes);
            commits_.erase(at);
            return;
        }
        story.tell(MemoryOperation::VirtualAlloc, pid, 0, page, size);
        commits_.push_back({pid, page, size});
    }
    void alloc(std::uint32_t pid, Address handle, Address address) {
        const std::pair key{std::pair(pid, handle), address};
        if (!blocks_.insert(key).second) return;
        story.tell(MemoryOperation::HeapAlloc, pid, handle, address, pick(2) == 0 ? kPage * pick(5) : pick(16));
    }
    void free() {
        const auto block = std::next(blocks_.begin(), pick(static_cast<unsigned>(blocks_.size())));
        story.tell(MemoryOperation::HeapFree, block->first.first, block->first.second, block->second);
        blocks_.erase(block);
    }

    std::mt19937 random_;
    std::vector<std::tuple<std::uint32_t, Address, ByteCount>> commits_;
    std::set<std::pair<std::pair<std::uint32_t, Address>, Address>> blocks_;
};

} // namespace

/// A row for each heap.
class HeapListTest : public QObject {
    Q_OBJECT
  private slots:
    void rangesJoinAndSplit() {
        AddressRanges ranges;
        ranges.add(10, 10);
        ranges.add(20, 5);
        ranges.add(40, 10);
        QCOMPARE(ranges.bytes(), ByteCount{25});
        ranges.remove(15, 30);
        QCOMPARE(ranges.bytes(), ByteCount{10}); // [10, 15) and [45, 50)
        QVERIFY(ranges.contains(14) && !ranges.contains(15) && ranges.contains(45) && !ranges.contains(50));
        QCOMPARE(ranges.bytesWithin(12, 100), ByteCount{8});
        ranges.add(~Address{0} - 5, ~ByteCount{0}); // cut at the last address
        QVERIFY(ranges.contains(~Address{0} - 1) && !ranges.contains(3));
    }
    void equalsTheRecountOverRandomStories() {
        std::array<int, 6> gaps{};
        for (unsigned seed = 1; seed <= 500; ++seed) {
            RandomHeaps random(seed);
            const auto trace = random.story.publish();
            const auto from = random.pick(static_cast<unsigned>(random.story.now));
            const auto to = from + 1 + random.pick(static_cast<unsigned>(random.story.now) - from);
            const TimeRange interval{TraceTime{from}, TraceTime{to}};
            std::multiset<std::string> found;
            const auto list = listOf(trace, {.interval = interval});
            for (const auto& heap : list.heaps) {
                found.insert(textOf(heap));
                ++gaps.at(static_cast<std::size_t>(heap.gap));
            }
            const auto wanted = HeapRecount(random.story, interval).heaps();
            QVERIFY2(found == wanted, fmt::format("seed {} [{}, {}):\n{}\n---\n{}", seed, from, to,
                                                  fmt::join(found, "\n"), fmt::join(wanted, "\n"))
                                          .c_str());
            QVERIFY(std::is_sorted(list.heaps.begin(), list.heaps.end(),
                                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; }));
        }
        for (const auto gap :
             {SlackGap::None, SlackGap::NoRanges, SlackGap::NoCommits, SlackGap::MoreLive, SlackGap::Gone})
            QVERIFY2(gaps.at(static_cast<std::size_t>(gap)) > 5, qPrintable(QString::number(static_cast<int>(gap))));
    }
    void aFilterLeavesHeapsOutButNotTheSlack() {
        HeapEvents story;
        story.tell(MemoryOperation::HeapCreate, 100, 0x10000);
        story.tell(MemoryOperation::HeapRangeReserve, 100, 0x10000, 0x100000, 4 * kPage);
        story.tell(MemoryOperation::VirtualAlloc, 100, 0, 0x100000, 2 * kPage);
        story.tell(MemoryOperation::HeapAlloc, 100, 0x10000, 0x100000, 100);
        story.tell(MemoryOperation::HeapAlloc, 100, 0x10000, 0x100100, 1000);
        story.tell(MemoryOperation::HeapCreate, 200, 0x20000);
        story.now = 10;
        const auto trace = story.publish();
        HeapsQuery query{.interval = {TraceTime{0}, TraceTime{10}}};
        QCOMPARE(listOf(trace, query).heaps.size(), std::size_t{2});
        query.filter.query = QueryExpression::parse(Table::Heap, "Size:=100").value();
        const auto list = listOf(trace, query);
        QCOMPARE(list.heaps.size(), std::size_t{1});
        QCOMPARE(list.heaps[0].bytes, ByteCount{100});
        QCOMPARE(list.heaps[0].liveInRanges, ByteCount{1100});
        QCOMPARE(list.heaps[0].slack.value_or(0), 2 * kPage - 1100);
    }
    void whatIsLaterHasNotHappened() {
        HeapEvents story;
        story.tell(MemoryOperation::HeapCreate, 100, 0x10000);
        story.now = 5;
        const auto trace = story.publish();
        story.tell(MemoryOperation::HeapDestroy, 100, 0x10000);
        const auto heaps = listOf(trace, {.interval = {TraceTime{0}, TraceTime{100}}}).heaps;
        QCOMPARE(heaps.size(), std::size_t{1});
        QVERIFY(!heaps[0].destroyed);
    }
    void stopsWhenAsked() {
        HeapEvents story;
        story.tell(MemoryOperation::HeapAlloc, 100, 0x10000, 0x100000, 100);
        story.now = 5;
        std::stop_source stop;
        stop.request_stop();
        FrameLabels labels;
        const auto list =
            findHeaps(*story.publish(), labels, {.interval = {TraceTime{0}, TraceTime{5}}}, stop.get_token());
        QVERIFY(!list.hasValue() && list.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(HeapListTest);
#include "heap_list_test.moc"
