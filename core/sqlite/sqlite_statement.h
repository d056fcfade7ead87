#pragma once

#include "core/sqlite/sqlite_connection.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace highwater::sqlite {

/// One statement, run once or several times: add values in order, or by name (":build"), then call next(). Does nothing
/// after an error of the connection. The connection must outlive it. One thread.
class SqliteStatement {
  public:
    SqliteStatement(SqliteConnection& connection, std::string_view sql);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;

    SqliteStatement& add(std::int64_t value);
    SqliteStatement& addNull();
    /// Does not copy the value, which must stay valid until reset() or the next add.
    SqliteStatement& addText(std::string_view text);
    SqliteStatement& addBytes(std::span<const std::byte> bytes);
    /// Ignores names that the statement does not have.
    SqliteStatement& bind(const char* name, std::int64_t value);
    SqliteStatement& bind(const char* name, std::string_view text);
    SqliteStatement& bind(const char* name, std::span<const std::byte> bytes);
    SqliteStatement& bindNull(const char* name);

    /// The next row; false: there is none, or an error. Waits while others write.
    bool next();
    /// Runs a statement without rows and resets it for the next values.
    void runOnce();
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// Valid until the next call.
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
