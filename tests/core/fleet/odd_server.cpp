#include "tests/core/fleet/odd_server.h"

#include <fmt/format.h>
#include <poll.h>

namespace highwater::tests {

OddServer::OddServer(std::function<Answer(const Request&)> answer)
    : answer_(std::move(answer)), thread_([this] { serve(); }) {}

OddServer::~OddServer() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    thread_.join();
    for (auto& connection : connections_)
        connection.join();
}

std::string OddServer::place() const { return fmt::format("clickhouse://127.0.0.1:{}/fleet", listener_.port()); }

std::vector<OddServer::Request> OddServer::requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
}

OddServer::Answer OddServer::fine(const std::string& body) {
    return {fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", body.size(), body)};
}
OddServer::Answer OddServer::exception(int code, const std::string& words) {
    const auto body =
        fmt::format("Code: {}, e.displayText() = DB::Exception: {}, e.what() = DB::Exception\n", code, words);
    return {fmt::format("HTTP/1.1 500 Internal Server Error\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                        body.size(), body)};
}

void OddServer::serve() {
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (isEnding_) return;
        }
        pollfd wait{listener_.socket(), POLLIN, 0};
        if (::poll(&wait, 1, 20) <= 0) continue;
        const int connection = ::accept(listener_.socket(), nullptr, nullptr);
        if (connection >= 0) connections_.emplace_back([this, connection] { serveOne(connection); });
    }
}

void OddServer::serveOne(int connection) {
    const auto isEnding = [&] {
        const std::lock_guard lock(mutex_);
        return isEnding_;
    };
    std::string bytes;
    std::size_t head = std::string::npos, length = 0;
    while (!isEnding() && (head == std::string::npos || bytes.size() < head + 4 + length)) {
        pollfd wait{connection, POLLIN, 0};
        if (::poll(&wait, 1, 20) <= 0) continue;
        char room[65536];
        const auto count = ::recv(connection, room, sizeof(room), 0);
        if (count <= 0) break;
        bytes.append(room, static_cast<std::size_t>(count));
        head = bytes.find("\r\n\r\n");
        const auto at = bytes.find("Content-Length: ");
        if (head != std::string::npos && at < head) length = std::stoul(bytes.substr(at + 16));
    }
    Request request{bytes.substr(0, head), head == std::string::npos ? "" : bytes.substr(head + 4)};
    Answer answer;
    {
        const std::lock_guard lock(mutex_);
        answer = answer_(request);
        requests_.push_back(std::move(request));
    }
    const std::size_t step = answer.pauseMs == 0 ? answer.bytes.size() : 1;
    for (std::size_t at = 0; at < answer.bytes.size() && !isEnding(); at += step) {
        if (::send(connection, answer.bytes.data() + at, step, MSG_NOSIGNAL) < 0) break;
        if (answer.pauseMs > 0) std::this_thread::sleep_for(std::chrono::milliseconds(answer.pauseMs));
    }
    while (answer.staysOpen && !isEnding())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::close(connection);
}

} // namespace highwater::tests
