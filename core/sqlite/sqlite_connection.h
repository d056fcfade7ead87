#pragma once

#include "core/sqlite/sqlite_library.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace highwater::sqlite {

enum class OpenFor : std::uint8_t { ThereAlready, MadeIfMissing };

/// A database that lasts and that several programs write at once: its journal is that of SQLite's default (DELETE),
/// which also works in folders of a network, and what was not committed is taken back by whoever opens it next. The
/// first thing that fails is kept, and all that is asked after it does nothing, until it is taken. One thread.
class SqliteConnection {
  public:
    /// Errors: NotFound, AccessDenied, Io; Damaged where the file is something else.
    static Result<std::unique_ptr<SqliteConnection>> open(const std::filesystem::path& file, OpenFor how);
    ~SqliteConnection();
    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;

    /// What goes on ends soon with Cancelled when it is stopped. Until the next call.
    void watch(std::stop_token stop) { stop_ = std::move(stop); }
    void run(const std::string& sql);
    /// Begins a transaction that may write; waits for others that do, some minutes at most.
    void beginWriting();
    /// The number that a pragma ("user_version") has; 0 where that fails.
    [[nodiscard]] std::int64_t pragma(const std::string& name);

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// What failed, if anything did: then what was not committed is taken back, and all may go on. No statement may be
    /// in the middle of its rows.
    [[nodiscard]] Result<void> takeOutcome();

  private:
    friend class SqliteStatement;
    SqliteConnection(const SqliteLibrary& library, std::filesystem::path file)
        : library_(library), file_(std::move(file)) {}
    void execute(const std::string& sql, int (*row)(void*, int, char**, char**), void* to);
    void fail(int code);
    static int onProgress(void* self);

    const SqliteLibrary& library_;
    std::filesystem::path file_;
    sqlite3* database_ = nullptr;
    std::stop_token stop_;
    std::optional<Error> error_;
};

} // namespace highwater::sqlite
