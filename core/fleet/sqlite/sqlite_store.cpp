#include "core/fleet/sqlite/sqlite_store.h"

#include "core/base/text.h"
#include "core/fleet/sqlite/sqlite_add.h"
#include "core/fleet/sqlite/sqlite_questions.h"
#include "core/sqlite/sqlite_statement.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace highwater::fleet {
namespace {

using sqlite::SqliteStatement;

constexpr std::int64_t kApplication = 0x4877466C; // "HwFl"
constexpr std::int64_t kVersion = 1;

constexpr std::array<std::string_view, 12> kTables{"runs",      "labels",        "health",     "windows",
                                                   "processes", "run_processes", "row_tables", "frames",
                                                   "stacks",    "stack_frames",  "samples",    "process_memory"};

/// The first table with computed columns, whose rows may be larger than the file; "": none.
std::string computedTable(sqlite::SqliteConnection& connection) {
    constexpr int kHidden = 6;
    constexpr std::int64_t kComputed = 2, kComputedAndKept = 3;
    for (const auto table : kTables) {
        SqliteStatement columns(connection, fmt::format("PRAGMA table_xinfo({})", table));
        while (columns.next())
            if (const auto kind = columns.integer(kHidden); kind == kComputed || kind == kComputedAndKept)
                return std::string(table);
    }
    return {};
}

} // namespace

Result<void> SqliteStore::create(const std::string& cluster) {
    if (!cluster.empty()) return Error{ErrorKind::Usage, "An SQLite file does not support clusters. Omit --cluster."};
    auto opened = TRY(sqlite::SqliteConnection::open(file_, sqlite::OpenFor::MadeIfMissing));
    auto& connection = *opened;
    // Checked within the transaction, because another process may be creating the fleet at the same time.
    connection.beginWriting();
    const bool isThere = connection.pragma("application_id") == kApplication;
    SqliteStatement tables(connection, "SELECT count(*) FROM sqlite_master");
    const auto count = tables.next() ? tables.integer(0) : 0;
    tables.reset();
    if (!connection.error() && !isThere && count > 0)
        return Error{ErrorKind::Usage,
                     fmt::format("{} is an SQLite file with other tables. Choose another name.", utf8(file_))};
    if (!isThere)
        connection.run(fmt::format("{}; {}; PRAGMA application_id={}; PRAGMA user_version={}", sql::kSqliteSchema,
                                   sql::kSqliteProcessMemory, kApplication, kVersion));
    connection.run("COMMIT");
    if (connection.error()) return *connection.error();
    connection_ = std::move(opened);
    auto checked = checkVersion();
    if (!checked.hasValue()) connection_.reset();
    return checked;
}

Result<void> SqliteStore::open(const std::stop_token& stop, sqlite::OpenFor how) {
    if (connection_ && connection_->isForReading() != (how == sqlite::OpenFor::Reading)) connection_.reset();
    if (!connection_) {
        auto opened = sqlite::SqliteConnection::open(file_, how);
        if (!opened.hasValue()) {
            if (opened.error().kind == ErrorKind::NotFound) return noFleetError("does not exist");
            return opened.error();
        }
        connection_ = std::move(opened.value());
        connection_->watch(stop);
        if (auto checked = checkVersion(); !checked.hasValue()) {
            connection_.reset();
            return checked;
        }
    }
    connection_->watch(stop);
    return {};
}

Error SqliteStore::noFleetError(std::string_view state) const {
    return {ErrorKind::NotFound,
            fmt::format("{} {}. To create a fleet, run highwater-cli fleet init.", utf8(file_), state)};
}

Result<void> SqliteStore::checkVersion() {
    const auto application = connection_->pragma("application_id");
    const auto version = connection_->pragma("user_version");
    const auto pages = connection_->pragma("page_count");
    TRY(connection_->takeOutcome());
    // A file of 0 bytes is an empty database without an owner.
    if (pages == 0) return noFleetError("is empty");
    if (application != kApplication)
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is an SQLite file, but not a fleet. Choose another file.", utf8(file_))};
    if (version != kVersion)
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is a fleet of version {}, but this program supports version {}. {}.", utf8(file_),
                                 version, kVersion,
                                 version > kVersion ? "Use a newer Highwater" : "Create a new fleet")};
    return checkTables();
}

/// Checks the types of the tables before any of them is queried: an endless view would be computed, and a virtual table
/// would call an SQLite module.
Result<void> SqliteStore::checkTables() {
    std::string name, type;
    {
        SqliteStatement odd(*connection_,
                            fmt::format("SELECT name, type FROM sqlite_master WHERE lower(name) IN ('{}') AND NOT "
                                        "(type = 'table' AND rootpage > 0) LIMIT 1",
                                        fmt::join(kTables, "', '")));
        if (odd.next()) {
            name = odd.text(0);
            type = odd.text(1);
        }
    }
    if (name.empty()) {
        name = computedTable(*connection_);
        type = "table with a computed column";
    }
    TRY(connection_->takeOutcome());
    if (name.empty()) return {};
    return Error{ErrorKind::Damaged,
                 fmt::format("Cannot use {} because its {} is a {}. Highwater always creates an ordinary table.",
                             utf8(file_), name, type == "table" ? "virtual table" : type)};
}

Result<bool> SqliteStore::hasRun(const std::string& run) {
    TRY(open({}, sqlite::OpenFor::Writing));
    bool isThere = false;
    {
        SqliteStatement find(*connection_, "SELECT 1 FROM runs WHERE run = ?");
        find.addText(run);
        isThere = find.next();
    }
    TRY(connection_->takeOutcome());
    return isThere;
}

Result<AddOutcome> SqliteStore::add(const summary::RunSummary& run, const std::stop_token& stop) {
    TRY(open(stop, sqlite::OpenFor::Writing));
    connection_->beginWriting();
    bool isThere = false;
    {
        SqliteStatement find(*connection_, "SELECT 1 FROM runs WHERE run = ?");
        find.addText(run.facts.run);
        isThere = find.next();
    }
    if (!isThere && !connection_->error()) addRunToSqlite(*connection_, run);
    connection_->run("COMMIT");
    TRY(connection_->takeOutcome());
    return isThere ? AddOutcome::WasThere : AddOutcome::Added;
}

} // namespace highwater::fleet
