#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::etw_simulator {

/// Records in each of the buffers that lose_buffers_at loses.
inline constexpr unsigned kLostBufferRecords = 100;

/// The event that starts the play.
enum class Begin : std::uint8_t { Heap, Kernel, Child };

enum class SessionKind : std::uint8_t { Any, Heap, Kernel, Code };

struct Failure {
    std::string function;
    SessionKind kind = SessionKind::Any;
    unsigned call = 0; ///< 0: each one
    unsigned long code = 0;
};

struct OtherSession {
    std::string name;
    bool isHeap = false;
    bool isSystem = false;
};

/// An incident at a time of the trace.
struct Incident {
    enum class What : std::uint8_t { LoseEvents, LoseBuffers, StopByOthers, Crash, Kill };
    What what = What::LoseEvents;
    double seconds = 0;
    std::uint32_t count = 0;
    SessionKind kind = SessionKind::Any;
};

struct Burst {
    double seconds = 0;
    std::uint32_t blocks = 0;
};

/// A DLL that replaces Windows' event tracing, for tests of the recorder without Windows (Wine only has stubs). It
/// exports the functions that core/source/etw/etw_api_windows.h names, behaves according to docs/etw.md 1, 2, 4 and 8,
/// and plays an .etl into the sessions that are started. HIGHWATER_ETW_SIMULATOR is the path of the DLL,
/// HIGHWATER_ETW_SIMULATOR_SCENARIO describes the scenario:
///
///   trace=T1.etl;target=4242;speed=max;fail=StartTraceW/heap:183
///
/// Entries are key=value, separated by semicolons. T is a time of the trace in seconds, from its first record on. An
/// entry that is not understood makes every function fail with ERROR_INVALID_DATA (13), so that a misprint cannot make
/// a test pass.
///
///   trace=FILE            the played trace: with StackWalk records, not keys. Without it there are no records.
///   speed=N | max         1 (default): as recorded; 10: ten times as fast; max: a microsecond from instant to instant.
///                         Times of records are current times, and no two instants coincide.
///   begin=heap | kernel | child  the play starts with the heap session (default), with the kernel session, or when
///                         the process that started a session has a child
///   target=PID            this process of the trace plays the recorded one: it gets the first pid of the heap session,
///                         without one the pid of the newest child of the process that started the session
///   state=FILE            stores the sessions of all processes that name it, even after they have ended. Without it
///                         sessions are those of this process.
///   session=NAME[/heap | /system]  another user's session; /heap owns the heap GUID. {pid} in a name means the
///                         first process that uses the simulator. May be repeated.
///   fill=N, fill_system=N N other sessions, ordinary ones or system loggers, before the named ones
///   most_sessions=N       limit of all sessions (default 64, at most 256; 6 of them system loggers)
///   elevated=no           as for an ordinary user: 5
///   fail=FUNCTION[/heap | /kernel | /code][#N]:CODE  the function fails; with #N only the N-th time. May be repeated.
///   heap_update=refused   pids cannot be changed with ControlTrace(UPDATE)
///   most_pids=N           more pids are refused with 87 (default 8)
///   code_rundown=no | silent  runtimes ignore a request for a rundown; or send it without its end event
///   rundown=no            the session starts without a rundown of processes and images
///   frequency=0           OpenTrace does not report the frequency of the clock
///   lose_events_at=T:N    the next N records are lost, and reported one by one
///   lose_buffers_at=T:N   the next N buffers of kLostBufferRecords records are lost, and reported one by one
///   loss_told=LIST        the channels that report losses: records,query,callback (default: all three)
///   burst=T:N             the target allocates N blocks of 40 bytes within N microseconds
///   late_stacks=MS        stacks come this much later than their events
///   lost_stacks=N         each N-th stack is lost
///   stopped_by_others_at=T[/heap | /kernel | /code], stopped_result=CODE  another
///                         process stops the session; ProcessTrace then returns CODE (default 0)
///   drain_takes=MS        ProcessTrace returns this much later than its session was stopped
///   crash_consumer_at=T   the callback's thread crashes (access violation)
///   kill_consumer_at=T    the process is killed, as by the task manager
struct Scenario {
    std::filesystem::path trace;
    double speed = 1; ///< 0: max
    Begin begin = Begin::Heap;
    std::uint32_t target = 0;
    std::filesystem::path state;
    std::vector<OtherSession> sessions;
    unsigned fill = 0;
    unsigned fillSystem = 0;
    unsigned mostSessions = 64;
    bool elevated = true;
    std::vector<Failure> failures;
    bool heapUpdate = true;
    unsigned mostPids = 8;
    bool rundown = true;
    bool codeRundown = true;
    bool codeRundownEnds = true;
    bool reportsFrequency = true;
    std::vector<Incident> incidents; ///< in order of time
    bool lossInRecords = true;
    bool lossInQuery = true;
    bool lossInCallback = true;
    std::vector<Burst> bursts;
    unsigned lateStacksMs = 0;
    unsigned lostStacks = 0;
    unsigned long stoppedResult = 0;
    unsigned drainMs = 0;

    std::string problem; ///< the entry that is not understood
};

[[nodiscard]] Scenario parseScenario(std::string_view text);

} // namespace highwater::etw_simulator
