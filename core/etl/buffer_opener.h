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

/// What can be known of a buffer without those before it.
struct OpenedBuffer {
    std::optional<BufferImage> image; ///< nothing: it does not expand to what it claims
    std::vector<RecordExtent> records;
    RecordListing listing;          ///< isInOrder: as they are after mending
    std::uint64_t damagedTimes = 0; ///< that were mended
};

/// Expands one, lists its records and mends their times. What has no times at all gets 0. `opened` keeps its capacity.
/// Any thread.
void openBuffer(const EtlReader& reader, const BufferPlace& place, const TimeLimits& limits, OpenedBuffer& opened);

/// Opens buffers on threads of its own, ahead of who takes them: that needs neither their order nor what came before.
/// What nobody has begun when it is wanted is done by the one who wants it; so all is done where the system has no
/// threads to give. Bounded. All functions are the owner's, one thread; the readers must outlive it.
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

    /// So many threads as are of use on this machine beside that of the owner and `busy` others.
    [[nodiscard]] static unsigned usefulThreads(unsigned busy = 0);

    explicit BufferOpener(unsigned threads);
    ~BufferOpener();
    BufferOpener(const BufferOpener&) = delete;
    BufferOpener& operator=(const BufferOpener&) = delete;

    /// Whether add() is of use now.
    [[nodiscard]] bool wantsMore() const { return mostSpans_ > 0 && (filling_ != nullptr || used_ < mostSpans_); }
    /// The buffer is opened soon; valid until it was taken. Null: it is too large to be kept beside others.
    [[nodiscard]] Opening* add(const EtlReader& reader, const BufferPlace& place);
    /// Waits for it, and swaps it with `opened`. Each one once. What was thrown meanwhile is thrown here.
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
    std::vector<std::unique_ptr<Span>> spans_; ///< all that were ever needed
    std::vector<Span*> unused_;
    std::size_t used_ = 0;
    Span* filling_ = nullptr;

    std::mutex mutex_; ///< guards the two below, and the stages of spans
    std::deque<Span*> waiting_;
    bool isEnding_ = false;
    std::atomic<bool> isOver_{false}; ///< the same, for who is in the middle of a span
    std::condition_variable isSomeWaiting_, isOneDone_;
    std::vector<std::thread> threads_;
};

} // namespace highwater::etl
