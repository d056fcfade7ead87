#include "core/sqlite/sqlite_connection.h"

#include "core/base/text.h"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace highwater::sqlite {
namespace {

/// How long others may write; within, the stop token is looked at.
constexpr std::chrono::minutes kLongestWait{5};
constexpr int kOneWaitMs = 250;
/// Steps of SQLite's machine from one look at the stop token to the next.
constexpr int kOperationsAtOnce = 20'000;

ErrorKind kindOf(int code) {
    switch (code & 0xFF) {
    case SqliteLibrary::kPermission:
    case SqliteLibrary::kReadOnlyFile:
    case SqliteLibrary::kAuth:
        return ErrorKind::AccessDenied;
    case SqliteLibrary::kCorrupt:
    case SqliteLibrary::kNotADatabase:
        return ErrorKind::Damaged;
    case SqliteLibrary::kInterrupted:
        return ErrorKind::Cancelled;
    default:
        return ErrorKind::Io;
    }
}

/// What the user may do about it; SQLite's own words say the rest.
std::string sentenceOf(int code, const std::string& file, const char* words) {
    switch (code & 0xFF) {
    case SqliteLibrary::kNotADatabase:
        return fmt::format("{} is no database of SQLite.", file);
    case SqliteLibrary::kCorrupt:
        return fmt::format("{} is damaged ({}). sqlite3's .recover may save what is left.", file, words);
    case SqliteLibrary::kFull:
        return fmt::format("There is no room to write {}: make some and try again.", file);
    case SqliteLibrary::kBusy:
        return fmt::format("Others have been writing {} for minutes: try again later.", file);
    case SqliteLibrary::kReadOnlyFile:
        return fmt::format("{} cannot be written: its file or folder is read-only.", file);
    case SqliteLibrary::kInterrupted:
        return "Cancelled.";
    default:
        return fmt::format("Cannot use {}: {}.", file, words);
    }
}

} // namespace

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const std::filesystem::path& file, OpenFor how) {
    const auto library = sqliteLibrary();
    if (!library.hasValue()) return library.error();
    std::error_code ignored;
    if (how == OpenFor::ThereAlready && !std::filesystem::exists(file, ignored))
        return Error{ErrorKind::NotFound, fmt::format("There is no {}.", utf8(file))};
    std::unique_ptr<SqliteConnection> connection(new SqliteConnection(*library.value(), file));
    const auto flags = SqliteLibrary::kReadWrite | (how == OpenFor::MadeIfMissing ? SqliteLibrary::kCreate : 0);
    // SQLite falls back to reading alone where the file cannot be written.
    const auto code = connection->library_.open_v2(utf8(file).c_str(), &connection->database_, flags, nullptr);
    if (code != SqliteLibrary::kOk) {
        connection->fail(code);
        return *connection->error_;
    }
    connection->library_.busy_timeout(connection->database_, kOneWaitMs);
    connection->library_.progress_handler(connection->database_, kOperationsAtOnce, &onProgress, connection.get());
    connection->run(
        "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY");
    if (connection->error_) return *connection->error_;
    return connection;
}

SqliteConnection::~SqliteConnection() {
    if (database_ != nullptr) library_.close_v2(database_);
}

void SqliteConnection::fail(int code) {
    if (!error_) error_ = Error{kindOf(code), sentenceOf(code, utf8(file_), library_.errmsg(database_))};
}

int SqliteConnection::onProgress(void* self) {
    return static_cast<SqliteConnection*>(self)->stop_.stop_requested() ? 1 : 0;
}

void SqliteConnection::run(const std::string& sql) { execute(sql, nullptr, nullptr); }

void SqliteConnection::execute(const std::string& sql, int (*row)(void*, int, char**, char**), void* to) {
    if (error_) return;
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        const auto code = library_.exec(database_, sql.c_str(), row, to, nullptr);
        if (code == SqliteLibrary::kOk) return;
        const bool isBusy = (code & 0xFF) == SqliteLibrary::kBusy;
        const bool waits = isBusy && std::chrono::steady_clock::now() - begin < kLongestWait;
        if (waits && !stop_.stop_requested()) continue;
        return fail(isBusy && stop_.stop_requested() ? SqliteLibrary::kInterrupted : code);
    }
}

void SqliteConnection::beginWriting() { run("BEGIN IMMEDIATE"); }

std::int64_t SqliteConnection::pragma(const std::string& name) {
    std::int64_t number = 0;
    const auto read = [](void* to, int count, char** values, char**) {
        if (count > 0 && values[0] != nullptr) *static_cast<std::int64_t*>(to) = std::strtoll(values[0], nullptr, 10);
        return 0;
    };
    execute("PRAGMA " + name, read, &number);
    return number;
}

Result<void> SqliteConnection::takeOutcome() {
    if (!error_) return {};
    const auto error = *std::exchange(error_, std::nullopt);
    if (library_.get_autocommit(database_) == 0) library_.exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
}

} // namespace highwater::sqlite
