#include "core/fleet/sqlite/sqlite_memory.h"

#include "core/fleet/sqlite/sqlite_questions.h"
#include "core/sqlite/sqlite_statement.h"

namespace highwater::fleet {

using sqlite::SqliteStatement;

void writeMemory(sqlite::SqliteConnection& connection, const summary::RunFacts& facts) {
    if (facts.resident.empty()) return;
    connection.run(sql::kSqliteProcessMemory);
    SqliteStatement insert(connection, "INSERT OR REPLACE INTO process_memory VALUES(?,?,?,?)");
    for (const auto& memory : facts.resident) {
        insert.addText(facts.run).addText(memory.process).add(memory.rssPeak);
        memory.held ? insert.add(*memory.held) : insert.addNull();
        insert.runOnce();
    }
}

void removeMemory(sqlite::SqliteConnection& connection, const std::string& run) {
    connection.run(sql::kSqliteProcessMemory);
    SqliteStatement remove(connection, "DELETE FROM process_memory WHERE run = ?");
    remove.addText(run).runOnce();
}

MemoryOfRuns readMemory(sqlite::SqliteConnection& connection) {
    MemoryOfRuns found;
    {
        SqliteStatement table(connection, "SELECT 1 FROM sqlite_master WHERE lower(name) = 'process_memory'");
        if (!table.next()) return found;
    }
    SqliteStatement read(connection, "SELECT r.id, m.process, m.rss_peak, m.held FROM process_memory m JOIN runs r ON "
                                     "r.run = m.run ORDER BY m.run, m.process");
    while (read.next()) {
        auto& memory = found[read.integer(0)].emplace_back();
        memory.process = read.text(1);
        memory.rssPeak = read.integer(2);
        if (!read.isNull(3)) memory.held = read.integer(3);
    }
    return found;
}

} // namespace highwater::fleet
