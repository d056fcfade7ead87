#include "tests/app/cli/planted_leaks/planted.h"

#include <sqlite3.h>

namespace {

/// Leaks: the statement is never finalized.
[[gnu::noinline]] int countOrders(sqlite3* database, int customer) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, "SELECT count(*) FROM orders WHERE customer = ?", -1, &statement, nullptr) !=
        SQLITE_OK)
        return 0;
    sqlite3_bind_int(statement, 1, customer);
    return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
}

/// The correct version.
[[gnu::noinline]] void addOrder(sqlite3* database, int customer) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, "INSERT INTO orders VALUES (?)", -1, &statement, nullptr) != SQLITE_OK) return;
    sqlite3_bind_int(statement, 1, customer);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
}

} // namespace

int main() {
    sqlite3* database = nullptr;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) return 1;
    sqlite3_exec(database, "CREATE TABLE orders (customer INTEGER)", nullptr, nullptr, nullptr);
    return planted::serve([database](int request) {
        if (request % 20 == 0) addOrder(database, request % 7);
        countOrders(database, request % 7);
    });
}
