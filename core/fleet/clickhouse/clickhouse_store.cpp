#include "core/fleet/clickhouse/clickhouse_store.h"

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/fleet/clickhouse/clickhouse_questions.h"
#include "core/fleet/clickhouse/row_binary.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace highwater::fleet {
namespace {

constexpr std::uint32_t kSchemaVersion = 2;
constexpr int kNoDatabase = 81;

ByteSpan bytesOfAnswer(const std::string& answer) {
    return {reinterpret_cast<const std::byte*>(answer.data()), answer.size()};
}

/// The cluster in "Distributed(three, fleet, runs_local, ...)", which newer servers write with quotes.
std::string clusterOf(std::string_view engine) {
    const auto begin = std::min(engine.find('('), engine.size() - 1) + 1;
    const auto word = trimmed(engine.substr(begin, engine.find(',', begin) - begin));
    return std::string(word.starts_with('\'') && word.size() > 2 ? word.substr(1, word.size() - 2) : word);
}

} // namespace

std::uint64_t clickHouseId(std::string_view name) {
    const auto digest = sha256({reinterpret_cast<const std::byte*>(name.data()), name.size()});
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < 8; ++i)
        id = id << 8 | digest[i];
    return id == 0 ? 1 : id;
}
std::uint64_t clickHouseWindow(std::string_view name) { return name == "whole" ? 0 : clickHouseId(name); }

Result<std::string> ClickHouseStore::answerOf(std::string_view sql, const Values& values, const std::stop_token& stop) {
    return server_.ask(filledIn(sql, values) + "\nFORMAT RowBinary", stop);
}

Result<std::uint32_t> ClickHouseStore::version(const std::stop_token& stop) {
    const auto answer = TRY(server_.ask("SELECT version FROM fleet FORMAT RowBinary", stop));
    RowBinaryReader row(bytesOfAnswer(answer));
    const auto version = row.take<std::uint32_t>();
    if (!row.isWhole() || !row.isAtEnd()) return server_.notUnderstood();
    return version;
}

Result<void> ClickHouseStore::open(const std::stop_token& stop) {
    if (isOpen_) return {};
    const auto found = TRY(version(stop));
    if (found != kSchemaVersion)
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} at {} is a fleet of version {}, but this program supports version {}. {}.",
                                 server_.place().database, server_.place().host, found, kSchemaVersion,
                                 found > kSchemaVersion ? "Use a newer Highwater" : "Create a new fleet")};
    isOpen_ = true;
    return {};
}

Result<void> ClickHouseStore::create(const std::string& cluster) {
    if (!cluster.empty() && !isIdentifier(cluster))
        return Error{ErrorKind::Usage, fmt::format("{} is not a valid cluster name. Use only letters, digits and _.",
                                                   printable(cluster))};
    if (const auto opened = open({}); !opened.hasValue()) {
        const auto code = server_.lastError().code;
        if (opened.error().kind != ErrorKind::NotFound || (code != kNoClickHouseTable && code != kNoDatabase))
            return opened;
    }
    if (!cluster.empty()) {
        TRY(checkCluster(cluster));
        TRY(checkTables(cluster));
        return createOn(cluster);
    }
    // A table of later versions must be like the others of the fleet.
    const auto there = TRY(clusterOfFleet());
    if (there && isIdentifier(*there)) return createOn(*there);
    TRY(makeTables({}, {}));
    return open({});
}

Result<void> ClickHouseStore::createOn(const std::string& cluster) {
    // If the servers share statements, one request is enough.
    if (makeTables(cluster, "ON CLUSTER " + cluster).hasValue()) return open({});
    TRY(makeTables(cluster, {}));
    // The newest table. If it exists, the others exist.
    if (!server_.ask("SELECT count() FROM process_memory FORMAT RowBinary", {}).hasValue())
        return Error{
            ErrorKind::NotFound,
            fmt::format(
                "The tables were created only at {} because the servers of cluster {} do not share statements "
                "(they have no ZooKeeper). Run the same command with the address of each server. A query over all "
                "servers failed: {}",
                server_.place().host, cluster, server_.lastError().error.message)};
    return open({});
}

Result<void> ClickHouseStore::checkCluster(const std::string& cluster) {
    const auto answer =
        server_.ask(filledIn("SELECT count() FROM system.clusters WHERE cluster = {name:String} FORMAT RowBinary",
                             {{"name", cluster}}),
                    {});
    // The database may not exist yet.
    if (!answer.hasValue() && server_.lastError().code == kNoDatabase) return {};
    const auto clusters = TRY(answer);
    RowBinaryReader row(bytesOfAnswer(clusters));
    if (row.take<std::uint64_t>() > 0) return {};
    if (!row.isWhole()) return server_.notUnderstood();
    return Error{ErrorKind::NotFound,
                 fmt::format("ClickHouse at {} has no cluster {}. Its setting remote_servers lists the "
                             "available clusters.",
                             server_.place().host, cluster)};
}

Result<std::optional<std::string>> ClickHouseStore::clusterOfFleet() {
    const auto answer = server_.ask("SELECT engine, engine_full FROM system.tables WHERE database = currentDatabase() "
                                    "AND name = 'runs' FORMAT RowBinary",
                                    {});
    std::optional<std::string> none;
    if (!answer.hasValue() && server_.lastError().code == kNoDatabase) return none;
    const auto tables = TRY(answer);
    RowBinaryReader row(bytesOfAnswer(tables));
    if (row.isAtEnd()) return none;
    const auto engine = row.takeText();
    auto found = clusterOf(row.takeText());
    if (!row.isWhole()) return server_.notUnderstood();
    return std::optional(engine == "Distributed" ? std::move(found) : std::string());
}

/// Tables are created only if they do not exist, so existing tables of another kind would remain.
Result<void> ClickHouseStore::checkTables(const std::string& cluster) {
    const auto found = TRY(clusterOfFleet());
    if (!found || *found == cluster) return {};
    return Error{ErrorKind::Usage,
                 fmt::format("{} at {} is already a fleet {}. Choose another database for a fleet on cluster {}.",
                             server_.place().database, server_.place().host,
                             found->empty() ? "on a single server" : "on cluster " + printable(*found), cluster)};
}

Result<void> ClickHouseStore::makeTables(const std::string& cluster, const std::string& on) {
    const auto& database = server_.place().database;
    auto anywhere = server_.place();
    anywhere.database = "system";
    TRY(ClickHouseServer(anywhere, {}).ask(fmt::format("CREATE DATABASE IF NOT EXISTS {} {}", database, on), {}));
    const auto others =
        TRY(server_.ask("SELECT name FROM system.tables WHERE database = currentDatabase() FORMAT RowBinary", {}));
    std::set<std::string> names;
    for (RowBinaryReader rows(bytesOfAnswer(others)); !rows.isAtEnd();)
        names.insert(rows.takeText());
    if (!names.empty() && !names.contains("fleet"))
        return Error{ErrorKind::Usage, fmt::format("Database {} at {} contains other tables. Choose another name.",
                                                   database, server_.place().host)};
    const Values values{{"local", SqlWord{cluster.empty() ? "" : "_local"}},
                        {"on", SqlWord{on}},
                        {"cluster", SqlWord{cluster}},
                        {"database", SqlWord{database}}};
    auto statements = statementsOf(sql::kClickHouseSchema);
    if (!cluster.empty())
        for (auto& statement : statementsOf(sql::kClickHouseSchemaCluster))
            statements.push_back(std::move(statement));
    for (auto& statement : statementsOf(sql::kClickHouseSchemaViews))
        statements.push_back(std::move(statement));
    for (const auto& statement : statements)
        TRY(server_.ask(filledIn(statement, values), {}));
    return {};
}

Result<ClickHouseStore::RunState> ClickHouseStore::stateOf(const std::string& run) {
    TRY(open({}));
    const auto answer =
        TRY(answerOf("SELECT version, is_removed FROM runs WHERE run = {run:String} ORDER BY version DESC, "
                     "is_removed DESC, load DESC LIMIT 1",
                     {{"run", run}}, {}));
    RunState state;
    RowBinaryReader row(bytesOfAnswer(answer));
    if (row.isAtEnd()) return state;
    state.version = row.take<std::uint64_t>();
    state.isThere = row.take<std::uint8_t>() == 0;
    if (!row.isWhole()) return server_.notUnderstood();
    return state;
}

Result<bool> ClickHouseStore::hasRun(const std::string& run) {
    const auto state = TRY(stateOf(run));
    return state.isThere;
}

} // namespace highwater::fleet
