#pragma once

#include "tests/etw_simulator/clock_windows.h"
#include "tests/etw_simulator/scenario.h"

#include <windows.h>
// after windows.h
#include <evntcons.h>
#include <evntrace.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace highwater::etw_simulator {

inline constexpr std::size_t kMostSessions = 256, kMostSystemLoggers = 6, kMostPids = 64, kMostStackEvents = 256,
                             kMostProviders = 8, kMostProviderPids = 8;
inline constexpr std::size_t kNameCharacters = 1025; ///< with the terminator

/// The heap's class: a session with this GUID gets heap events (docs/etw.md 2.2).
inline constexpr GUID kHeapGuid{0x222962AB, 0x6180, 0x4B88, {0xA8, 0x25, 0x34, 0x6B, 0x75, 0xF2, 0xA2, 0x4A}};

/// The counters of docs/etw.md 4.4.
struct Losses {
    std::uint32_t events = 0;
    std::uint32_t buffers = 0;
};

/// A class of records whose stacks are recorded.
struct StackEvent {
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
};

/// A provider that a session has enabled (docs/etw.md 2.7).
struct EnabledProvider {
    GUID guid{};
    std::uint32_t enabled = 0; ///< number of this enabling in the session; 0: not enabled
    std::uint32_t pidCount = 0;
    std::uint64_t keywords = 0;
    std::array<std::uint32_t, kMostProviderPids> pids{};
};

/// One ETW session. Plain bytes in memory that processes share. All zero: no session.
struct Session {
    std::uint64_t id = 0; ///< handle of the controller; never reused; 0: a free place
    GUID guid{};
    std::array<wchar_t, kNameCharacters> name{};
    std::uint32_t mode = 0;
    std::uint32_t clock = 0;
    std::uint32_t bufferKilobytes = 0;
    std::uint32_t minimumBuffers = 0;
    std::uint32_t maximumBuffers = 0;
    std::uint32_t flushSeconds = 0;
    std::uint64_t kernelFlags = 0;
    std::uint32_t owner = 0; ///< process that started it; 0: another user
    std::uint32_t pidCount = 0;
    std::array<std::uint32_t, kMostPids> pids{};
    std::uint32_t stackEventCount = 0;
    std::array<StackEvent, kMostStackEvents> stackEvents{};
    std::int64_t startFileTime = 0;
    std::int64_t startTicks = 0;
    std::int64_t flushedTicks = 0; ///< time of the last ControlTrace(FLUSH)
    std::array<EnabledProvider, kMostProviders> providers{};
    std::uint32_t enablings = 0; ///< number of enablings so far
    std::uint32_t buffersWritten = 0;
    Losses lost;

    [[nodiscard]] bool exists() const { return id != 0; }
    [[nodiscard]] bool isSystemLogger() const { return (mode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0; }
    [[nodiscard]] bool isHeap() const { return IsEqualGUID(guid, kHeapGuid); }
    [[nodiscard]] bool isRealTime() const { return (mode & EVENT_TRACE_REAL_TIME_MODE) != 0; }
    /// Whether providers are enabled in it.
    [[nodiscard]] bool isOrdinary() const { return !isHeap() && !isSystemLogger(); }
    [[nodiscard]] SessionKind kind() const {
        return isHeap() ? SessionKind::Heap : isSystemLogger() ? SessionKind::Kernel : SessionKind::Code;
    }
};

/// All sessions of the machine. tests/windows/etw_scenarios.py reads ids and names of sessions from the state file.
struct Machine {
    bool isSet = false; ///< the scenario's other sessions exist
    std::uint64_t lastId = 0;
    std::int64_t playedSince = 0; ///< ticks of time 0 of the trace; 0: nothing was played
    std::array<Session, kMostSessions> sessions{};
    std::uint32_t heapTarget = 0; ///< the first process of the heap session of this play, even after that has ended

    [[nodiscard]] Session* byId(std::uint64_t id);
    [[nodiscard]] Session* byName(const wchar_t* name); ///< names are compared without case
    [[nodiscard]] Session* byGuid(const GUID& guid);
    /// 0, or why another one cannot be added: 183, 1450.
    [[nodiscard]] ULONG whyNotAdd(const Session& session, std::size_t mostSessions);
    /// whyNotAdd() must be 0. Returns its id.
    std::uint64_t add(Session session, Begin begin);
    static void remove(Session& session) { session = Session{}; }
};

// The layout of the state file: sessions start at byte 24; in each the id is at 0, the name at 24.
static_assert(sizeof(Session) % 8 == 0 && offsetof(Session, name) == 24 && offsetof(Machine, sessions) == 24);

/// The machine while it is locked: no other process or thread changes it.
class LockedMachine {
  public:
    LockedMachine(HANDLE mutex, Machine& machine);
    ~LockedMachine();
    LockedMachine(const LockedMachine&) = delete;
    LockedMachine& operator=(const LockedMachine&) = delete;
    Machine* operator->() const { return &machine_; }
    Machine& operator*() const { return machine_; }

  private:
    HANDLE mutex_;
    Machine& machine_;
};

/// Storage of the machine: the scenario's state file, or else this process. Any thread.
class MachineStore {
  public:
    /// Throws std::system_error if the state file cannot be used.
    explicit MachineStore(const Scenario& scenario);
    ~MachineStore();
    MachineStore(const MachineStore&) = delete;
    MachineStore& operator=(const MachineStore&) = delete;

    [[nodiscard]] LockedMachine lock() { return {mutex_, *machine_}; }

  private:
    void mapFile(const std::filesystem::path& path);
    void addOthers(const Scenario& scenario);

    HANDLE mutex_ = nullptr;
    Machine* machine_ = nullptr;
    std::unique_ptr<Machine> own_;
};

using etw_clock::ticksNow, etw_clock::ticksPerSecond;
[[nodiscard]] std::int64_t fileTimeNow();

} // namespace highwater::etw_simulator
