#pragma once

#include "core/sqlite/sqlite_library.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace highwater::sqlite {

enum class OpenFor : std::uint8_t {
    Reading, ///< nothing is written but what takes back a change that its program did not finish
    Writing,
    MadeIfMissing, ///< the same, of a file that need not be there
};

/// A database that lasts and that several programs write at once: its journal is that of SQLite's default (DELETE),
/// which also works in folders of a network, and what was not committed is taken back by whoever opens it next. The
/// first thing that fails is kept, and all that is asked after it does nothing, until it is taken. One thread.
///
/// The file may come from a stranger. Its triggers do not run and its schema calls no function that does anything;
/// texts and blobs have a most length, each and together; a question ends after a time that depends on the length of
/// the file. Who asks makes sure that the names it reads are those of tables: a view may be a query without an end.
class SqliteConnection {
  public:
    /// What a question may take of a file of no length.
    static constexpr std::chrono::seconds kShortestQuestion{10};

    /// Errors: NotFound, AccessDenied, Io; Damaged where the file is something else.
    static Result<std::unique_ptr<SqliteConnection>> open(const std::filesystem::path& file, OpenFor how);
    ~SqliteConnection();
    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;

    /// A question begins, whose time and bytes are counted from now on. What goes on ends soon with Cancelled when it
    /// is stopped. Until the next call.
    void watch(std::stop_token stop, std::chrono::seconds least = kShortestQuestion);
    [[nodiscard]] bool isForReading() const { return how_ == OpenFor::Reading; }
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
    SqliteConnection(const SqliteLibrary& library, std::filesystem::path file, OpenFor how)
        : library_(library), file_(std::move(file)), how_(how) {}
    void guard();
    void restartClock();
    /// Counts what was read. False: it is too much for a file of this length.
    [[nodiscard]] bool isWithin(std::size_t bytes);
    void execute(const std::string& sql, int (*row)(void*, int, char**, char**), void* to);
    void fail(int code);
    static int onProgress(void* self);

    const SqliteLibrary& library_;
    std::filesystem::path file_;
    sqlite3* database_ = nullptr;
    OpenFor how_;
    std::uint64_t fileBytes_ = 0;
    std::uint64_t takenBytes_ = 0; ///< of this question
    std::chrono::seconds least_ = kShortestQuestion;
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
    bool isLate_ = false;
    std::stop_token stop_;
    std::optional<Error> error_;
};

} // namespace highwater::sqlite
