#include "core/sqlite/sqlite_library.h"

#include <sqlite3.h>

namespace highwater::sqlite {
namespace {

using L = SqliteLibrary;
static_assert(L::kOk == SQLITE_OK && L::kDone == SQLITE_DONE && L::kRow == SQLITE_ROW && L::kBusy == SQLITE_BUSY);
static_assert(L::kReadWrite == SQLITE_OPEN_READWRITE && L::kCreate == SQLITE_OPEN_CREATE);
static_assert(L::kPermission == SQLITE_PERM && L::kReadOnlyFile == SQLITE_READONLY && L::kAuth == SQLITE_AUTH);
static_assert(L::kInterrupted == SQLITE_INTERRUPT && L::kCorrupt == SQLITE_CORRUPT && L::kFull == SQLITE_FULL);
static_assert(L::kReadOnly == SQLITE_OPEN_READONLY && L::kTooBig == SQLITE_TOOBIG);
static_assert(L::kLimitLength == SQLITE_LIMIT_LENGTH && L::kConfigTrigger == SQLITE_DBCONFIG_ENABLE_TRIGGER);
static_assert(L::kConfigDefensive == SQLITE_DBCONFIG_DEFENSIVE);
static_assert(L::kConfigTrustedSchema == SQLITE_DBCONFIG_TRUSTED_SCHEMA);
static_assert(L::kCannotOpen == SQLITE_CANTOPEN && L::kNotADatabase == SQLITE_NOTADB && L::kTypeNull == SQLITE_NULL);

// SQLite's 64-bit integers are long long, but ours are long.
int bindInteger(sqlite3_stmt* statement, int place, std::int64_t value) {
    return ::sqlite3_bind_int64(statement, place, value);
}
std::int64_t integerOfColumn(sqlite3_stmt* statement, int place) { return ::sqlite3_column_int64(statement, place); }

} // namespace

Result<const SqliteLibrary*> sqliteLibrary() {
    static const SqliteLibrary library{::sqlite3_open_v2,        ::sqlite3_close_v2,
                                       ::sqlite3_exec,           ::sqlite3_prepare_v2,
                                       ::sqlite3_step,           ::sqlite3_reset,
                                       ::sqlite3_finalize,       bindInteger,
                                       ::sqlite3_bind_null,      ::sqlite3_bind_text,
                                       ::sqlite3_bind_blob,      ::sqlite3_bind_parameter_index,
                                       ::sqlite3_column_type,    integerOfColumn,
                                       ::sqlite3_column_blob,    ::sqlite3_column_bytes,
                                       ::sqlite3_busy_timeout,   ::sqlite3_progress_handler,
                                       ::sqlite3_get_autocommit, ::sqlite3_errmsg,
                                       ::sqlite3_limit,          ::sqlite3_db_config};
    return &library;
}

} // namespace highwater::sqlite
