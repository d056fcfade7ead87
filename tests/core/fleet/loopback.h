#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace highwater::tests {

/// A socket that listens on a local port of this machine, which the system chooses.
class LoopbackListener {
  public:
    LoopbackListener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
        ::listen(socket_, 16);
        socklen_t size = sizeof(address);
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
    }
    ~LoopbackListener() { ::close(socket_); }
    LoopbackListener(const LoopbackListener&) = delete;
    LoopbackListener& operator=(const LoopbackListener&) = delete;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] int socket() const { return socket_; }

  private:
    int socket_ = -1;
    int port_ = 0;
};

} // namespace highwater::tests
