#pragma once

#include "core/base/thread_priority.h"
#include "ui/state/query_runner.h"

#include <QThread>

#include <atomic>
#include <memory>

namespace highwater::tests {

/// Records the threads on which queries run; a query for an interval that starts at 1 runs until it is cancelled.
struct QueryWatch {
    std::atomic<int> onGuiThread{0};
    std::atomic<int> tables{0};
    std::atomic<int> timelines{0};
    std::atomic<int> stopped{0};
    std::atomic<int> tablesOfLowPriority{0};

    ui::QueryFunctions functions() {
        ui::QueryFunctions watched;
        const auto* gui = QThread::currentThread();
        watched.table = [this, gui](const ui::TableRequest& request, std::stop_token stop) {
            if (QThread::currentThread() == gui) ++onGuiThread;
            if (isThreadPriorityLow()) ++tablesOfLowPriority;
            ++tables;
            waitWhileSlow(request.query.interval, stop);
            if (stop.stop_requested())
                return Result<std::shared_ptr<const ui::TableAnswer>>(Error{ErrorKind::Cancelled, ""});
            return Result<std::shared_ptr<const ui::TableAnswer>>(
                std::make_shared<ui::TableAnswer>(request.query, nullptr, ui::TableRow{}));
        };
        watched.timeline = [this, gui](const ui::TimelineRequest& request, std::stop_token) {
            if (QThread::currentThread() == gui) ++onGuiThread;
            ++timelines;
            ui::TimelineAnswer answer;
            answer.query = request.query;
            answer.timeline.interval = request.query.interval;
            return Result<ui::TimelineAnswer>(std::move(answer));
        };
        return watched;
    }

    void waitWhileSlow(TimeRange interval, const std::stop_token& stop) {
        while (interval.start.ns == 1 && !stop.stop_requested()) {
            QThread::msleep(1);
        }
        if (stop.stop_requested()) ++stopped;
    }
};

} // namespace highwater::tests
