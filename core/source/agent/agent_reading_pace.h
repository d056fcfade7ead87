#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace highwater::source {

/// What was recorded and not read yet.
struct AgentBacklog {
    std::uint64_t bytes = 0;
    std::uint64_t mostBytes = 0;
    std::int64_t lagNs = 0;         ///< since the oldest of it happened
    std::uint32_t threads = 0;      ///< that are known; those that have ended and are not read to the end, too
    std::uint32_t processes = 0;    ///< the same
    bool isSomebodyWaiting = false; ///< a process is only found when another one has been read to its end
};

/// How much of a backlog is read in a pass, of which there are some hundred a second, where nobody looks at what comes.
/// A little is read at once. Of more, as much as the processors have time for that nobody else wants: a program that
/// keeps all of them busy gets them. But not later than after some seconds, not when memory gets short, and not when
/// the program is over: then all is read as fast as it goes.
class AgentReadingPace {
  public:
    static constexpr std::size_t kAll = ~std::size_t{0};
    /// No longer does an event wait, but for a recorder that cannot keep up.
    static constexpr std::int64_t kMostLagNs = 5'000'000'000;

    enum class Program : std::uint8_t { Runs, IsOver };

    /// Of the machine.
    explicit AgentReadingPace(unsigned processors) : processors_(processors) {}

    /// What the clock shows, and how long all processors together have been idle since some time in the past; nothing:
    /// the system does not tell, and they are taken to be.
    void noteIdle(std::chrono::milliseconds now, std::optional<std::chrono::milliseconds> idle);
    /// How many events are to be read in this pass.
    [[nodiscard]] std::size_t most(const AgentBacklog& backlog, Program program);
    /// After most(): the next pass is due at once.
    [[nodiscard]] bool isHurrying() const { return isHurrying_; }

  private:
    struct Moment {
        std::chrono::milliseconds now;
        std::chrono::milliseconds idle;
    };

    unsigned processors_;
    bool isYoung_ = true;        ///< what waits
    std::optional<Moment> from_; ///< of the measurement under way
    std::size_t share_ = 0;      ///< events a pass
    bool isHurrying_ = false;
};

} // namespace highwater::source
