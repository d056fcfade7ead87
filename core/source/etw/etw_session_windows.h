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

/// What a session wants of a provider. A value.
struct EtwProvider {
    Guid guid;
    UCHAR level = 0;
    ULONGLONG keywords = 0;
    std::vector<USHORT> stacksOf{}; ///< ids of events that come with a stack
};
/// What Windows takes in one filter.
inline constexpr std::size_t kMostFilteredPids = 8;

/// One session of event tracing that this program has started (docs/etw.md 1 and 2). Stopped with the object, or
/// if the program crashes; if it is killed, by stopOrphanedSessions() of the next one. One thread, but losses().
class EtwSession {
  public:
    /// Events of the whole machine: processes, threads, images, and VirtualAlloc with stacks if wanted. Errors name
    /// what Windows refused and what to do; nothing is left running then.
    static Result<std::unique_ptr<EtwSession>> startKernel(const EtwApi& api, bool virtualAlloc);
    /// Heap events of these processes, with the stacks of these events (heap_hook). There is one such session on a
    /// machine: if another program has it, the error names that, and it is left alone.
    static Result<std::unique_ptr<EtwSession>> startHeap(const EtwApi& api, std::vector<std::uint32_t> pids,
                                                         std::vector<std::uint32_t> hooks);
    /// Without events until providers are enabled in it.
    static Result<std::unique_ptr<EtwSession>> startCode(const EtwApi& api);
    ~EtwSession();
    EtwSession(const EtwSession&) = delete;
    EtwSession& operator=(const EtwSession&) = delete;

    [[nodiscard]] const std::wstring& name() const { return shape_.name; }
    /// The processes of a heap session that Windows took.
    [[nodiscard]] const std::vector<std::uint32_t>& pids() const { return pids_; }

    /// What waits in buffers is delivered now.
    void flush();
    /// The end; what waits in buffers is delivered. The consumer's ProcessTrace returns after that.
    void stop();
    /// What the session's counters say; nothing: it is not running any more.
    [[nodiscard]] std::optional<EtwLosses> losses();
    /// Sets the processes of a heap session, from now on. Error: Windows refused in every way that is known.
    Result<void> setPids(std::vector<std::uint32_t> pids);
    /// Has a provider log its events of these keywords and of these processes, at most kMostFilteredPids of them;
    /// again, and with others, as often as wanted.
    Result<void> enable(const EtwProvider& provider, const std::vector<std::uint32_t>& pids);
    /// The provider logs no more.
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

/// Stops sessions of Highwater programs that are not running any more; returns their names. Milliseconds.
std::vector<std::wstring> stopOrphanedSessions(const EtwApi& api);

} // namespace highwater::source
