#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::source {

/// Recorded events that have not been read.
struct AgentBacklog {
    std::uint64_t bytes = 0;
    std::uint64_t mostBytes = 0;
    std::int64_t lagNs = 0;         ///< age of the oldest unread event
    std::uint32_t threads = 0;      ///< known threads, including ended ones that have unread events
    std::uint32_t processes = 0;    ///< the same
    bool isProcessHeldBack = false; ///< a process can only be found after another one has been read completely
};

/// Limits how much of a backlog is read per pass, at some hundred passes a second, if events are not shown live. A
/// small backlog is read at once. A larger one is read with the processor time that no other program needs, so that a
/// program that keeps all processors busy can use them. Everything is read at full speed after some seconds, when
/// memory is short, and when the program has ended.
class AgentReadingPace {
  public:
    static constexpr std::size_t kAll = ~std::size_t{0};
    /// The longest time an event waits, unless the recorder cannot keep up.
    static constexpr std::int64_t kMostLagNs = 5'000'000'000;

    enum class Program : std::uint8_t { Runs, IsOver };

    /// `processors`: of the machine.
    explicit AgentReadingPace(unsigned processors) : processors_(processors) {}

    /// `now`: the current time; `idle`: total idle time of all processors since some time in the past. Nothing: not
    /// available, and the processors are assumed to be idle.
    void noteIdle(std::chrono::milliseconds now, std::optional<std::chrono::milliseconds> idle);
    /// The number of events to read in this pass.
    [[nodiscard]] std::size_t most(const AgentBacklog& backlog, Program program);
    /// After most(): whether the next pass is due at once.
    [[nodiscard]] bool isHurrying() const { return isHurrying_; }

  private:
    struct Moment {
        std::chrono::milliseconds now;
        std::chrono::milliseconds idle;
    };

    unsigned processors_;
    bool isYoung_ = true;        ///< the backlog
    std::optional<Moment> from_; ///< start of the current measurement
    std::size_t share_ = 0;      ///< events per pass
    bool isHurrying_ = false;
};

} // namespace highwater::source
