#include "core/sqlite/sqlite_connection.h"

#include "core/base/text.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace highwater::sqlite {
namespace {

/// Maximum wait for other writers, during which the stop token is checked.
constexpr std::chrono::minutes kLongestWait{5};
constexpr int kOneWaitMs = 250;
/// Steps of SQLite's virtual machine between checks of the stop token.
constexpr int kOperationsAtOnce = 20'000;

// Limits for a query, far above those of real files: for a 10 MB file 11 s and 600 MB.
constexpr int kLongestText = 4 << 20;
constexpr std::uint64_t kBytesPerSecond = 10'000'000;
constexpr std::uint64_t kLeastText = std::uint64_t{512} << 20;
constexpr std::uint64_t kTextPerByte = 8;

ErrorKind kindOf(int code) {
    switch (code & 0xFF) {
    case SqliteLibrary::kPermission:
    case SqliteLibrary::kReadOnlyFile:
    case SqliteLibrary::kAuth:
        return ErrorKind::AccessDenied;
    case SqliteLibrary::kCorrupt:
    case SqliteLibrary::kNotADatabase:
    case SqliteLibrary::kTooBig:
        return ErrorKind::Damaged;
    case SqliteLibrary::kInterrupted:
        return ErrorKind::Cancelled;
    default:
        return ErrorKind::Io;
    }
}

/// The remedy for the user; otherwise SQLite's error message.
std::string sentenceOf(int code, const std::string& file, const char* words) {
    switch (code & 0xFF) {
    case SqliteLibrary::kNotADatabase:
        return fmt::format("{} is not an SQLite database.", file);
    case SqliteLibrary::kCorrupt:
        return fmt::format("{} is damaged ({}). The command .recover of sqlite3 may recover the rest.", file, words);
    case SqliteLibrary::kTooBig:
        return fmt::format("{} contains a text of more than {}. It is damaged or was not written by Highwater.", file,
                           bytesText(kLongestText));
    case SqliteLibrary::kFull:
        return fmt::format("Cannot write {} because the disk is full. Free some space and try again.", file);
    case SqliteLibrary::kBusy:
        return fmt::format("{} has been locked by other writers for minutes. Try again later.", file);
    case SqliteLibrary::kReadOnlyFile:
        return fmt::format("Cannot write {} because the file or its folder is read-only.", file);
    case SqliteLibrary::kInterrupted:
        return "Cancelled.";
    default:
        return fmt::format("Cannot use {}: {}.", file, words);
    }
}

/// An uncommitted change is rolled back by the next process with write access.
bool hasUncommittedChange(const std::filesystem::path& file) {
    auto journal = file;
    journal += "-journal";
    std::error_code unknown;
    return std::filesystem::exists(journal, unknown);
}

int flagsFor(OpenFor how, const std::filesystem::path& file) {
    if (how == OpenFor::Reading && !hasUncommittedChange(file)) return SqliteLibrary::kReadOnly;
    return SqliteLibrary::kReadWrite | (how == OpenFor::MadeIfMissing ? SqliteLibrary::kCreate : 0);
}

} // namespace

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const std::filesystem::path& file, OpenFor how) {
    const auto library = TRY(sqliteLibrary());
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (how != OpenFor::MadeIfMissing && !std::filesystem::exists(status))
        return Error{ErrorKind::NotFound, fmt::format("{} does not exist.", utf8(file))};
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) // a pipe would block
        return Error{ErrorKind::Io, fmt::format("{} is not a regular file.", utf8(file))};
    std::unique_ptr<SqliteConnection> connection(new SqliteConnection(*library, file, how));
    // For a read-only file, SQLite falls back to reading.
    const auto code =
        connection->library_.open_v2(utf8(file).c_str(), &connection->database_, flagsFor(how, file), nullptr);
    if (code != SqliteLibrary::kOk) {
        connection->fail(code);
        return *connection->error_;
    }
    connection->guard();
    if (connection->error_) return *connection->error_;
    return connection;
}

/// Before anything is read from the file.
void SqliteConnection::guard() {
    library_.busy_timeout(database_, kOneWaitMs);
    library_.progress_handler(database_, kOperationsAtOnce, &onProgress, this);
    library_.limit(database_, SqliteLibrary::kLimitLength, kLongestText);
    int* const unasked = nullptr;
    library_.db_config(database_, SqliteLibrary::kConfigTrigger, 0, unasked);
    library_.db_config(database_, SqliteLibrary::kConfigDefensive, 1, unasked); // requires SQLite 3.26 or later
    library_.db_config(database_, SqliteLibrary::kConfigTrustedSchema, 0, unasked);
    run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY");
    if (how_ == OpenFor::Reading) run("PRAGMA query_only=ON");
}

void SqliteConnection::watch(std::stop_token stop, std::chrono::seconds least) {
    least_ = least;
    stop_ = std::move(stop);
    takenBytes_ = 0;
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(file_, unknown);
    fileBytes_ = unknown ? 0 : bytes;
    restartClock();
}

/// Also after waiting for other writers, which is not the fault of the file.
void SqliteConnection::restartClock() {
    const std::chrono::seconds ofLength(fileBytes_ / kBytesPerSecond);
    if (how_ == OpenFor::Reading) end_ = std::chrono::steady_clock::now() + least_ + ofLength;
    isLate_ = false;
}

bool SqliteConnection::isWithin(std::size_t bytes) {
    takenBytes_ += bytes;
    if (how_ != OpenFor::Reading || takenBytes_ / kTextPerByte <= std::max(fileBytes_, kLeastText / kTextPerByte))
        return true;
    if (!error_)
        error_ = Error{ErrorKind::Damaged,
                       fmt::format("{} contains more text than a file of its size can hold. It is damaged or was not "
                                   "written by Highwater.",
                                   utf8(file_))};
    return false;
}

SqliteConnection::~SqliteConnection() {
    if (database_ != nullptr) library_.close_v2(database_);
}

void SqliteConnection::fail(int code) {
    if (error_) return;
    if (isLate_ && (code & 0xFF) == SqliteLibrary::kInterrupted)
        error_ =
            Error{ErrorKind::Io, fmt::format("The query was stopped because it took too long for a file of the size "
                                             "of {}. Narrow the query.",
                                             utf8(file_))};
    else
        error_ = Error{kindOf(code), sentenceOf(code, utf8(file_), library_.errmsg(database_))};
}

int SqliteConnection::onProgress(void* self) {
    auto& connection = *static_cast<SqliteConnection*>(self);
    connection.isLate_ = std::chrono::steady_clock::now() > connection.end_;
    return connection.isLate_ || connection.stop_.stop_requested() ? 1 : 0;
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
        if (waits && !stop_.stop_requested()) {
            restartClock();
            continue;
        }
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
