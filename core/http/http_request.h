#pragma once

#include "core/base/byte_reader.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater {

struct HttpRequest {
    std::string url;
    std::uint64_t fromByte = 0; ///< > 0: request only the rest
    std::string validator; ///< identifies the part that is here; if its file has changed, the server sends everything
    std::chrono::milliseconds connectTimeout{10'000};
    std::chrono::milliseconds stallTimeout{30'000}; ///< without any data
    std::string certificates = {}; ///< PEM file with trusted certificates; "": the system's (always on Windows)
    /// Present: POST without redirects and without compressed answers; otherwise GET.
    std::optional<std::string> body = {};
    std::vector<std::string> headers = {}; ///< for a POST, "Name: value"
    /// From connecting to the last byte; 0: no limit.
    std::chrono::milliseconds wholeTimeout = std::chrono::milliseconds::zero();
};

struct HttpResponse {
    enum class End {
        Complete,   ///< status and whole body received
        Cancelled,  ///< by the stop token or the receiver
        NoServer,   ///< unknown name, connection refused, or no answer
        CutOff,     ///< the connection ended or stalled in the middle
        NotHttp,    ///< invalid URL or answer
        NotTrusted, ///< https: no secure connection, for example because of the certificate
        TooSlow,    ///< exceeded wholeTimeout
        Packed,     ///< the answer is compressed although it must not be
    };
    End end = End::NoServer;
    int status = 0;                     ///< 200, 206, 404; 0: none received
    std::chrono::seconds retryAfter{0}; ///< requested by the server; 0: not requested
    std::string problem;                ///< a sentence if not complete
};

/// Facts from the headers of an answer.
struct HttpHead {
    int status = 0;
    std::uint64_t bodyBytes = 0; ///< bytes of the body; 0: unknown
    std::uint64_t fromByte = 0;  ///< offset of the body in the content
    /// Strong ETag or time of the content, used to request the rest; "": none, or the server compresses the content,
    /// which cannot be resumed.
    std::string validator;
};

/// Receives the headers and each part of the body. The body of a GET is decompressed.
struct HttpReceiver {
    /// Called once, before the first body byte, after the last redirect.
    std::function<void(const HttpHead& head)> onHead;
    /// Returns false to stop.
    std::function<bool(ByteSpan bytes)> onBytes;
};

/// Sends one GET, with redirects (http and https only, never from https to http, at most 10), or one POST. Sends no
/// credentials except those in its headers. Uses the proxy of the environment (http_proxy, https_proxy, ALL_PROXY,
/// NO_PROXY), on Windows the one in the settings. Blocks; call from a worker. Any thread.
[[nodiscard]] HttpResponse httpSend(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop);

} // namespace highwater
