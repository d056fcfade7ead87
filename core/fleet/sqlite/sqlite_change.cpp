#include "core/fleet/sqlite/sqlite_memory.h"
#include "core/fleet/sqlite/sqlite_name.h"
#include "core/fleet/sqlite/sqlite_store.h"
#include "core/sqlite/sqlite_statement.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace highwater::fleet {
namespace {

using sqlite::SqliteConnection, sqlite::SqliteStatement;

/// Tables that refer to a run by its number in the database.
constexpr std::array kTablesOfRuns{"samples", "run_processes", "windows", "labels", "health"};

std::optional<std::int64_t> idOf(SqliteConnection& connection, const std::string& run) {
    SqliteStatement find(connection, "SELECT id FROM runs WHERE run = ?");
    find.addText(run);
    return find.next() ? std::optional(find.integer(0)) : std::nullopt;
}

void writeLabels(SqliteConnection& connection, std::int64_t id, const summary::RunFacts& facts) {
    SqliteStatement update(connection, "UPDATE runs SET trace = ?, build = ?, machine = ?, scenario = ? WHERE id = ?");
    update.addText(facts.trace).addText(facts.build).addText(facts.machine).addText(facts.scenario).add(id).runOnce();
    SqliteStatement remove(connection, "DELETE FROM labels WHERE run = ?");
    remove.add(id).runOnce();
    SqliteStatement label(connection, "INSERT INTO labels VALUES(?,?,?,?)");
    std::int64_t position = 0;
    for (const auto& [name, value] : facts.labels)
        label.add(id).add(position++).addText(name).addText(value).runOnce();
}

} // namespace

Result<bool> SqliteStore::change(const std::string& run, const std::stop_token& stop,
                                 const std::function<void(std::int64_t)>& write) {
    TRY(open(stop, sqlite::OpenFor::Writing));
    connection_->beginWriting();
    const auto id = idOf(*connection_, run);
    if (id && !connection_->error()) write(*id);
    connection_->run("COMMIT");
    TRY(connection_->takeOutcome());
    return id.has_value();
}

Result<bool> SqliteStore::relabel(const summary::RunFacts& facts, const std::stop_token& stop) {
    return change(facts.run, stop, [&](std::int64_t id) { writeLabels(*connection_, id, facts); });
}

/// Stacks, frames and processes are kept for future runs, because finding unused ones would require reading all
/// samples.
Result<bool> SqliteStore::remove(const std::string& run, const std::stop_token& stop) {
    return change(run, stop, [&](std::int64_t id) {
        for (const auto* table : kTablesOfRuns) {
            SqliteStatement rows(*connection_, fmt::format("DELETE FROM {} WHERE run = ?", table));
            rows.add(id).runOnce();
        }
        removeMemory(*connection_, run);
        SqliteStatement row(*connection_, "DELETE FROM runs WHERE id = ?");
        row.add(id).runOnce();
    });
}

Result<std::vector<summary::Frame>> SqliteStore::framesWithoutNames(const std::stop_token& stop) {
    TRY(open(stop));
    std::vector<summary::Frame> frames;
    {
        SqliteStatement read(*connection_, "SELECT name, module, build_id, rva FROM frames WHERE is_named = 0");
        while (read.next()) {
            auto& frame = frames.emplace_back();
            frame.name = read.text(0);
            frame.module = read.text(1);
            frame.buildId = read.text(2);
            frame.rva = static_cast<std::uint64_t>(read.integer(3));
        }
    }
    TRY(connection_->takeOutcome());
    return frames;
}

Result<std::size_t> SqliteStore::name(const std::vector<NamedFrame>& frames, const PlumbingTest& isPlumbing,
                                      const std::stop_token& stop) {
    TRY(open(stop, sqlite::OpenFor::Writing));
    connection_->beginWriting();
    const auto stacks = nameInSqlite(*connection_, frames, isPlumbing);
    connection_->run("COMMIT");
    TRY(connection_->takeOutcome());
    return stacks;
}

} // namespace highwater::fleet
