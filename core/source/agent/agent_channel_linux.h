#pragma once

#include "core/agent_linux/programs/program_file.h"
#include "core/base/result.h"
#include "core/source/agent/agent_event.h"
#include "core/source/agent/agent_exit_waits_linux.h"
#include "core/source/agent/agent_options.h"
#include "core/source/agent/agent_reading_pace.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// A process that restricted its own system calls. Recording it ends then, because the agent needs some of them.
struct AgentRestriction {
    std::uint32_t pid = 0;
    std::int64_t timeNs = 0;
};

/// A program that the agent was not passed on to because it cannot be loaded there.
struct AgentUnrecorded {
    agent::Obstacle obstacle = agent::Obstacle::None;
    std::uint32_t pid = 0; ///< the process that executed or started it; 0: unknown
    std::string file;      ///< the program file, or its interpreter
    std::string detail;    ///< see agent::Obstacle
};

/// A program that ended without a copy of its memory, although the recorder wanted one (AgentOptions::waitsAtExit).
struct AgentUncopied {
    std::uint32_t pid = 0;
    std::string name;       ///< the name it was started as; empty: unknown
    bool hasWaited = false; ///< in vain; otherwise it ended by neither exit() nor returning from main
};

/// Missing data of all threads so far.
struct AgentLosses {
    std::uint64_t events = 0;       ///< events dropped by the target: no free memory, or no reader
    std::uint64_t interrupted = 0;  ///< events of signal handlers that interrupted the agent; not included in `events`
    std::uint64_t unmapped = 0;     ///< number of times that a process could not map memory because of a limit
    std::uint32_t unmappedPid = 0;  ///< a process that was not recorded for that reason; 0: none
    std::uint64_t withoutRing = 0;  ///< events of threads beyond the thread limit; not included in `events`
    std::uint64_t processes = 0;    ///< processes beyond the limit of simultaneous processes, which were not recorded
                                    ///< at all
    std::uint64_t children = 0;     ///< children that were not recorded because that was not requested
    std::uint64_t unrecordable = 0; ///< programs that a recorded process executed and in which the agent did not start
                                    ///< for an unknown reason
    std::uint64_t programsUnrecorded = 0;    ///< starts of programs with a known obstacle, including failed ones
    std::vector<AgentUnrecorded> unrecorded; ///< the first of those programs
    std::uint64_t unknownNumbers = 0;        ///< processes that ended before their pid in our namespace was queried
    std::uint64_t damagedRings = 0;          ///< rings that ended with an invalid record
    std::uint64_t late = 0; ///< events whose time was raised because their thread was delayed beyond the wait limit
    std::uint64_t stacksAtLimit =
        0;                       ///< distinct stacks per thread that have kMostFrames: their outer frames are missing
    std::uint64_t stacksCut = 0; ///< distinct stacks per thread whose outermost frames could not be found
    std::vector<AgentRestriction> restricted; ///< the first restricted processes
    std::vector<AgentUncopied> uncopied;      ///< the first ones
    std::uint64_t programsUncopied = 0;       ///< all of them
};

/// The reader's side of the Linux agent. Creates the shared memory that recorded processes write to, and delivers their
/// events in time order. The target never waits for the reader: if the reader is stopped, killed or slow, events are
/// dropped and counted. Create it on any thread; call drain(), run(), reachedNs() and losses() on one thread, the
/// consumer's.
class AgentChannel {
  public:
    /// A batch of events, valid with its details until the call returns. Must not call back into the channel.
    using Sink = std::function<void(std::span<const AgentEvent>)>;
    using FoundProcess = std::function<void(std::uint32_t pid)>;
    static constexpr std::size_t kAll = AgentReadingPace::kAll;

    /// Fails if memory cannot be shared or the agent's library is not found. `library` empty: use the one installed or
    /// built next to this program.
    static Result<std::unique_ptr<AgentChannel>> create(const AgentOptions& options,
                                                        std::filesystem::path library = {});
    ~AgentChannel();
    AgentChannel(const AgentChannel&) = delete;
    AgentChannel& operator=(const AgentChannel&) = delete;

    /// The environment variables that a program needs for being recorded, as name and value. `preload` is its
    /// LD_PRELOAD without the agent, which is put in front. Any thread.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment(const std::string& preload = {}) const;
    /// A path through which a process of this user can map the channel while this process lives. Any thread.
    [[nodiscard]] std::string path() const;
    /// The agent's library. Any thread.
    [[nodiscard]] const std::filesystem::path& library() const;
    [[nodiscard]] const AgentOptions& options() const;

    /// Delivers all complete events and returns their number. Call it at least every `staleNs`, preferably every 10 ms.
    std::size_t drain(const Sink& sink);
    /// drain() in two steps: look() finds the complete events, and read() delivers the earliest ones, about `most` of
    /// them. Each call also queries facts about processes and threads that are available only now, no matter how large
    /// the backlog is.
    void look();
    std::size_t read(const Sink& sink, std::size_t most);
    /// The backlog at the time of the last look().
    [[nodiscard]] AgentBacklog backlog() const;
    /// Called for each process as soon as it is found; its ProcessStart may come much later. Set it before the first
    /// drain().
    void whenProcessIsFound(FoundProcess found);
    /// Called for each process that waits at its end (AgentOptions::waitsAtExit), until exitWaits() lets it end or for
    /// about ten seconds, or a minute if it was called. Without it, none waits longer than a batch. Set it before the
    /// first drain().
    using ProcessWaits = std::function<void(std::uint32_t pid)>;
    void whenProcessWaits(ProcessWaits waits);
    /// Lets processes end that wait. Any thread may use it, even after the channel was destroyed.
    [[nodiscard]] std::shared_ptr<AgentExitWaits> exitWaits() const;
    /// Drains until stop is requested, or until all known processes have ended and `isLaunchOver` returns true because
    /// no other process can appear. Then delivers the rest. Sleeps in between; wakes up when a process ends.
    void run(const Sink& sink, std::stop_token stop, const std::function<bool()>& isLaunchOver);

    /// Targets run unrecorded from now on. Events that they have already written can still be drained. The final
    /// drain() delivers them without waiting for busy threads. Any thread.
    void stopRecording();

    /// Whether all processes have ended and been read and no more can register, once the launched program has ended.
    /// The consumer's thread.
    [[nodiscard]] bool isOver();
    /// Whether a known process is still running. The consumer's thread.
    [[nodiscard]] bool isAnyRunning() const;
    /// Number of known processes that have not ended. 0 some seconds after a launch means that the agent was not
    /// loaded.
    [[nodiscard]] std::size_t runningProcesses() const;
    /// Total number of processes seen.
    [[nodiscard]] std::size_t processesSeen() const;
    [[nodiscard]] AgentLosses losses() const;
    /// No event delivered from now on has an earlier time, in the nanoseconds of events.
    [[nodiscard]] std::int64_t reachedNs() const;
    /// The current CLOCK_MONOTONIC nanoseconds, as in events.
    [[nodiscard]] std::int64_t nowNs() const;

  private:
    class Impl;
    explicit AgentChannel(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Finds the agent's library: next to the program, in its build tree, or installed. Empty if it is not found.
[[nodiscard]] std::filesystem::path findAgentLibrary();

} // namespace highwater::source
