#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

namespace highwater::tests {

/// The result of a query: rows with columns separated by bars; "NULL" is a missing value. An error is the only row.
inline std::vector<std::string> rowsOfSql(const std::string& file, const std::string& sql) {
    sqlite3* database = nullptr;
    std::vector<std::string> rows;
    if (::sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
        const auto add = [](void* to, int count, char** values, char**) {
            std::string row;
            for (int i = 0; i < count; ++i)
                row += std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "NULL" : values[i]);
            static_cast<std::vector<std::string>*>(to)->push_back(row);
            return 0;
        };
        if (::sqlite3_exec(database, sql.c_str(), add, &rows, nullptr) != SQLITE_OK)
            rows = {::sqlite3_errmsg(database)};
    } else {
        rows = {"cannot be opened"};
    }
    ::sqlite3_close(database);
    return rows;
}

} // namespace highwater::tests
