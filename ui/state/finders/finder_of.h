#pragma once

#include "core/store/published/published_trace.h"
#include "ui/state/query_lane.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace highwater::analysis {
class FrameLabels;
}

namespace highwater::ui {

/// Pause between questions about a growing trace, as a multiple of the time of the last answer: answers take a
/// twentieth of a processor at most.
inline constexpr std::int64_t kRestPerWork = 20;

/// A query about the trace on screen.
template <typename Query>
struct Asked {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    Query query;
};

/// A result together with its query. Immutable.
template <typename Query, typename Found>
struct Answered {
    Query query;
    Found found;
};

/// Answers such a query with a function of core/analysis, as in `foundBy<analysis::findHeaps>`.
template <auto kFind>
inline constexpr auto foundBy = [](const auto& asked, const std::stop_token& stop) {
    return kFind(*asked.trace, *asked.labels, asked.query, stop);
};

/// Runs one kind of query on its own worker and delivers the newest answer, or an error, on the GUI thread, where it
/// lives. A cancelled query has no answer.
template <typename Request, typename Answer>
class FinderOf {
  public:
    using Find = std::function<Result<Answer>(const Request&, std::stop_token)>;
    using Deliver = std::function<void(const Request&, Result<Answer>)>;

    /// `home` is the owner.
    FinderOf(QObject& home, Find find, Deliver deliver)
        : lane_(home, pools_, std::move(find),
                [deliver = std::move(deliver)](const Request& request, Result<Answer>&& answer) {
                    const bool isCancelled = !answer.hasValue() && answer.error().kind == ErrorKind::Cancelled;
                    if (!isCancelled) deliver(request, std::move(answer));
                }) {
        pools_.setMaxThreadCount(1);
    }
    FinderOf(const FinderOf&) = delete;
    FinderOf& operator=(const FinderOf&) = delete;
    ~FinderOf() {
        lane_.onBusyChange({}); // the receiver may already be destroyed
        lane_.cancel();
        pools_.waitForDone();
    }

    void ask(Request request, Urgency urgency) { lane_.ask(std::move(request), urgency); }
    void cancel() { lane_.cancel(); }
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }
    /// Called whenever isBusy() may have changed.
    void onBusyChange(std::function<void()> tell) { lane_.onBusyChange(std::move(tell)); }

  private:
    QueryPools pools_;
    QueryLane<Request, Answer> lane_;
};

} // namespace highwater::ui
