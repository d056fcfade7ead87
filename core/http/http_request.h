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
    std::uint64_t fromByte = 0; ///< > 0: only the rest is asked for
    std::string validator;      ///< of the part that is here; the server sends everything when its file is another one
    std::chrono::milliseconds connectTimeout{10'000};
    std::chrono::milliseconds stallTimeout{30'000}; ///< without a byte
    std::string certificates =
        {}; ///< PEM file of whom https is believed; "": as the system has it (always so on Windows)
    /// There is one: POST, which follows no redirect and takes no packed answer; else GET.
    std::optional<std::string> body = {};
    std::vector<std::string> headers = {}; ///< of a POST, "Name: value"
    /// From the first step to the last byte; 0: as long as it takes.
    std::chrono::milliseconds wholeTimeout = std::chrono::milliseconds::zero();
};

struct HttpResponse {
    enum class End {
        Complete,   ///< a status and the whole body came
        Cancelled,  ///< the stop token, or the receiver
        NoServer,   ///< the name is unknown, nothing listens, no answer
        CutOff,     ///< it ended or stalled in the middle
        NotHttp,    ///< the URL or the answer makes no sense
        NotTrusted, ///< https: no secure connection, the certificate above all
        TooSlow,    ///< it took longer than the whole timeout
        Packed,     ///< the answer is packed, and was wanted plain
    };
    End end = End::NoServer;
    int status = 0;                     ///< 200, 206, 404; 0: none came
    std::chrono::seconds retryAfter{0}; ///< the server asks to wait; 0: it does not
    std::string problem;                ///< a sentence when it is not complete
};

/// What the headers of an answer say.
struct HttpHead {
    int status = 0;
    std::uint64_t bodyBytes = 0; ///< that will be received; 0: not said
    std::uint64_t fromByte = 0;  ///< the body is the content from here on
    /// Strong ETag or time of the content, for asking for the rest of it; "": the server gave none, or it packs the
    /// content on its way, which cannot be continued.
    std::string validator;
};

/// What the receiver is told when the headers are there, and for each part of the body; that of a GET is unpacked.
struct HttpReceiver {
    /// Called once, before the first body byte, for the last redirect.
    std::function<void(const HttpHead& head)> onHead;
    /// false: stop.
    std::function<bool(ByteSpan bytes)> onBytes;
};

/// One GET, with redirects (http and https only, never from https to http, at most 10), or one POST, without
/// credentials but those in its headers, through the proxy that the environment names (http_proxy, https_proxy,
/// ALL_PROXY, NO_PROXY), on Windows the one of its settings. Blocks; call from a worker. Any thread.
[[nodiscard]] HttpResponse httpSend(const HttpRequest& request, const HttpReceiver& receiver, std::stop_token stop);

} // namespace highwater
