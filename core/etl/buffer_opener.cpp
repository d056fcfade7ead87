#include "core/etl/buffer_opener.h"

#include "core/base/thread_priority.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace highwater::etl {
namespace {

/// Buffers passed between threads at once: enough that the cost is small, few enough that all of them stay in the
/// caches.
constexpr std::size_t kSpanBuffers = 8;
constexpr std::uint64_t kSpanBytes = 512u << 10;
/// Larger buffers are opened when they are needed, and not stored beside others until then.
constexpr std::uint64_t kMostBytes = 2u << 20;
/// One reader is not faster than this many threads expand.
constexpr unsigned kMostThreads = 4;

} // namespace

struct BufferOpener::Span {
    enum class Stage : std::uint8_t { Waiting, Begun, Done };

    Span() { openings.reserve(kSpanBuffers); } // they are never reallocated
    std::vector<Opening> openings;
    std::vector<OpenedBuffer> kept; ///< from earlier use, for their capacity
    std::uint64_t bytes = 0;
    std::size_t taken = 0;
    Stage stage = Stage::Waiting;
    std::exception_ptr failure;
};

void openBuffer(const EtlReader& reader, const BufferPlace& place, const TimeLimits& limits, OpenedBuffer& opened) {
    opened.records.clear();
    opened.listing = {};
    opened.damagedTimes = 0;
    opened.image = reader.load(place);
    if (!opened.image) return;
    auto& records = opened.records;
    opened.listing = listRecords(opened.image->bytes, kBufferHeaderBytes, 0, records);
    if (!opened.listing.hasTimes) return; // nothing to repair
    const bool isSane =
        opened.listing.isInOrder && records.front().ticks >= limits.earliest && records.back().ticks <= limits.latest;
    if (isSane) return;
    opened.damagedTimes = repairTimes(records, limits);
    opened.listing.isInOrder = std::ranges::is_sorted(records, {}, &RecordExtent::ticks);
}

unsigned BufferOpener::usefulThreads(unsigned busy) {
    const auto processors = usableProcessors() - 1;
    return std::min(kMostThreads, processors - std::min(processors, busy));
}

BufferOpener::BufferOpener(unsigned threads)
    : mostThreads_(threads), mostSpans_(threads == 0 ? 0 : 2 + 2 * std::size_t{threads}) {}

BufferOpener::~BufferOpener() {
    isOver_.store(true, std::memory_order_relaxed);
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    isSomeWaiting_.notify_all();
    for (auto& thread : threads_)
        thread.join();
}

BufferOpener::Opening* BufferOpener::add(const EtlReader& reader, const BufferPlace& place) {
    const auto bytes = std::max(place.storedBytes, place.imageBytes);
    if (bytes > kMostBytes) return nullptr;
    if (filling_ == nullptr) {
        if (unused_.empty()) {
            spans_.push_back(std::make_unique<Span>());
            unused_.push_back(spans_.back().get());
        }
        filling_ = unused_.back();
        unused_.pop_back();
        ++used_;
    }
    auto& span = *filling_;
    auto& opening = span.openings.emplace_back(reader, place, span);
    if (!span.kept.empty()) {
        opening.opened_ = std::move(span.kept.back());
        span.kept.pop_back();
    }
    span.bytes += bytes;
    if (span.openings.size() == kSpanBuffers || span.bytes >= kSpanBytes) handOn();
    return &opening;
}

void BufferOpener::handOn() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::exchange(filling_, nullptr));
    }
    isSomeWaiting_.notify_one();
    if (threads_.size() == mostThreads_) return;
    try {
        threads_.emplace_back(withPriorityOfCaller([this] { work(); }));
    } catch (const std::system_error&) { // the consumer opens them
        mostThreads_ = static_cast<unsigned>(threads_.size());
    }
}

void BufferOpener::take(Opening& opening, OpenedBuffer& opened) {
    auto& span = *opening.span_;
    finish(span);
    if (span.failure) std::rethrow_exception(span.failure);
    std::swap(opened, opening.opened_);
    opening.opened_.image.reset(); // only the consumer holds it from now on
    span.kept.push_back(std::move(opening.opened_));
    if (++span.taken < span.openings.size()) return;
    if (&span == filling_) filling_ = nullptr;
    span.openings.clear();
    span.bytes = span.taken = 0;
    span.stage = Span::Stage::Waiting;
    unused_.push_back(&span);
    --used_;
}

/// If no thread has started the span, this thread opens it. If one has, this waits for it and meanwhile opens others,
/// which will be needed next.
void BufferOpener::finish(Span& span) {
    std::unique_lock lock(mutex_);
    if (span.stage == Span::Stage::Waiting) {
        std::erase(waiting_, &span);
        if (&span == filling_) filling_ = nullptr; // no more buffers are added to it
        open(span, lock);
    }
    while (span.stage != Span::Stage::Done) {
        if (waiting_.empty())
            isOneDone_.wait(lock);
        else
            openFirst(lock);
    }
}

void BufferOpener::openFirst(std::unique_lock<std::mutex>& lock) {
    auto& span = *waiting_.front();
    waiting_.pop_front();
    open(span, lock);
}

/// Unlocks the mutex meanwhile.
void BufferOpener::open(Span& span, std::unique_lock<std::mutex>& lock) {
    span.stage = Span::Stage::Begun;
    lock.unlock();
    openAll(span);
    lock.lock();
    span.stage = Span::Stage::Done;
}

void BufferOpener::openAll(Span& span) {
    try {
        for (auto& opening : span.openings) {
            if (isOver_.load(std::memory_order_relaxed)) return;
            openBuffer(*opening.reader_, opening.place_, opening.limits_, opening.opened_);
        }
    } catch (...) { // rethrown in the consumer
        span.failure = std::current_exception();
    }
}

void BufferOpener::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        isSomeWaiting_.wait(lock, [this] { return isEnding_ || !waiting_.empty(); });
        if (isEnding_) return;
        openFirst(lock);
        isOneDone_.notify_one();
    }
}

} // namespace highwater::etl
