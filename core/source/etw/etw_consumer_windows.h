#pragma once

#include "core/source/etw/etw_api_windows.h"
#include "core/source/etw/etw_losses.h"
#include "core/source/records/live_ring.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace highwater::source {

/// Receives the records of one session (classic records, and those of providers for generated code) on its own thread,
/// which only copies them to a ring (docs/etw.md 4.1, 4.4). Ends when the session is stopped and empty, or is closed.
/// Any thread may call all functions.
class EtwConsumer {
  public:
    /// The session must be running. The ring and the table must outlive it.
    static Result<std::unique_ptr<EtwConsumer>> open(const EtwApi& api, const std::wstring& session, LiveRing& ring);
    /// Closes the session and waits for the thread.
    ~EtwConsumer();
    EtwConsumer(const EtwConsumer&) = delete;
    EtwConsumer& operator=(const EtwConsumer&) = delete;

    /// Ends without waiting for records that are still in the session's buffers.
    void close();
    [[nodiscard]] bool hasEnded() const { return hasEnded_.load(std::memory_order_acquire); }
    /// The result of ProcessTrace, after it has returned.
    [[nodiscard]] ULONG endCode() const { return endCode_.load(std::memory_order_relaxed); }
    /// From markers in the stream and from the information that Windows passes with each buffer.
    [[nodiscard]] EtwLosses losses() const;

  private:
    EtwConsumer(const EtwApi& api, LiveRing& ring) : api_(api), ring_(ring) {}
    void run();
    void take(const EVENT_RECORD& event);
    void takeOfProvider(const EVENT_RECORD& event, const Guid& provider);
    void noteLoss(UCHAR opcode);
    static void WINAPI onRecord(EVENT_RECORD* event);
    static ULONG WINAPI onBuffer(EVENT_TRACE_LOGFILEW* file);

    const EtwApi& api_;
    LiveRing& ring_;
    TRACEHANDLE handle_ = INVALID_PROCESSTRACE_HANDLE;
    std::thread thread_;
    std::vector<std::byte> items_; ///< items of the current record
    std::atomic<bool> isClosed_{false}, hasEnded_{false};
    std::atomic<ULONG> endCode_{0};
    std::atomic<std::uint64_t> eventsLost_{0}, buffersLost_{0}, eventsLostByBuffers_{0};
};

} // namespace highwater::source
