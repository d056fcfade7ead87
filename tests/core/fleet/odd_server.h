#pragma once

#include "tests/core/fleet/loopback.h"

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace highwater::tests {

/// A server that answers each request as a test specifies, with HTTP bytes that may be wrong in any way.
class OddServer {
  public:
    struct Request {
        std::string head; ///< with the query in its first line
        std::string body;
    };
    struct Answer {
        std::string bytes;
        int pauseMs = 0;        ///< after each byte; 0: all at once
        bool staysOpen = false; ///< sends nothing more, and hangs
    };
    explicit OddServer(std::function<Answer(const Request&)> answer);
    ~OddServer();

    [[nodiscard]] std::string place() const;
    [[nodiscard]] std::vector<Request> requests();

    /// Status 200 with this body.
    static Answer fine(const std::string& body);
    /// A refusal as ClickHouse writes it.
    static Answer exception(int code, const std::string& words);

  private:
    void serve();
    void serveOne(int connection);

    LoopbackListener listener_;
    std::function<Answer(const Request&)> answer_;
    std::mutex mutex_;
    std::vector<Request> requests_;
    bool isEnding_ = false;
    std::vector<std::thread> connections_;
    std::thread thread_;
};

} // namespace highwater::tests
