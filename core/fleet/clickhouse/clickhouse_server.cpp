#include "core/fleet/clickhouse/clickhouse_server.h"

#include "core/base/text.h"
#include "core/fleet/clickhouse/clickhouse_text.h"
#include "core/http/http_request.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace highwater::fleet {
namespace {

constexpr std::size_t kMostWords = 300;

std::string fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool isHost(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
               c == '_' || c == ':' || c == '[' || c == ']';
    });
}

/// User name and password are sent in header lines.
bool isOneLine(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

std::string percentEncoded(std::string_view text) {
    std::string encoded;
    for (const char c : text) {
        if (isIdentifier({&c, 1}) || c == '.' || c == '-')
            encoded += c;
        else
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

/// "Code: 60, e.displayText() = ..." or "Code: 60. DB::Exception: ...".
int codeOf(std::string_view answer) {
    constexpr std::string_view kCode = "Code: ";
    const auto at = answer.find(kCode);
    int code = 0;
    if (at != std::string_view::npos)
        std::from_chars(answer.data() + at + kCode.size(), answer.data() + answer.size(), code);
    return code;
}

// ClickHouse's error codes (src/Common/ErrorCodes.cpp there), which are the same in all versions.
bool isAboutUser(int code) { return code == 192 || code == 193 || code == 194 || code == 497 || code == 516; }
bool isAboutRoom(int code) { return code == 243; }
bool isOverload(int code) {
    return code == 159 || code == 202 || code == 209 || code == 210 || code == 252 || code == 279;
}
bool isAboutQuota(int code) { return code == 201; }
bool isAboutMemory(int code) { return code == 241; }

} // namespace

Result<ClickHouseAddress> parseClickHouseAddress(const std::string& place) {
    const bool isSecure = place.starts_with("clickhouses://");
    const auto rest = std::string_view(place).substr(place.find("://") + 3);
    const auto slash = rest.find('/');
    auto host = std::string(rest.substr(0, slash));
    const auto database = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (host.find('@') != std::string::npos)
        return Error{ErrorKind::Usage, "A ClickHouse address must not contain a user or a password. Set "
                                       "HIGHWATER_CLICKHOUSE_USER and HIGHWATER_CLICKHOUSE_PASSWORD instead."};
    if (!isHost(host) || !isIdentifier(database))
        return Error{ErrorKind::Usage,
                     fmt::format("{} is not a valid fleet address. Use clickhouse://HOST:8123/DATABASE with a database "
                                 "name of letters, digits and _.",
                                 printable(place))};
    const auto behindAddress = host.rfind(']') == std::string::npos ? 0 : host.rfind(']');
    if (host.find(':', behindAddress) == std::string::npos) host += isSecure ? ":8443" : ":8123";
    ClickHouseAddress found{fmt::format("{}://{}/", isSecure ? "https" : "http", host), host, std::string(database),
                            fromEnvironment("HIGHWATER_CLICKHOUSE_USER"),
                            fromEnvironment("HIGHWATER_CLICKHOUSE_PASSWORD")};
    if (!isOneLine(found.user) || !isOneLine(found.password))
        return Error{ErrorKind::Usage,
                     "HIGHWATER_CLICKHOUSE_USER or HIGHWATER_CLICKHOUSE_PASSWORD contains a control character."};
    return found;
}

Error ClickHouseServer::fail(ErrorKind kind, std::string sentence, int code, bool isPassing) {
    lastError_ = {{kind, std::move(sentence)}, code, isPassing};
    return lastError_.error;
}

Error ClickHouseServer::notUnderstood() const {
    return {ErrorKind::Io,
            fmt::format("Cannot understand the answer from {}. Is it a ClickHouse server?", place_.host)};
}

/// The server's error message without its stack, and without the password if the message repeats it.
std::string ClickHouseServer::serverMessage(std::string_view answer) const {
    constexpr std::string_view kException = "Exception: "; // DB::Exception, DB::NetException
    if (const auto at = answer.find(kException); at != std::string_view::npos)
        answer.remove_prefix(at + kException.size());
    answer = answer.substr(0, answer.find(", e.what()"));
    answer = answer.substr(0, answer.find("Stack trace"));
    auto words = std::string(trimmed(startOfText(answer, kMostWords)));
    if (!place_.password.empty())
        for (auto at = words.find(place_.password); at != std::string::npos; at = words.find(place_.password, at + 3))
            words.replace(at, place_.password.size(), "***");
    std::ranges::replace(words, '\n', ' ');
    while (!words.empty() && words.back() == '.')
        words.pop_back();
    return printable(words);
}

Error ClickHouseServer::refused(int status, std::string_view answer) {
    const auto code = codeOf(answer);
    const auto& host = place_.host;
    if (isAboutUser(code) || status == 401 || status == 403)
        return fail(ErrorKind::AccessDenied,
                    fmt::format("ClickHouse at {} rejected {}. Set HIGHWATER_CLICKHOUSE_USER and "
                                "HIGHWATER_CLICKHOUSE_PASSWORD.",
                                host,
                                place_.user.empty() ? "a request without a user" : "user " + printable(place_.user)),
                    code);
    const auto words = serverMessage(answer);
    if (isAboutRoom(code) || words.find("No space left") != std::string::npos)
        return fail(ErrorKind::Io,
                    fmt::format("The disk of ClickHouse at {} is full. Free some space and try again.", host), code);
    if (isAboutQuota(code))
        return fail(ErrorKind::Io,
                    fmt::format("ClickHouse at {} rejected the request because a quota of this user is used up: {}.",
                                host, words),
                    code);
    if (isAboutMemory(code))
        return fail(
            ErrorKind::Io,
            fmt::format("ClickHouse at {} does not have enough memory for this query. Narrow the query or raise "
                        "max_memory_usage.",
                        host),
            code);
    if (code == 60 || code == 81)
        return fail(
            ErrorKind::NotFound,
            fmt::format("No fleet found in {} at {}. Create one with highwater-cli fleet init.", place_.database, host),
            code);
    if (code == 0) return fail(ErrorKind::Io, notUnderstood().message);
    return fail(ErrorKind::Io, fmt::format("ClickHouse at {}: {}.", host, words), code, isOverload(code));
}

/// The error for a response that is not complete.
Error ClickHouseServer::receiveError(const HttpResponse& response, std::chrono::milliseconds whole) {
    const auto& host = place_.host;
    switch (response.end) {
    case HttpResponse::End::Cancelled:
        return fail(ErrorKind::Cancelled, "Cancelled.");
    case HttpResponse::End::NoServer:
        return fail(ErrorKind::NotFound, fmt::format("ClickHouse at {} does not answer: {}.", host, response.problem));
    case HttpResponse::End::TooSlow:
        return fail(ErrorKind::Io,
                    fmt::format("ClickHouse at {} did not complete its answer within {} s. Narrow the query.", host,
                                std::chrono::duration<double>(whole).count()));
    case HttpResponse::End::Packed:
        return fail(ErrorKind::Io,
                    fmt::format("The server at {} sent a compressed answer although none was requested. The "
                                "answer was discarded because its length is unknown.",
                                host));
    case HttpResponse::End::NotTrusted:
        return fail(ErrorKind::AccessDenied,
                    fmt::format("Cannot connect securely to ClickHouse at {}: {}.", host, response.problem));
    case HttpResponse::End::CutOff:
        return fail(
            ErrorKind::Io,
            fmt::format("The answer from ClickHouse at {} is incomplete: {}. Try again.", host, response.problem), 0,
            true);
    case HttpResponse::End::NotHttp:
    case HttpResponse::End::Complete:
        break;
    }
    return fail(ErrorKind::Io, notUnderstood().message);
}

Result<std::string> ClickHouseServer::send(const std::string& parameters, std::string body,
                                           std::chrono::milliseconds whole, const std::stop_token& stop) {
    HttpRequest request;
    request.url = place_.url + "?wait_end_of_query=1" + parameters;
    request.connectTimeout = limits_.connect;
    request.stallTimeout = limits_.stall;
    request.wholeTimeout = whole;
    request.body = std::move(body);
    if (!place_.user.empty()) request.headers.push_back("X-ClickHouse-User: " + place_.user);
    if (!place_.password.empty()) request.headers.push_back("X-ClickHouse-Key: " + place_.password);
    std::string answer;
    bool isTooMuch = false;
    HttpReceiver receiver;
    receiver.onHead = [](const HttpHead&) {};
    receiver.onBytes = [&](ByteSpan bytes) {
        isTooMuch = answer.size() + bytes.size() > limits_.answerBytes;
        if (isTooMuch) return false;
        answer.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    };
    const auto response = httpSend(request, receiver, stop);
    if (isTooMuch)
        return fail(ErrorKind::Io, fmt::format("The answer from ClickHouse at {} exceeds {}. Narrow the query.",
                                               place_.host, megabytes(limits_.answerBytes)));
    if (response.end != HttpResponse::End::Complete) return receiveError(response, whole);
    if (response.status != 200) return refused(response.status, answer);
    return answer;
}

Result<std::string> ClickHouseServer::ask(std::string sql, const std::stop_token& stop, std::string_view settings) {
    return send("&database=" + percentEncoded(place_.database) + std::string(settings), std::move(sql), limits_.whole,
                stop);
}

Result<void> ClickHouseServer::insert(std::string_view table, std::string rows, const std::stop_token& stop) {
    // Otherwise a server may acknowledge rows for other servers before it has sent them.
    const auto parameters =
        fmt::format("&database={}&insert_distributed_sync=1&query={}", percentEncoded(place_.database),
                    percentEncoded(fmt::format("INSERT INTO {} FORMAT RowBinary", table)));
    const auto answer = TRY(send(parameters, std::move(rows), limits_.rows, stop));
    if (!answer.empty()) return fail(ErrorKind::Io, notUnderstood().message);
    return {};
}

} // namespace highwater::fleet
