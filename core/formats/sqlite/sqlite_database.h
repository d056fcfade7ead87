#pragma once

#include "core/base/result.h"
#include "core/sqlite/sqlite_library.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::formats {

using sqlite::SqliteLibrary;

/// A database for writing. After the first error, which is stored, all calls do nothing. One thread.
class SqliteDatabase {
  public:
    /// Opens an existing empty file. Faster than safe: discard a file that is not finished.
    static Result<std::unique_ptr<SqliteDatabase>> open(const std::filesystem::path& file);
    ~SqliteDatabase();
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    void run(const std::string& sql);
    /// Writes pending data and closes the file. Returns the first error.
    Result<void> finish();
    [[nodiscard]] bool hasFailed() const { return error_.has_value(); }

  private:
    friend class SqliteInsert;
    SqliteDatabase(const SqliteLibrary& library, std::filesystem::path file)
        : library_(library), file_(std::move(file)) {}
    void check(int code, int wanted = SqliteLibrary::kOk);

    const SqliteLibrary& library_;
    std::filesystem::path file_;
    sqlite3* database_ = nullptr;
    std::optional<Error> error_;
};

/// Rows for one table: add the values in order, then call insert(). Missing values are NULL. The database must outlive
/// it.
class SqliteInsert {
  public:
    SqliteInsert(SqliteDatabase& database, const std::string& table, int columns);
    ~SqliteInsert();
    SqliteInsert(const SqliteInsert&) = delete;
    SqliteInsert& operator=(const SqliteInsert&) = delete;

    SqliteInsert& add(std::int64_t value);
    SqliteInsert& addNull();
    /// Invalid UTF-8 and terminal control characters become U+FFFD. An empty text is NULL.
    SqliteInsert& addText(std::string_view text);
    /// The same for constant texts, which must stay valid until insert().
    SqliteInsert& addWord(std::string_view word);
    SqliteInsert& addIf(bool isThere, std::int64_t value) { return isThere ? add(value) : addNull(); }
    void insert();

  private:
    SqliteDatabase& database_;
    sqlite3_stmt* statement_ = nullptr;
    int place_ = 0;
};

} // namespace highwater::formats
