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

/// Address of a server, and the user to log on as.
struct ClickHouseAddress {
    std::string url;  ///< "http://lab:8123/"
    std::string host; ///< for messages: "lab:8123"
    std::string database;
    std::string user;
    std::string password; ///< never part of a message or the log
};
/// Parses clickhouse://HOST[:PORT]/DATABASE or clickhouses://; user and password come from the environment
/// (HIGHWATER_CLICKHOUSE_USER, HIGHWATER_CLICKHOUSE_PASSWORD). Error: Usage.
[[nodiscard]] Result<ClickHouseAddress> parseClickHouseAddress(const std::string& place);

struct ClickHouseLimits {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds stall{30'000};   ///< without any data
    std::chrono::milliseconds whole{30'000};   ///< for a query, from connecting to the last byte of its answer
    std::chrono::milliseconds rows{3'600'000}; ///< for sending the rows of a whole run
    std::size_t answerBytes = std::size_t{64} << 20;
};

/// An error, and whether a retry may succeed.
struct ClickHouseError {
    Error error;
    int code = 0; ///< ClickHouse's error code; 0: none
    bool isPassing = false;
};

/// Sends requests to one server. One thread.
class ClickHouseServer {
  public:
    ClickHouseServer(ClickHouseAddress place, ClickHouseLimits limits) : place_(std::move(place)), limits_(limits) {}

    [[nodiscard]] const ClickHouseAddress& place() const { return place_; }
    /// Returns the answer to a statement. Settings: "&name=value" for the URL.
    [[nodiscard]] Result<std::string> ask(std::string sql, const std::stop_token& stop, std::string_view settings = {});
    /// Inserts rows in RowBinary format into a table. On return, all servers have them.
    [[nodiscard]] Result<void> insert(std::string_view table, std::string rows, const std::stop_token& stop);
    /// The last error.
    [[nodiscard]] const ClickHouseError& lastError() const { return lastError_; }
    [[nodiscard]] Error notUnderstood() const;

  private:
    [[nodiscard]] Result<std::string> send(const std::string& parameters, std::string body,
                                           std::chrono::milliseconds whole, const std::stop_token& stop);
    [[nodiscard]] Error receiveError(const HttpResponse& response, std::chrono::milliseconds whole);
    [[nodiscard]] Error fail(ErrorKind kind, std::string sentence, int code = 0, bool isPassing = false);
    [[nodiscard]] Error refused(int status, std::string_view answer);
    [[nodiscard]] std::string serverMessage(std::string_view answer) const;

    ClickHouseAddress place_;
    ClickHouseLimits limits_;
    ClickHouseError lastError_;
};

} // namespace highwater::fleet
