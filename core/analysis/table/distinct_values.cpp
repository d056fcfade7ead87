#include "core/analysis/table/distinct_values.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/base/seeded_hash.h"

#include <bit>

namespace highwater::analysis {
namespace {

constexpr std::uint64_t kRecent = 1u << 13;
constexpr std::uint64_t kFewValues = 1u << 14;      ///< counted in one part
constexpr std::uint64_t kValuesPerRound = 1u << 25; ///< 16 bytes each
constexpr std::uint32_t kManyParts = 1u << 8;
constexpr unsigned kManyPartsShift = 56;
constexpr unsigned kRoundShift = 24; ///< hash bits that select the round, not used otherwise

} // namespace

DistinctValues::DistinctValues(unsigned workers, std::size_t groups, std::uint64_t expected)
    : partShift_(expected > kFewValues ? kManyPartsShift : 63),
      rounds_(static_cast<std::uint32_t>(expected / kValuesPerRound + 1)),
      workers_(workers),
      counts_(groups) {
    for (auto& worker : workers_) {
        worker.parts.resize(partShift_ == kManyPartsShift ? kManyParts : 2);
        worker.recent.resize(kRecent);
    }
}

std::uint64_t DistinctValues::hashOf(const Entry& entry) { return seededHash(entry.value, entry.group); }

void DistinctValues::add(unsigned number, std::uint32_t group, std::uint64_t value) {
    auto& worker = workers_[number];
    const Entry entry{value, group};
    const auto hash = hashOf(entry);
    if (rounds_ > 1 && ((hash >> kRoundShift) & 0xFFFFu) % rounds_ != round_) return;
    auto& recent = worker.recent[hash % kRecent];
    if (recent == entry) return;
    recent = entry;
    worker.parts[hash >> partShift_].push_back(entry);
}

bool DistinctValues::endRound(const std::stop_token& stop) {
    std::vector<std::vector<Entry>> tables(workers_.size());
    std::vector<std::vector<std::uint64_t>> counts(workers_.size(), std::vector<std::uint64_t>(counts_.size()));
    const auto parts = workers_.front().parts.size();
    const auto threads = static_cast<unsigned>(workers_.size());
    const bool finished = forEachSpan(parts, threads, stop, [&](unsigned worker, std::uint64_t part) {
        countPart(part, tables[worker], counts[worker]);
    });
    for (const auto& own : counts) {
        for (std::size_t group = 0; group < counts_.size(); ++group) {
            counts_[group] += own[group];
        }
    }
    round_ = finished ? round_ + 1 : rounds_;
    return finished;
}

void DistinctValues::countPart(std::uint64_t part, std::vector<Entry>& table, std::vector<std::uint64_t>& counts) {
    std::uint64_t values = 0;
    for (const auto& worker : workers_) {
        values += worker.parts[part].size();
    }
    table.assign(std::bit_ceil(2 * values + 1), Entry{});
    const auto mask = table.size() - 1;
    for (auto& worker : workers_) {
        for (const auto& entry : worker.parts[part]) {
            auto place = hashOf(entry) & mask;
            while (table[place].group != kNoGroup && !(table[place] == entry))
                place = (place + 1) & mask;
            if (table[place].group != kNoGroup) continue;
            table[place] = entry;
            ++counts[entry.group];
        }
        worker.parts[part].clear();
    }
}

} // namespace highwater::analysis
