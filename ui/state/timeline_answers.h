#pragma once

#include "ui/state/timeline_answer.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The most recent answers of a graph, so that returning to an interval, a grouping or a filter computes nothing. Valid
/// for one publication of one trace, while frames keep their names. Any thread.
class TimelineAnswers {
  public:
    static constexpr std::size_t kMost = 32;
    /// Limit for all cached answers together, and for a single one: 16 MB.
    static constexpr std::size_t kMostPoints = std::size_t{1} << 21;

    [[nodiscard]] std::optional<TimelineAnswer> find(const TimelineRequest& request);
    void add(const TimelineRequest& request, const TimelineAnswer& answer);
    void clear();

  private:
    struct Entry {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<const void> naming; ///< null: it does not depend on names
        bool withTotal = false;
        TimelineAnswer answer;
        std::size_t points = 0;
    };
    static std::shared_ptr<const void> namingOf(const TimelineRequest& request);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< most recently used first
};

/// answerCoarsely(), or nothing if request.known has the exact answer. Workers only.
[[nodiscard]] Result<std::optional<TimelineAnswer>> answerCoarselyUnlessCached(const TimelineRequest& request,
                                                                               std::stop_token stop);

/// answerTimeline() with request.known as a cache, which stores the result. Workers only.
[[nodiscard]] Result<TimelineAnswer> answerTimelineCached(const TimelineRequest& request, std::stop_token stop);

} // namespace highwater::ui
