#include "core/fleet/clickhouse/clickhouse_questions.h"
#include "core/fleet/clickhouse/clickhouse_store.h"

namespace highwater::fleet {

Result<bool> ClickHouseStore::change(std::string_view sql, const Values& values, const std::stop_token& stop) {
    for (int attempt = 1;; ++attempt) {
        const auto isThere = hasRun(std::get<std::string>(values.at("run")));
        // Also after an incomplete answer, because the run may already have been removed.
        if (isThere.hasValue() && !isThere.value()) return attempt > 1;
        // Otherwise a server may acknowledge rows for other servers before it has sent them.
        const auto changed = isThere.hasValue() ? server_.ask(filledIn(sql, values), stop, "&insert_distributed_sync=1")
                                                : Result<std::string>(isThere.error());
        if (changed.hasValue()) return true;
        if (!shouldRetry(attempt, stop)) return changed.error();
    }
}

Result<bool> ClickHouseStore::relabel(const summary::RunFacts& facts, const std::stop_token& stop) {
    std::vector<std::string> names, values;
    for (const auto& [name, value] : facts.labels) {
        names.push_back(name);
        values.push_back(value);
    }
    return change(sql::kClickHouseRelabel,
                  {{"run", facts.run},
                   {"trace", facts.trace},
                   {"build", facts.build},
                   {"machine", facts.machine},
                   {"scenario", facts.scenario},
                   {"names", names},
                   {"values", values}},
                  stop);
}

Result<bool> ClickHouseStore::remove(const std::string& run, const std::stop_token& stop) {
    return change(sql::kClickHouseRemove, {{"run", run}}, stop);
}

} // namespace highwater::fleet
