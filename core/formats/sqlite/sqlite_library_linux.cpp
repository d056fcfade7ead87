#include "core/formats/sqlite/sqlite_library.h"

#include <sqlite3.h>

namespace highwater::formats {
namespace {

// SQLite's integers of 64 bits are long long, ours are long.
int bindInteger(sqlite3_stmt* statement, int place, std::int64_t value) {
    return ::sqlite3_bind_int64(statement, place, value);
}

} // namespace

Result<const SqliteLibrary*> sqliteLibrary() {
    static_assert(SqliteLibrary::kOk == SQLITE_OK && SqliteLibrary::kDone == SQLITE_DONE &&
                  SqliteLibrary::kReadWrite == SQLITE_OPEN_READWRITE && SqliteLibrary::kCreate == SQLITE_OPEN_CREATE);
    static const SqliteLibrary library{::sqlite3_open_v2,    ::sqlite3_close_v2, ::sqlite3_exec,
                                       ::sqlite3_prepare_v2, ::sqlite3_step,     ::sqlite3_reset,
                                       ::sqlite3_finalize,   bindInteger,        ::sqlite3_bind_null,
                                       ::sqlite3_bind_text,  ::sqlite3_errmsg};
    return &library;
}

} // namespace highwater::formats
