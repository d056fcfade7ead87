#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// ClickHouse servers on local ports of this machine, which are the shards of the cluster "three". They end with this
/// object, and with the test program, however it ends.
class ClickHouseServers {
  public:
    /// The location of their files: in memory where possible, because each insert makes a hundred files, or in the
    /// folder for temporary files.
    enum class Files : std::uint8_t { InMemory, OnDisk };
    explicit ClickHouseServers(int count, Files files = Files::InMemory);
    ~ClickHouseServers();

    /// Empty when they run; otherwise the reason: "clickhouse-server is not installed".
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::string place(int server, const std::string& database) const;
    /// A server's answer as text.
    std::string ask(int server, const std::string& sql) const;
    void kill(int server);
    void start(int server);
    [[nodiscard]] bool waitUntilUp(int server) const;

  private:
    struct Server {
        int http = 0, native = 0, others = 0;
        QString folder;
        std::unique_ptr<QProcess> process;
    };
    void writeConfiguration(const Server& server) const;

    QTemporaryDir folder_;
    std::vector<Server> servers_;
    std::string problem_;
};

} // namespace highwater::tests
