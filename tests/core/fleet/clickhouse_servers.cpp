#include "tests/core/fleet/clickhouse_servers.h"

#include "core/http/http_request.h"
#include "tests/core/fleet/loopback.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <csignal>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace highwater::tests {
namespace {

/// Ports without a listener. All are taken before any is released, so that they differ.
std::vector<int> freePorts(std::size_t count) {
    std::vector<std::unique_ptr<LoopbackListener>> listeners;
    std::vector<int> ports;
    while (ports.size() < count) {
        listeners.push_back(std::make_unique<LoopbackListener>());
        ports.push_back(listeners.back()->port());
    }
    return ports;
}

void writeFile(const QString& name, const std::string& text) {
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write a configuration");
    file.write(text.data(), static_cast<qint64>(text.size()));
}

// "guarded" has a password, "small" may send no queries for an hour.
constexpr const char* kUsers = R"(<yandex>
<profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
<users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<guarded><password>s3cret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></guarded>
<small><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>small</quota></small>
</users>
<quotas><default></default>
<small><interval><duration>3600</duration><queries>1</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></small></quotas>
</yandex>)";

} // namespace

ClickHouseServers::ClickHouseServers(int count, Files files)
    : folder_(files == Files::InMemory && QFile::exists("/dev/shm") ? "/dev/shm/highwater-clickhouse-XXXXXX" : "") {
    if (QStandardPaths::findExecutable("clickhouse-server", {"/usr/bin", "/usr/sbin", "/usr/local/bin"}).isEmpty()) {
        problem_ = "clickhouse-server is not installed (installer/packages-test.txt)";
        return;
    }
    const auto ports = freePorts(static_cast<std::size_t>(count) * 3);
    for (int i = 0; i < count; ++i) {
        const auto* port = &ports[static_cast<std::size_t>(i) * 3];
        servers_.push_back({port[0], port[1], port[2], folder_.filePath(QString::number(i)), nullptr});
        QDir().mkpath(servers_.back().folder);
    }
    for (int i = 0; i < count; ++i) {
        writeConfiguration(servers_[static_cast<std::size_t>(i)]);
        start(i);
    }
    for (int i = 0; i < count; ++i)
        if (!waitUntilUp(i)) problem_ = "clickhouse-server does not start";
}

ClickHouseServers::~ClickHouseServers() {
    for (int i = 0; i < static_cast<int>(servers_.size()); ++i)
        kill(i);
}

void ClickHouseServers::kill(int server) {
    auto& process = servers_[static_cast<std::size_t>(server)].process;
    if (!process) return;
    process->kill();
    process->waitForFinished();
    process.reset();
}

void ClickHouseServers::start(int number) {
    auto& server = servers_[static_cast<std::size_t>(number)];
    server.process = std::make_unique<QProcess>();
    server.process->setWorkingDirectory(server.folder);
    server.process->setStandardOutputFile(QProcess::nullDevice());
    server.process->setStandardErrorFile(QProcess::nullDevice());
    const auto parent = ::getpid();
    server.process->setChildProcessModifier([parent] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1); // it was too late
    });
    server.process->start(
        QStandardPaths::findExecutable("clickhouse-server", {"/usr/bin", "/usr/sbin", "/usr/local/bin"}),
        {"--config-file=" + server.folder + "/config.xml"});
}

bool ClickHouseServers::waitUntilUp(int server) const {
    QElapsedTimer time;
    for (time.start(); time.elapsed() < 60'000; QTest::qWait(50))
        if (ask(server, "SELECT 1") == "1\n") return true;
    return false;
}

void ClickHouseServers::writeConfiguration(const Server& server) const {
    std::string shards;
    for (const auto& one : servers_)
        shards += fmt::format("<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>", one.native);
    const auto folder = server.folder.toStdString();
    writeFile(server.folder + "/users.xml", kUsers);
    writeFile(
        server.folder + "/config.xml",
        fmt::format("<yandex><logger><level>warning</level><log>{0}/log</log><errorlog>{0}/errors</errorlog></logger>"
                    "<listen_host>127.0.0.1</listen_host><http_port>{1}</http_port><tcp_port>{2}</tcp_port>"
                    "<interserver_http_port>{3}</interserver_http_port>"
                    "<interserver_http_host>127.0.0.1</interserver_http_host>"
                    "<path>{0}/data/</path><tmp_path>{0}/tmp/</tmp_path>"
                    "<user_files_path>{0}/files/</user_files_path><format_schema_path>{0}/schemas/</format_schema_path>"
                    "<users_config>{0}/users.xml</users_config><default_profile>default</default_profile>"
                    "<default_database>default</default_database><mark_cache_size>100000000</mark_cache_size>"
                    "<remote_servers><three>{4}</three></remote_servers></yandex>",
                    folder, server.http, server.native, server.others, shards));
}

std::string ClickHouseServers::place(int server, const std::string& database) const {
    return fmt::format("clickhouse://127.0.0.1:{}/{}", servers_[static_cast<std::size_t>(server)].http, database);
}

std::string ClickHouseServers::ask(int server, const std::string& sql) const {
    HttpRequest request;
    request.url =
        fmt::format("http://127.0.0.1:{}/?wait_end_of_query=1", servers_[static_cast<std::size_t>(server)].http);
    request.body = sql;
    request.stallTimeout = std::chrono::seconds(30);
    std::string answer;
    HttpReceiver receiver{[](const HttpHead&) {},
                          [&](ByteSpan bytes) {
                              answer.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                              return true;
                          }};
    return httpSend(request, receiver, {}).end == HttpResponse::End::Complete ? answer : std::string();
}

} // namespace highwater::tests
