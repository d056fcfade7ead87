#include "core/source/etl_files/replay_source.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace highwater::source {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Finer steps would not be noticeable. A stop is noticed after one step. (A wait with a stop token may sleep forever
/// where libstdc++ has no futexes, as on Windows.)
constexpr auto kStep = std::chrono::milliseconds(20);

/// Holds batches back until the time of their records. Reports the reached time while nothing is due.
class PacedSink final : public etl::RecordSink {
  public:
    PacedSink(etl::RecordSink& next, const TraceProperties& properties, double speed, const std::stop_token& stop)
        : next_(next),
          firstTicks_(properties.firstTicks),
          ticksPerSecond_(static_cast<double>(properties.ticksPerSecond) * speed),
          stop_(stop) {}

    void onBatch(etl::RecordBatch& batch) override {
        // The first part is already due; further parts become due in each step. All parts share the memory of the
        // batch.
        std::size_t sent = 0;
        while (sent < batch.records.size() && !stop_.stop_requested()) {
            const auto now = reachedTicks();
            auto due = sent;
            while (due < batch.records.size() && batch.records[due].ticks <= now) {
                ++due;
            }
            send(batch, sent, due, now);
            sent = due;
            if (sent < batch.records.size()) std::this_thread::sleep_for(kStep);
        }
        batch.recycle();
    }

  private:
    [[nodiscard]] std::int64_t reachedTicks() const {
        const std::chrono::duration<double> elapsed = SteadyClock::now() - begin_;
        return firstTicks_ + static_cast<std::int64_t>(elapsed.count() * ticksPerSecond_);
    }

    void send(const etl::RecordBatch& batch, std::size_t from, std::size_t to, std::int64_t now) {
        etl::RecordBatch part;
        part.records.assign(batch.records.begin() + static_cast<std::ptrdiff_t>(from),
                            batch.records.begin() + static_cast<std::ptrdiff_t>(to));
        if (!part.records.empty()) part.memory = batch.memory;
        part.bytesRead = batch.bytesRead;
        // More records with this tick may follow.
        part.reachedTicks = std::min(now, batch.records[std::min(to, batch.records.size() - 1)].ticks);
        next_.onBatch(part);
    }

    etl::RecordSink& next_;
    std::int64_t firstTicks_;
    double ticksPerSecond_;
    std::stop_token stop_;
    SteadyClock::time_point begin_ = SteadyClock::now();
};

} // namespace

ReplaySource::ReplaySource(std::unique_ptr<RecordSource> records, double speed)
    : records_(std::move(records)), speed_(std::max(0.0, speed)) {}

Result<void> ReplaySource::run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) {
    Result<void> outcome;
    if (speed_ > 0) {
        PacedSink paced(sink, properties(), speed_, stop);
        outcome = records_->run(paced, health, stop, progress);
    } else {
        outcome = records_->run(sink, health, stop, progress);
    }
    if (!outcome.hasValue() && outcome.error().kind == ErrorKind::Cancelled) return {};
    return outcome;
}

} // namespace highwater::source
