#pragma once

#include "core/analysis/difference/difference.h"
#include "tests/core/analysis/difference/named_labels.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace highwater::tests {

using analysis::Change, analysis::Column, analysis::ComparedTrace, analysis::DifferenceQuery, analysis::DifferenceState,
    analysis::Measure, analysis::Table;

/// Renames for the named modules A, B and C; D has no names. In a side with other names, C and two.exe are renamed.
inline constexpr auto kPlainRenames = "C!old = C!new\ntwo.exe = one.exe";

/// One of the compared traces, with the plain rows of its interval.
struct Recorded {
    std::unique_ptr<RandomTrace> random;
    const Publication* publication = nullptr;
    ComparedTrace compared;
    std::unique_ptr<Recount> recount;
    std::vector<RecountRow> rows;
};

/// Rows of one group, by trace.
using Rows = std::vector<std::vector<std::size_t>>;
using Numbers = std::vector<std::int64_t>;

/// docs/numbers.md 15, implemented literally.
class PlainDifference {
  public:
    explicit PlainDifference(unsigned seed) : random_(seed) {
        hasRenames_ = pick(2) == 0;
        query_.table = pick(2) == 0 ? Table::Heap : Table::VirtualAlloc;
        query_.processExitFreesHeap = pick(4) == 0;
        query_.decides = analysis::kMeasures[pick(analysis::kMeasures.size())];
        query_.isRising = pick(4) == 0;
        query_.smallest = pick(3) == 0 ? pick(20) : 0;
        query_.allocatorFrames = std::make_shared<analysis::AllocatorFrames>("D!*");
        if (hasRenames_)
            query_.renames = std::make_shared<const analysis::Renames>(analysis::Renames::parse(kPlainRenames).value());
        static const std::vector<std::vector<Column>> kKeys{{Column::Process, Column::Stack},
                                                            {Column::Process, Column::StackBottomUp},
                                                            {Column::Stack},
                                                            {Column::ProcessName, Column::Type, Column::Stack},
                                                            {Column::StackBottomUp, Column::Process},
                                                            {Column::FreeType, Column::ThreadName}};
        query_.keys = kKeys[pick(static_cast<unsigned>(kKeys.size()))];
        isFiltered_ = pick(4) == 0;
        static constexpr std::array kCounts{1u, 1u, 1u, 2u, 3u, 4u, 5u};
        sides_ = {kCounts[pick(kCounts.size())], kCounts[pick(kCounts.size())]};
        for (unsigned i = 0; i < sides_[0] + sides_[1]; ++i)
            add(seed * 16 + i, i < sides_[0]);
        divide();
    }

    [[nodiscard]] const DifferenceQuery& query() const { return query_; }
    [[nodiscard]] const std::map<TextPath, Rows>& groups() const { return groups_; }

    [[nodiscard]] std::size_t traces() const { return recorded_.size(); }
    [[nodiscard]] bool isBefore(std::size_t trace) const { return isBefore_[trace]; }
    /// Rows with exactly this path, not only with this prefix.
    [[nodiscard]] const std::map<TextPath, Rows>& ends() const { return ends_; }
    /// The length of a trace's interval, as far as the trace reaches.
    [[nodiscard]] std::int64_t length(std::size_t trace) const {
        const auto& compared = recorded_[trace].compared;
        return std::max<std::int64_t>(
            std::min(compared.interval.end, compared.trace->horizon).ns - compared.interval.start.ns, 0);
    }
    /// The highest amount of outstanding bytes from each of these instants to the next; instants count from the start
    /// of the interval.
    [[nodiscard]] Numbers line(const Rows& rows, std::size_t trace, const Numbers& edges) const {
        std::vector<TraceTime> starts;
        for (const auto edge : edges)
            if (edge < length(trace)) starts.push_back(TraceTime{recorded_[trace].compared.interval.start.ns + edge});
        std::vector<RecountRow> ofTrace;
        for (const auto row : rows[trace])
            ofTrace.push_back(recorded_[trace].rows[row]);
        return recorded_[trace].recount->timeline(ofTrace, starts);
    }

    [[nodiscard]] Numbers values(const Rows& rows, Measure measure) const {
        Numbers values;
        for (std::size_t i = 0; i < recorded_.size(); ++i) {
            std::vector<RecountRow> ofTrace;
            for (const auto row : rows[i])
                ofTrace.push_back(recorded_[i].rows[row]);
            const auto sums = recorded_[i].recount->sums(ofTrace);
            switch (measure) {
            case Measure::Outstanding:
                values.push_back(outstanding(recorded_[i], ofTrace));
                break;
            case Measure::Count:
                values.push_back(sums.count);
                break;
            case Measure::Size:
                values.push_back(sums.size);
                break;
            case Measure::ImpactingSize:
                values.push_back(sums.impacting);
                break;
            case Measure::PeakSize:
                values.push_back(sums.peak);
                break;
            case Measure::Allocated:
                values.push_back(sums.allocated);
                break;
            }
        }
        return values;
    }

    [[nodiscard]] static std::int64_t median(Numbers values) {
        std::sort(values.begin(), values.end());
        const auto sum = values[(values.size() - 1) / 2] + values[values.size() / 2];
        return sum >= 0 ? sum / 2 : (sum - 1) / 2;
    }

    [[nodiscard]] Change change(const Numbers& values) const {
        return {median({values.begin(), values.begin() + sides_[0]}),
                median({values.begin() + sides_[0], values.end()})};
    }

    [[nodiscard]] DifferenceState state(const Rows& rows) {
        const auto values = this->values(rows, query_.decides);
        const auto counts = this->values(rows, Measure::Count);
        const auto delta = change(values).delta();
        const auto number = change(counts);
        const bool isOneEmpty = (number.before == 0) != (number.after == 0);
        if (std::abs(delta) < static_cast<std::int64_t>(query_.smallest)) return DifferenceState::Same;
        if (delta == 0 && !isOneEmpty) {
            const bool isEqual = std::set<std::int64_t>(values.begin(), values.end()).size() == 1;
            return isEqual || values.size() == 2 ? DifferenceState::Same : DifferenceState::Noise;
        }
        if (values.size() > 2 && !isSignificant(delta == 0 ? counts : values)) return DifferenceState::Noise;
        if (isOneEmpty) return number.before == 0 ? DifferenceState::New : DifferenceState::Gone;
        return delta > 0 ? DifferenceState::Grown : DifferenceState::Shrunk;
    }

  private:
    unsigned pick(std::size_t count) {
        return std::uniform_int_distribution<unsigned>(0, static_cast<unsigned>(count) - 1)(random_);
    }

    void add(unsigned seed, bool isBefore) {
        Recorded recorded;
        recorded.random = std::make_unique<RandomTrace>(seed);
        const auto& publications = recorded.random->publications();
        recorded.publication = &publications[recorded.random->pick(static_cast<unsigned>(publications.size()))];
        auto& compared = recorded.compared;
        compared.trace = recorded.publication->trace;
        const bool isOld = isBefore && hasRenames_;
        compared.labels = namedLabels(*compared.trace, {{"A", {"fa"}}, {"B", {"fb"}}, {"C", {isOld ? "old" : "new"}}});
        compared.interval = recorded.random->intervalOf(*recorded.publication);
        if (isFiltered_) compared.filter.query = analysis::QueryExpression::parse(query_.table, "Size:>4").value();
        recorded.recount = std::make_unique<Recount>(recorded.publication->model, query_.table, compared.interval,
                                                     compared.trace->horizon, query_.processExitFreesHeap, "D");
        for (auto& row : recorded.recount->members())
            if (!isFiltered_ || row.size > 4) recorded.rows.push_back(row);
        (isBefore ? query_.before : query_.after).push_back(compared);
        isBefore_.push_back(isBefore);
        recorded_.push_back(std::move(recorded));
    }

    [[nodiscard]] std::string place(std::size_t trace, Column column, std::string text) const {
        if (column == Column::Process) text = text.substr(0, text.find(' '));
        if (text == "two.exe" && hasRenames_ && isBefore_[trace]) return "one.exe";
        if (!analysis::isStack(column)) return text;
        if (text == "A!+0x1") return "A!fa";
        if (text == "B!+0x1") return "B!fb";
        if (text == "C!+0x1") return "C!new";
        return text == "D!+0x1" ? "D!(unnamed)" : text;
    }

    void divide() {
        for (std::size_t trace = 0; trace < recorded_.size(); ++trace) {
            for (std::size_t row = 0; row < recorded_[trace].rows.size(); ++row) {
                TextPath path;
                add(path, trace, row);
                for (auto& [column, text] : recorded_[trace].recount->path(recorded_[trace].rows[row], query_.keys)) {
                    path.emplace_back(column, place(trace, column, text));
                    add(path, trace, row);
                }
                ends_.try_emplace(path, Rows(recorded_.size())).first->second[trace].push_back(row);
            }
        }
        groups_.try_emplace(TextPath(), Rows(recorded_.size()));
    }
    void add(const TextPath& path, std::size_t trace, std::size_t row) {
        groups_.try_emplace(path, Rows(recorded_.size())).first->second[trace].push_back(row);
    }

    [[nodiscard]] static std::int64_t outstanding(const Recorded& recorded, const std::vector<RecountRow>& rows) {
        const auto end = std::min(recorded.compared.interval.end, recorded.compared.trace->horizon);
        std::int64_t bytes = 0;
        for (const auto& row : rows) {
            bytes += static_cast<std::int64_t>(row.size);
            for (const auto& release : row.releases)
                if (release.time < end) bytes -= static_cast<std::int64_t>(release.bytes);
        }
        return bytes;
    }

    [[nodiscard]] bool isSignificant(const Numbers& values) {
        const Numbers before(values.begin(), values.begin() + sides_[0]);
        const Numbers after(values.begin() + sides_[0], values.end());
        const auto [lowBefore, highBefore] = std::minmax_element(before.begin(), before.end());
        const auto [lowAfter, highAfter] = std::minmax_element(after.begin(), after.end());
        const auto gap = std::max(*lowAfter - *highBefore, *lowBefore - *highAfter);
        const auto width = std::max(*highBefore - *lowBefore, *highAfter - *lowAfter);
        if (gap > 0 && gap >= width * (sides_[0] < 3 || sides_[1] < 3 ? 5 : 1)) return true;
        if (sides_[0] < 4 || sides_[1] < 4) return false;
        if (!limit_) limit_ = findLimit();
        return probability(before, after) <= *limit_ + 1e-12;
    }

    [[nodiscard]] double findLimit() const {
        std::map<Rows, double> different;
        for (const auto& [path, rows] : groups_) {
            const auto ofGroup = values(rows, query_.decides);
            different[rows] = probability({ofGroup.begin(), ofGroup.begin() + sides_[0]},
                                          {ofGroup.begin() + sides_[0], ofGroup.end()});
        }
        std::multiset<double> sorted;
        for (const auto& [rows, value] : different)
            sorted.insert(value);
        double limit = -1;
        double place = 0;
        for (const auto value : sorted)
            if (value <= 0.05 * ++place / static_cast<double>(sorted.size()) + 1e-12) limit = value;
        return limit;
    }

    [[nodiscard]] static double probability(const Numbers& before, const Numbers& after) {
        Numbers all(before);
        all.insert(all.end(), after.begin(), after.end());
        // Twice the rank: values below, and half of the equal ones.
        Numbers ranks;
        for (const auto value : all) {
            std::int64_t rank = 1;
            for (const auto other : all)
                rank += other < value ? 2 : other == value ? 1 : 0;
            ranks.push_back(rank);
        }
        std::int64_t whole = 0, own = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            whole += ranks[i];
            if (i < before.size()) own += ranks[i];
        }
        const auto distance = [&](std::int64_t sum) {
            return std::abs(sum * static_cast<std::int64_t>(all.size()) -
                            whole * static_cast<std::int64_t>(before.size()));
        };
        double far = 0, choices = 0;
        for (unsigned mask = 0; mask < 1u << all.size(); ++mask) {
            if (static_cast<std::size_t>(std::popcount(mask)) != before.size()) continue;
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < all.size(); ++i)
                if ((mask >> i & 1) != 0) sum += ranks[i];
            ++choices;
            if (distance(sum) >= distance(own)) ++far;
        }
        return far / choices;
    }

    std::mt19937 random_;
    DifferenceQuery query_;
    bool hasRenames_ = false;
    bool isFiltered_ = false;
    std::array<unsigned, 2> sides_{};
    std::vector<bool> isBefore_;
    std::vector<Recorded> recorded_;
    std::map<TextPath, Rows> groups_;
    std::map<TextPath, Rows> ends_;
    std::optional<double> limit_;
};

} // namespace highwater::tests
