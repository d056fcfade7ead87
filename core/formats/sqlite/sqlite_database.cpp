#include "core/formats/sqlite/sqlite_database.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace highwater::formats {

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::filesystem::path& file) {
    const auto library = TRY(sqlite::sqliteLibrary());
    std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(*library, file));
    database->check(database->library_.open_v2(utf8(file).c_str(), &database->database_,
                                               SqliteLibrary::kReadWrite | SqliteLibrary::kCreate, nullptr));
    database->run("PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
                  "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-32768; BEGIN");
    if (database->error_) return *database->error_;
    return database;
}

SqliteDatabase::~SqliteDatabase() {
    if (database_ != nullptr) library_.close_v2(database_);
}

void SqliteDatabase::check(int code, int wanted) {
    if (code == wanted || error_) return;
    error_ = Error{ErrorKind::Io, fmt::format("Cannot write {}: {}.", utf8(file_), library_.errmsg(database_))};
}

void SqliteDatabase::run(const std::string& sql) {
    if (!error_) check(library_.exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
}

Result<void> SqliteDatabase::finish() {
    run("COMMIT");
    const auto closed = library_.close_v2(database_);
    database_ = nullptr;
    if (closed != SqliteLibrary::kOk && !error_)
        error_ = Error{ErrorKind::Io, fmt::format("Cannot write {}.", utf8(file_))};
    if (error_) return *error_;
    return {};
}

SqliteInsert::SqliteInsert(SqliteDatabase& database, const std::string& table, int columns) : database_(database) {
    auto sql = "INSERT INTO " + table + " VALUES(?";
    for (int i = 1; i < columns; ++i)
        sql += ",?";
    sql += ')';
    if (!database_.error_)
        database_.check(database_.library_.prepare_v2(database_.database_, sql.c_str(), -1, &statement_, nullptr));
}

SqliteInsert::~SqliteInsert() {
    if (statement_ != nullptr) database_.library_.finalize(statement_);
}

SqliteInsert& SqliteInsert::add(std::int64_t value) {
    if (!database_.error_) database_.check(database_.library_.bind_int64(statement_, ++place_, value));
    return *this;
}

SqliteInsert& SqliteInsert::addNull() {
    if (!database_.error_) database_.check(database_.library_.bind_null(statement_, ++place_));
    return *this;
}

SqliteInsert& SqliteInsert::addText(std::string_view text) {
    if (text.empty()) return addNull();
    const auto safe = printable(text);
    const auto size = static_cast<int>(std::min<std::size_t>(safe.size(), std::numeric_limits<int>::max() / 2));
    const auto copied = reinterpret_cast<void (*)(void*)>(std::intptr_t{-1}); // SQLITE_TRANSIENT: make a copy
    if (!database_.error_)
        database_.check(database_.library_.bind_text(statement_, ++place_, safe.c_str(), size, copied));
    return *this;
}

SqliteInsert& SqliteInsert::addWord(std::string_view word) {
    if (!database_.error_)
        database_.check(
            database_.library_.bind_text(statement_, ++place_, word.data(), static_cast<int>(word.size()), nullptr));
    return *this;
}

void SqliteInsert::insert() {
    place_ = 0;
    if (database_.error_) return;
    database_.check(database_.library_.step(statement_), SqliteLibrary::kDone);
    if (!database_.error_) database_.check(database_.library_.reset(statement_));
}

} // namespace highwater::formats
