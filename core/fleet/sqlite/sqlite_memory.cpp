#include "core/fleet/sqlite/sqlite_memory.h"

#include "core/fleet/sqlite/sqlite_questions.h"
#include "core/sqlite/sqlite_statement.h"

namespace highwater::fleet {

using sqlite::SqliteStatement;

void writeMemory(sqlite::SqliteConnection& connection, const summary::RunFacts& facts) {
    const auto& memory = facts.resident;
    if (!memory) return;
    connection.run(sql::kSqliteRunMemory);
    SqliteStatement insert(connection, "INSERT OR REPLACE INTO run_memory VALUES(?,?,?)");
    insert.addText(facts.run).add(memory->rssPeak);
    memory->held ? insert.add(*memory->held) : insert.addNull();
    insert.runOnce();
}

void removeMemory(sqlite::SqliteConnection& connection, const std::string& run) {
    connection.run(sql::kSqliteRunMemory);
    SqliteStatement remove(connection, "DELETE FROM run_memory WHERE run = ?");
    remove.addText(run).runOnce();
}

std::unordered_map<std::int64_t, summary::ResidentFacts> readMemory(sqlite::SqliteConnection& connection) {
    std::unordered_map<std::int64_t, summary::ResidentFacts> found;
    {
        SqliteStatement table(connection, "SELECT 1 FROM sqlite_master WHERE lower(name) = 'run_memory'");
        if (!table.next()) return found;
    }
    SqliteStatement read(connection, "SELECT r.id, m.rss_peak, m.held FROM run_memory m JOIN runs r ON r.run = m.run");
    while (read.next()) {
        auto& memory = found[read.integer(0)];
        memory.rssPeak = read.integer(1);
        if (!read.isNull(2)) memory.held = read.integer(2);
    }
    return found;
}

} // namespace highwater::fleet
