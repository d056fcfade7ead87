#pragma once

#include "core/agent_linux/programs/program_file.h"
#include "core/base/result.h"
#include "core/source/agent/agent_event.h"
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

/// A process that forbade itself system calls: from then on it is not recorded, as the agent needs some.
struct AgentRestriction {
    std::uint32_t pid = 0;
    std::int64_t timeNs = 0;
};

/// A program that the agent was not handed on to, as it cannot be loaded there.
struct AgentUnrecorded {
    agent::Obstacle obstacle = agent::Obstacle::None;
    std::uint32_t pid = 0; ///< of the process that executed or started it; 0: unknown
    std::string file;      ///< of the program, or of its interpreter
    std::string detail;    ///< see agent::Obstacle
};

/// What was missed, over all threads so far.
struct AgentLosses {
    std::uint64_t events = 0;       ///< dropped by the target: no memory was free, or nobody drained
    std::uint64_t interrupted = 0;  ///< of signal handlers that interrupted the agent; not among `events`
    std::uint64_t unmapped = 0;     ///< times that a process could not map memory to write to: a limit of its own
    std::uint32_t unmappedPid = 0;  ///< a process that was not recorded for that reason; 0: none
    std::uint64_t withoutRing = 0;  ///< of threads beyond the limit of threads; not among `events`
    std::uint64_t processes = 0;    ///< beyond the limit of processes at one time: nothing of theirs was recorded
    std::uint64_t children = 0;     ///< that were started, and not recorded as nobody asked for them
    std::uint64_t unrecordable = 0; ///< programs that a recorded process went on as, and that no agent came up in for
                                    ///< a reason that is not known
    std::uint64_t programsUnrecorded = 0;    ///< started programs with a known obstacle, and tries to start them
    std::vector<AgentUnrecorded> unrecorded; ///< the first of those
    std::uint64_t unknownNumbers = 0; ///< processes that ended before the number that they have here was asked for
    std::uint64_t damagedRings = 0;   ///< rings that ended in bytes that are no record
    std::uint64_t late = 0; ///< events whose time was raised: their thread was held up for longer than the wait
    std::uint64_t stacksAtLimit =
        0;                       ///< distinct stacks (a thread) that have kMostFrames: those further out are missing
    std::uint64_t stacksCut = 0; ///< distinct stacks (a thread) whose outermost frames could not be found
    std::vector<AgentRestriction> restricted; ///< the first of them
};

/// The reader's half of the Linux agent: makes the shared memory that recorded processes write to, and delivers what
/// they wrote in the order of time. The target never waits for it: when it is stopped or killed, or just slow, events
/// are dropped and counted. Create it on any thread; then drain(), run(), reachedNs() and losses() on one thread, the
/// consumer's.
class AgentChannel {
  public:
    /// A batch of events; valid, details included, until the call returns. Must not call back into the channel.
    using Sink = std::function<void(std::span<const AgentEvent>)>;
    using FoundProcess = std::function<void(std::uint32_t pid)>;
    static constexpr std::size_t kAll = AgentReadingPace::kAll;

    /// Errors: no memory can be shared, or the agent's library is not found (`library` empty: where it is installed, or
    /// built, beside this program).
    static Result<std::unique_ptr<AgentChannel>> create(const AgentOptions& options,
                                                        std::filesystem::path library = {});
    ~AgentChannel();
    AgentChannel(const AgentChannel&) = delete;
    AgentChannel& operator=(const AgentChannel&) = delete;

    /// What the environment of a program needs to be recorded, as name and value. `preload` is the LD_PRELOAD that it
    /// has otherwise; the agent stands before it. Any thread.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment(const std::string& preload = {}) const;
    /// The file under which a process of this user can map the channel, as long as this one lives. Any thread.
    [[nodiscard]] std::string path() const;
    /// The agent's library. Any thread.
    [[nodiscard]] const std::filesystem::path& library() const;
    [[nodiscard]] const AgentOptions& options() const;

    /// Delivers what is complete by now; how many events that was. Call at least every `staleNs`, better every 10 ms.
    std::size_t drain(const Sink& sink);
    /// The same in two: looks what is there, and delivers the earliest of that, about so many. What can be asked of
    /// processes and threads only now is asked by each call, however much is behind.
    void look();
    std::size_t read(const Sink& sink, std::size_t most);
    /// What is left, as the last look() found it.
    [[nodiscard]] AgentBacklog backlog() const;
    /// Told of each process as soon as it is found: its ProcessStart may come much later. Before the first drain().
    void whenProcessIsFound(FoundProcess found);
    /// Drains until stop is requested, or until every process that was seen has ended and `isLaunchOver` says that no
    /// other can come; then delivers the rest. Sleeps in between; wakes up when a process ends.
    void run(const Sink& sink, std::stop_token stop, const std::function<bool()>& isLaunchOver);

    /// From now on the targets run as if they were not recorded. What they wrote before can still be drained; the final
    /// drain() after this delivers it without waiting for threads that are busy. Any thread.
    void stopRecording();

    /// Whether nothing more can come, once what was launched has ended: all processes have ended and are read, and none
    /// can register any more. The consumer's thread.
    [[nodiscard]] bool isOver();
    /// Whether a known process still runs. The consumer's thread.
    [[nodiscard]] bool isAnyRunning() const;
    /// How many processes are known and have not ended. 0 for some seconds after a launch: the agent was not loaded.
    [[nodiscard]] std::size_t runningProcesses() const;
    /// How many were seen at all.
    [[nodiscard]] std::size_t processesSeen() const;
    [[nodiscard]] AgentLosses losses() const;
    /// No event that is delivered from now on has an earlier time; in nanoseconds, as events have them.
    [[nodiscard]] std::int64_t reachedNs() const;
    /// The CLOCK_MONOTONIC nanoseconds of now, as events have them.
    [[nodiscard]] std::int64_t nowNs() const;

  private:
    class Impl;
    explicit AgentChannel(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Where the agent's library is: beside the program, in its build tree, or installed. Empty if nowhere.
[[nodiscard]] std::filesystem::path findAgentLibrary();

} // namespace highwater::source
