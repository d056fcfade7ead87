#include "core/fleet/clickhouse/clickhouse_questions.h"
#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/clickhouse/row_binary.h"
#include "core/fleet/questions/stack_bytes.h"
#include "core/fleet/questions/stored_facts.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::fleet {
namespace {

ByteSpan bytesOfText(const std::string& answer) {
    return {reinterpret_cast<const std::byte*>(answer.data()), answer.size()};
}

StoredRun runFrom(RowBinaryReader& row, std::uint64_t& load) {
    StoredRun run;
    auto& facts = run.row.facts;
    facts.run = row.takeText(32);
    load = row.take<std::uint64_t>();
    facts.trace = row.takeText();
    facts.bytes = row.take<std::uint64_t>();
    if (row.take<std::uint8_t>() == 0) facts.recordedAt = row.take<std::int64_t>();
    facts.duration = row.take<std::int64_t>();
    facts.recorder = row.takeText();
    facts.system = row.takeText();
    facts.eventsLost = row.take<std::uint64_t>();
    facts.buffersLost = row.take<std::uint64_t>();
    facts.stacksUnresolved = row.take<std::uint64_t>();
    facts.isWhole = row.take<std::uint8_t>() != 0;
    facts.health = row.takeTexts();
    facts.build = row.takeText();
    facts.machine = row.takeText();
    facts.scenario = row.takeText();
    auto names = row.takeTexts();
    auto values = row.takeTexts();
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
        facts.labels.emplace_back(std::move(names[i]), std::move(values[i]));
    run.row.addedAt = row.take<std::int64_t>();
    run.row.sampleCount = static_cast<std::size_t>(std::max<std::int64_t>(row.take<std::int64_t>(), 0));
    run.row.inuseSpace = row.take<std::int64_t>();
    run.framesUnnamed = static_cast<std::size_t>(std::max<std::int64_t>(row.take<std::int64_t>(), 0));
    return run;
}

const char* columnOfMeasure(Measure measure) {
    switch (measure) {
    case Measure::InuseSpace:
        return "inuse_space";
    case Measure::InuseObjects:
        return "inuse_objects";
    case Measure::AllocSpace:
        return "alloc_space";
    case Measure::AllocObjects:
        return "alloc_objects";
    case Measure::Freed:
        return "freed";
    case Measure::Peak:
        return "peak";
    case Measure::Impacting:
        return "impacting";
    case Measure::Slope:
        return "slope";
    case Measure::RssPeak:
    case Measure::Held: // of processes, whose values are not read from samples
        break;
    }
    return "inuse_space";
}

std::map<std::string, SqlValue, std::less<>> valuesOfFilter(const SampleFilter& filter) {
    return {{"machine", filter.machine},
            {"scenario", filter.scenario},
            {"process", filter.process.empty() ? std::uint64_t{0} : clickHouseId(filter.process)},
            {"row_table", static_cast<std::int64_t>(filter.table ? static_cast<int>(*filter.table) : -1)},
            {"window", clickHouseWindow(filter.window)},
            {"measure", SqlWord{columnOfMeasure(filter.measure)}}};
}

std::string hexOf(const summary::StackKey& key) { return fmt::format("{:016x}{:016x}", key.high, key.low); }

} // namespace

std::uint64_t ClickHouseStore::numberOf(const std::string& run) {
    return numbers_.emplace(run, numbers_.size()).first->second;
}

Result<std::vector<StoredRun>> ClickHouseStore::storedRuns(const RunFilter& filter, const std::stop_token& stop) {
    TRY(open(stop));
    const auto answer =
        TRY(answerOf(sql::kClickHouseRuns,
                     {{"build", filter.build}, {"machine", filter.machine}, {"scenario", filter.scenario}}, stop));
    std::vector<StoredRun> runs;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        std::uint64_t load = 0;
        runs.push_back(runFrom(rows, load));
        runs.back().number = numberOf(runs.back().row.facts.run);
        runsOfLoads_[load] = runs.back().number;
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    TRY(readMemory(runs, stop));
    std::ranges::sort(runs, [](const auto& a, const auto& b) {
        const auto at = [](const auto& run) { return run.row.facts.recordedAt.value_or(INT64_MAX); };
        return at(a) != at(b) ? at(a) < at(b) : a.row.facts.run < b.row.facts.run;
    });
    return runs;
}

Result<void> ClickHouseStore::readMemory(std::vector<StoredRun>& runs, const std::stop_token& stop) {
    const auto answer = answerOf("SELECT run, process, any(rss_peak), any(held) FROM process_memory GROUP BY run, "
                                 "process ORDER BY run, process",
                                 {}, stop);
    if (!answer.hasValue() && isWithoutMemory(server_.lastError().code)) return {};
    const auto memory = TRY(answer);
    std::unordered_map<std::string, std::vector<summary::ResidentFacts>> found;
    RowBinaryReader rows(bytesOfText(memory));
    while (!rows.isAtEnd()) {
        auto& facts = found[rows.takeText(32)].emplace_back();
        facts.process = rows.takeText();
        facts.rssPeak = rows.take<std::int64_t>();
        if (rows.take<std::uint8_t>() == 0) facts.held = rows.take<std::int64_t>();
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    for (auto& run : runs)
        if (const auto facts = found.find(run.row.facts.run); facts != found.end())
            run.row.facts.resident = std::move(facts->second);
    return {};
}

Result<void> ClickHouseStore::readProcesses(const std::stop_token& stop) {
    const auto answer = TRY(answerOf("SELECT id, any(name) FROM processes GROUP BY id", {}, stop));
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto id = rows.take<std::uint64_t>();
        processes_[id] = rows.takeText();
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return {};
}

Result<std::vector<RunProcess>> ClickHouseStore::processesOfRuns(const std::string& window,
                                                                 const std::stop_token& stop) {
    TRY(open(stop));
    const auto answer = TRY(answerOf(
        "SELECT load, present_process FROM runs_there ARRAY JOIN present.window AS present_window, present.process AS "
        "present_process WHERE present_window = {window:UInt64}",
        {{"window", clickHouseWindow(window)}}, stop));
    TRY(readProcesses(stop));
    TRY(readLoads(stop));
    std::vector<RunProcess> found;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto run = runsOfLoads_.find(rows.take<std::uint64_t>());
        auto process = processes_[rows.take<std::uint64_t>()];
        if (run != runsOfLoads_.end()) found.push_back({run->second, std::move(process)});
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return found;
}

Result<std::vector<RunWindow>> ClickHouseStore::windowsOfRuns(const std::stop_token& stop) {
    TRY(open(stop));
    const auto answer = TRY(answerOf("SELECT run, windows.name FROM runs_there", {}, stop));
    std::vector<RunWindow> found;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto run = numberOf(rows.takeText(32));
        for (auto& name : rows.takeTexts())
            found.push_back({run, std::move(name)});
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return found;
}

Result<std::vector<summary::StackKey>> ClickHouseStore::stacksWithoutNames(const std::stop_token& stop) {
    TRY(open(stop));
    const auto answer = TRY(answerOf("SELECT DISTINCT stack FROM stacks WHERE notEmpty(unnamed.position)", {}, stop));
    std::vector<summary::StackKey> found;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd())
        found.push_back(stackKey(rows.takeBytes(16)));
    if (!rows.isWhole()) return server_.notUnderstood();
    return found;
}

Result<void> ClickHouseStore::readLoads(const std::stop_token& stop) {
    const auto answer = TRY(answerOf("SELECT run, load FROM runs_there", {}, stop));
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto run = rows.takeText(32);
        runsOfLoads_[rows.take<std::uint64_t>()] = numberOf(run);
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return {};
}

Result<void> ClickHouseStore::values(const ValueQuery& query, const PlaceSink& sink, const std::stop_token& stop) {
    TRY(open(stop));
    auto filter = valuesOfFilter(query.samples);
    filter.insert({{"from", query.builds.front()},
                   {"to", query.builds.back()},
                   {"least", query.leastSpan},
                   {"zeros", std::uint64_t{query.withZeros ? 1u : 0u}}});
    const auto answer = TRY(answerOf(sql::kClickHouseValues, filter, stop));
    TRY(readProcesses(stop));
    RowBinaryReader rows(bytesOfText(answer));
    std::vector<RunValue> values;
    bool hasReadLoads = false;
    while (!rows.isAtEnd()) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cancelled."};
        StackPlace place;
        place.key = stackKey(rows.takeBytes(16));
        const auto table = tableOfNumber(rows.take<std::uint8_t>());
        if (!table) return server_.notUnderstood();
        place.table = *table;
        place.process = processes_[rows.take<std::uint64_t>()];
        values.resize(rows.takeLength(8));
        for (auto& value : values) {
            const auto load = rows.take<std::uint64_t>();
            auto run = runsOfLoads_.find(load);
            if (run == runsOfLoads_.end() && !hasReadLoads) {
                TRY(readLoads(stop));
                hasReadLoads = true;
                run = runsOfLoads_.find(load);
            }
            value.run = run == runsOfLoads_.end() ? UINT64_MAX : run->second;
        }
        if (rows.takeLength(8) != values.size()) return server_.notUnderstood();
        for (auto& value : values)
            value.value = rows.take<std::int64_t>();
        if (rows.isWhole()) sink(place, values);
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return {};
}

Result<std::vector<RunOfStack>> ClickHouseStore::runsOfStack(const summary::StackKey& stack, analysis::Table table,
                                                             const SampleFilter& filter, const std::string& build,
                                                             const std::stop_token& stop) {
    TRY(open(stop));
    auto ofTable = filter;
    ofTable.table = table;
    auto parameters = valuesOfFilter(ofTable);
    const auto windows = TRY(answerOf(sql::kClickHouseWindows, parameters, stop));
    parameters.insert({{"stack", hexOf(stack)}, {"build", build}});
    const auto answer = TRY(answerOf(sql::kClickHouseStackRuns, parameters, stop));
    TRY(readProcesses(stop));
    TRY(readLoads(stop));
    std::unordered_map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> times;
    RowBinaryReader rowsOfWindows(bytesOfText(windows));
    while (!rowsOfWindows.isAtEnd()) {
        const auto load = rowsOfWindows.take<std::uint64_t>();
        const auto start = rowsOfWindows.take<std::int64_t>();
        times[load] = {start, rowsOfWindows.take<std::int64_t>()};
    }
    std::vector<RunOfStack> runs;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto load = rows.take<std::uint64_t>();
        const auto run = runsOfLoads_.find(load);
        RunOfStack found;
        found.process = processes_[rows.take<std::uint64_t>()];
        found.value = rows.take<std::int64_t>();
        found.first = rows.take<std::int64_t>();
        found.last = rows.take<std::int64_t>();
        std::tie(found.start, found.end) = times[load];
        if (run == runsOfLoads_.end()) continue;
        found.run = run->second;
        runs.push_back(std::move(found));
    }
    if (!rows.isWhole() || !rowsOfWindows.isWhole()) return server_.notUnderstood();
    return runs;
}

Result<void> ClickHouseStore::nameStacks(const std::vector<FleetStack*>& stacks, const std::stop_token& stop) {
    TRY(open(stop));
    if (stacks.empty()) return {};
    std::vector<std::string> keys;
    std::multimap<summary::StackKey, FleetStack*> byKey;
    for (auto* stack : stacks) {
        keys.push_back(hexOf(stack->key));
        byKey.emplace(stack->key, stack);
    }
    const auto answer = TRY(answerOf(sql::kClickHouseStackNames, {{"stacks", keys}}, stop));
    std::vector<std::string> withoutNames;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd()) {
        const auto key = stackKey(rows.takeBytes(16));
        const auto owner = rows.takeText();
        const auto frames = rows.takeTexts();
        if (rows.take<std::uint8_t>() != 0) withoutNames.push_back(hexOf(key));
        const auto [first, last] = byKey.equal_range(key);
        for (auto at = first; at != last; ++at) {
            at->second->owner = owner;
            at->second->frames = frames;
        }
    }
    if (!rows.isWhole()) return server_.notUnderstood();
    return withoutNames.empty() ? Result<void>() : forgetRenamed(withoutNames, byKey, stop);
}

/// Their rows are kept, so that writers that know them need not send them again.
Result<void> ClickHouseStore::forgetRenamed(const std::vector<std::string>& withoutNames,
                                            const std::multimap<summary::StackKey, FleetStack*>& byKey,
                                            const std::stop_token& stop) {
    const auto answer = TRY(answerOf(sql::kClickHouseStacksThere, {{"stacks", withoutNames}}, stop));
    std::set<std::string> there;
    RowBinaryReader rows(bytesOfText(answer));
    while (!rows.isAtEnd())
        there.insert(hexOf(stackKey(rows.takeBytes(16))));
    if (!rows.isWhole()) return server_.notUnderstood();
    for (const auto& [key, stack] : byKey) {
        const auto digits = hexOf(key);
        if (there.contains(digits) || std::ranges::find(withoutNames, digits) == withoutNames.end()) continue;
        stack->owner.clear();
        stack->frames.clear();
    }
    return {};
}

} // namespace highwater::fleet
