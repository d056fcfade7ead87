#pragma once

#include "core/base/guid.h"
#include "core/source/etw/etw_api_windows.h"
#include "core/source/etw/etw_losses.h"
#include "core/source/etw/etw_properties_windows.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::source {

/// Settings for one provider in a session. A value.
struct EtwProvider {
    Guid guid;
    UCHAR level = 0;
    ULONGLONG keywords = 0;
    std::vector<USHORT> stacksOf{}; ///< ids of events that have a stack
};
/// The limit of Windows for one filter.
inline constexpr std::size_t kMostFilteredPids = 8;

/// An event tracing session that this program has started (docs/etw.md 1 and 2). It is stopped when the object is
/// destroyed or the program crashes; after a kill, stopOrphanedSessions() of the next program stops it. One thread,
/// except for losses().
class EtwSession {
  public:
    /// Machine-wide events: processes, threads, images, and VirtualAlloc with stacks if requested. Errors name the
    /// refused operation and its solution; nothing is left running.
    static Result<std::unique_ptr<EtwSession>> startKernel(const EtwApi& api, bool virtualAlloc);
    /// Heap events of these processes, with stacks for the events in `hooks` (heap_hook). Only one such session can
    /// exist on a machine. If another program has it, the error names that session, which is left alone.
    static Result<std::unique_ptr<EtwSession>> startHeap(const EtwApi& api, std::vector<std::uint32_t> pids,
                                                         std::vector<std::uint32_t> hooks);
    /// A session without events until providers are enabled.
    static Result<std::unique_ptr<EtwSession>> startCode(const EtwApi& api);
    ~EtwSession();
    EtwSession(const EtwSession&) = delete;
    EtwSession& operator=(const EtwSession&) = delete;

    [[nodiscard]] const std::wstring& name() const { return shape_.name; }
    /// The processes of a heap session that Windows accepted.
    [[nodiscard]] const std::vector<std::uint32_t>& pids() const { return pids_; }

    /// Delivers buffered records now.
    void flush();
    /// Stops the session and delivers buffered records. The consumer's ProcessTrace returns after that.
    void stop();
    /// The counters of the session; nothing if it is not running any more.
    [[nodiscard]] std::optional<EtwLosses> losses();
    /// Replaces the processes of a heap session from now on. Fails if Windows refuses all known ways.
    Result<void> setPids(std::vector<std::uint32_t> pids);
    /// Makes a provider log events with these keywords in these processes, of which at most kMostFilteredPids are used.
    /// May be called again with other values.
    Result<void> enable(const EtwProvider& provider, const std::vector<std::uint32_t>& pids);
    /// Stops logging of the provider.
    void disable(const Guid& provider);

  private:
    EtwSession(const EtwApi& api, EtwSessionShape shape) : api_(api), shape_(std::move(shape)) {}
    static Result<std::unique_ptr<EtwSession>> start(const EtwApi& api, EtwSessionShape shape, std::string_view what);
    Result<void> setInformation(int informationClass, void* information, std::size_t bytes, std::string_view what);
    ULONG control(ULONG code, EtwProperties& properties);
    ULONG updatePids(const std::vector<std::uint32_t>& pids);
    [[nodiscard]] bool setHeapTracing(const std::vector<std::uint32_t>& pids);

    const EtwApi& api_;
    EtwSessionShape shape_;
    TRACEHANDLE handle_ = 0;
    bool isRunning_ = false;
    std::vector<std::uint32_t> pids_, hooks_;
};

/// Stops sessions whose Highwater process has ended, and returns their names. Milliseconds.
std::vector<std::wstring> stopOrphanedSessions(const EtwApi& api);

} // namespace highwater::source
