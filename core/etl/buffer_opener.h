#pragma once

#include "core/etl/etl_reader.h"
#include "core/etl/record_header.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace highwater::etl {

/// Data of a buffer that does not depend on those before it.
struct OpenedBuffer {
    std::optional<BufferImage> image; ///< nothing if it does not expand to the claimed size
    std::vector<RecordExtent> records;
    RecordListing listing;          ///< isInOrder: after the repair
    std::uint64_t damagedTimes = 0; ///< number of repaired times
};

/// Expands a buffer, lists its records and repairs their times. Records in a buffer without any times get 0. `opened`
/// keeps its capacity. Any thread.
void openBuffer(const EtlReader& reader, const BufferPlace& place, const TimeLimits& limits, OpenedBuffer& opened);

/// Opens buffers on separate threads, ahead of their use, which requires neither their order nor earlier buffers. A
/// buffer that no thread has started when it is needed is opened by its consumer, so everything also works if the
/// system cannot create threads. Bounded. All functions are called by the owner's thread; the readers must outlive this
/// object.
class BufferOpener {
    struct Span;

  public:
    /// One buffer to be opened.
    class Opening {
      public:
        Opening(const EtlReader& reader, const BufferPlace& place, Span& span)
            : reader_(&reader), place_(place), limits_(reader.timeLimits()), span_(&span) {}

      private:
        friend class BufferOpener;
        const EtlReader* reader_;
        BufferPlace place_;
        TimeLimits limits_;
        OpenedBuffer opened_;
        Span* span_;
    };

    /// The number of threads that are useful on this machine beside the owner's and `busy` others.
    [[nodiscard]] static unsigned usefulThreads(unsigned busy = 0);

    explicit BufferOpener(unsigned threads);
    ~BufferOpener();
    BufferOpener(const BufferOpener&) = delete;
    BufferOpener& operator=(const BufferOpener&) = delete;

    /// Whether add() is useful now.
    [[nodiscard]] bool wantsMore() const { return mostSpans_ > 0 && (filling_ != nullptr || used_ < mostSpans_); }
    /// Opens the buffer soon; valid until it is taken. Null if it is too large to be stored beside others.
    [[nodiscard]] Opening* add(const EtlReader& reader, const BufferPlace& place);
    /// Waits for it and swaps it with `opened`. Call once for each. Rethrows exceptions.
    void take(Opening& opening, OpenedBuffer& opened);

  private:
    void handOn();
    void finish(Span& span);
    void openFirst(std::unique_lock<std::mutex>& lock);
    void open(Span& span, std::unique_lock<std::mutex>& lock);
    void openAll(Span& span);
    void work();

    unsigned mostThreads_;
    std::size_t mostSpans_;
    std::vector<std::unique_ptr<Span>> spans_; ///< all spans that were ever needed
    std::vector<Span*> unused_;
    std::size_t used_ = 0;
    Span* filling_ = nullptr;

    std::mutex mutex_; ///< guards the next two, and the stages of spans
    std::deque<Span*> waiting_;
    bool isEnding_ = false;
    std::atomic<bool> isOver_{false}; ///< the same, for threads in the middle of a span
    std::condition_variable isSomeWaiting_, isOneDone_;
    std::vector<std::thread> threads_;
};

} // namespace highwater::etl
