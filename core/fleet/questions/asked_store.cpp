#include "core/fleet/questions/asked_store.h"

#include "core/fleet/questions/build_runs.h"
#include "core/fleet/questions/question_notes.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/statistics/noise.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace highwater::fleet {
namespace {

bool hasLabels(const summary::RunFacts& facts, const RunFilter& filter) {
    return std::ranges::all_of(
        filter.labels, [&](const auto& label) { return std::ranges::find(facts.labels, label) != facts.labels.end(); });
}

FleetStack stackOf(const StackPlace& place) { return {place.key, place.table, place.process, {}, {}}; }
auto orderOf(const FleetStack& stack) { return std::tie(stack.key, stack.table, stack.process); }

/// Differences of signed numbers may not fit.
std::int64_t lessWithin(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

/// Two builds, and what was found of them so far.
class Comparison {
  public:
    Comparison(const std::vector<StoredRun>& runs, const std::string& fromBuild, const std::string& toBuild)
        : from(runs, fromBuild), to(runs, toBuild) {}

    /// A stack as a row, with the probability of its ranks where that is asked for.
    GrownStack rowOf(const StackPlace& place) const {
        GrownStack row{stackOf(place), from.side(), to.side(), 0, 1};
        row.growth = lessWithin(row.to.median, row.from.median);
        return row;
    }
    [[nodiscard]] double probability() const { return probabilityByRanks(from.values(), to.values()); }
    /// How far apart the values of all runs lie.
    [[nodiscard]] std::int64_t span() const {
        const auto [low, high] = std::ranges::minmax(from.values());
        const auto [lowTo, highTo] = std::ranges::minmax(to.values());
        return lessWithin(std::max(high, highTo), std::min(low, lowTo));
    }
    [[nodiscard]] bool hasEnoughForRanks() const { return std::min(from.size(), to.size()) >= kEnoughForRanks; }
    [[nodiscard]] bool isApart() const {
        return from.size() + to.size() > 2 && standsApart(from.values(), to.values());
    }

    BuildRuns from, to;
};

/// Largest change first; names are asked for what is told alone.
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

/// The candidate rows, and whether each lies apart: told are those and what ranks tell among all that were tested.
struct Candidates {
    std::vector<GrownStack> rows;
    std::vector<bool> areApart;
    std::vector<double> probabilities; ///< 1 for what was tested and is none
};

void takeTold(GrewAnswer& answer, Candidates candidates, double falseShare) {
    const auto told = highestTold(candidates.probabilities, falseShare);
    for (std::size_t i = 0; i < candidates.rows.size(); ++i)
        if (candidates.areApart[i] || candidates.rows[i].p <= told)
            answer.rows.push_back(std::move(candidates.rows[i]));
    answer.tested = candidates.probabilities.size();
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
    auto found = labelledRuns(filter, stop);
    if (!found.hasValue()) return found.error();
    std::vector<RunRow> rows;
    for (auto& run : found.value())
        rows.push_back(std::move(run.row));
    return rows;
}

Result<std::vector<StoredRun>> AskedStore::runsOfBuilds(const std::vector<std::string>& builds,
                                                        const SampleFilter& filter, const std::stop_token& stop) {
    if (builds.size() == 2 && builds[0] == builds[1])
        return Error{ErrorKind::Usage, "A build is compared with another one: give two that differ."};
    auto runs = storedRuns({{}, filter.machine, filter.scenario, {}}, stop);
    if (!runs.hasValue()) return runs;
    for (const auto& build : builds) {
        const auto isOfBuild = [&](const auto& run) { return run.row.facts.build == build; };
        if (std::ranges::any_of(runs.value(), isOfBuild)) continue;
        auto all = storedRuns({}, stop);
        if (!all.hasValue()) return all;
        return noRuns(build, filter, all.value());
    }
    return runs;
}

Result<GrewAnswer> AskedStore::grew(const GrewQuestion& question, const std::stop_token& stop) {
    auto runs = runsOfBuilds({question.fromBuild, question.toBuild}, question.samples, stop);
    if (!runs.hasValue()) return runs.error();
    Comparison comparison(runs.value(), question.fromBuild, question.toBuild);
    const auto least = std::max<std::int64_t>(question.leastGrowth, 1);
    Candidates candidates;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        comparison.from.take(values);
        comparison.to.take(values);
        // Which stacks are tested must not depend on which build a value is of: else too many of them would be told.
        if (comparison.span() < least) return;
        candidates.probabilities.push_back(1);
        auto row = comparison.rowOf(place);
        if (row.growth < least) return;
        row.p = comparison.probability();
        if (comparison.hasEnoughForRanks()) candidates.probabilities.back() = row.p;
        candidates.rows.push_back(std::move(row));
        candidates.areApart.push_back(comparison.isApart());
    };
    const ValueQuery query{{question.fromBuild, question.toBuild}, question.samples, least};
    if (auto read = values(query, judge, stop); !read.hasValue()) return read.error();
    GrewAnswer answer;
    takeTold(answer, std::move(candidates), comparison.hasEnoughForRanks() ? question.falseShare : -1);
    answer.notes = comparisonNotes(question.fromBuild, comparison.from, question.toBuild, comparison.to);
    return named(std::move(answer), question.most, stop);
}

Result<GrewAnswer> AskedStore::presence(const PresenceQuestion& question, const std::stop_token& stop) {
    auto runs = runsOfBuilds({question.fromBuild, question.toBuild}, question.samples, stop);
    if (!runs.hasValue()) return runs.error();
    Comparison comparison(runs.value(), question.fromBuild, question.toBuild);
    auto& has = question.isGone ? comparison.from : comparison.to;
    auto& lacks = question.isGone ? comparison.to : comparison.from;
    GrewAnswer answer;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        const auto isThere = has.take(values) > 0;
        if (!isThere) return;
        ++answer.tested;
        if (lacks.take(values) > 0) return;
        const auto side = has.side();
        const auto share = static_cast<double>(side.machinesWith) / static_cast<double>(side.machines);
        if (share < question.leastShare || side.median < question.least) return;
        answer.rows.push_back(comparison.rowOf(place));
        answer.rows.back().p = comparison.probability();
    };
    const ValueQuery query{{question.fromBuild, question.toBuild}, question.samples, 1};
    if (auto read = values(query, judge, stop); !read.hasValue()) return read.error();
    answer.significant = answer.rows.size();
    answer.notes = comparisonNotes(question.fromBuild, comparison.from, question.toBuild, comparison.to);
    return named(std::move(answer), question.most, stop);
}

Result<GrewAnswer> AskedStore::named(GrewAnswer answer, std::size_t most, const std::stop_token& stop) {
    cutLargest(answer.rows, most);
    if (auto read = nameStacks(stacksOf(answer.rows), stop); !read.hasValue()) return read.error();
    return answer;
}

Result<HistoryAnswer> AskedStore::history(const HistoryQuestion& question, const std::stop_token& stop) {
    const auto& samples = question.samples;
    auto runs = storedRuns({{}, samples.machine, samples.scenario, {}}, stop);
    if (!runs.hasValue()) return runs.error();
    auto found = runsOfStack(question.stack, question.table, samples, {}, stop);
    if (!found.hasValue()) return found.error();
    HistoryAnswer answer{{question.stack, question.table, samples.process, {}, {}}, buildsInOrder(runs.value()), {}};
    std::vector<std::vector<std::int64_t>> ofBuilds;
    for (auto& build : answer.builds) {
        BuildRuns ofBuild(runs.value(), build.build);
        for (const auto& row : found.value())
            ofBuild.add(row.run, row.value);
        build.side = ofBuild.side();
        ofBuilds.emplace_back(ofBuild.values().begin(), ofBuild.values().end());
    }
    answer.firstBad = firstHigherBuild(ofBuilds);
    const auto isOther = [&](const auto& row) { return row.process != found.value().front().process; };
    if (!found.value().empty() && std::ranges::none_of(found.value(), isOther))
        answer.stack.process = found.value().front().process;
    if (auto read = nameStacks({&answer.stack}, stop); !read.hasValue()) return read.error();
    return answer;
}

Result<std::vector<WorstRun>> AskedStore::worst(const WorstQuestion& question, const std::stop_token& stop) {
    auto runs = storedRuns({question.build, question.samples.machine, question.samples.scenario, {}}, stop);
    if (!runs.hasValue()) return runs.error();
    auto found = runsOfStack(question.stack, question.table, question.samples, question.build, stop);
    if (!found.hasValue()) return found.error();
    std::map<std::uint64_t, const StoredRun*> byNumber;
    for (const auto& run : runs.value())
        byNumber.emplace(run.number, &run);
    std::erase_if(found.value(), [&](const auto& row) { return row.value <= 0 || !byNumber.contains(row.run); });
    const auto runName = [&](const RunOfStack& row) -> const std::string& { return byNumber[row.run]->row.facts.run; };
    std::ranges::sort(found.value(), [&](const auto& a, const auto& b) {
        if (a.value != b.value) return a.value > b.value;
        return std::tie(runName(a), a.process) < std::tie(runName(b), b.process);
    });
    if (found.value().size() > question.most) found.value().resize(question.most);
    std::vector<WorstRun> rows;
    for (auto& row : found.value())
        rows.push_back(
            {byNumber[row.run]->row.facts, std::move(row.process), row.value, row.start, row.end, row.first, row.last});
    return rows;
}

Result<std::vector<SlopeRow>> AskedStore::slopes(const std::string& build, const SampleFilter& filter, std::size_t most,
                                                 const std::stop_token& stop) {
    auto runs = runsOfBuilds({build}, filter, stop);
    if (!runs.hasValue()) return runs.error();
    BuildRuns ofBuild(runs.value(), build);
    std::vector<SlopeRow> rows;
    const auto judge = [&](const StackPlace& place, std::span<const RunValue> values) {
        ofBuild.take(values);
        const auto side = ofBuild.side();
        if (side.median > 0) rows.push_back({stackOf(place), side});
    };
    auto samples = filter;
    samples.measure = Measure::Slope;
    if (auto read = values({{build}, samples, 1}, judge, stop); !read.hasValue()) return read.error();
    std::ranges::sort(rows, [](const auto& a, const auto& b) {
        return a.side.median != b.side.median ? a.side.median > b.side.median : orderOf(a.stack) < orderOf(b.stack);
    });
    if (rows.size() > most) rows.resize(most);
    if (auto read = nameStacks(stacksOf(rows), stop); !read.hasValue()) return read.error();
    return rows;
}

Result<std::vector<HealthRow>> AskedStore::health(const RunFilter& filter, const std::stop_token& stop) {
    auto runs = labelledRuns(filter, stop);
    if (!runs.hasValue()) return runs.error();
    std::map<std::pair<std::string, std::string>, HealthRow> rows;
    for (const auto& run : runs.value()) {
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
    for (auto& [key, row] : rows)
        answer.push_back(std::move(row));
    return answer;
}

} // namespace highwater::fleet
