#pragma once

#include "core/base/result.h"

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace highwater::ui {

/// Whether a question may interrupt the one that is running (the user changed something), or waits until that is
/// answered (the trace has grown; interrupting would starve the view while loading).
enum class Urgency { Now, WhenIdle };

/// One kind of question, answered by workers, the newest wins: a newer one cancels the running one through its
/// stop_token, and the answer to an older one is never delivered. GUI thread only; `work` runs on the pool, `deliver`
/// on the GUI thread. The owner waits for the pool before it destroys the lane.
template <typename Request, typename Answer>
class QueryLane {
  public:
    using Work = std::function<Result<Answer>(const Request&, std::stop_token)>;
    using Deliver = std::function<void(const Request&, Result<Answer>)>;

    QueryLane(QObject& home, QThreadPool& pool, Work work, Deliver deliver)
        : home_(home), pool_(pool), work_(std::move(work)), deliver_(std::move(deliver)) {}

    void ask(Request request, Urgency urgency) {
        if (running_ && urgency == Urgency::WhenIdle) {
            waiting_ = std::move(request);
            return;
        }
        waiting_.reset();
        start(std::move(request));
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

    void start(Request request) {
        stop_.request_stop();
        stop_ = std::stop_source();
        setRunning(true);
        const auto number = ++newest_;
        pool_.start([this, number, stop = stop_.get_token(), request = std::make_shared<Request>(std::move(request))] {
            auto answer = std::make_shared<Result<Answer>>(work_(*request, stop));
            QMetaObject::invokeMethod(
                &home_, [this, number, request, answer] { finish(number, *request, *answer); }, Qt::QueuedConnection);
        });
    }

    void finish(std::uint64_t number, const Request& request, Result<Answer>& answer) {
        if (number != newest_) return;
        setRunning(waiting_.has_value());
        if (waiting_) start(*std::exchange(waiting_, std::nullopt));
        deliver_(request, std::move(answer));
    }

    QObject& home_;
    QThreadPool& pool_;
    Work work_;
    Deliver deliver_;
    std::function<void()> tell_;
    std::stop_source stop_;
    std::optional<Request> waiting_;
    std::uint64_t newest_ = 0;
    bool running_ = false;
};

} // namespace highwater::ui
