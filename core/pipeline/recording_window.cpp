#include "core/pipeline/recording_window.h"

#include "core/store/trace_store.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

/// Limits the work between two batches to some milliseconds so that events are not delayed.
constexpr std::size_t kEventsAtOnce = 32768;
/// Must exceed the number of arriving events, or it would never finish.
constexpr std::size_t kEventsPerRecord = 4;

} // namespace

RecordingWindow::RecordingWindow(const KeepLast& keep, const TraceProperties& properties, WindowFiles& files)
    : keep_(keep), clock_(properties), files_(files), newestTicks_(properties.firstTicks) {}

bool RecordingWindow::isNextWanted(TraceTime now) const {
    if (keep_.time.count() > 0) return now.ns - start_.ns >= keep_.time.count();
    return files_.wholeBytes() >= keep_.bytes / 2;
}

bool RecordingWindow::isNextDue(TraceTime now) const {
    if (keep_.time.count() > 0) return now.ns - nextStart_.ns >= keep_.time.count();
    // If the outstanding allocations alone take that much, there must at least be something new.
    return files_.wholeBytes() >= keep_.bytes && files_.nextBytes() >= keep_.bytes / 4;
}

void RecordingWindow::afterBatch(store::TraceStore& store, std::int64_t newestTicks, std::size_t records) {
    (void)store.continueCut(std::max(kEventsAtOnce, records * kEventsPerRecord));
    newestTicks_ = std::max(newestTicks_, newestTicks);
    if (!files_.isReady()) return;
    const auto now = clock_.toTime(newestTicks_);
    if (!nextTicks_) {
        if (!isNextWanted(now)) return;
        nextTicks_ = newestTicks_ + 1;
        nextStart_ = clock_.toTime(*nextTicks_);
        store.notePagesAt(nextStart_);
        return files_.beginNext(*nextTicks_);
    }
    if (!isNextDue(now) || !store.notedPages() || store.isCutting()) return;
    files_.continueInNext({.startTicks = *nextTicks_, .trace = store.publish(), .pages = store.notedPages()});
    store.cutBefore(nextStart_);
    start_ = nextStart_;
    nextTicks_.reset();
}

} // namespace highwater::pipeline
