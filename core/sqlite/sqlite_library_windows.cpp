#include "core/sqlite/sqlite_library.h"

#include <type_traits>
#include <windows.h>

namespace highwater::sqlite {
namespace {

struct LoadedLibrary {
    SqliteLibrary functions;
    bool isWhole = false;
};

/// Windows 10 and later contain SQLite as a library with the usual function names.
LoadedLibrary load() {
    LoadedLibrary loaded;
    const auto library = ::LoadLibraryExW(L"winsqlite3.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
    if (library == nullptr) return loaded;
    loaded.isWhole = true;
    const auto find = [&](auto& function, const char* name) {
        const auto found = reinterpret_cast<void*>(::GetProcAddress(library, name));
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
        loaded.isWhole = loaded.isWhole && found != nullptr;
    };
    auto& functions = loaded.functions;
    find(functions.open_v2, "sqlite3_open_v2");
    find(functions.close_v2, "sqlite3_close_v2");
    find(functions.exec, "sqlite3_exec");
    find(functions.prepare_v2, "sqlite3_prepare_v2");
    find(functions.step, "sqlite3_step");
    find(functions.reset, "sqlite3_reset");
    find(functions.finalize, "sqlite3_finalize");
    find(functions.bind_int64, "sqlite3_bind_int64");
    find(functions.bind_null, "sqlite3_bind_null");
    find(functions.bind_text, "sqlite3_bind_text");
    find(functions.bind_blob, "sqlite3_bind_blob");
    find(functions.bind_parameter_index, "sqlite3_bind_parameter_index");
    find(functions.column_type, "sqlite3_column_type");
    find(functions.column_int64, "sqlite3_column_int64");
    find(functions.column_blob, "sqlite3_column_blob");
    find(functions.column_bytes, "sqlite3_column_bytes");
    find(functions.busy_timeout, "sqlite3_busy_timeout");
    find(functions.progress_handler, "sqlite3_progress_handler");
    find(functions.get_autocommit, "sqlite3_get_autocommit");
    find(functions.errmsg, "sqlite3_errmsg");
    find(functions.limit, "sqlite3_limit");
    find(functions.db_config, "sqlite3_db_config");
    return loaded;
}

} // namespace

Result<const SqliteLibrary*> sqliteLibrary() {
    static const LoadedLibrary loaded = load();
    if (!loaded.isWhole)
        return Error{ErrorKind::NotFound, "SQLite files cannot be read or written because this Windows has no "
                                          "winsqlite3.dll, which is part of Windows 10 and later."};
    return &loaded.functions;
}

} // namespace highwater::sqlite
