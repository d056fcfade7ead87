#include "core/http/http_request.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <windows.h>
// after windows.h
#include <winhttp.h>
#include <zlib.h>

namespace highwater {
namespace {

constexpr DWORD kMostRedirects = 10;
constexpr std::size_t kRoomBytes = 64 * 1024;
/// Interval for checking the stop token and the timeouts.
constexpr std::chrono::milliseconds kTick{50};

using End = HttpResponse::End;

struct HandleClose {
    void operator()(HINTERNET handle) const { ::WinHttpCloseHandle(handle); }
};
using Handle = std::unique_ptr<void, HandleClose>;

std::wstring wide(std::string_view text) {
    return std::filesystem::path(std::u8string(text.begin(), text.end())).wstring();
}

std::string problemText(DWORD code) {
    wchar_t* text = nullptr;
    constexpr DWORD kHow = FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_HMODULE | FORMAT_MESSAGE_FROM_SYSTEM |
                           FORMAT_MESSAGE_IGNORE_INSERTS;
    const auto length = ::FormatMessageW(kHow, ::GetModuleHandleW(L"winhttp.dll"), code, 0,
                                         reinterpret_cast<wchar_t*>(&text), 0, nullptr);
    const std::unique_ptr<wchar_t, decltype(&::LocalFree)> owner(text, &::LocalFree);
    if (length == 0) return "Windows error " + std::to_string(code) + ".";
    std::wstring_view line(text, length);
    line = line.substr(0, line.find_last_not_of(L" \r\n") + 1);
    return utf8(line);
}

/// State and buffer shared with WinHTTP's threads. Freed when WinHTTP has released the request, which may be after the
/// transfer.
class Notices {
  public:
    struct Notice {
        DWORD status = 0;
        DWORD error = 0; ///< error of a failed request
        DWORD bytes = 0; ///< bytes available or read
    };

    void add(const Notice& notice) {
        const std::lock_guard lock(mutex_);
        notices_.push_back(notice);
        isThere_.notify_one();
    }
    std::optional<Notice> waitFor(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        if (!isThere_.wait_for(lock, time, [&] { return !notices_.empty(); })) return std::nullopt;
        const auto first = notices_.front();
        notices_.pop_front();
        return first;
    }
    std::array<char, kRoomBytes> room{};
    std::string body; ///< WinHTTP may read it until it releases the request

  private:
    std::mutex mutex_;
    std::condition_variable isThere_;
    std::deque<Notice> notices_;
};

void CALLBACK onNotice(HINTERNET, DWORD_PTR context, DWORD status, void* information, DWORD bytes) {
    auto* notices = reinterpret_cast<std::shared_ptr<Notices>*>(context);
    if (notices == nullptr) return;
    switch (status) {
    case WINHTTP_CALLBACK_STATUS_HANDLE_CLOSING:
        delete notices; // the last notification of a request
        return;
    case WINHTTP_CALLBACK_STATUS_REQUEST_ERROR:
        (*notices)->add({status, static_cast<const WINHTTP_ASYNC_RESULT*>(information)->dwError, 0});
        return;
    case WINHTTP_CALLBACK_STATUS_DATA_AVAILABLE:
        (*notices)->add({status, 0, *static_cast<const DWORD*>(information)});
        return;
    case WINHTTP_CALLBACK_STATUS_SENDREQUEST_COMPLETE:
    case WINHTTP_CALLBACK_STATUS_HEADERS_AVAILABLE:
    case WINHTTP_CALLBACK_STATUS_READ_COMPLETE:
        (*notices)->add({status, 0, bytes});
        return;
    default:
        return;
    }
}

/// Decompresses a body that was sent as gzip or deflate although it was requested uncompressed.
class Unpacker {
  public:
    Unpacker() {
        constexpr int kGzipOrZlib = 15 + 32;
        isReady_ = ::inflateInit2(&stream_, kGzipOrZlib) == Z_OK;
    }
    ~Unpacker() { ::inflateEnd(&stream_); }
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;

    enum class Outcome { Fine, Refused, Damaged };
    Outcome unpack(ByteSpan packed, const std::function<bool(ByteSpan)>& sink) {
        if (!isReady_) return Outcome::Damaged;
        std::vector<std::byte> room(kRoomBytes);
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data())); // zlib only reads it
        stream_.avail_in = static_cast<uInt>(packed.size());
        while (stream_.avail_in != 0 && !isAtEnd_) {
            stream_.next_out = reinterpret_cast<Bytef*>(room.data());
            stream_.avail_out = static_cast<uInt>(room.size());
            const int code = ::inflate(&stream_, Z_NO_FLUSH);
            if (code != Z_OK && code != Z_STREAM_END) return Outcome::Damaged;
            isAtEnd_ = code == Z_STREAM_END;
            const auto bytes = room.size() - stream_.avail_out;
            if (bytes != 0 && !sink(ByteSpan(room).first(bytes))) return Outcome::Refused;
        }
        return Outcome::Fine;
    }
    [[nodiscard]] bool isAtEnd() const { return isAtEnd_; }

  private:
    z_stream stream_{};
    bool isReady_ = false;
    bool isAtEnd_ = false;
};

/// One transfer, step by step: WinHTTP works on its own threads, and this one waits.
class Transfer {
  public:
    Transfer(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop)
        : request_(request), receiver_(receiver), stop_(std::move(stop)) {}

    HttpResponse run() {
        if (open() && send() && receiveHead()) receiveBody();
        return std::move(response_);
    }

  private:
    bool open() {
        const auto url = wide(request_.url);
        URL_COMPONENTS parts{};
        parts.dwStructSize = sizeof(parts);
        parts.dwHostNameLength = parts.dwUrlPathLength = parts.dwExtraInfoLength = static_cast<DWORD>(-1);
        if (!::WinHttpCrackUrl(url.c_str(), 0, 0, &parts)) return fail(End::NotHttp, ::GetLastError());
        const std::wstring host(parts.lpszHostName, parts.dwHostNameLength);
        const std::wstring path = std::wstring(parts.lpszUrlPath, parts.dwUrlPathLength) +
                                  std::wstring(parts.lpszExtraInfo, parts.dwExtraInfoLength);
        session_.reset(::WinHttpOpen(L"Highwater (Microsoft-Symbol-Server/10.0)", WINHTTP_ACCESS_TYPE_AUTOMATIC_PROXY,
                                     WINHTTP_NO_PROXY_NAME, WINHTTP_NO_PROXY_BYPASS, WINHTTP_FLAG_ASYNC));
        if (session_) connection_.reset(::WinHttpConnect(session_.get(), host.c_str(), parts.nPort, 0));
        const DWORD secure = parts.nScheme == INTERNET_SCHEME_HTTPS ? WINHTTP_FLAG_SECURE : 0;
        if (connection_)
            handle_.reset(::WinHttpOpenRequest(connection_.get(), request_.body ? L"POST" : L"GET", path.c_str(),
                                               nullptr, WINHTTP_NO_REFERER, WINHTTP_DEFAULT_ACCEPT_TYPES, secure));
        if (!handle_) return fail(End::NotHttp, ::GetLastError());
        setOptions();
        return watch();
    }

    void setOptions() {
        setOption(WINHTTP_OPTION_REDIRECT_POLICY, request_.body
                                                      ? WINHTTP_OPTION_REDIRECT_POLICY_NEVER
                                                      : WINHTTP_OPTION_REDIRECT_POLICY_DISALLOW_HTTPS_TO_HTTP);
        // Never sends the user's Windows credentials, whatever the server requests.
        setOption(WINHTTP_OPTION_AUTOLOGON_POLICY, WINHTTP_AUTOLOGON_SECURITY_LEVEL_HIGH);
        setOption(WINHTTP_OPTION_DISABLE_FEATURE, WINHTTP_DISABLE_AUTHENTICATION);
        setOption(WINHTTP_OPTION_MAX_HTTP_AUTOMATIC_REDIRECTS, kMostRedirects);
        // WinHTTP's own timeouts must not expire before ours.
        const auto connect = static_cast<int>(request_.connectTimeout.count());
        const auto answer = static_cast<int>((request_.connectTimeout + request_.stallTimeout).count()) * 2;
        ::WinHttpSetTimeouts(handle_.get(), connect, connect, answer, answer);
        // Requests uncompressed debug files; some servers compress them anyway.
        addHeader("Accept-Encoding: identity");
        for (const auto& line : request_.headers)
            addHeader(line);
        if (request_.fromByte == 0) return;
        addHeader("Range: bytes=" + std::to_string(request_.fromByte) + "-");
        if (!request_.validator.empty()) addHeader("If-Range: " + request_.validator);
    }
    void setOption(DWORD option, DWORD value) { ::WinHttpSetOption(handle_.get(), option, &value, sizeof(value)); }
    void addHeader(const std::string& line) {
        ::WinHttpAddRequestHeaders(handle_.get(), wide(line).c_str(), static_cast<DWORD>(-1),
                                   WINHTTP_ADDREQ_FLAG_ADD | WINHTTP_ADDREQ_FLAG_REPLACE);
    }

    bool watch() {
        auto context = std::make_unique<std::shared_ptr<Notices>>(notices_);
        auto value = reinterpret_cast<DWORD_PTR>(context.get());
        constexpr DWORD kWhat = WINHTTP_CALLBACK_FLAG_ALL_COMPLETIONS | WINHTTP_CALLBACK_FLAG_HANDLES;
        if (!::WinHttpSetOption(handle_.get(), WINHTTP_OPTION_CONTEXT_VALUE, &value, sizeof(value)))
            return fail(End::NotHttp, ::GetLastError());
        if (::WinHttpSetStatusCallback(handle_.get(), &onNotice, kWhat, 0) == WINHTTP_INVALID_STATUS_CALLBACK)
            return fail(End::NotHttp, ::GetLastError());
        (void)context.release(); // owned by the callback until the handle is closed
        return true;
    }

    bool send() {
        auto& sent = notices_->body;
        if (request_.body) sent = *request_.body;
        const auto bytes = static_cast<DWORD>(sent.size());
        void* body = bytes == 0 ? nullptr : sent.data();
        return begun(::WinHttpSendRequest(handle_.get(), WINHTTP_NO_ADDITIONAL_HEADERS, 0, body, bytes, bytes, 0)) &&
               waitFor(request_.connectTimeout + request_.stallTimeout) &&
               begun(::WinHttpReceiveResponse(handle_.get(), nullptr)) &&
               waitFor(request_.connectTimeout + request_.stallTimeout);
    }

    bool receiveHead() {
        DWORD status = 0;
        DWORD bytes = sizeof(status);
        constexpr DWORD kStatus = WINHTTP_QUERY_STATUS_CODE | WINHTTP_QUERY_FLAG_NUMBER;
        ::WinHttpQueryHeaders(handle_.get(), kStatus, WINHTTP_HEADER_NAME_BY_INDEX, &status, &bytes,
                              WINHTTP_NO_HEADER_INDEX);
        response_.status = static_cast<int>(status);
        response_.retryAfter = std::chrono::seconds(numberIn(header(WINHTTP_QUERY_RETRY_AFTER)));
        const auto encoding = header(WINHTTP_QUERY_CONTENT_ENCODING);
        HttpHead head{response_.status, 0, 0, {}};
        constexpr std::string_view kBytes = "bytes ";
        if (const auto range = header(WINHTTP_QUERY_CONTENT_RANGE); range.starts_with(kBytes))
            head.fromByte = numberIn(std::string_view(range).substr(kBytes.size()));
        expected_ = numberIn(header(WINHTTP_QUERY_CONTENT_LENGTH));
        if (!encoding.empty() && encoding != "identity") {
            // A small compressed answer may have any size after decompression.
            if (request_.body) return fail(End::Packed, 0);
            unpacker_.emplace();
        } else {
            head.bodyBytes = expected_;
            const auto etag = header(WINHTTP_QUERY_ETAG);
            const bool isStrong = !etag.empty() && !etag.starts_with("W/");
            head.validator = isStrong ? etag : header(WINHTTP_QUERY_LAST_MODIFIED);
        }
        hasReportedHead_ = true;
        receiver_.onHead(head);
        return true;
    }

    /// "": not sent by the server.
    std::string header(DWORD which) {
        DWORD bytes = 0;
        ::WinHttpQueryHeaders(handle_.get(), which, WINHTTP_HEADER_NAME_BY_INDEX, nullptr, &bytes,
                              WINHTTP_NO_HEADER_INDEX);
        std::wstring text(bytes / sizeof(wchar_t), L'\0');
        if (text.empty() || !::WinHttpQueryHeaders(handle_.get(), which, WINHTTP_HEADER_NAME_BY_INDEX, text.data(),
                                                   &bytes, WINHTTP_NO_HEADER_INDEX))
            return {};
        text.resize(bytes / sizeof(wchar_t));
        return utf8(text);
    }
    static std::uint64_t numberIn(std::string_view text) {
        std::uint64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }

    void receiveBody() {
        for (;;) {
            // First waits for available data, because reading alone waits until the buffer is full.
            if (!begun(::WinHttpQueryDataAvailable(handle_.get(), nullptr)) || !waitFor(request_.stallTimeout)) return;
            if (bytes_ == 0) break;
            const auto wanted = std::min(bytes_, static_cast<DWORD>(kRoomBytes));
            if (!begun(::WinHttpReadData(handle_.get(), notices_->room.data(), wanted, nullptr)) ||
                !waitFor(request_.stallTimeout))
                return;
            if (bytes_ == 0) break;
            received_ += bytes_;
            const ByteSpan bytes(reinterpret_cast<const std::byte*>(notices_->room.data()), bytes_);
            if (!deliver(bytes)) return;
        }
        const bool isShort = received_ < expected_ || (unpacker_ && !unpacker_->isAtEnd());
        if (isShort) {
            response_.end = End::CutOff;
            response_.problem = "The connection was closed before the answer was complete.";
            return;
        }
        response_.end = End::Complete;
    }

    bool deliver(ByteSpan bytes) {
        if (!unpacker_) return receiver_.onBytes(bytes) || fail(End::Cancelled, 0);
        switch (unpacker_->unpack(bytes, receiver_.onBytes)) {
        case Unpacker::Outcome::Fine:
            return true;
        case Unpacker::Outcome::Refused:
            return fail(End::Cancelled, 0);
        case Unpacker::Outcome::Damaged:
            break;
        }
        response_.end = End::NotHttp;
        response_.problem = "The compressed answer from the server is damaged.";
        return false;
    }

    bool begun(BOOL isBegun) { return isBegun || fail(endOf(::GetLastError()), ::GetLastError()); }

    /// Waits until the current step is finished.
    bool waitFor(std::chrono::milliseconds limit) {
        const auto begin = std::chrono::steady_clock::now();
        for (;;) {
            if (stop_.stop_requested()) return fail(End::Cancelled, 0);
            if (const auto notice = notices_->waitFor(kTick)) {
                if (notice->status == WINHTTP_CALLBACK_STATUS_REQUEST_ERROR)
                    return fail(endOf(notice->error), notice->error);
                bytes_ = notice->bytes;
                return !isOverdue() || fail(End::TooSlow, ERROR_WINHTTP_TIMEOUT);
            }
            if (isOverdue()) return fail(End::TooSlow, ERROR_WINHTTP_TIMEOUT);
            if (std::chrono::steady_clock::now() - begin > limit)
                return fail(endOf(ERROR_WINHTTP_TIMEOUT), ERROR_WINHTTP_TIMEOUT);
        }
    }

    [[nodiscard]] bool isOverdue() const {
        return request_.wholeTimeout.count() > 0 && std::chrono::steady_clock::now() - begin_ > request_.wholeTimeout;
    }

    bool fail(End end, DWORD code) {
        response_.end = end;
        response_.problem = end == End::Cancelled ? "cancelled" : problemText(code);
        return false;
    }

    [[nodiscard]] End endOf(DWORD code) const {
        switch (code) {
        case ERROR_WINHTTP_INVALID_URL:
        case ERROR_WINHTTP_UNRECOGNIZED_SCHEME:
        case ERROR_WINHTTP_REDIRECT_FAILED:
        case ERROR_WINHTTP_INVALID_SERVER_RESPONSE:
            return End::NotHttp;
        case ERROR_WINHTTP_SECURE_FAILURE:
        case ERROR_WINHTTP_SECURE_CHANNEL_ERROR:
        case ERROR_WINHTTP_SECURE_INVALID_CERT:
        case ERROR_WINHTTP_SECURE_INVALID_CA:
        case ERROR_WINHTTP_SECURE_CERT_CN_INVALID:
        case ERROR_WINHTTP_SECURE_CERT_DATE_INVALID:
        case ERROR_WINHTTP_SECURE_CERT_REVOKED:
        case ERROR_WINHTTP_SECURE_CERT_WRONG_USAGE:
        case ERROR_WINHTTP_CLIENT_AUTH_CERT_NEEDED:
            return End::NotTrusted;
        default:
            return hasReportedHead_ ? End::CutOff : End::NoServer;
        }
    }

    const HttpRequest& request_;
    const HttpReceiver& receiver_;
    std::stop_token stop_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::shared_ptr<Notices> notices_ = std::make_shared<Notices>();
    Handle session_;
    Handle connection_;
    Handle handle_; ///< must be closed first
    HttpResponse response_;
    std::optional<Unpacker> unpacker_;
    DWORD bytes_ = 0; ///< byte count of the last notification
    std::uint64_t received_ = 0;
    std::uint64_t expected_ = 0; ///< size of the body as sent; 0: unknown
    bool hasReportedHead_ = false;
};

} // namespace

HttpResponse httpSend(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop) {
    return Transfer(request, receiver, std::move(stop)).run();
}

} // namespace highwater
