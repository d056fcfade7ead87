#pragma once

#include "core/base/result.h"

#include <cstdint>

struct sqlite3;
struct sqlite3_stmt;

namespace highwater::formats {

/// What is called of SQLite, by the names and types of its documentation.
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
    const char* (*errmsg)(sqlite3*) = nullptr;

    static constexpr int kOk = 0;
    static constexpr int kDone = 101;
    static constexpr int kReadWrite = 2;
    static constexpr int kCreate = 4;
};

/// Error: this system has none. Any thread.
[[nodiscard]] Result<const SqliteLibrary*> sqliteLibrary();

} // namespace highwater::formats
