#include "core/store/published/page_owners.h"

#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::store;

namespace {

constexpr std::uint32_t kPid = 10;
constexpr Address kPage = 0x1000;

/// Sends a store the owners of addresses, one after the other.
class OwnerEvents {
  public:
    OwnerEvents() { process(Occasion::RundownStart, 0, kPid); }

    void process(Occasion occasion, std::int64_t time, std::uint32_t pid) {
        ProcessEvent event;
        event.time = TraceTime{time};
        event.occasion = occasion;
        event.pid = pid;
        event.name = "app.exe";
        store_.onProcess(event);
    }
    void segment(std::int64_t time, Address address, ByteCount size, std::uint32_t pid = kPid) {
        gc(GcEvent::Kind::SegmentCreated, time, address, size, pid);
    }
    void freeSegment(std::int64_t time, Address address, std::uint32_t pid = kPid) {
        gc(GcEvent::Kind::SegmentFreed, time, address, 0, pid);
    }
    void heapRange(MemoryOperation operation, std::int64_t time, Address heap, Address address, ByteCount size,
                   std::uint32_t pid = kPid) {
        MemoryEvent event;
        event.operation = operation;
        event.time = TraceTime{time};
        event.pid = pid;
        event.heap = heap;
        event.address = address;
        event.size = size;
        store_.onMemoryEvent(event);
    }
    void thread(Occasion occasion, std::int64_t time, std::uint32_t tid, Address limit = 0, Address base = 0,
                std::uint32_t pid = kPid) {
        ThreadEvent event;
        event.time = TraceTime{time};
        event.occasion = occasion;
        event.pid = pid;
        event.tid = tid;
        event.stackLimit = limit;
        event.stackBase = base;
        store_.onThread(event);
    }
    void image(Occasion occasion, std::int64_t time, Address base, ByteCount size) {
        ImageEvent event;
        event.time = TraceTime{time};
        event.occasion = occasion;
        event.pid = kPid;
        event.base = base;
        event.size = size;
        event.path = fmt::format("C:\\{:x}.dll", base);
        store_.onImage(event);
    }
    std::shared_ptr<const PublishedTrace> publish(std::int64_t horizon = 1'000'000) {
        store_.onTimeReached(TraceTime{horizon});
        return store_.publish();
    }

  private:
    void gc(GcEvent::Kind kind, std::int64_t time, Address address, ByteCount size, std::uint32_t pid) {
        GcEvent event;
        event.kind = kind;
        event.time = TraceTime{time};
        event.pid = pid;
        event.address = address;
        event.size = size;
        store_.onGc(event);
    }

    TraceHealth health_;
    TraceStore store_{health_};
};

PageOwner ownerOf(const std::shared_ptr<const PublishedTrace>& trace, Address address, ByteCount size,
                  std::int64_t begin, std::int64_t end = kNever.ns, std::uint32_t process = 0) {
    return PageOwners(*trace).of(ProcessIndex{process}, address, size, TraceTime{begin}, TraceTime{end});
}

/// One owner in the plain recount.
struct Had {
    PageOwner owner;
    std::uint32_t process;
    Address first, last;
    std::int64_t from, to;
};

/// The owner of the pages, found by checking all owners that ever existed.
PageOwner plainOwner(const std::vector<Had>& all, std::uint32_t process, Address address, ByteCount size,
                     std::int64_t begin, std::int64_t end) {
    auto best = PageOwner::Unknown;
    for (const auto& had : all) {
        const bool isHis = had.process == process && had.first < address + std::max<ByteCount>(size, 1) &&
                           address <= had.last && had.from < std::max(end, begin + 1) && begin < had.to;
        if (isHis) best = std::min(best, had.owner);
    }
    return best;
}

} // namespace

/// Owners of pages, from published data (docs/numbers.md 22.3).
class PageOwnersTest : public QObject {
    Q_OBJECT
  private slots:
    void aSegmentHasItsPagesWhileItLives() {
        OwnerEvents story;
        story.segment(100, 0x10000, 0x10000);
        story.freeSegment(200, 0x10000);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x12000, kPage, 150, 160) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, 0x1F000, kPage, 150, 160) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, 0x20000, kPage, 150, 160) == PageOwner::Unknown); // after it
        QVERIFY(ownerOf(trace, 0xF000, kPage, 150, 160) == PageOwner::Unknown);  // before it
        QVERIFY(ownerOf(trace, 0x12000, kPage, 50, 100) == PageOwner::Unknown);  // had ended when it began
        QVERIFY(ownerOf(trace, 0x12000, kPage, 200) == PageOwner::Unknown);      // began when it had ended
        QVERIFY(ownerOf(trace, 0x12000, kPage, 150, 160, 1) == PageOwner::Unknown);
    }
    /// The runtime commits a segment and reports it only afterwards; the segment starts after a head of its own.
    void aCommitBeforeItsSegmentIsPartOfIt() {
        OwnerEvents story;
        story.segment(100, 0x11000, 0xF000);
        QVERIFY(ownerOf(story.publish(), 0x10000, 0x2000, 90) == PageOwner::GcHeap);
    }
    void aSegmentThatWasThereBeforeTheRecordingIsKnownByItsEnd() {
        OwnerEvents story;
        story.freeSegment(200, 0x10000);
        story.freeSegment(300, 0x10000); // adds nothing about earlier times
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x10000, 0x4000, kBeforeTrace.ns) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, 0x10000, 0x4000, 250) == PageOwner::Unknown);
    }
    void aPidThatIsUsedAgainIsAnotherProcess() {
        OwnerEvents story;
        story.segment(100, 0x10000, 0x10000);
        story.process(Occasion::End, 200, kPid);
        story.process(Occasion::Start, 300, kPid);
        story.segment(400, 0x50000, 0x10000);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x10000, kPage, 150, kNever.ns, 0) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, 0x10000, kPage, 350, kNever.ns, 1) == PageOwner::Unknown);
        QVERIFY(ownerOf(trace, 0x50000, kPage, 350, kNever.ns, 1) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, 0x50000, kPage, 150, 200, 0) == PageOwner::Unknown);
    }
    void whatHasNotHappenedYetSaysNothing() {
        OwnerEvents story;
        story.segment(100, 0x10000, 0x10000);
        const auto before = story.publish(100);
        const auto after = story.publish(101);
        QVERIFY(ownerOf(before, 0x10000, kPage, 50) == PageOwner::Unknown);
        QVERIFY(ownerOf(after, 0x10000, kPage, 50) == PageOwner::GcHeap);
    }
    void rangesOfHeaps() {
        OwnerEvents story;
        story.heapRange(MemoryOperation::HeapRangeReserve, 100, 0x9, 0x10000, 0x10000);
        story.heapRange(MemoryOperation::HeapRangeReserve, 110, 0x9, 0x1C000, 0x8000); // half of it is new
        story.heapRange(MemoryOperation::HeapRangeRelease, 200, 0x9, 0x14000, 0x4000);
        story.heapRange(MemoryOperation::HeapRangeDestroy, 300, 0x9, 0, 0);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x15000, kPage, 150, 160) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x15000, kPage, 200, 210) == PageOwner::Unknown);
        QVERIFY(ownerOf(trace, 0x13000, kPage, 200, 210) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x18000, kPage, 200, 210) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x1D000, kPage, 100, 110) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x21000, kPage, 100, 110) == PageOwner::Unknown);
        QVERIFY(ownerOf(trace, 0x21000, kPage, 110, 120) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x13000, kPage, 300, 310) == PageOwner::Unknown);
    }
    void stacksOfThreads() {
        OwnerEvents story;
        story.thread(Occasion::RundownStart, 0, 5, 0x10000, 0x18000);
        story.thread(Occasion::Start, 100, 6, 0x20000, 0x28000);
        story.thread(Occasion::End, 200, 6);   // does not repeat the stack
        story.thread(Occasion::Start, 300, 7); // its stack is never reported
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x10000, kPage, kBeforeTrace.ns) == PageOwner::Stack);
        QVERIFY(ownerOf(trace, 0x1F000, 0x9000, 90) == PageOwner::Stack); // committed before, with a guard page
        QVERIFY(ownerOf(trace, 0x20000, 0x8000, 200) == PageOwner::Unknown);
        QVERIFY(ownerOf(trace, 0x28000, kPage, 150) == PageOwner::Unknown);
    }
    void images() {
        OwnerEvents story;
        story.image(Occasion::Start, 100, 0x400000, 0x10000);
        story.image(Occasion::End, 200, 0x400000, 0x10000);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x405000, kPage, 150) == PageOwner::Image);
        QVERIFY(ownerOf(trace, 0x405000, kPage, 200) == PageOwner::Unknown);
    }
    void theFirstInTheListHasThemWhereSeveralDo() {
        OwnerEvents story;
        story.image(Occasion::Start, 100, 0x10000, 0x10000);
        story.heapRange(MemoryOperation::HeapRangeReserve, 100, 0x9, 0x18000, 0x8000);
        story.segment(100, 0x1C000, 0x4000);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, 0x10000, kPage, 150) == PageOwner::Image);
        QVERIFY(ownerOf(trace, 0x10000, 0xA000, 150) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0x10000, 0x10000, 150) == PageOwner::GcHeap);
    }
    void addressesAtTheEndOfTheSpace() {
        OwnerEvents story;
        constexpr auto kLast = ~Address{0};
        story.segment(100, kLast - 0xFFF, 0x100000); // would end beyond it
        story.heapRange(MemoryOperation::HeapRangeReserve, 100, 0x9, kLast - 0x1FFF, kLast);
        story.heapRange(MemoryOperation::HeapRangeRelease, 200, 0x9, 0, kLast);
        const auto trace = story.publish();
        QVERIFY(ownerOf(trace, kLast, kLast, 150) == PageOwner::GcHeap);
        QVERIFY(ownerOf(trace, kLast - 0x1FFF, 1, 150) == PageOwner::Heap);
        QVERIFY(ownerOf(trace, 0, 1, 150) == PageOwner::Unknown);
    }
    /// A segment at one place, made and freed over and over: a look-up must not check all of them.
    void manySegmentsInOnePlace() {
        OwnerEvents story;
        constexpr std::int64_t kMany = 100'000;
        for (std::int64_t i = 0; i < kMany; ++i) {
            story.segment(i * 4, 0x10000, 0x10000);
            story.freeSegment(i * 4 + 2, 0x10000);
        }
        const auto trace = story.publish(kMany * 4);
        const PageOwners owners(*trace);
        std::int64_t inSegments = 0;
        for (std::int64_t i = 0; i < kMany * 2; ++i) {
            const auto owner = owners.of(ProcessIndex{0}, 0x12000, kPage, TraceTime{i * 2}, TraceTime{i * 2 + 1});
            inSegments += owner == PageOwner::GcHeap ? 1 : 0;
        }
        QCOMPARE(inSegments, kMany);
    }
    /// Everything at random, in two processes of one pid and one of another, against a list of everything that ever
    /// existed.
    void randomRecount() {
        for (unsigned seed = 0; seed < 1000; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
            OwnerEvents story;
            std::vector<Had> all;
            std::int64_t now = 0;
            constexpr std::uint32_t kOtherPid = 20;
            story.process(Occasion::RundownStart, 0, kOtherPid);
            std::uint32_t life = 0; // the life of kPid: process 0, then 2, 3
            std::uint32_t lives = 2;
            bool isAlive = true;
            std::map<std::pair<std::uint32_t, Address>, Had> segments;
            std::map<std::pair<std::uint32_t, Address>, Had> heapPages; // page by page
            std::map<std::pair<std::uint32_t, std::uint32_t>, Had> stacks;
            const auto endAll = [&](auto& open, std::uint32_t process, std::int64_t time) {
                for (auto& [key, had] : open) {
                    if (had.process == process && had.to > time) had.to = time;
                }
            };
            const auto keep = [&](auto& open, auto at, std::int64_t time) {
                at->second.to = time;
                all.push_back(at->second);
                open.erase(at);
            };
            for (int step = 0; step < 60; ++step) {
                now += 1 + below(3);
                const bool isOther = below(4) == 0;
                if (!isOther && !isAlive) {
                    story.process(Occasion::Start, now, kPid);
                    life = lives++;
                    isAlive = true;
                    continue;
                }
                const auto pid = isOther ? kOtherPid : kPid;
                const auto process = isOther ? 1u : life;
                const Address page = Address{0x10000} + below(12) * kPage;
                const ByteCount pages = 1 + below(4);
                switch (below(8)) {
                case 0:
                case 1: {
                    const auto place = std::pair(process, page);
                    if (const auto at = segments.find(place); at != segments.end()) keep(segments, at, now);
                    story.segment(now, page, pages * kPage, pid);
                    segments[place] = {PageOwner::GcHeap, process, page, page + pages * kPage - 1, now, kNever.ns};
                    break;
                }
                case 2: {
                    const auto at = segments.find({process, page});
                    if (at == segments.end()) break;
                    story.freeSegment(now, page, pid);
                    keep(segments, at, now);
                    break;
                }
                case 3:
                case 4:
                    story.heapRange(MemoryOperation::HeapRangeReserve, now, 0x9, page, pages * kPage, pid);
                    for (auto p = page; p < page + pages * kPage; p += kPage)
                        heapPages.try_emplace({process, p},
                                              Had{PageOwner::Heap, process, p, p + kPage - 1, now, kNever.ns});
                    break;
                case 5:
                    story.heapRange(MemoryOperation::HeapRangeRelease, now, 0x9, page, pages * kPage, pid);
                    for (auto p = page; p < page + pages * kPage; p += kPage) {
                        const auto at = heapPages.find({process, p});
                        if (at != heapPages.end()) keep(heapPages, at, now);
                    }
                    break;
                case 6: {
                    const auto tid = 100 + below(3);
                    const auto key = std::pair(process, tid);
                    if (const auto at = stacks.find(key); at != stacks.end()) {
                        story.thread(Occasion::End, now, tid, 0, 0, pid);
                        keep(stacks, at, now);
                    } else if (!std::ranges::any_of(stacks, [&](auto& s) { return s.first.second == tid; })) {
                        story.thread(Occasion::Start, now, tid, page, page + pages * kPage, pid);
                        stacks[key] = {PageOwner::Stack, process, page, page + pages * kPage - 1, now, kNever.ns};
                    }
                    break;
                }
                default:
                    if (isOther || below(4) != 0) break;
                    story.process(Occasion::End, now, kPid);
                    isAlive = false;
                    endAll(segments, process, now);
                    endAll(heapPages, process, now);
                    endAll(stacks, process, now);
                }
            }
            for (const auto& open : {&segments, &heapPages}) {
                for (const auto& [key, had] : *open)
                    all.push_back(had);
            }
            for (const auto& [key, had] : stacks)
                all.push_back(had);
            const auto trace = story.publish(now + 10);
            const PageOwners owners(*trace);
            for (int question = 0; question < 200; ++question) {
                const auto process = below(lives);
                const Address address = Address{0xF000} + below(16) * kPage;
                const ByteCount size = below(5) * kPage;
                const std::int64_t begin = below(static_cast<std::uint32_t>(now) + 2);
                const std::int64_t end = below(4) == 0 ? kNever.ns : begin + below(20);
                const auto found = owners.of(ProcessIndex{process}, address, size, TraceTime{begin}, TraceTime{end});
                const auto plain = plainOwner(all, process, address, size, begin, end);
                QVERIFY2(found == plain,
                         fmt::format("seed {}: process {}, {:x}+{:x}, {} to {}: {} is not {}", seed, process, address,
                                     size, begin, end, static_cast<int>(found), static_cast<int>(plain))
                             .c_str());
            }
        }
    }
};
HIGHWATER_TEST(PageOwnersTest);
#include "page_owners_test.moc"
