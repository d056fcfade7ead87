#pragma once

#include "app/tools/fleet/page/fleet_finder.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace highwater::tests {

/// Runs of three builds on four machines, and stacks of which "app!leak" grew: answers that are laid out by hand, for
/// pages. Whoever tests failures and slowness says how it is. Any thread.
class FakeFleet {
  public:
    FakeFleet();

    [[nodiscard]] ui::OpenFleetFunction opener() const;

    /// What is answered; changed by whoever tests before somebody asks.
    std::vector<fleet::RunRow> runs;
    fleet::GrewAnswer grew;
    fleet::GrewAnswer appeared; ///< of presence
    fleet::HistoryAnswer history;
    std::vector<fleet::WorstRun> worst;
    std::vector<fleet::SlopeRow> slopes;
    std::vector<fleet::HealthRow> health;

    /// All that is asked from now on fails so; nothing: is answered.
    void failWith(std::optional<Error> error);
    /// Who is let in; nothing: everybody.
    void wantPassword(const std::string& user, const std::string& password);
    /// A question of this name ("grew", "runs", ...) does not end before it is told to stop, or let go; empty: none.
    void hold(const std::string& question);
    /// What was asked, in order: "runs", "grew 8121 to 8123 heap whole InuseSpace", ...
    [[nodiscard]] std::vector<std::string> asked() const;
    /// How often a question of this name began.
    [[nodiscard]] std::size_t countOf(const std::string& name) const;

    /// Of the last question what grew.
    [[nodiscard]] std::int64_t leastGrowth() const;

  private:
    friend class FakeStore;
    struct State {
        mutable std::mutex mutex;
        std::condition_variable changed;
        std::optional<Error> error;
        std::optional<std::pair<std::string, std::string>> password;
        std::string held;
        std::vector<std::string> asked;
        std::int64_t leastGrowth = 0;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

[[nodiscard]] fleet::FleetStack fakeStack(const std::string& owner, std::uint64_t key,
                                          const std::string& process = "app");
[[nodiscard]] fleet::RunRow fakeRun(const std::string& build, const std::string& machine, std::int64_t recordedAt);

} // namespace highwater::tests
