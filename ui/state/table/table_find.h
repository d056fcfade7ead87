#pragma once

#include "core/analysis/table/table_search.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::ui {

/// What is looked for in which table.
struct FindSubject {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    analysis::QueryExpression expression;
};

/// From which row the next match is looked for; none: from the first or the last.
struct FindStep {
    analysis::KeyPath from;
    analysis::TableSearch::Direction direction = analysis::TableSearch::Direction::Forward;
    friend bool operator==(const FindStep&, const FindStep&) = default;
};

struct FindAnswer {
    std::optional<analysis::KeyPath> row; ///< of a step
    bool wentRound = false;               ///< the row was found behind the end of the table, from its other end on
    std::optional<analysis::TableSearch::Hits> hits;
    std::optional<std::vector<analysis::KeyPath>> groups =
        {}; ///< TableSearch::groups(); nothing: too many, or not asked
};

/// One search in one table, kept between its steps. Any thread; questions wait for each other, on workers only.
class FindSession {
  public:
    explicit FindSession(FindSubject subject) : subject_(std::move(subject)) {}
    [[nodiscard]] const FindSubject& subject() const { return subject_; }

    /// Errors: those of TableSearch.
    Result<FindAnswer> step(const FindStep& step, const std::stop_token& stop);
    Result<FindAnswer> count(const std::stop_token& stop);
    Result<FindAnswer> groups(const std::stop_token& stop);

  private:
    /// With the lock.
    Result<void> prepare(const std::stop_token& stop);
    Result<std::uint64_t> countRows(const std::stop_token& stop) const;

    const FindSubject subject_;
    std::mutex mutex_;
    std::unique_ptr<analysis::TableSearch> search_; ///< made by the first question
};

/// So many groups make a filter; more would make every answer slow.
inline constexpr std::size_t kMostFoundGroups = 1'000;

/// A step of a search or, without one, the number of all matches, or these themselves.
struct FindRequest {
    enum class All : std::uint8_t { Count, Groups };
    std::shared_ptr<FindSession> session;
    std::optional<FindStep> step;
    All all = All::Count; ///< without a step
};

[[nodiscard]] Result<FindAnswer> answerFind(const FindRequest& request, std::stop_token stop);

} // namespace highwater::ui
