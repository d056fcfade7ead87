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
    Reading, ///< writes only to roll back an uncommitted change of another program
    Writing,
    MadeIfMissing, ///< the same, but creates a missing file
};

/// A persistent database that several programs may write at once. It uses SQLite's default journal (DELETE), which also
/// works in network folders; uncommitted changes are rolled back by the next program that opens it. After the first
/// error, which is stored, all calls do nothing until takeOutcome(). One thread.
///
/// The file may be untrusted. Its triggers do not run and its schema cannot call functions with side effects. The size
/// of texts and blobs is limited, each and in total, and a query stops after a time that depends on the size of the
/// file. The caller must check that the names it reads are tables: a view may be an endless query.
class SqliteConnection {
  public:
    /// Time limit of a query on an empty file; larger files get more.
    static constexpr std::chrono::seconds kShortestQuestion{10};

    /// Errors: NotFound, AccessDenied, Io; Damaged if the file is not a database.
    static Result<std::unique_ptr<SqliteConnection>> open(const std::filesystem::path& file, OpenFor how);
    ~SqliteConnection();
    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;

    /// Starts a query and its limits for time and bytes. Stopping it makes current calls end with Cancelled. Valid
    /// until the next call.
    void watch(std::stop_token stop, std::chrono::seconds least = kShortestQuestion);
    [[nodiscard]] bool isForReading() const { return how_ == OpenFor::Reading; }
    void run(const std::string& sql);
    /// Begins a write transaction. Waits for other writers, for a few minutes at most.
    void beginWriting();
    /// The value of a numeric pragma ("user_version"); 0 on error.
    [[nodiscard]] std::int64_t pragma(const std::string& name);

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// Returns and clears the error, after rolling back uncommitted changes. No statement may be in the middle of its
    /// rows.
    [[nodiscard]] Result<void> takeOutcome();

  private:
    friend class SqliteStatement;
    SqliteConnection(const SqliteLibrary& library, std::filesystem::path file, OpenFor how)
        : library_(library), file_(std::move(file)), how_(how) {}
    void guard();
    void restartClock();
    /// Counts bytes read. False: too many for a file of this size.
    [[nodiscard]] bool isWithin(std::size_t bytes);
    void execute(const std::string& sql, int (*row)(void*, int, char**, char**), void* to);
    void fail(int code);
    static int onProgress(void* self);

    const SqliteLibrary& library_;
    std::filesystem::path file_;
    sqlite3* database_ = nullptr;
    OpenFor how_;
    std::uint64_t fileBytes_ = 0;
    std::uint64_t takenBytes_ = 0; ///< in the current query
    std::chrono::seconds least_ = kShortestQuestion;
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
    bool isLate_ = false;
    std::stop_token stop_;
    std::optional<Error> error_;
};

} // namespace highwater::sqlite
