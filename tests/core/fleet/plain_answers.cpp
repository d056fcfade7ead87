#include "tests/core/fleet/plain_answers.h"

#include "core/statistics/noise.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace highwater::tests {
namespace {

using namespace fleet;
using Lines = PlainAnswers::Lines;
using summary::RunSummary;
using Values = std::vector<std::int64_t>;
using PlaceOfStack = std::tuple<summary::StackKey, analysis::Table, std::string>;

std::int64_t valueOf(const summary::Sample& sample, Measure measure) {
    switch (measure) {
    case Measure::InuseSpace:
        return sample.inuseSpace;
    case Measure::InuseObjects:
        return sample.inuseObjects;
    case Measure::AllocSpace:
        return sample.allocSpace;
    case Measure::AllocObjects:
        return sample.allocObjects;
    case Measure::Freed:
        return sample.freed;
    case Measure::Peak:
        return sample.peak;
    case Measure::Impacting:
        return sample.impacting;
    case Measure::Slope:
        return sample.slope;
    case Measure::RssPeak:
    case Measure::Held: // of processes, not of samples
        break;
    }
    return 0;
}

/// The first window of a name; later ones are "name (2)" and so on.
bool isWindow(const RunSummary& run, std::size_t number, const std::string& name) {
    int before = 1;
    for (std::size_t i = 0; i < number; ++i)
        before += run.windows[i].name == run.windows[number].name ? 1 : 0;
    const auto own = run.windows[number].name + (before > 1 ? fmt::format(" ({})", before) : "");
    return own == name;
}

/// A process whose value is unknown is not there.
std::map<PlaceOfStack, std::int64_t> valuesOfProcesses(const RunSummary& run, const SampleFilter& filter) {
    std::map<PlaceOfStack, std::int64_t> values;
    for (const auto& [process, rssPeak, held] : run.facts.resident) {
        if (!filter.process.empty() && process != filter.process) continue;
        const PlaceOfStack place{{}, analysis::Table::Heap, process};
        if (filter.measure == Measure::RssPeak)
            values[place] = rssPeak;
        else if (held)
            values[place] = *held;
    }
    return values;
}

std::map<PlaceOfStack, std::int64_t> valuesOf(const RunSummary& run, const SampleFilter& filter) {
    if (isOfProcesses(filter.measure)) return valuesOfProcesses(run, filter);
    std::map<PlaceOfStack, std::int64_t> values;
    for (const auto& sample : run.samples) {
        const auto& process = run.processes[sample.process];
        if (!isWindow(run, sample.window, filter.window) || (!filter.process.empty() && process != filter.process) ||
            (filter.table && sample.table != *filter.table))
            continue;
        values[{run.stacks[sample.stack].key, sample.table, process}] += valueOf(sample, filter.measure);
    }
    return values;
}

bool passes(const RunSummary& run, const SampleFilter& filter) {
    return (filter.machine.empty() || run.facts.machine == filter.machine) &&
           (filter.scenario.empty() || run.facts.scenario == filter.scenario);
}

std::int64_t middle(Values values) {
    std::sort(values.begin(), values.end());
    const auto n = values.size();
    if (n % 2 == 1) return values[n / 2];
    const auto sum = values[n / 2 - 1] + values[n / 2];
    return sum >= 0 ? sum / 2 : -((-sum + 1) / 2);
}

/// Whether it has any rows there.
bool hasProcess(const RunSummary& run, const std::string& process, const std::string& window) {
    for (const auto& sample : run.samples)
        if (run.processes[sample.process] == process && isWindow(run, sample.window, window)) return true;
    return false;
}

/// Whether a run is compared. With a measure of processes it needs a value.
bool isCompared(const RunSummary& run, const std::string& process, const SampleFilter& filter) {
    if (!isOfProcesses(filter.measure)) return hasProcess(run, process, filter.window);
    return valuesOfProcesses(run, filter).contains({{}, analysis::Table::Heap, process});
}

struct Column {
    Values values;
    std::map<std::string, Values> byMachine;
    bool isThere = false; ///< in any run, perhaps with 0
    void add(const std::string& machine, std::int64_t value) {
        values.push_back(value);
        byMachine[machine].push_back(value);
    }
    [[nodiscard]] Side side() const {
        Side side{values.size(), byMachine.size(), 0, 0, 0};
        Values medians;
        for (const auto& [machine, ofMachine] : byMachine) {
            medians.push_back(middle(ofMachine));
            if (std::count(ofMachine.begin(), ofMachine.end(), 0) != static_cast<long>(ofMachine.size()))
                ++side.machinesWith;
        }
        if (medians.empty()) return side;
        side.median = middle(medians);
        std::sort(medians.begin(), medians.end());
        for (const auto candidate : medians) { // the smallest that suffices
            side.p95 = candidate;
            const auto within = std::count_if(medians.begin(), medians.end(), [&](auto m) { return m <= candidate; });
            if (within * 100 >= static_cast<long>(medians.size()) * 95) break;
        }
        return side;
    }
};

Column columnOf(const std::vector<RunSummary>& runs, const std::string& build, const SampleFilter& filter,
                const PlaceOfStack& place) {
    Column column;
    for (const auto& run : runs) {
        if (run.facts.build != build || !passes(run, filter)) continue;
        const auto values = valuesOf(run, filter);
        const auto found = values.find(place);
        column.isThere = column.isThere || found != values.end();
        if (isCompared(run, std::get<2>(place), filter))
            column.add(run.facts.machine, found == values.end() ? 0 : found->second);
    }
    return column;
}

std::set<PlaceOfStack> placesOf(const std::vector<RunSummary>& runs, const std::set<std::string>& builds,
                                const SampleFilter& filter) {
    std::set<PlaceOfStack> places;
    for (const auto& run : runs)
        if (builds.contains(run.facts.build) && passes(run, filter))
            for (const auto& [place, value] : valuesOf(run, filter))
                if (value != 0) places.insert(place);
    return places;
}

std::string stackText(const FleetStack& stack) {
    return fmt::format("{:016x}{:016x}/{}/{} {} [{}]", stack.key.high, stack.key.low, static_cast<int>(stack.table),
                       stack.process, stack.owner, fmt::join(stack.frames, ";"));
}
FleetStack stackAt(const std::vector<RunSummary>& runs, const PlaceOfStack& place) {
    FleetStack stack{std::get<0>(place), std::get<1>(place), std::get<2>(place), {}, {}};
    for (const auto& run : runs) {
        for (const auto& candidate : run.stacks) {
            if (candidate.key != stack.key) continue;
            for (const auto frame : candidate.frames)
                stack.frames.push_back(run.frames[frame].name);
            if (!candidate.frames.empty()) stack.owner = run.frames[candidate.owner].name;
            return stack;
        }
    }
    return stack;
}
std::string sideText(const Side& side) {
    return fmt::format("{} runs, {} of {} machines, {} {}", side.runs, side.machinesWith, side.machines, side.median,
                       side.p95);
}
std::string factsText(const summary::RunFacts& facts) {
    std::string labels;
    for (const auto& [name, value] : facts.labels)
        labels += name + "=" + value + ",";
    std::string memory;
    for (const auto& [process, rssPeak, held] : facts.resident)
        memory += fmt::format("{} {} {},", process, rssPeak, held.value_or(-1));
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} [{}] <{}> <{}> <{}> <{}> {}", facts.run, facts.trace,
                       facts.bytes, facts.recordedAt ? fmt::format("{}", *facts.recordedAt) : "-", facts.duration,
                       facts.recorder, facts.system, facts.eventsLost, facts.buffersLost, facts.stacksUnresolved,
                       facts.isWhole, fmt::join(facts.health, "|"), facts.build, facts.machine, facts.scenario, labels,
                       memory);
}

Values joinedValues(const std::vector<Values>& builds, std::size_t begin, std::size_t end) {
    Values joined;
    for (auto i = begin; i < end; ++i)
        for (const auto value : builds[i])
            joined.push_back(value);
    return joined;
}

/// The first wanted build from `at` on that differs from all builds between `begin` and it.
std::optional<std::size_t> firstApart(const std::vector<Values>& builds, std::size_t begin, std::size_t at,
                                      const std::function<bool(const Values&, const Values&)>& isWanted) {
    std::vector<double> probabilities;
    for (auto i = at; i < builds.size(); ++i) {
        const auto before = joinedValues(builds, begin, i);
        probabilities.push_back(before.size() < 4 || builds[i].size() < 4 ? 1 : probabilityByRanks(before, builds[i]));
    }
    const auto told = highestSignificant(probabilities, 0.05);
    for (auto i = at; i < builds.size(); ++i) {
        const auto before = joinedValues(builds, begin, i);
        const bool isApart = before.size() + builds[i].size() >= 3 && differsFromNoise(before, builds[i]);
        if ((isApart || probabilities[i - at] <= told) && isWanted(before, builds[i])) return i;
    }
    return std::nullopt;
}

/// Rows with their stacks by PlaceOfStack, from the largest change to the smallest.
Lines largest(std::vector<GrownStack> rows, std::size_t tested, std::size_t most) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.growth) > std::abs(b.growth); });
    GrewAnswer answer{rows, tested, rows.size(), {}, false, 0};
    if (answer.rows.size() > most) answer.rows.resize(most);
    return linesOf(answer);
}

} // namespace

Lines linesOf(const std::vector<RunRow>& rows) {
    Lines lines;
    for (const auto& row : rows)
        lines.push_back(fmt::format("{} {} {} {}", factsText(row.facts), row.sampleCount, row.inuseSpace,
                                    fmt::join(row.windows, "|")));
    return lines;
}
Lines linesOf(const GrewAnswer& answer) {
    Lines lines{fmt::format("{} of {}", answer.significant, answer.tested)};
    for (const auto& row : answer.rows)
        lines.push_back(fmt::format("{}: {} -> {}: {} {:.9f}", stackText(row.stack), sideText(row.from),
                                    sideText(row.to), row.growth, row.p));
    return lines;
}
Lines linesOf(const HistoryAnswer& answer) {
    Lines lines{stackText(answer.stack)};
    for (const auto& build : answer.builds)
        lines.push_back(fmt::format("{} {} {}", build.build, build.firstRecordedAt.value_or(-1), sideText(build.side)));
    lines.push_back(answer.firstBad ? "first bad: " + answer.builds[*answer.firstBad].build : "none is bad");
    lines.push_back(answer.mended ? "mended: " + answer.builds[*answer.mended].build : "none is mended");
    lines.push_back(fmt::format("{} unknown", answer.runsUnknown));
    return lines;
}
Lines linesOf(const WorstAnswer& answer) {
    Lines lines{fmt::format("{} unknown", answer.runsUnknown)};
    for (const auto& row : answer.runs)
        lines.push_back(fmt::format("{} {} {}: {} to {}, {} to {}", row.facts.run, row.process, row.value, row.start,
                                    row.end, row.first, row.last));
    return lines;
}
Lines linesOf(const std::vector<SlopeRow>& rows) {
    Lines lines;
    for (const auto& row : rows)
        lines.push_back(stackText(row.stack) + ": " + sideText(row.side));
    return lines;
}
Lines linesOf(const std::vector<HealthRow>& rows) {
    Lines lines;
    for (const auto& row : rows)
        lines.push_back(fmt::format("{} {} {} {} {} {} {} {}", row.build, row.machine, row.runs, row.runsNotWhole,
                                    row.eventsLost, row.buffersLost, row.stacksUnresolved, row.framesUnnamed));
    return lines;
}

bool PlainAnswers::hasRuns(const std::string& build, const SampleFilter& filter) const {
    return std::any_of(runs_.begin(), runs_.end(),
                       [&](const auto& run) { return run.facts.build == build && passes(run, filter); });
}

bool PlainAnswers::hasNames(const SampleFilter& filter) const {
    bool hasWindow = false, isProcessThere = filter.process.empty();
    for (const auto& run : runs_) {
        for (std::size_t i = 0; i < run.windows.size(); ++i)
            hasWindow = hasWindow || isWindow(run, i, filter.window);
        isProcessThere = isProcessThere || hasProcess(run, filter.process, "whole");
        for (const auto& memory : run.facts.resident)
            isProcessThere = isProcessThere || (isOfProcesses(filter.measure) && memory.process == filter.process);
    }
    return hasWindow && isProcessThere;
}
bool PlainAnswers::hasStack(const summary::StackKey& key) const {
    for (const auto& run : runs_)
        for (const auto& stack : run.stacks)
            if (stack.key == key) return true;
    return false;
}

Lines PlainAnswers::runs(const RunFilter& filter) const {
    std::vector<RunRow> rows;
    for (const auto& run : runs_) {
        const auto& facts = run.facts;
        if ((!filter.build.empty() && facts.build != filter.build) ||
            (!filter.machine.empty() && facts.machine != filter.machine) ||
            (!filter.scenario.empty() && facts.scenario != filter.scenario))
            continue;
        bool hasAll = true;
        for (const auto& wanted : filter.labels)
            hasAll = hasAll &&
                     (wanted.first == "build"      ? facts.build == wanted.second
                      : wanted.first == "machine"  ? facts.machine == wanted.second
                      : wanted.first == "scenario" ? facts.scenario == wanted.second
                                                   : std::count(facts.labels.begin(), facts.labels.end(), wanted) > 0);
        if (!hasAll) continue;
        RunRow row{facts, 0, run.samples.size(), 0, {}};
        for (std::size_t i = 0; i < run.windows.size(); ++i) {
            const auto& name = run.windows[i].name;
            row.windows.push_back(isWindow(run, i, name) ? name : name + " (2)");
        }
        for (const auto& sample : run.samples)
            row.inuseSpace += sample.window == 0 ? sample.inuseSpace : 0;
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        const auto at = [](const auto& row) { return row.facts.recordedAt.value_or(INT64_MAX); };
        return at(a) != at(b) ? at(a) < at(b) : a.facts.run < b.facts.run;
    });
    return linesOf(rows);
}

Lines PlainAnswers::grew(const GrewQuestion& q) const {
    std::vector<GrownStack> candidates;
    std::vector<double> probabilities;
    std::vector<bool> apart;
    std::size_t tested = 0;
    std::vector<double> ranks;
    for (const auto& place : placesOf(runs_, {q.fromBuild, q.toBuild}, q.samples)) {
        const auto from = columnOf(runs_, q.fromBuild, q.samples, place);
        const auto to = columnOf(runs_, q.toBuild, q.samples, place);
        if (from.values.empty() || to.values.empty()) continue;
        Values all = from.values;
        all.insert(all.end(), to.values.begin(), to.values.end());
        if (*std::max_element(all.begin(), all.end()) - *std::min_element(all.begin(), all.end()) < q.leastGrowth)
            continue;
        ++tested;
        const bool isFew = std::min(from.values.size(), to.values.size()) < 4;
        GrownStack row{stackAt(runs_, place), from.side(), to.side(), 0, 1};
        row.growth = row.to.median - row.from.median;
        const bool isSlope = q.samples.measure == Measure::Slope; // then growth must be at least a tenth
        if (row.growth < q.leastGrowth || (isSlope && row.growth < row.from.median / 10)) {
            probabilities.push_back(1);
            continue;
        }
        row.p = probabilityByRanks(from.values, to.values);
        probabilities.push_back(isFew ? 1 : row.p);
        candidates.push_back(row);
        ranks.push_back(probabilities.back());
        apart.push_back(all.size() > 2 && differsFromNoise(from.values, to.values));
    }
    // Benjamini and Hochberg, literally: the largest k whose p is at most k/m of the share.
    std::sort(probabilities.begin(), probabilities.end());
    double told = -1;
    for (std::size_t k = 1; k <= probabilities.size(); ++k)
        if (probabilities[k - 1] <= q.falseShare * static_cast<double>(k) / static_cast<double>(probabilities.size()))
            told = probabilities[k - 1];
    std::vector<GrownStack> rows;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (apart[i] || ranks[i] <= told) rows.push_back(candidates[i]);
    return largest(rows, tested, q.most);
}

Lines PlainAnswers::presence(const PresenceQuestion& q) const {
    std::vector<GrownStack> rows;
    std::size_t tested = 0;
    for (const auto& place : placesOf(runs_, {q.fromBuild, q.toBuild}, q.samples)) {
        const auto from = columnOf(runs_, q.fromBuild, q.samples, place);
        const auto to = columnOf(runs_, q.toBuild, q.samples, place);
        if (from.values.empty() || to.values.empty()) continue;
        GrownStack row{stackAt(runs_, place), from.side(), to.side(), 0, probabilityByRanks(from.values, to.values)};
        row.growth = row.to.median - row.from.median;
        const auto& has = q.isGone ? row.from : row.to;
        if (has.machinesWith == 0) continue;
        ++tested;
        const auto share = static_cast<double>(has.machinesWith) / static_cast<double>(has.machines);
        const auto isInOther = q.isGone ? to.isThere : from.isThere;
        if (!isInOther && share >= q.leastShare && has.median >= q.least && has.median > 0) rows.push_back(row);
    }
    return largest(rows, tested, q.most);
}

Lines PlainAnswers::history(const HistoryQuestion& q) const {
    HistoryAnswer answer{stackAt(runs_, {q.stack, q.table, q.samples.process}), {}, {}, {}};
    std::map<std::string, std::pair<std::int64_t, Column>> builds;
    std::set<std::string> processes;
    auto samples = q.samples;
    samples.table = q.table;
    for (const auto& run : runs_)
        if (passes(run, q.samples))
            for (const auto& [place, value] : valuesOf(run, samples))
                if (std::get<0>(place) == q.stack) processes.insert(std::get<2>(place));
    for (const auto& run : runs_) {
        const auto isCounted = [&](const auto& process) { return isCompared(run, process, samples); };
        if (!passes(run, q.samples)) continue;
        if (std::none_of(processes.begin(), processes.end(), isCounted)) {
            const bool isKnown = isOfProcesses(samples.measure) && hasProcess(run, samples.process, "whole");
            answer.runsUnknown += isKnown ? 1 : 0;
            continue;
        }
        auto& [first, column] = builds.try_emplace(run.facts.build, INT64_MAX, Column{}).first->second;
        first = std::min(first, run.facts.recordedAt.value_or(INT64_MAX));
        std::int64_t sum = 0;
        for (const auto& [place, value] : valuesOf(run, samples)) {
            if (std::get<0>(place) != q.stack) continue;
            sum += value;
        }
        column.add(run.facts.machine, sum);
    }
    if (processes.size() == 1) answer.stack.process = *processes.begin();
    std::vector<std::pair<std::int64_t, std::string>> order;
    for (const auto& [build, values] : builds)
        order.emplace_back(values.first, build);
    std::sort(order.begin(), order.end());
    std::vector<Values> ofBuilds;
    for (const auto& [first, build] : order) {
        answer.builds.push_back(
            {build, first == INT64_MAX ? std::nullopt : std::optional(first), builds[build].second.side()});
        ofBuilds.push_back(builds[build].second.values);
    }
    std::int64_t highest = 0;
    for (std::size_t i = 1; i < ofBuilds.size(); ++i)
        highest = std::max(highest, middle(ofBuilds[i]) - middle(joinedValues(ofBuilds, 0, i)));
    answer.firstBad = firstApart(ofBuilds, 0, 1, [&](const Values& before, const Values& own) {
        const auto rise = middle(own) - middle(before);
        return rise >= 1 && rise >= usualLeast(q.samples.measure) && rise >= highest / 10;
    });
    if (answer.firstBad) {
        const auto bad = *answer.firstBad;
        const auto good = joinedValues(ofBuilds, 0, bad);
        answer.mended = firstApart(ofBuilds, bad, bad + 1, [&](const Values& before, const Values& own) {
            return middle(own) < middle(before) && !(middle(own) > middle(good) && differsFromNoise(good, own));
        });
    }
    return linesOf(answer);
}

Lines PlainAnswers::worst(const WorstQuestion& q) const {
    WorstAnswer answer;
    auto& rows = answer.runs;
    for (const auto& run : runs_) {
        if (!passes(run, q.samples) || (!q.build.empty() && run.facts.build != q.build)) continue;
        if (isOfProcesses(q.samples.measure)) {
            const auto end = run.facts.duration;
            const auto values = valuesOfProcesses(run, q.samples);
            for (const auto& [place, value] : values)
                rows.push_back({run.facts, std::get<2>(place), value, 0, end, 0, end});
            const auto& process = q.samples.process;
            if (values.empty() && (process.empty() || hasProcess(run, process, "whole"))) ++answer.runsUnknown;
            continue;
        }
        for (const auto& sample : run.samples) {
            const auto& window = run.windows[sample.window];
            const auto& process = run.processes[sample.process];
            if (run.stacks[sample.stack].key != q.stack || sample.table != q.table ||
                !isWindow(run, sample.window, q.samples.window) ||
                (!q.samples.process.empty() && process != q.samples.process))
                continue;
            const auto value = valueOf(sample, q.samples.measure);
            if (value > 0)
                rows.push_back({run.facts, process, value, window.start, window.end, sample.first, sample.last});
        }
    }
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::tuple(-a.value, a.facts.run, a.process) < std::tuple(-b.value, b.facts.run, b.process);
    });
    if (rows.size() > q.most) rows.resize(q.most);
    return linesOf(answer);
}

Lines PlainAnswers::slopes(const std::string& build, const SampleFilter& filter, std::size_t most) const {
    auto samples = filter;
    samples.measure = Measure::Slope;
    std::vector<SlopeRow> rows;
    for (const auto& place : placesOf(runs_, {build}, samples)) {
        const auto side = columnOf(runs_, build, samples, place).side();
        if (side.median > 0) rows.push_back({stackAt(runs_, place), side});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.side.median > b.side.median; });
    if (rows.size() > most) rows.resize(most);
    return linesOf(rows);
}

Lines PlainAnswers::health(const RunFilter& filter) const {
    std::map<std::pair<std::string, std::string>, HealthRow> rows;
    for (const auto& run : runs_) {
        const auto& facts = run.facts;
        if (!filter.build.empty() && facts.build != filter.build) continue;
        auto& row = rows[{facts.build, facts.machine}];
        row.build = facts.build;
        row.machine = facts.machine;
        ++row.runs;
        if (!facts.isWhole) ++row.runsNotWhole;
        row.eventsLost += facts.eventsLost;
        row.buffersLost += facts.buffersLost;
        row.stacksUnresolved += facts.stacksUnresolved;
        std::size_t unnamed = 0;
        for (const auto& frame : run.frames)
            unnamed += frame.isNamed ? 0 : 1;
        row.framesUnnamed = std::max(row.framesUnnamed, unnamed);
    }
    std::map<std::string, std::int64_t> firstOfBuilds;
    for (const auto& run : runs_) {
        if (!filter.build.empty() && run.facts.build != filter.build) continue;
        auto& first = firstOfBuilds.try_emplace(run.facts.build, INT64_MAX).first->second;
        first = std::min(first, run.facts.recordedAt.value_or(INT64_MAX));
    }
    std::vector<HealthRow> sorted;
    for (const auto& [key, row] : rows)
        sorted.push_back(row);
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
        return std::pair(firstOfBuilds[a.build], a.build) < std::pair(firstOfBuilds[b.build], b.build);
    });
    return linesOf(sorted);
}

} // namespace highwater::tests
