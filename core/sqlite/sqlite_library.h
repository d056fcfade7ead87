#pragma once

#include "core/base/result.h"

#include <cstdint>

struct sqlite3;
struct sqlite3_stmt;

namespace highwater::sqlite {

/// The functions of SQLite that are used, with the names and types of its documentation.
struct SqliteLibrary {
    int (*open_v2)(const char* file, sqlite3** database, int flags, const char* system) = nullptr;
    int (*close_v2)(sqlite3*) = nullptr;
    int (*exec)(sqlite3*, const char* sql, int (*row)(void*, int, char**, char**), void*, char** message) = nullptr;
    int (*prepare_v2)(sqlite3*, const char* sql, int bytes, sqlite3_stmt**, const char** rest) = nullptr;
    int (*step)(sqlite3_stmt*) = nullptr;
    int (*reset)(sqlite3_stmt*) = nullptr;
    int (*finalize)(sqlite3_stmt*) = nullptr;
    int (*bind_int64)(sqlite3_stmt*, int place, std::int64_t) = nullptr;
    int (*bind_null)(sqlite3_stmt*, int place) = nullptr;
    int (*bind_text)(sqlite3_stmt*, int place, const char*, int bytes, void (*destructor)(void*)) = nullptr;
    int (*bind_blob)(sqlite3_stmt*, int place, const void*, int bytes, void (*destructor)(void*)) = nullptr;
    int (*bind_parameter_index)(sqlite3_stmt*, const char* name) = nullptr;
    int (*column_type)(sqlite3_stmt*, int place) = nullptr;
    std::int64_t (*column_int64)(sqlite3_stmt*, int place) = nullptr;
    const void* (*column_blob)(sqlite3_stmt*, int place) = nullptr; ///< also for texts, whose bytes are the same
    int (*column_bytes)(sqlite3_stmt*, int place) = nullptr;
    int (*busy_timeout)(sqlite3*, int milliseconds) = nullptr;
    void (*progress_handler)(sqlite3*, int operations, int (*goesOn)(void*), void*) = nullptr;
    int (*get_autocommit)(sqlite3*) = nullptr;
    const char* (*errmsg)(sqlite3*) = nullptr;
    int (*limit)(sqlite3*, int what, int most) = nullptr;
    int (*db_config)(sqlite3*, int what, ...) = nullptr;

    static constexpr int kOk = 0;
    static constexpr int kPermission = 3;
    static constexpr int kBusy = 5;
    static constexpr int kReadOnlyFile = 8;
    static constexpr int kInterrupted = 9;
    static constexpr int kCorrupt = 11;
    static constexpr int kFull = 13;
    static constexpr int kCannotOpen = 14;
    static constexpr int kTooBig = 18;
    static constexpr int kAuth = 23;
    static constexpr int kNotADatabase = 26;
    static constexpr int kRow = 100;
    static constexpr int kDone = 101;
    static constexpr int kReadOnly = 1;
    static constexpr int kReadWrite = 2;
    static constexpr int kCreate = 4;
    static constexpr int kTypeNull = 5;
    static constexpr int kLimitLength = 0;
    static constexpr int kConfigTrigger = 1003;
    static constexpr int kConfigDefensive = 1010;
    static constexpr int kConfigTrustedSchema = 1017;
};

/// Error: the system has no SQLite. Any thread.
[[nodiscard]] Result<const SqliteLibrary*> sqliteLibrary();

} // namespace highwater::sqlite
