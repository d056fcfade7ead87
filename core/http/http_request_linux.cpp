#include "core/http/http_request.h"

#include "core/base/text.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace highwater {
namespace {

constexpr long kMostRedirects = 10;

struct EasyDelete {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct ListDelete {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

bool initialize() {
    static const bool isReady = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return isReady;
}

/// One transfer, with the callbacks of curl.
class Transfer {
  public:
    Transfer(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop)
        : request_(request), receiver_(receiver), stop_(std::move(stop)), handle_(curl_easy_init()) {}

    HttpResponse run() {
        if (!handle_) return {HttpResponse::End::NotHttp, 0, {}, "libcurl could not be initialized."};
        setOptions();
        const auto code = curl_easy_perform(handle_.get());
        long status = 0;
        curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
        response_.status = static_cast<int>(status);
        curl_off_t wait = 0;
        curl_easy_getinfo(handle_.get(), CURLINFO_RETRY_AFTER, &wait);
        response_.retryAfter = std::chrono::seconds(wait);
        if (code == CURLE_OK) reportHead(); // for an empty body
        response_.end = endOf(code);
        if (code == CURLE_UNSUPPORTED_PROTOCOL && isSecure())
            response_.problem = "the server redirects from https to another protocol, which is not allowed";
        else if (code == CURLE_ABORTED_BY_CALLBACK)
            response_.problem = "no data was received for too long";
        else if (code != CURLE_OK)
            response_.problem = problem_[0] != 0 ? problem_.data() : curl_easy_strerror(code);
        else if (response_.end == HttpResponse::End::CutOff)
            response_.problem = "the connection was closed before the end of the headers";
        return std::move(response_);
    }

  private:
    void setOptions() {
        auto* handle = handle_.get();
        curl_easy_setopt(handle, CURLOPT_URL, request_.url.c_str());
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
        // A request that started with https must stay secure.
        curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, isSecure() ? "https" : "http,https");
        curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, request_.body ? 0L : 1L);
        curl_easy_setopt(handle, CURLOPT_MAXREDIRS, kMostRedirects);
        curl_easy_setopt(handle, CURLOPT_USERAGENT, "Highwater (Microsoft-Symbol-Server/10.0)");
        curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connectTimeout.count()));
        if (request_.wholeTimeout.count() > 0)
            curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request_.wholeTimeout.count()));
        curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, problem_.data());
        curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
        curl_easy_setopt(handle, CURLOPT_XFERINFODATA, this);
        curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &Transfer::onProgress);
        curl_easy_setopt(handle, CURLOPT_WRITEDATA, this);
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Transfer::onBody);
        curl_easy_setopt(handle, CURLOPT_HEADERDATA, this);
        curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Transfer::onHeader);
        if (!request_.certificates.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, request_.certificates.c_str());
        if (request_.body) return setBody();
        // Requests uncompressed debug files. Some servers compress them anyway, which is supported.
        curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "identity");
        if (request_.fromByte == 0) return;
        range_ = std::to_string(request_.fromByte) + "-";
        curl_easy_setopt(handle, CURLOPT_RANGE, range_.c_str());
        if (request_.validator.empty()) return;
        headers_.reset(curl_slist_append(nullptr, ("If-Range: " + request_.validator).c_str()));
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers_.get());
    }

    void setBody() {
        auto* handle = handle_.get();
        curl_easy_setopt(handle, CURLOPT_POST, 1L);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body->size()));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request_.body->data());
        auto* lines = curl_slist_append(nullptr, "Expect:"); // avoids a delay with servers that do not support it
        lines = curl_slist_append(lines, "Accept-Encoding: identity");
        for (const auto& line : request_.headers)
            lines = curl_slist_append(lines, line.c_str());
        headers_.reset(lines);
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers_.get());
    }

    [[nodiscard]] bool isSecure() const { return lowered(request_.url).starts_with("https:"); }

    static int onProgress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t sent) {
        auto& transfer = *static_cast<Transfer*>(self);
        return transfer.stop_.stop_requested() || transfer.hasStalled(received + sent) ? 1 : 0;
    }
    /// curl's own limit is an average over several seconds.
    bool hasStalled(curl_off_t moved) {
        const auto now = std::chrono::steady_clock::now();
        if (moved != moved_) lastByte_ = now;
        moved_ = moved;
        const auto limit = hasReportedHead_ ? request_.stallTimeout : request_.stallTimeout + request_.connectTimeout;
        return now - lastByte_ > limit;
    }
    static std::size_t onHeader(const char* text, std::size_t size, std::size_t count, void* self) {
        static_cast<Transfer*>(self)->readHeader({text, size * count});
        return size * count;
    }
    static std::size_t onBody(const char* bytes, std::size_t size, std::size_t count, void* self) {
        auto& transfer = *static_cast<Transfer*>(self);
        transfer.reportHead();
        if (transfer.isRefusedAsPacked()) return 0;
        const bool goesOn = transfer.receiver_.onBytes({reinterpret_cast<const std::byte*>(bytes), size * count});
        transfer.wasRefused_ = !goesOn;
        return goesOn ? size * count : 0;
    }

    /// A small compressed answer may have any size after decompression.
    [[nodiscard]] bool isRefusedAsPacked() const { return request_.body && isPacked_; }

    void readHeader(std::string_view line) {
        if (line.starts_with("HTTP/")) { // headers of an earlier redirect
            etag_.clear();
            modified_.clear();
            isPacked_ = false;
            fromByte_ = 0;
            isHeadWhole_ = false;
        }
        if (line == "\r\n" || line == "\n") isHeadWhole_ = true;
        if (const auto etag = valueOf(line, "etag:"); etag && !etag->starts_with("W/")) etag_ = *etag;
        if (const auto time = valueOf(line, "last-modified:")) modified_ = *time;
        constexpr std::string_view kBytes = "bytes ";
        if (const auto range = valueOf(line, "content-range:"); range && range->starts_with(kBytes))
            std::from_chars(range->data() + kBytes.size(), range->data() + range->size(), fromByte_);
        if (const auto encoding = valueOf(line, "content-encoding:")) isPacked_ = *encoding != "identity";
        if (const auto encoding = valueOf(line, "transfer-encoding:"))
            isPacked_ = isPacked_ || lowered(*encoding) != "chunked";
    }
    /// The value of a header line; `name` in lower case.
    static std::optional<std::string_view> valueOf(std::string_view line, std::string_view name) {
        if (line.size() < name.size()) return std::nullopt;
        for (std::size_t i = 0; i < name.size(); ++i) {
            const auto c = line[i] >= 'A' && line[i] <= 'Z' ? static_cast<char>(line[i] + ('a' - 'A')) : line[i];
            if (c != name[i]) return std::nullopt;
        }
        constexpr std::string_view kSpace = " \t\r\n";
        auto value = line.substr(name.size());
        value.remove_prefix(std::min(value.find_first_not_of(kSpace), value.size()));
        return value.substr(0, value.find_last_not_of(kSpace) + 1);
    }

    void reportHead() {
        if (hasReportedHead_) return;
        hasReportedHead_ = true;
        long status = 0;
        curl_off_t bytes = 0;
        curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(handle_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &bytes);
        HttpHead head{static_cast<int>(status), 0, fromByte_, {}};
        if (!isPacked_) {
            head.bodyBytes = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
            head.validator = etag_.empty() ? modified_ : etag_;
        }
        receiver_.onHead(head);
    }

    [[nodiscard]] HttpResponse::End endOf(CURLcode code) const {
        using End = HttpResponse::End;
        // curl treats the end of the connection as the end of the headers.
        if (code == CURLE_OK) return isHeadWhole_ ? End::Complete : End::CutOff;
        if (wasRefused_ || stop_.stop_requested()) return End::Cancelled;
        if (isRefusedAsPacked()) return End::Packed;
        if ((code == CURLE_OPERATION_TIMEDOUT || code == CURLE_ABORTED_BY_CALLBACK) && isOverdue()) return End::TooSlow;
        switch (code) {
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_TOO_MANY_REDIRECTS:
        case CURLE_WEIRD_SERVER_REPLY:
            return End::NotHttp;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_INVALIDCERTSTATUS:
            return End::NotTrusted;
        case CURLE_RANGE_ERROR:
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
            return End::CutOff;
        default:
            return hasReportedHead_ ? End::CutOff : End::NoServer;
        }
    }

    /// curl returns the same error if connecting took too long.
    [[nodiscard]] bool isOverdue() const {
        constexpr std::chrono::milliseconds kRounding{50};
        const auto took = std::chrono::steady_clock::now() - begin_;
        return request_.wholeTimeout.count() > 0 && took + kRounding >= request_.wholeTimeout;
    }

    const HttpRequest& request_;
    const HttpReceiver& receiver_;
    std::stop_token stop_;
    std::unique_ptr<CURL, EasyDelete> handle_;
    std::unique_ptr<curl_slist, ListDelete> headers_;
    std::string range_;
    HttpResponse response_;
    std::array<char, CURL_ERROR_SIZE> problem_{};
    std::string etag_;
    std::string modified_;
    bool isPacked_ = false;
    bool isHeadWhole_ = false;
    std::uint64_t fromByte_ = 0;
    bool hasReportedHead_ = false;
    bool wasRefused_ = false;
    curl_off_t moved_ = 0; ///< in both directions
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point lastByte_ = begin_;
};

} // namespace

HttpResponse httpSend(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop) {
    if (!initialize()) return {HttpResponse::End::NotHttp, 0, {}, "libcurl could not be initialized."};
    return Transfer(request, receiver, std::move(stop)).run();
}

} // namespace highwater
