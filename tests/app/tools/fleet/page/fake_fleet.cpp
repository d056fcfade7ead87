#include "tests/app/tools/fleet/page/fake_fleet.h"

#include "app/tools/fleet/page/fleet_words.h"

#include <chrono>
#include <utility>

namespace highwater::tests {
namespace {

constexpr std::int64_t kKilobyte = 1024;
constexpr std::int64_t kDayNs = 86'400'000'000'000;
constexpr std::int64_t kFirstDay = 1'700'000'000'000'000'000; // 2023-11-14

fleet::Side side(std::int64_t median, std::int64_t p95, std::size_t with = 4) { return {8, 4, with, median, p95}; }

} // namespace

fleet::FleetStack fakeStack(const std::string& owner, std::uint64_t key, const std::string& process) {
    return {{key, key}, analysis::Table::Heap, process, owner, {"libc.so!malloc", owner, "app!main"}};
}

fleet::RunRow fakeRun(const std::string& build, const std::string& machine, std::int64_t recordedAt) {
    fleet::RunRow row;
    row.facts.run = build + machine;
    row.facts.trace = "/nobody/has/" + build + "-" + machine + ".etl";
    row.facts.recordedAt = recordedAt;
    row.facts.duration = 30'000'000'000;
    row.facts.build = build;
    row.facts.machine = machine;
    row.facts.scenario = "nightly";
    row.sampleCount = 12;
    row.inuseSpace = 5 * kKilobyte * kKilobyte;
    return row;
}

FakeFleet::FakeFleet() {
    for (int day = 0; day < 3; ++day) {
        const std::string build[] = {"8120", "8121", "8123"};
        for (const std::string machine : {"lab-1", "lab-2", "lab-3", "lab-4"})
            runs.push_back(fakeRun(build[day], machine, kFirstDay + day * kDayNs));
    }
    grew.tested = 1204;
    grew.canTell = true;
    grew.significant = 2;
    grew.rows = {{fakeStack("app!leak", 1), side(100 * kKilobyte, 120 * kKilobyte),
                  side(612 * kKilobyte, 900 * kKilobyte), 512 * kKilobyte, 0.00001},
                 {fakeStack("app!cache", 2, "helper"), side(0, 0, 0), side(128 * kKilobyte, 256 * kKilobyte, 3),
                  128 * kKilobyte, 0.0123}};
    grew.notes = {"Of 1 of 8 runs of build 8123 the totals are bounds."};
    appeared.tested = 1204;
    appeared.significant = 1;
    appeared.rows = {{fakeStack("app!cache", 2, "helper"), side(0, 0, 0), side(128 * kKilobyte, 256 * kKilobyte, 3),
                      128 * kKilobyte, 0.0123}};
    history.stack = fakeStack("app!leak", 1);
    history.builds = {{"8120", kFirstDay, side(96 * kKilobyte, 110 * kKilobyte)},
                      {"8121", kFirstDay + kDayNs, side(100 * kKilobyte, 120 * kKilobyte)},
                      {"8123", kFirstDay + 2 * kDayNs, side(612 * kKilobyte, 900 * kKilobyte)}};
    history.firstBad = 2;
    for (const std::string machine : {"lab-3", "lab-1"}) {
        fleet::WorstRun run;
        run.facts = fakeRun("8123", machine, kFirstDay + 2 * kDayNs).facts;
        run.process = "app";
        run.value = machine == "lab-3" ? 900 * kKilobyte : 612 * kKilobyte;
        run.end = 30'000'000'000;
        run.first = 1'000'000'000;
        run.last = 29'000'000'000;
        worst.runs.push_back(run);
    }
    slopes = {{fakeStack("app!leak", 1), side(3 * kKilobyte * kKilobyte, 4 * kKilobyte * kKilobyte)}};
    health = {{"8123", "lab-1", 2, 1, 17, 0, 3, 4}};
}

class FakeStore : public fleet::FleetStore {
  public:
    FakeStore(const FakeFleet& fleet, std::shared_ptr<FakeFleet::State> state, ui::FleetPlace place)
        : fleet_(fleet), state_(std::move(state)), place_(std::move(place)) {}

    Result<void> create(const std::string&) override { return {}; }
    Result<bool> hasRun(const std::string&) override { return false; }
    Result<bool> relabel(const summary::RunFacts&, const std::stop_token&) override { return false; }
    Result<bool> remove(const std::string&, const std::stop_token&) override { return false; }
    Result<std::vector<summary::Frame>> framesWithoutNames(const std::stop_token&) override {
        return std::vector<summary::Frame>();
    }
    Result<std::size_t> name(const std::vector<fleet::NamedFrame>&, const fleet::PlumbingTest&,
                             const std::stop_token&) override {
        return std::size_t{0};
    }
    Result<fleet::AddOutcome> add(const summary::RunSummary&, const std::stop_token&) override {
        return fleet::AddOutcome::Added;
    }
    Result<std::vector<fleet::RunRow>> runs(const fleet::RunFilter& filter, const std::stop_token& stop) override {
        auto matching = fleet_.runs;
        std::erase_if(matching, [&](const fleet::RunRow& row) {
            return (!filter.build.empty() && row.facts.build != filter.build) ||
                   (!filter.machine.empty() && row.facts.machine != filter.machine);
        });
        return answer("runs", filter.build, stop, std::move(matching));
    }
    Result<fleet::GrewAnswer> grew(const fleet::GrewQuestion& question, const std::stop_token& stop) override {
        {
            const std::lock_guard lock(state_->mutex);
            state_->leastGrowth = question.leastGrowth;
        }
        return answer("grew", question.fromBuild + " to " + question.toBuild + words(question.samples), stop,
                      fleet_.grew);
    }
    Result<fleet::GrewAnswer> presence(const fleet::PresenceQuestion& question, const std::stop_token& stop) override {
        return answer(question.isGone ? "gone" : "new",
                      question.fromBuild + " to " + question.toBuild + words(question.samples), stop, fleet_.appeared);
    }
    Result<fleet::HistoryAnswer> history(const fleet::HistoryQuestion& question, const std::stop_token& stop) override {
        auto found = fleet_.history;
        found.stack.key = question.stack;
        return answer("history", std::to_string(question.stack.low) + words(question.samples), stop, std::move(found));
    }
    Result<fleet::WorstAnswer> worst(const fleet::WorstQuestion& question, const std::stop_token& stop) override {
        return answer("worst", std::to_string(question.stack.low) + " of " + question.build + words(question.samples),
                      stop, fleet_.worst);
    }
    Result<std::vector<fleet::SlopeRow>> slopes(const std::string& build, const fleet::SampleFilter& filter,
                                                std::size_t, const std::stop_token& stop) override {
        return answer("slopes", build + words(filter), stop, fleet_.slopes);
    }
    Result<std::vector<fleet::HealthRow>> health(const fleet::RunFilter& filter, const std::stop_token& stop) override {
        return answer("health", filter.build, stop, fleet_.health);
    }

  private:
    static std::string words(const fleet::SampleFilter& samples) {
        std::string text;
        for (const auto& part : {samples.scenario, samples.machine, samples.process})
            text += part.empty() ? "" : " " + part;
        if (samples.table) text += " " + std::string(analysis::tableWord(*samples.table));
        return text + ", " + samples.window + ", " + ui::fleetMeasureText(samples.measure).toStdString();
    }
    template <typename T>
    Result<T> answer(const std::string& name, const std::string& words, const std::stop_token& stop, T found) {
        std::unique_lock lock(state_->mutex);
        state_->asked.push_back(words.empty() ? name : name + " " + words);
        if (state_->password && *state_->password != std::pair(place_.user, place_.password))
            return Error{ErrorKind::AccessDenied, "The server does not let " + place_.user + " in."};
        if (state_->error) return *state_->error;
        while (state_->held == name && !stop.stop_requested())
            state_->changed.wait_for(lock, std::chrono::milliseconds(2));
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, {}};
        return found;
    }

    const FakeFleet& fleet_;
    std::shared_ptr<FakeFleet::State> state_;
    ui::FleetPlace place_;
};

ui::OpenFleetFunction FakeFleet::opener() const {
    return [this](const ui::FleetPlace& place) -> Result<std::unique_ptr<fleet::FleetStore>> {
        return std::unique_ptr<fleet::FleetStore>(std::make_unique<FakeStore>(*this, state_, place));
    };
}

void FakeFleet::failWith(std::optional<Error> error) {
    const std::lock_guard lock(state_->mutex);
    state_->error = std::move(error);
}

void FakeFleet::wantPassword(const std::string& user, const std::string& password) {
    const std::lock_guard lock(state_->mutex);
    state_->password = {user, password};
}

void FakeFleet::hold(const std::string& question) {
    const std::lock_guard lock(state_->mutex);
    state_->held = question;
    state_->changed.notify_all();
}

std::vector<std::string> FakeFleet::asked() const {
    const std::lock_guard lock(state_->mutex);
    return state_->asked;
}

std::int64_t FakeFleet::leastGrowth() const {
    const std::lock_guard lock(state_->mutex);
    return state_->leastGrowth;
}

std::size_t FakeFleet::countOf(const std::string& name) const {
    std::size_t count = 0;
    for (const auto& question : asked())
        count += question.starts_with(name) ? 1 : 0;
    return count;
}

} // namespace highwater::tests
