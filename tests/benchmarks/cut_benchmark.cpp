// Measures the cost of discarding the older half of a trace while events arrive: 5 million blocks (HIGHWATER_ROWS), of
// which one in a hundred stays. Goals: no step between two batches takes longer than a frame, no event waits longer
// than that, and in total it takes less time than the events of the half took to arrive.
#include "core/store/trace_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <vector>

namespace highwater::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::uint64_t kStep = 32768; ///< as in RecordingWindow

class Feed {
  public:
    explicit Feed(store::TraceStore& store) : store_(store), blocks_(1000) {}

    void alloc() {
        auto& block = blocks_[random_() % blocks_.size()];
        const bool isLeak = random_() % 100 == 0;
        if (block != 0) send(MemoryOperation::HeapFree, block);
        block = isLeak ? 0 : nextAddress_;
        send(MemoryOperation::HeapAlloc, nextAddress_);
        nextAddress_ += 64;
    }
    void publish() {
        store_.onTimeReached(TraceTime{now_});
        (void)store_.publish();
    }
    [[nodiscard]] std::int64_t now() const { return now_; }

  private:
    void send(MemoryOperation operation, Address address) {
        Address frames[6];
        for (auto& frame : frames)
            frame = 0x7000 + random_() % 8;
        MemoryEvent event;
        event.time = TraceTime{++now_};
        event.operation = operation;
        event.heap = 0x10000;
        event.address = address;
        event.size = 32 + random_() % 500;
        event.pid = 100;
        event.tid = ThreadId{1 + static_cast<std::uint32_t>(random_() % 4)};
        event.stack = {EventStack::Kind::Frames, {}, frames};
        store_.onMemoryEvent(event);
    }

    store::TraceStore& store_;
    std::vector<Address> blocks_; ///< that will be freed
    std::minstd_rand random_{1};
    Address nextAddress_ = 0x1000000;
    std::int64_t now_ = 0;
};

int run() {
    const char* wanted = std::getenv("HIGHWATER_ROWS");
    const auto rows = wanted == nullptr ? 5'000'000 : std::strtoull(wanted, nullptr, 10);
    TraceHealth health;
    store::TraceStore store(health);
    Feed feed(store);
    const auto begin = Clock::now();
    for (std::uint64_t i = 0; i < rows; ++i)
        feed.alloc();
    feed.publish();
    const Milliseconds fed = Clock::now() - begin;
    const auto trace = store.latest();
    store.cutBefore(TraceTime{feed.now() / 2});
    Milliseconds all{0};
    Milliseconds longest{0};
    std::uint64_t steps = 0;
    for (bool goesOn = true; goesOn; ++steps) {
        for (int i = 0; i < 1000; ++i)
            feed.alloc();
        const auto before = Clock::now();
        goesOn = store.continueCut(kStep);
        const Milliseconds step = Clock::now() - before;
        all += step;
        longest = std::max(longest, step);
    }
    feed.publish();
    const auto window = store.latest();
    fmt::print("{} rows, {} events in {:.0f} ms\n", trace->heap.rows, trace->heap.events, fed.count());
    fmt::print("cut to {} rows, {} let go: {:.0f} ms in {} steps, the longest {:.1f} ms\n", window->heap.rows,
               window->heap.evicted.rows, all.count(), steps, longest.count());
    return window->heap.rows + window->heap.evicted.rows >= rows ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace highwater::benchmarks

int main() { return highwater::benchmarks::run(); }
