#pragma once

#include "core/sqlite/sqlite_connection.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace highwater::sqlite {

/// One statement, run once or many times: values in the order of their places, or by their names (":build"), then
/// next(). Does nothing when the connection has failed. The connection must outlive it. One thread.
class SqliteStatement {
  public:
    SqliteStatement(SqliteConnection& connection, std::string_view sql);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    SqliteStatement& add(std::int64_t value);
    SqliteStatement& addNull();
    /// As they are; they must live until reset() or the next add.
    SqliteStatement& addText(std::string_view text);
    SqliteStatement& addBytes(std::span<const std::byte> bytes);
    /// What the statement has no such name for is not asked for.
    SqliteStatement& bind(const char* name, std::int64_t value);
    SqliteStatement& bind(const char* name, std::string_view text);
    SqliteStatement& bind(const char* name, std::span<const std::byte> bytes);
    SqliteStatement& bindNull(const char* name);

    /// The next row; false: there is none, or it failed. Waits while others write.
    bool next();
    /// Runs a statement without rows and makes it ready for the next values.
    void runOnce();
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// Until the next call.
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::span<const std::byte> bytes(int column) const;

  private:
    void check(int code);
    int placeOf(const char* name) const;

    SqliteConnection& connection_;
    const SqliteLibrary& library_;
    sqlite3_stmt* statement_ = nullptr;
    int place_ = 0;
};

} // namespace highwater::sqlite
