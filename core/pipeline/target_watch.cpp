#include "core/pipeline/target_watch.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <utility>

namespace highwater::pipeline {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100);
constexpr int kLooksPerSample = 10;

} // namespace

TargetWatch::TargetWatch(StopConditions conditions, Ask ask) : conditions_(conditions), ask_(std::move(ask)) {}

TargetWatch::~TargetWatch() { end(); }

void TargetWatch::begin(const std::vector<std::uint32_t>& pids, Listener listener) {
    if (pids.empty() && !conditions_.isAny()) return;
    for (const auto pid : pids) {
        targets_.push_back({pid, std::nullopt});
    }
    listener_ = std::move(listener);
    begun_ = std::chrono::steady_clock::now();
    thread_ = std::thread([this] { run(); });
}

void TargetWatch::end() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    ended_.notify_all();
    const std::lock_guard lock(joinMutex_);
    if (thread_.joinable()) thread_.join();
}

void TargetWatch::run() {
    const bool isWatching = conditions_.isAny();
    std::unique_lock lock(mutex_);
    for (int looks = 0; !isEnding_; looks += isWatching ? 1 : kLooksPerSample) {
        lock.unlock();
        look(looks % kLooksPerSample == 0);
        lock.lock();
        ended_.wait_for(lock, isWatching ? kLook : kLook * kLooksPerSample, [this] { return isEnding_; });
    }
}

void TargetWatch::look(bool isSample) {
    for (auto& target : targets_) {
        const auto memory = ask_(target.pid);
        if (!memory) continue;
        if (isSample) listener_.sampled(target.pid, *memory);
        check(target, memory->privateBytes);
    }
    if (!conditions_.after || std::chrono::steady_clock::now() - begun_ < *conditions_.after) return;
    tell(fmt::format("The recording was stopped after {:.1f} s, as requested.",
                     std::chrono::duration<double>(*conditions_.after).count()));
}

void TargetWatch::check(Target& target, ByteCount privateBytes) {
    const auto first = target.first.value_or(privateBytes);
    target.first = first;
    if (conditions_.privateBytesAbove && privateBytes > *conditions_.privateBytesAbove) {
        const auto [now, limit] = distinctBytes(privateBytes, *conditions_.privateBytesAbove);
        return tell(fmt::format("The recording was stopped as requested: process {} has {} of private bytes, "
                                "more than {}.",
                                target.pid, now, limit));
    }
    if (!conditions_.privateBytesGrowth || privateBytes < first) return;
    if (privateBytes - first <= *conditions_.privateBytesGrowth) return;
    const auto [growth, limit] = distinctBytes(privateBytes - first, *conditions_.privateBytesGrowth);
    tell(fmt::format("The recording was stopped as requested: the private bytes of process {} have grown by {}, more "
                     "than {}.",
                     target.pid, growth, limit));
}

void TargetWatch::tell(const std::string& sentence) {
    if (!std::exchange(hasReported_, true)) listener_.reached(sentence);
}

} // namespace highwater::pipeline
