#pragma once

#include "ui/state/timeline_answer.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace highwater::ui {

/// The last few answers of one graph: to go back to an interval, a grouping or a filter computes nothing. Of one
/// publication of one trace; as long as frames are called the same. Any thread.
class TimelineAnswers {
  public:
    static constexpr std::size_t kMost = 32;
    /// Of all that are kept, and of none that is larger: 16 MB.
    static constexpr std::size_t kMostPoints = std::size_t{1} << 21;

    [[nodiscard]] std::optional<TimelineAnswer> find(const TimelineRequest& request);
    void add(const TimelineRequest& request, const TimelineAnswer& answer);
    void clear();

  private:
    struct Entry {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<const void> naming; ///< null: nothing in it depends on names
        bool withTotal = false;
        TimelineAnswer answer;
        std::size_t points = 0;
    };
    static std::shared_ptr<const void> namingOf(const TimelineRequest& request);

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< the one that was asked for last comes first
};

/// answerCoarsely(); nothing where request.known has the exact ones. Workers only.
[[nodiscard]] Result<std::optional<TimelineAnswer>> answerCoarselyUnlessKnown(const TimelineRequest& request,
                                                                              std::stop_token stop);

/// answerTimeline(), by what request.known has, which learns of it. Workers only.
[[nodiscard]] Result<TimelineAnswer> answerTimelineOrKnown(const TimelineRequest& request, std::stop_token stop);

} // namespace highwater::ui
