#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace highwater {
struct HttpResponse;
}

namespace highwater::fleet {

/// Where a server is, and as whom it is asked.
struct ClickHousePlace {
    std::string url;  ///< "http://lab:8123/"
    std::string host; ///< for sentences: "lab:8123"
    std::string database;
    std::string user;
    std::string password; ///< never in a sentence or in the log
};
/// Of clickhouse://HOST[:PORT]/DATABASE or clickhouses://, with user and password of the environment
/// (HIGHWATER_CLICKHOUSE_USER, HIGHWATER_CLICKHOUSE_PASSWORD). Error: Usage.
[[nodiscard]] Result<ClickHousePlace> clickHousePlace(const std::string& place);

struct ClickHouseLimits {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds stall{30'000};   ///< without a byte
    std::chrono::milliseconds whole{30'000};   ///< of a question, from the first step to the last byte of its answer
    std::chrono::milliseconds rows{3'600'000}; ///< of rows that are sent: as many as a run has
    std::size_t answerBytes = std::size_t{64} << 20;
};

/// What failed, and whether it may go well another time.
struct ClickHouseError {
    Error error;
    int code = 0; ///< ClickHouse's own; 0: none
    bool isPassing = false;
};

/// Exchanges with one server. One thread.
class ClickHouseServer {
  public:
    ClickHouseServer(ClickHousePlace place, ClickHouseLimits limits) : place_(std::move(place)), limits_(limits) {}

    [[nodiscard]] const ClickHousePlace& place() const { return place_; }
    /// A statement's answer. Settings: "&name=value" of the URL.
    [[nodiscard]] Result<std::string> ask(std::string sql, const std::stop_token& stop, std::string_view settings = {});
    /// Rows of RowBinary into a table, on all servers when this returns.
    [[nodiscard]] Result<void> insert(std::string_view table, std::string rows, const std::stop_token& stop);
    /// Of the last one that failed.
    [[nodiscard]] const ClickHouseError& lastError() const { return lastError_; }
    [[nodiscard]] Error notUnderstood() const;

  private:
    [[nodiscard]] Result<std::string> send(const std::string& parameters, std::string body,
                                           std::chrono::milliseconds whole, const std::stop_token& stop);
    [[nodiscard]] Error notReceived(const HttpResponse& response, std::chrono::milliseconds whole);
    [[nodiscard]] Error fail(ErrorKind kind, std::string sentence, int code = 0, bool isPassing = false);
    [[nodiscard]] Error refused(int status, std::string_view answer);
    [[nodiscard]] std::string serversWords(std::string_view answer) const;

    ClickHousePlace place_;
    ClickHouseLimits limits_;
    ClickHouseError lastError_;
};

} // namespace highwater::fleet
