#pragma once

#include "core/sqlite/sqlite_statement.h"
#include "core/summary/run_summary.h"

#include <cstdint>
#include <optional>

namespace highwater::fleet {

/// The first number of a statement's first row. Resets the statement for other values.
[[nodiscard]] inline std::optional<std::int64_t> numberFrom(sqlite::SqliteStatement& find) {
    std::optional<std::int64_t> number;
    if (find.next()) number = find.integer(0);
    find.reset();
    return number;
}

/// Functions in a fleet's file, without duplicates. Inside a transaction.
class SqliteFrames {
  public:
    explicit SqliteFrames(sqlite::SqliteConnection& connection)
        : find_(connection, "SELECT id FROM frames WHERE name = ?1 AND is_named = ?2 AND (?2 = 1 OR build_id = ?3)"),
          insert_(connection, "INSERT INTO frames VALUES(NULL,?,?,?,?,?,?,?)"),
          lastId_(connection, "SELECT last_insert_rowid()") {}

    /// The function's id in the database. Inserts missing functions.
    [[nodiscard]] std::int64_t idOf(const summary::Frame& frame) {
        find_.addText(frame.name).add(frame.isNamed ? 1 : 0).addText(frame.buildId);
        if (const auto id = numberFrom(find_)) return *id;
        insert_.addText(frame.name).addText(frame.module).addText(frame.buildId);
        insert_.add(static_cast<std::int64_t>(frame.rva)).add(frame.isNamed ? 1 : 0);
        insert_.addText(frame.file).add(frame.line).runOnce();
        return lastId();
    }
    /// The id of the last inserted row.
    [[nodiscard]] std::int64_t lastId() { return numberFrom(lastId_).value_or(0); }

  private:
    sqlite::SqliteStatement find_, insert_, lastId_;
};

} // namespace highwater::fleet
