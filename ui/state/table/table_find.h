#pragma once

#include "core/analysis/table/table_search.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::ui {

/// A search text and its table.
struct FindSubject {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    analysis::QueryExpression expression;
};

/// The row from which to find the next match; nothing: from the first or the last.
struct FindStep {
    analysis::KeyPath from;
    analysis::TableSearch::Direction direction = analysis::TableSearch::Direction::Forward;
    friend bool operator==(const FindStep&, const FindStep&) = default;
};

struct FindAnswer {
    std::optional<analysis::KeyPath> row; ///< for a step
    bool wentRound = false;               ///< the search wrapped around the end of the table
    std::optional<analysis::TableSearch::Hits> hits;
    std::optional<std::vector<analysis::KeyPath>> groups =
        {}; ///< TableSearch::groups(); nothing: too many, or not requested
};

/// A search in one table, kept between its steps. Any thread; requests wait for each other, on workers only.
class FindSession {
  public:
    explicit FindSession(FindSubject subject) : subject_(std::move(subject)) {}
    [[nodiscard]] const FindSubject& subject() const { return subject_; }

    /// Errors: those of TableSearch.
    Result<FindAnswer> step(const FindStep& step, const std::stop_token& stop);
    Result<FindAnswer> count(const std::stop_token& stop);
    Result<FindAnswer> groups(const std::stop_token& stop);

  private:
    /// Call while holding the lock.
    Result<void> prepare(const std::stop_token& stop);
    Result<std::uint64_t> countRows(const std::stop_token& stop) const;

    const FindSubject subject_;
    std::mutex mutex_;
    std::unique_ptr<analysis::TableSearch> search_; ///< created by the first request
};

/// Maximum number of groups for a filter; more would slow down every query.
inline constexpr std::size_t kMostFoundGroups = 1'000;

/// A step of a search or, without one, the number of matches or the matches themselves.
struct FindRequest {
    enum class All : std::uint8_t { Count, Groups };
    std::shared_ptr<FindSession> session;
    std::optional<FindStep> step;
    All all = All::Count; ///< without a step
};

[[nodiscard]] Result<FindAnswer> answerFind(const FindRequest& request, std::stop_token stop);

} // namespace highwater::ui
