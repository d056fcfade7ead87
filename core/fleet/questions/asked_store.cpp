#include "core/fleet/questions/asked_store.h"

#include <algorithm>

namespace highwater::fleet {
namespace {

const Error kNotYet{ErrorKind::Unsupported, "This question cannot be asked yet."};

bool hasLabels(const summary::RunFacts& facts, const RunFilter& filter) {
    return std::ranges::all_of(
        filter.labels, [&](const auto& label) { return std::ranges::find(facts.labels, label) != facts.labels.end(); });
}

} // namespace

Result<std::vector<StoredRun>> AskedStore::labelledRuns(const RunFilter& filter, const std::stop_token& stop) {
    auto found = storedRuns(filter, stop);
    if (found.hasValue())
        std::erase_if(found.value(), [&](const auto& run) { return !hasLabels(run.row.facts, filter); });
    return found;
}

Result<std::vector<RunRow>> AskedStore::runs(const RunFilter& filter, const std::stop_token& stop) {
    auto found = labelledRuns(filter, stop);
    if (!found.hasValue()) return found.error();
    std::vector<RunRow> rows;
    for (auto& run : found.value())
        rows.push_back(std::move(run.row));
    return rows;
}

Result<GrewAnswer> AskedStore::grew(const GrewQuestion&, const std::stop_token&) { return kNotYet; }
Result<GrewAnswer> AskedStore::presence(const PresenceQuestion&, const std::stop_token&) { return kNotYet; }
Result<HistoryAnswer> AskedStore::history(const HistoryQuestion&, const std::stop_token&) { return kNotYet; }
Result<std::vector<WorstRun>> AskedStore::worst(const WorstQuestion&, const std::stop_token&) { return kNotYet; }
Result<std::vector<SlopeRow>> AskedStore::slopes(const std::string&, const SampleFilter&, std::size_t,
                                                 const std::stop_token&) {
    return kNotYet;
}
Result<std::vector<HealthRow>> AskedStore::health(const RunFilter&, const std::stop_token&) { return kNotYet; }

} // namespace highwater::fleet
