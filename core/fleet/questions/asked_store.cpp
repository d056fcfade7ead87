#include "core/fleet/questions/asked_store.h"

#include "core/fleet/questions/comparisons.h"
#include "core/fleet/questions/question_notes.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/statistics/noise.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace highwater::fleet {
namespace {

/// Labels that are stored as columns can be queried like others.
bool hasLabel(const summary::RunFacts& facts, const std::pair<std::string, std::string>& label) {
    if (label.first == "build") return facts.build == label.second;
    if (label.first == "machine") return facts.machine == label.second;
    if (label.first == "scenario") return facts.scenario == label.second;
    return std::ranges::find(facts.labels, label) != facts.labels.end();
}
bool hasLabels(const summary::RunFacts& facts, const RunFilter& filter) {
    return std::ranges::all_of(filter.labels, [&](const auto& label) { return hasLabel(facts, label); });
}

std::size_t runsNotWhole(const std::vector<StoredRun>& runs, const std::string& from, const std::string& to) {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const auto& run) {
        const auto& facts = run.row.facts;
        return !facts.isWhole && (facts.build == from || facts.build == to);
    }));
}

auto orderOf(const FleetStack& stack) { return std::tie(stack.key, stack.table, stack.process); }

/// Largest change first. Names are read only for the remaining rows.
void cutLargest(std::vector<GrownStack>& rows, std::size_t most) {
    const auto size = [](const GrownStack& row) {
        const auto growth = static_cast<std::uint64_t>(row.growth);
        return row.growth < 0 ? 0 - growth : growth;
    };
    std::ranges::sort(rows, [&](const auto& a, const auto& b) {
        return size(a) != size(b) ? size(a) > size(b) : orderOf(a.stack) < orderOf(b.stack);
    });
    if (rows.size() > most) rows.resize(most);
}

template <typename Row>
std::vector<FleetStack*> stacksOf(std::vector<Row>& rows) {
    std::vector<FleetStack*> stacks;
    for (auto& row : rows)
        stacks.push_back(&row.stack);
    return stacks;
}

/// The candidate rows and whether their values are clearly apart. Reported rows are those, and those that are
/// significant by rank among all tested stacks.
struct Candidates {
    std::vector<GrownStack> rows;
    std::vector<bool> areApart;
    std::vector<double> ranks;         ///< one per candidate; above 1 if there are too few runs
    std::vector<double> probabilities; ///< for all tested stacks; 1 for those that are not candidates
};

std::size_t sumOf(const std::map<std::string, std::size_t>& ofBuilds) {
    std::size_t sum = 0;
    for (const auto& [build, count] : ofBuilds)
        sum += count;
    return sum;
}

/// The values of each build, and the first bad one. `runs` are those that count.
void fillBuilds(HistoryAnswer& answer, const std::vector<StoredRun>& runs, const std::vector<RunOfStack>& found,
                Measure measure) {
    answer.builds = buildsInOrder(runs);
    ValuesOfBuilds ofBuilds;
    for (auto& build : answer.builds) {
        BuildRuns ofBuild(runs, build.build);
        for (const auto& row : found)
            ofBuild.add(row.run, row.value);
        build.side = ofBuild.side();
        ofBuilds.emplace_back(ofBuild.values().begin(), ofBuild.values().end());
    }
    answer.firstBad = firstHigherBuild(ofBuilds, measure);
    if (answer.firstBad) answer.mended = fixedBuild(ofBuilds, *answer.firstBad);
}

void takeReported(GrewAnswer& answer, Candidates candidates, double falseShare) {
    const auto told = highestSignificant(candidates.probabilities, falseShare);
    for (std::size_t i = 0; i < candidates.rows.size(); ++i)
        if (candidates.areApart[i] || candidates.ranks[i] <= told) answer.rows.push_back(std::move(candidates.rows[i]));
    answer.significant = answer.rows.size();
}

} // namespace

Result<std::vector<StoredRun>> AskedStore::labelledRuns(const RunFilter& filter, const std::stop_token& stop) {
    auto found = storedRuns(filter, stop);
    if (found.hasValue())
        std::erase_if(found.value(), [&](const auto& run) { return !hasLabels(run.row.facts, filter); });
    return found;
}

Result<std::vector<RunRow>> AskedStore::runs(const RunFilter& filter, const std::stop_token& stop) {
    auto found = TRY(labelledRuns(filter, stop));
    auto windows = TRY(windowsOfRuns(stop));
    std::map<std::uint64_t, std::vector<std::string>> ofRuns;
    for (auto& [run, window] : windows)
        ofRuns[run].push_back(std::move(window));
    std::vector<RunRow> rows;
    for (auto& run : found) {
        run.row.windows = std::move(ofRuns[run.number]);
        rows.push_back(std::move(run.row));
    }
    return rows;
}

Result<std::vector<StoredRun>> AskedStore::runsOfBuilds(const std::vector<std::string>& builds,
                                                        const SampleFilter& filter, const std::stop_token& stop) {
    if (builds.size() == 2 && builds[0] == builds[1])
        return Error{ErrorKind::Usage, "Cannot compare a build with itself. Specify two different builds."};
    auto runs = TRY(storedRuns({{}, filter.machine, filter.scenario, {}}, stop));
    for (const auto& build : builds) {
        const auto isOfBuild = [&](const auto& run) { return run.row.facts.build == build; };
        if (std::ranges::any_of(runs, isOfBuild)) continue;
        auto all = TRY(storedRuns({}, stop));
        return noRuns(build, filter, all);
    }
    return runs;
}

Result<std::map<std::string, std::size_t>>
AskedStore::keepKnown(std::vector<StoredRun>& runs, const SampleFilter& filter, const std::stop_token& stop) {
    auto whole = filter;
    whole.window = SampleFilter().window;
    auto processes = processesIn(whole, stop);
    if (!processes.hasValue() && processes.error().kind == ErrorKind::NotFound) {
        const auto all = TRY(storedRuns({}, stop));
        if (isSampled(all, filter.process)) processes = RunsOfProcesses();
    }
    const auto withRows = TRY(processes);
    return removeUnknown(runs, filter, withRows);
}

Result<RunsOfProcesses> AskedStore::processesIn(const SampleFilter& filter, const std::stop_token& stop) {
    const auto read = [&](const std::string& window) -> Result<RunsOfProcesses> {
        auto found = TRY(processesOfRuns(window, stop));
        RunsOfProcesses processes;
        for (const auto& [run, process] : found)
            processes[process].insert(run);
        return processes;
    };
    auto processes = TRY(read(filter.window));
    const bool isThere = filter.process.empty() ? !processes.empty() : processes.contains(filter.process);
    if (isThere) return processes;
    // Nothing found: check whether the window or process exists.
    auto windows = TRY(windowsOfRuns(stop));
    std::set<std::string> names;
    for (const auto& [run, window] : windows)
        names.insert(window);
    if (!names.empty() && !names.contains(filter.window)) return noWindow(filter.window, names);
    if (filter.process.empty()) return processes;
    const auto anywhere = TRY(read("whole"));
    if (anywhere.contains(filter.process)) return processes;
    names.clear();
    for (const auto& [process, runs] : anywhere)
        names.insert(process);
    if (names.empty()) return processes;
    return noProcess(filter.process, names);
}

class AskedStore::TwoBuilds {
  public:
    TwoBuilds(std::string from, std::string to, const SampleFilter& filter, std::vector<StoredRun> runs,
              const RunsOfProcesses& processes, const std::vector<summary::StackKey>& unnamed)
        : from_(std::move(from)),
          to_(std::move(to)),
          measure_(filter.measure),
          runs_(std::move(runs)),
          comparisons(runs_, from_, to_, filter, processes, unnamed) {}

    [[nodiscard]] const std::vector<StoredRun>& runs() const { return runs_; }
    void setUnknown(std::map<std::string, std::size_t> ofBuilds) { unknown_ = std::move(ofBuilds); }
    void describe(GrewAnswer& answer) const {
        answer.runsNotWhole = runsNotWhole(runs_, from_, to_);
        const auto from = sizeOf(from_), to = sizeOf(to_);
        if (from > 0 && to > 0) answer.notes = comparisonNotes(runs_, from_, to_);
        for (const auto& [build, known] : {std::pair(from_, from), std::pair(to_, to)})
            if (const auto unknown = unknown_.find(build); unknown != unknown_.end())
                noteUnknown(answer.notes, build, measure_, unknown->second, unknown->second + known);
        comparisons.describe(answer, from_, to_);
    }

  private:
    [[nodiscard]] std::size_t sizeOf(const std::string& build) const { return BuildRuns(runs_, build).size(); }

    std::string from_, to_;
    Measure measure_;
    std::vector<StoredRun> runs_;
    std::map<std::string, std::size_t> unknown_; ///< runs without a value, by build

  public:
    Comparisons comparisons; ///< for the builds above
};

Result<std::unique_ptr<AskedStore::TwoBuilds>> AskedStore::twoBuilds(const std::string& from, const std::string& to,
                                                                     const SampleFilter& filter,
                                                                     const std::stop_token& stop) {
    auto runs = TRY(runsOfBuilds({from, to}, filter, stop));
    if (isOfProcesses(filter.measure)) {
        auto unknown = TRY(keepKnown(runs, filter, stop));
        const auto known = runsWithValues(runs, filter);
        auto builds =
            std::make_unique<TwoBuilds>(from, to, filter, std::move(runs), known, std::vector<summary::StackKey>());
        builds->setUnknown(std::move(unknown));
        return builds;
    }
    const auto processes = TRY(processesIn(filter, stop));
    const auto unnamed = TRY(stacksWithoutNames(stop));
    return std::make_unique<TwoBuilds>(from, to, filter, std::move(runs), processes, unnamed);
}

Result<GrewAnswer> AskedStore::grew(const GrewQuestion& question, const std::stop_token& stop) {
    const auto builds = TRY(twoBuilds(question.fromBuild, question.toBuild, question.samples, stop));
    auto& comparisons = builds->comparisons;
    const auto least = std::max<std::int64_t>(question.leastGrowth, 1);
    Candidates candidates;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        auto* comparison = comparisons.of(place.process);
        if (comparison == nullptr) return;
        comparison->from.take(values);
        comparison->to.take(values);
        // The choice of tested stacks must not depend on the build of a value. Otherwise too many would be significant.
        if (comparison->span() < least) return;
        comparisons.countTested(place.key);
        candidates.probabilities.push_back(1);
        auto row = comparison->rowOf(place);
        if (row.growth < std::max(least, leastRise(question.samples.measure, row.from.median))) return;
        row.p = comparison->probability();
        if (comparison->hasEnoughForRanks()) candidates.probabilities.back() = row.p;
        candidates.ranks.push_back(comparison->hasEnoughForRanks() ? row.p : 2);
        candidates.rows.push_back(std::move(row));
        candidates.areApart.push_back(comparison->isApart());
    };
    const ValueQuery query{{question.fromBuild, question.toBuild}, question.samples, least};
    if (isOfProcesses(question.samples.measure))
        passValues(builds->runs(), question.samples, judge);
    else
        TRY(values(query, judge, stop));
    GrewAnswer answer;
    takeReported(answer, std::move(candidates), question.falseShare);
    builds->describe(answer);
    return named(std::move(answer), question.most, stop);
}

Result<GrewAnswer> AskedStore::presence(const PresenceQuestion& question, const std::stop_token& stop) {
    if (isOfProcesses(question.samples.measure))
        return Error{
            ErrorKind::Usage,
            "This is a measure of processes, but new and gone compare stacks. Choose another measure, or use grew."};
    const auto builds = TRY(twoBuilds(question.fromBuild, question.toBuild, question.samples, stop));
    auto& comparisons = builds->comparisons;
    const auto least = std::max<std::int64_t>(question.least, 1);
    GrewAnswer answer;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        auto* comparison = comparisons.of(place.process);
        if (comparison == nullptr) return;
        auto& has = question.isGone ? comparison->from : comparison->to;
        auto& lacks = question.isGone ? comparison->to : comparison->from;
        has.take(values);
        if (std::ranges::all_of(has.values(), [](auto value) { return value == 0; })) return;
        comparisons.countTested(place.key);
        if (lacks.take(values) > 0) return; // it has the stack even with 0 bytes left
        const auto side = has.side();
        const auto share = static_cast<double>(side.machinesWith) / static_cast<double>(side.machines);
        if (share < question.leastShare || side.median < least) return;
        answer.rows.push_back(comparison->rowOf(place));
        answer.rows.back().p = comparison->probability();
    };
    const ValueQuery query{{question.fromBuild, question.toBuild}, question.samples, 1, true};
    TRY(values(query, judge, stop));
    answer.significant = answer.rows.size();
    builds->describe(answer);
    return named(std::move(answer), question.most, stop);
}

Result<GrewAnswer> AskedStore::named(GrewAnswer answer, std::size_t most, const std::stop_token& stop) {
    cutLargest(answer.rows, most);
    TRY(nameStacks(stacksOf(answer.rows), stop));
    return answer;
}

Result<HistoryAnswer> AskedStore::history(const HistoryQuestion& question, const std::stop_token& stop) {
    const auto& samples = question.samples;
    auto runs = TRY(storedRuns({{}, samples.machine, samples.scenario, {}}, stop));
    return isOfProcesses(samples.measure) ? historyOfProcess(question, std::move(runs), stop)
                                          : historyOfStack(question, std::move(runs), stop);
}

Result<HistoryAnswer> AskedStore::historyOfStack(const HistoryQuestion& question, std::vector<StoredRun> runs,
                                                 const std::stop_token& stop) {
    const auto& samples = question.samples;
    const auto processes = TRY(processesIn(samples, stop));
    HistoryAnswer answer{{question.stack, question.table, samples.process, {}, {}}, {}, {}, {}};
    TRY(nameOne(answer.stack, stop));
    auto found = TRY(runsOfStack(question.stack, question.table, samples, {}, stop));
    // Rows without a stack have a key that is not in the list of stacks.
    if (found.empty() && question.stack == summary::StackKey{}) return noStack(question.stack);
    RunNumbers counted;
    for (const auto& row : found)
        if (const auto process = processes.find(row.process); process != processes.end())
            counted.insert(process->second.begin(), process->second.end());
    std::erase_if(runs, [&](const auto& run) { return !counted.contains(run.number); });
    fillBuilds(answer, runs, found, samples.measure);
    const auto isOther = [&](const auto& row) { return row.process != found.front().process; };
    if (!found.empty() && std::ranges::none_of(found, isOther)) answer.stack.process = found.front().process;
    return answer;
}

Result<HistoryAnswer> AskedStore::historyOfProcess(const HistoryQuestion& question, std::vector<StoredRun> runs,
                                                   const std::stop_token& stop) {
    const auto& samples = question.samples;
    // The highest Rss of several programs is no measure of any of them.
    if (samples.process.empty()) return Error{ErrorKind::Usage, "This measure requires a process. Specify one."};
    HistoryAnswer answer;
    answer.stack.process = samples.process;
    const auto unknown = TRY(keepKnown(runs, samples, stop));
    answer.runsUnknown = sumOf(unknown);
    fillBuilds(answer, runs, valuesOfRuns(runs, samples), samples.measure);
    return answer;
}

Result<void> AskedStore::nameOne(FleetStack& stack, const std::stop_token& stop) {
    TRY(nameStacks({&stack}, stop));
    const bool isKnown = !stack.frames.empty() || stack.key == summary::StackKey{};
    return isKnown ? Result<void>() : noStack(stack.key);
}

Result<std::vector<RunOfStack>> AskedStore::valuesOfStack(const WorstQuestion& question, const std::stop_token& stop) {
    TRY(processesIn(question.samples, stop));
    FleetStack stack{question.stack, question.table, {}, {}, {}};
    TRY(nameOne(stack, stop));
    auto found = TRY(runsOfStack(question.stack, question.table, question.samples, question.build, stop));
    std::erase_if(found, [](const auto& row) { return row.value <= 0; });
    return found;
}

Result<WorstAnswer> AskedStore::worst(const WorstQuestion& question, const std::stop_token& stop) {
    auto runs = TRY(storedRuns({question.build, question.samples.machine, question.samples.scenario, {}}, stop));
    if (!question.build.empty() && runs.empty()) {
        auto all = TRY(storedRuns({}, stop));
        return noRuns(question.build, question.samples, all);
    }
    WorstAnswer answer;
    std::vector<RunOfStack> found;
    if (isOfProcesses(question.samples.measure)) {
        const auto unknown = TRY(keepKnown(runs, question.samples, stop));
        answer.runsUnknown = sumOf(unknown);
        found = valuesOfRuns(runs, question.samples);
    } else {
        found = TRY(valuesOfStack(question, stop));
    }
    std::map<std::uint64_t, const StoredRun*> byNumber;
    for (const auto& run : runs)
        byNumber.emplace(run.number, &run);
    std::erase_if(found, [&](const auto& row) { return !byNumber.contains(row.run); });
    const auto runName = [&](const RunOfStack& row) -> const std::string& { return byNumber[row.run]->row.facts.run; };
    std::ranges::sort(found, [&](const auto& a, const auto& b) {
        if (a.value != b.value) return a.value > b.value;
        return std::tie(runName(a), a.process) < std::tie(runName(b), b.process);
    });
    if (found.size() > question.most) found.resize(question.most);
    for (auto& row : found)
        answer.runs.push_back(
            {byNumber[row.run]->row.facts, std::move(row.process), row.value, row.start, row.end, row.first, row.last});
    return answer;
}

Result<std::vector<SlopeRow>> AskedStore::slopes(const std::string& build, const SampleFilter& filter, std::size_t most,
                                                 const std::stop_token& stop) {
    auto runs = TRY(runsOfBuilds({build}, filter, stop));
    const auto processes = TRY(processesIn(filter, stop));
    std::map<std::string, BuildRuns> ofProcesses;
    for (const auto& [process, counted] : processes)
        ofProcesses.try_emplace(process, runs, build, counted);
    std::vector<SlopeRow> rows;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        const auto ofProcess = ofProcesses.find(place.process);
        if (ofProcess == ofProcesses.end()) return; // a run that was added in the meantime
        ofProcess->second.take(values);
        const auto side = ofProcess->second.side();
        if (side.median > 0) rows.push_back({stackOf(place), side});
    };
    auto samples = filter;
    samples.measure = Measure::Slope;
    TRY(values({{build}, samples, 1}, judge, stop));
    std::ranges::sort(rows, [](const auto& a, const auto& b) {
        return a.side.median != b.side.median ? a.side.median > b.side.median : orderOf(a.stack) < orderOf(b.stack);
    });
    if (rows.size() > most) rows.resize(most);
    TRY(nameStacks(stacksOf(rows), stop));
    return rows;
}

Result<std::vector<HealthRow>> AskedStore::health(const RunFilter& filter, const std::stop_token& stop) {
    auto runs = TRY(labelledRuns(filter, stop));
    std::map<std::pair<std::string, std::string>, HealthRow> rows;
    for (const auto& run : runs) {
        const auto& facts = run.row.facts;
        auto& row = rows[{facts.build, facts.machine}];
        row.build = facts.build;
        row.machine = facts.machine;
        ++row.runs;
        row.runsNotWhole += facts.isWhole ? 0 : 1;
        row.eventsLost += facts.eventsLost;
        row.buffersLost += facts.buffersLost;
        row.stacksUnresolved += facts.stacksUnresolved;
        row.framesUnnamed = std::max(row.framesUnnamed, run.framesUnnamed);
    }
    std::vector<HealthRow> answer;
    for (const auto& build : buildsInOrder(runs))
        for (auto row = rows.lower_bound({build.build, {}}); row != rows.end() && row->first.first == build.build;
             ++row)
            answer.push_back(std::move(row->second));
    return answer;
}

} // namespace highwater::fleet
