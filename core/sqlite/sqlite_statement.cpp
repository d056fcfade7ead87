#include "core/sqlite/sqlite_statement.h"

#include <chrono>

namespace highwater::sqlite {
namespace {

constexpr std::chrono::minutes kLongestWaitOfRows{5};

} // namespace

SqliteStatement::SqliteStatement(SqliteConnection& connection, std::string_view sql)
    : connection_(connection), library_(connection.library_) {
    if (connection_.error_) return;
    const auto begin = std::chrono::steady_clock::now();
    for (;;) { // reads the schema, which others may be writing
        const auto code =
            library_.prepare_v2(connection_.database_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
        const bool isBusy = (code & 0xFF) == SqliteLibrary::kBusy;
        const bool waits = isBusy && std::chrono::steady_clock::now() - begin < kLongestWaitOfRows;
        if (waits && !connection_.stop_.stop_requested()) {
            connection_.restartClock();
            continue;
        }
        check(code);
        break;
    }
}

SqliteStatement::~SqliteStatement() {
    if (statement_ != nullptr) library_.finalize(statement_);
}

void SqliteStatement::check(int code) {
    if (code != SqliteLibrary::kOk) connection_.fail(code);
}

SqliteStatement& SqliteStatement::add(std::int64_t value) {
    if (!connection_.error_) check(library_.bind_int64(statement_, ++place_, value));
    return *this;
}
SqliteStatement& SqliteStatement::addNull() {
    if (!connection_.error_) check(library_.bind_null(statement_, ++place_));
    return *this;
}
SqliteStatement& SqliteStatement::addText(std::string_view text) {
    // An empty view may have a null pointer, which SQLite treats as NULL.
    const auto* at = text.empty() ? "" : text.data();
    if (!connection_.error_)
        check(library_.bind_text(statement_, ++place_, at, static_cast<int>(text.size()), nullptr));
    return *this;
}
SqliteStatement& SqliteStatement::addBytes(std::span<const std::byte> bytes) {
    if (!connection_.error_)
        check(library_.bind_blob(statement_, ++place_, bytes.data(), static_cast<int>(bytes.size()), nullptr));
    return *this;
}

int SqliteStatement::placeOf(const char* name) const {
    return connection_.error_ ? 0 : library_.bind_parameter_index(statement_, name);
}
SqliteStatement& SqliteStatement::bind(const char* name, std::int64_t value) {
    if (const auto place = placeOf(name)) check(library_.bind_int64(statement_, place, value));
    return *this;
}
SqliteStatement& SqliteStatement::bind(const char* name, std::string_view text) {
    const auto* at = text.empty() ? "" : text.data();
    if (const auto place = placeOf(name))
        check(library_.bind_text(statement_, place, at, static_cast<int>(text.size()), nullptr));
    return *this;
}
SqliteStatement& SqliteStatement::bind(const char* name, std::span<const std::byte> bytes) {
    if (const auto place = placeOf(name))
        check(library_.bind_blob(statement_, place, bytes.data(), static_cast<int>(bytes.size()), nullptr));
    return *this;
}
SqliteStatement& SqliteStatement::bindNull(const char* name) {
    if (const auto place = placeOf(name)) check(library_.bind_null(statement_, place));
    return *this;
}

bool SqliteStatement::next() {
    const auto begin = std::chrono::steady_clock::now();
    while (!connection_.error_) {
        const auto code = library_.step(statement_);
        if (code == SqliteLibrary::kRow) return true;
        if (code == SqliteLibrary::kDone) return false;
        const bool isBusy = (code & 0xFF) == SqliteLibrary::kBusy;
        const bool waits = isBusy && std::chrono::steady_clock::now() - begin < kLongestWaitOfRows;
        if (!waits || connection_.stop_.stop_requested()) {
            connection_.fail(isBusy && connection_.stop_.stop_requested() ? SqliteLibrary::kInterrupted : code);
            return false;
        }
        library_.reset(statement_);
        connection_.restartClock();
    }
    return false;
}

void SqliteStatement::runOnce() {
    next();
    reset();
}

void SqliteStatement::reset() {
    place_ = 0;
    if (statement_ != nullptr) library_.reset(statement_);
}

bool SqliteStatement::isNull(int column) const {
    return library_.column_type(statement_, column) == SqliteLibrary::kTypeNull;
}
std::int64_t SqliteStatement::integer(int column) const { return library_.column_int64(statement_, column); }

std::span<const std::byte> SqliteStatement::bytes(int column) const {
    const auto* at = static_cast<const std::byte*>(library_.column_blob(statement_, column));
    const auto count = at == nullptr ? 0 : static_cast<std::size_t>(library_.column_bytes(statement_, column));
    return {at, connection_.isWithin(count) ? count : 0};
}
std::string_view SqliteStatement::text(int column) const {
    const auto found = bytes(column);
    return {reinterpret_cast<const char*>(found.data()), found.size()};
}

} // namespace highwater::sqlite
