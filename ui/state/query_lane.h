#pragma once

#include "core/base/result.h"
#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"
#include "ui/state/head_start.h"

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace highwater::ui {

/// Now interrupts a running query, because the user changed something. WhenIdle waits for it, on a low-priority thread:
/// the trace has grown, interrupting would starve the view while loading, and the loader or recorder needs the
/// processors more.
enum class Urgency { Now, WhenIdle };

/// Worker threads of a view: a pool per urgency, because a thread cannot raise a lowered priority.
struct QueryPools {
    QThreadPool now;
    QThreadPool whenIdle;

    void setMaxThreadCount(int threads) {
        now.setMaxThreadCount(threads);
        whenIdle.setMaxThreadCount(threads);
    }
    void waitForDone() {
        now.waitForDone();
        whenIdle.waitForDone();
    }
};

/// Runs one kind of query on workers. The newest wins: it cancels the running one through its stop_token, and the
/// answer to an older one is never delivered. GUI thread only; `work` runs on a pool, `deliver` on the GUI thread. The
/// owner waits for the pools before it destroys the lane.
template <typename Request, typename Answer>
class QueryLane {
  public:
    using Work = std::function<Result<Answer>(const Request&, std::stop_token)>;
    using Deliver = std::function<void(const Request&, Result<Answer>)>;

    QueryLane(QObject& home, QueryPools& pools, Work work, Deliver deliver)
        : home_(home), pools_(pools), work_(std::move(work)), deliver_(std::move(deliver)) {}

    /// Whether the query has the head start itself or waits for its end; null: neither.
    struct Turn {
        std::shared_ptr<HeadStart> isFirst = nullptr;
        std::shared_ptr<HeadStart> after = nullptr;
    };

    void ask(Request request, Urgency urgency, Turn turn = {}) {
        if (running_ && urgency == Urgency::WhenIdle) {
            waiting_ = std::move(request);
            return;
        }
        waiting_.reset();
        start(std::move(request), urgency, std::move(turn));
    }

    void cancel() {
        waiting_.reset();
        stop_.request_stop();
        ++newest_;
        setRunning(false);
    }

    [[nodiscard]] bool isBusy() const { return running_; }
    /// Called whenever isBusy() may have changed.
    void onBusyChange(std::function<void()> tell) { tell_ = std::move(tell); }

  private:
    void setRunning(bool running) {
        const bool wasRunning = std::exchange(running_, running);
        if (wasRunning != running && tell_) tell_();
    }

    void start(Request request, Urgency urgency, Turn turn = {}) {
        stop_.request_stop();
        stop_ = std::stop_source();
        setRunning(true);
        const auto number = ++newest_;
        const bool isIdleWork = urgency == Urgency::WhenIdle;
        auto& pool = isIdleWork ? pools_.whenIdle : pools_.now;
        pool.start([this, number, isIdleWork, stop = stop_.get_token(), turn = std::move(turn),
                    request = std::make_shared<Request>(std::move(request))] {
            if (isIdleWork) lowerThreadPriority();
            if (turn.after) turn.after->wait(stop);
            auto answer = std::make_shared<Result<Answer>>(withinMemory([&] { return work_(*request, stop); }));
            if (turn.isFirst) turn.isFirst->end();
            QMetaObject::invokeMethod(
                &home_, [this, number, request, answer] { finish(number, *request, *answer); }, Qt::QueuedConnection);
        });
    }

    void finish(std::uint64_t number, const Request& request, Result<Answer>& answer) {
        if (number != newest_) return;
        setRunning(waiting_.has_value());
        if (waiting_) start(*std::exchange(waiting_, std::nullopt), Urgency::WhenIdle);
        deliver_(request, std::move(answer));
    }

    QObject& home_;
    QueryPools& pools_;
    Work work_;
    Deliver deliver_;
    std::function<void()> tell_;
    std::stop_source stop_;
    std::optional<Request> waiting_; ///< requested as WhenIdle
    std::uint64_t newest_ = 0;
    bool running_ = false;
};

} // namespace highwater::ui
