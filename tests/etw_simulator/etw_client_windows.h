#pragma once

#include "tests/etw_simulator/clock_windows.h"

#include <windows.h>
// after windows.h
#include <evntcons.h>
#include <evntrace.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// A small ETW controller and consumer, for tests: limited to the calls that docs/etw.md describes.
namespace highwater::etw_client {

/// The functions, from the DLL under test.
struct Etw {
    decltype(&::StartTraceW) startTrace = nullptr;
    decltype(&::ControlTraceW) controlTrace = nullptr;
    decltype(&::FlushTraceW) flushTrace = nullptr;
    decltype(&::QueryAllTracesW) queryAllTraces = nullptr;
    decltype(&::TraceSetInformation) traceSetInformation = nullptr;
    decltype(&::TraceQueryInformation) traceQueryInformation = nullptr;
    decltype(&::EnableTraceEx2) enableTraceEx2 = nullptr;
    decltype(&::OpenTraceW) openTrace = nullptr;
    decltype(&::ProcessTrace) processTrace = nullptr;
    decltype(&::CloseTrace) closeTrace = nullptr;
    LONG(NTAPI* ntSetSystemInformation)(INT, PVOID, ULONG) = nullptr;
};
/// False if the DLL or one of its functions is missing; stderr shows which.
bool load(const wchar_t* path);
const Etw& etw();

/// Timeout of a test: only a stalled machine takes this long.
inline constexpr std::uint32_t kPatienceMs = 120'000;
/// False if it did not come true in this time.
bool waitUntil(const std::function<bool()>& condition);

inline constexpr GUID kHeapClass{0x222962AB, 0x6180, 0x4B88, {0xA8, 0x25, 0x34, 0x6B, 0x75, 0xF2, 0xA2, 0x4A}};
inline constexpr GUID kMemoryClass{0x3D6FA8D3, 0xFE05, 0x11D0, {0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C}};
inline constexpr GUID kProcessClass{0x3D6FA8D0, 0xFE05, 0x11D0, {0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C}};
inline constexpr GUID kImageClass{0x2CB15D1D, 0x5FC1, 0x11D2, {0xAB, 0xE1, 0x00, 0xA0, 0xC9, 0x11, 0xF5, 0x18}};
inline constexpr GUID kStackClass{0xDEF2FE46, 0x7BD6, 0x4B80, {0xBD, 0x94, 0xF5, 0x7F, 0xE2, 0x0D, 0x0C, 0xE3}};
inline constexpr GUID kLostClass{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};

/// EVENT_TRACE_PROPERTIES with room for names and an extension. Tests change the fields that they test.
class Properties {
  public:
    Properties();
    EVENT_TRACE_PROPERTIES* operator->() { return get(); }
    EVENT_TRACE_PROPERTIES* get() { return reinterpret_cast<EVENT_TRACE_PROPERTIES*>(bytes_.data()); }
    [[nodiscard]] std::wstring name() const;
    /// Words of the heap session's extension, after the names, and the flags that point to them.
    void setExtension(const std::vector<std::uint32_t>& words);

  private:
    std::vector<std::uint64_t> bytes_;
};

Properties kernelProperties();
/// pids and the hook ids whose stacks are recorded.
Properties heapProperties(const std::vector<std::uint32_t>& pids, const std::vector<std::uint32_t>& hooks = {});
std::vector<std::uint32_t> extensionWords(const std::vector<std::uint32_t>& pids,
                                          const std::vector<std::uint32_t>& hooks);

/// A session that is stopped when the test is over.
class Session {
  public:
    Session(std::wstring name, Properties properties);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] ULONG error() const { return error_; }
    [[nodiscard]] TRACEHANDLE handle() const { return handle_; }
    [[nodiscard]] const std::wstring& name() const { return name_; }
    ULONG stop();
    ULONG flush();
    ULONG update(Properties properties);
    Properties query();
    ULONG armStacks(const std::vector<CLASSIC_EVENT_ID>& events);
    ULONG setFlags(std::uint64_t flags);

  private:
    std::wstring name_;
    Properties properties_;
    TRACEHANDLE handle_ = 0;
    ULONG error_ = 0;
};

/// All flags that a recorder of memory sets.
inline constexpr std::uint64_t kMemoryFlags = 0x1 | 0x2 | 0x4 | 0x4000;
/// Names of all existing sessions.
std::vector<std::wstring> sessionNames();

struct Event {
    GUID eventClass{};
    std::uint8_t opcode = 0;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::int64_t ticks = 0;
    std::int64_t arrivedTicks = 0;
    std::vector<std::byte> payload;
    const void* memory = nullptr; ///< address of the original payload

    [[nodiscard]] bool is(const GUID& otherClass, int otherOpcode) const;
    [[nodiscard]] std::uint32_t u32At(std::size_t offset) const;
    [[nodiscard]] std::int64_t i64At(std::size_t offset) const;
};

/// ProcessTrace on a thread of its own, with everything that it delivers.
class Reader {
  public:
    explicit Reader(const std::wstring& session, bool raw = true);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Before run(). Called by the reader's thread for every event, or after each buffer (returns false to stop).
    std::function<void(const EVENT_RECORD&)> onEvent;
    std::function<bool(const EVENT_TRACE_LOGFILEW&)> onBuffer;
    FILETIME* startTime = nullptr;

    /// Error of OpenTrace; 0: it is open.
    [[nodiscard]] ULONG error() const { return error_; }
    [[nodiscard]] const EVENT_TRACE_LOGFILEW& logFile() const { return logFile_; }
    Reader& run();
    /// Result of ProcessTrace, once it has returned.
    ULONG wait();
    ULONG close();
    /// Waits until there are this many events of this kind; false on timeout.
    bool waitFor(const GUID& eventClass, int opcode, std::size_t count);
    [[nodiscard]] std::vector<Event> events();
    [[nodiscard]] std::vector<Event> events(const GUID& eventClass, int opcode);
    [[nodiscard]] std::size_t count(const GUID& eventClass, int opcode);
    /// The losses that the buffer callback reported last. After wait().
    [[nodiscard]] std::uint32_t lossOfCallback() const { return lossOfCallback_; }

  private:
    static void WINAPI take(PEVENT_RECORD record);
    static ULONG WINAPI endBuffer(PEVENT_TRACE_LOGFILEW logFile);

    std::wstring name_;
    EVENT_TRACE_LOGFILEW logFile_{};
    TRACEHANDLE handle_ = 0;
    ULONG error_ = 0;
    ULONG result_ = 0;
    bool isOpen_ = false;
    std::uint32_t lossOfCallback_ = 0;
    std::mutex mutex_;
    std::vector<Event> events_;
    std::thread thread_;
};

using etw_clock::ticksNow, etw_clock::ticksPerSecond;

} // namespace highwater::etw_client
