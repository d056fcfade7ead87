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

/// Runs of three builds on four machines, and stacks in which "app!leak" grew: scripted answers for pages. Tests can
/// script failures and delays. Any thread.
class FakeFleet {
  public:
    FakeFleet();

    [[nodiscard]] ui::OpenFleetFunction opener() const;

    /// The answers; a test may change them before the first query.
    std::vector<fleet::RunRow> runs;
    fleet::GrewAnswer grew;
    fleet::GrewAnswer appeared; ///< those of presence
    fleet::HistoryAnswer history;
    fleet::WorstAnswer worst;
    std::vector<fleet::SlopeRow> slopes;
    std::vector<fleet::HealthRow> health;

    /// From now on all queries fail with this error; nullopt: they are answered.
    void failWith(std::optional<Error> error);
    /// The accepted credentials; nullopt: any.
    void wantPassword(const std::string& user, const std::string& password);
    /// A query of this name ("grew", "runs", ...) does not end until it is cancelled or released; empty: none.
    void hold(const std::string& question);
    /// The queries in their order: "runs", "grew 8121 to 8123 heap whole InuseSpace", ...
    [[nodiscard]] std::vector<std::string> asked() const;
    /// The number of queries of this name that started.
    [[nodiscard]] std::size_t countOf(const std::string& name) const;

    /// The smallest growth that the latest "grew" query accepts.
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
