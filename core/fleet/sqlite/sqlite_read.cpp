#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/fleet/questions/stack_bytes.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/fleet/sqlite/sqlite_memory.h"
#include "core/fleet/sqlite/sqlite_questions.h"
#include "core/fleet/sqlite/sqlite_store.h"
#include "core/sqlite/sqlite_statement.h"

#include <algorithm>
#include <fmt/format.h>
#include <tsl/robin_map.h>
#include <unordered_map>

namespace highwater::fleet {
namespace {

using sqlite::SqliteStatement;

StoredRun readRun(SqliteStatement& row) {
    StoredRun run;
    auto& facts = run.row.facts;
    run.number = static_cast<std::uint64_t>(row.integer(0));
    facts.run = row.text(1);
    facts.trace = row.text(2);
    facts.bytes = static_cast<std::uint64_t>(row.integer(3));
    if (!row.isNull(4)) facts.recordedAt = row.integer(4);
    facts.duration = row.integer(5);
    facts.recorder = row.text(6);
    facts.system = row.text(7);
    facts.eventsLost = static_cast<std::uint64_t>(row.integer(8));
    facts.buffersLost = static_cast<std::uint64_t>(row.integer(9));
    facts.stacksUnresolved = static_cast<std::uint64_t>(row.integer(10));
    facts.isWhole = row.integer(11) != 0;
    facts.build = row.text(12);
    facts.machine = row.text(13);
    facts.scenario = row.text(14);
    run.row.addedAt = row.integer(15);
    run.row.sampleCount = static_cast<std::size_t>(std::max<std::int64_t>(row.integer(16), 0));
    run.row.inuseSpace = row.integer(17);
    run.framesUnnamed = static_cast<std::size_t>(std::max<std::int64_t>(row.integer(18), 0));
    return run;
}

void bindSamples(SqliteStatement& statement, const SampleFilter& filter) {
    statement.bind(":machine", filter.machine).bind(":scenario", filter.scenario).bind(":process", filter.process);
    statement.bind(":window", filter.window).bind(":measure", static_cast<std::int64_t>(filter.measure));
    if (filter.table)
        statement.bind(":row_table", static_cast<std::int64_t>(*filter.table));
    else
        statement.bindNull(":row_table");
}

/// Database ids of a stack, table and process.
using PlaceIds = std::pair<std::int64_t, std::pair<std::int64_t, std::int64_t>>;
using ValuesOfPlaces = tsl::robin_map<PlaceIds, std::vector<RunValue>, SeededHash>;

/// Rows are grouped by run.
ValuesOfPlaces readValues(SqliteStatement& read, bool withZeros) {
    ValuesOfPlaces places;
    while (read.next()) {
        const auto value = read.integer(4);
        if (value == 0 && !withZeros) continue;
        const PlaceIds ids{read.integer(0), {read.integer(1), read.integer(2)}};
        places[ids].push_back({static_cast<std::uint64_t>(read.integer(3)), value});
    }
    return places;
}

} // namespace

Result<std::vector<StoredRun>> SqliteStore::storedRuns(const RunFilter& filter, const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<StoredRun> runs;
    std::unordered_map<std::int64_t, std::size_t> places;
    connection_->run("BEGIN"); // a consistent view for all statements
    {
        SqliteStatement read(*connection_, sql::kSqliteRuns);
        read.bind(":build", filter.build).bind(":machine", filter.machine).bind(":scenario", filter.scenario);
        while (read.next()) {
            places.emplace(read.integer(0), runs.size());
            runs.push_back(readRun(read));
        }
        SqliteStatement labels(*connection_, "SELECT run, name, value FROM labels ORDER BY run, position");
        while (labels.next())
            if (const auto place = places.find(labels.integer(0)); place != places.end())
                runs[place->second].row.facts.labels.emplace_back(labels.text(1), labels.text(2));
        SqliteStatement health(*connection_, "SELECT run, sentence FROM health ORDER BY run, position");
        while (health.next())
            if (const auto place = places.find(health.integer(0)); place != places.end())
                runs[place->second].row.facts.health.emplace_back(health.text(1));
        for (auto& [id, memory] : readMemory(*connection_))
            if (const auto place = places.find(id); place != places.end())
                runs[place->second].row.facts.resident = std::move(memory);
    }
    connection_->run("COMMIT");
    TRY(connection_->takeOutcome());
    return runs;
}

Result<std::vector<RunProcess>> SqliteStore::processesOfRuns(const std::string& window, const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<RunProcess> found;
    {
        SqliteStatement read(*connection_, "SELECT rp.run, p.name FROM windows w CROSS JOIN run_processes rp ON "
                                           "rp.run = w.run AND rp.window = w.number JOIN processes p ON "
                                           "p.id = rp.process WHERE w.name = :window");
        read.bind(":window", window);
        while (read.next())
            found.push_back({static_cast<std::uint64_t>(read.integer(0)), std::string(read.text(1))});
    }
    TRY(connection_->takeOutcome());
    return found;
}

Result<std::vector<RunWindow>> SqliteStore::windowsOfRuns(const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<RunWindow> found;
    {
        SqliteStatement read(*connection_, "SELECT run, name FROM windows ORDER BY run, number");
        while (read.next())
            found.push_back({static_cast<std::uint64_t>(read.integer(0)), std::string(read.text(1))});
    }
    TRY(connection_->takeOutcome());
    return found;
}

Result<std::vector<summary::StackKey>> SqliteStore::stacksWithoutNames(const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<summary::StackKey> found;
    {
        SqliteStatement read(*connection_, "SELECT key FROM stacks WHERE is_named = 0");
        while (read.next())
            found.push_back(stackKey(read.bytes(0)));
    }
    TRY(connection_->takeOutcome());
    return found;
}

Result<void> SqliteStore::values(const ValueQuery& query, const PlaceSink& sink, const std::stop_token& stop) {
    TRY(open(stop));
    ValuesOfPlaces places;
    std::unordered_map<std::int64_t, std::string> processes;
    std::unordered_map<std::int64_t, summary::StackKey> keys;
    connection_->run("BEGIN");
    {
        SqliteStatement read(*connection_, sql::kSqliteValues);
        read.bind(":from", query.builds.front()).bind(":to", query.builds.back());
        bindSamples(read, query.samples);
        places = readValues(read, query.withZeros);
        SqliteStatement names(*connection_, "SELECT id, name FROM processes");
        while (names.next())
            processes.emplace(names.integer(0), names.text(1));
        SqliteStatement stacks(*connection_, "SELECT id, key FROM stacks");
        while (stacks.next())
            keys.emplace(stacks.integer(0), stackKey(stacks.bytes(1)));
    }
    connection_->run("COMMIT");
    TRY(connection_->takeOutcome());
    for (const auto& [ids, values] : places) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Cancelled."};
        const auto table = tableOfNumber(ids.second.first);
        if (!table)
            return Error{ErrorKind::Damaged, fmt::format("{} contains rows of an unknown table. It is damaged or was "
                                                         "written by a newer Highwater.",
                                                         utf8(file_))};
        sink({keys[ids.first], *table, processes[ids.second.second]}, values);
    }
    return {};
}

Result<std::vector<RunOfStack>> SqliteStore::runsOfStack(const summary::StackKey& stack, analysis::Table table,
                                                         const SampleFilter& filter, const std::string& build,
                                                         const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<RunOfStack> runs;
    const auto key = bytesOf(stack);
    auto ofTable = filter;
    ofTable.table = table;
    {
        SqliteStatement read(*connection_, sql::kSqliteStackRuns);
        read.bind(":stack", key).bind(":build", build);
        bindSamples(read, ofTable);
        while (read.next())
            runs.push_back({static_cast<std::uint64_t>(read.integer(0)), std::string(read.text(1)), read.integer(2),
                            read.integer(3), read.integer(4), read.integer(5), read.integer(6)});
    }
    TRY(connection_->takeOutcome());
    return runs;
}

Result<void> SqliteStore::nameStacks(const std::vector<FleetStack*>& stacks, const std::stop_token& stop) {
    TRY(open(stop));
    {
        SqliteStatement read(*connection_, sql::kSqliteStackNames);
        for (auto* stack : stacks) {
            const auto key = bytesOf(stack->key);
            read.bind(":stack", key);
            while (read.next()) {
                stack->frames.emplace_back(read.text(0));
                if (read.integer(1) != 0) stack->owner = stack->frames.back();
            }
            read.reset();
        }
    }
    return connection_->takeOutcome();
}

} // namespace highwater::fleet
