#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::etw_simulator {

/// Of the buffers that lose_buffers_at loses.
inline constexpr unsigned kLostBufferRecords = 100;

/// What the play begins with.
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

/// Something that happens at a time of the trace.
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

/// A DLL in the place of Windows' event tracing, for tests of the recorder where there is no Windows (Wine has stubs
/// only). It exports the functions that core/source/etw/etw_api_windows.h names, behaves as docs/etw.md 1, 2, 4 and 8
/// say, and plays an .etl into the sessions that are started. HIGHWATER_ETW_SIMULATOR names the DLL,
/// HIGHWATER_ETW_SIMULATOR_SCENARIO says what shall happen:
///
///   trace=T1.etl;target=4242;speed=max;fail=StartTraceW/heap:183
///
/// Entries are key=value, separated by semicolons. T is a time of the trace in seconds, from its first record on. An
/// entry that is not understood fails every function with ERROR_INVALID_DATA (13): a test must not pass by a misprint.
///
///   trace=FILE            what is played: StackWalk records, not keys. Without it there are no records.
///   speed=N | max         1 (default): as recorded; 10: ten times as fast; max: a microsecond from instant to instant.
///                         Times of records are those of now, and no two instants fall together.
///   begin=heap | kernel | child  the play begins with the heap session (default), with the kernel session, or when
///                         the process that started a session has a child
///   target=PID            this process of the trace plays the recorded one: it gets the first pid of the heap session,
///                         without one the pid of the newest child of the process that started the session
///   state=FILE            holds the sessions, for all processes that name it, whether they live or not. Without it
///                         sessions are those of this process.
///   session=NAME[/heap | /system]  a session of somebody else; /heap owns the heap GUID. {pid} in a name stands for
///                         the process that asks first. May be repeated.
///   fill=N, fill_system=N so many others, ordinary ones or system loggers, before those named
///   most_sessions=N       room for so many (default 64, at most 256; 6 of them system loggers)
///   elevated=no           as for an ordinary user: 5
///   fail=FUNCTION[/heap | /kernel | /code][#N]:CODE  the function fails; with #N only the N-th time. May be repeated.
///   heap_update=refused   pids cannot be changed with ControlTrace(UPDATE)
///   most_pids=N           more of them are refused with 87 (default 8)
///   code_rundown=no | silent  runtimes tell nothing when asked for a rundown; or all, but not that it was all
///   rundown=no            neither processes nor images are told as the session starts
///   frequency=0           OpenTrace does not tell the frequency of the clock
///   lose_events_at=T:N    the next N records are lost, and told one by one
///   lose_buffers_at=T:N   the next N buffers of kLostBufferRecords records are lost, and told one by one
///   loss_told=LIST        who tells of losses, of: records,query,callback (default: all three)
///   burst=T:N             the target allocates N blocks of 40 bytes within N microseconds
///   late_stacks=MS        stacks come so much after their events
///   lost_stacks=N         each N-th stack does not come
///   stopped_by_others_at=T[/heap | /kernel | /code], stopped_result=CODE  what ProcessTrace returns then (default 0)
///   drain_takes=MS        ProcessTrace returns so much after its session was stopped
///   crash_consumer_at=T   the callback's thread crashes (access violation)
///   kill_consumer_at=T    the process ends at once, as the task manager does it
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
    bool tellsFrequency = true;
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
