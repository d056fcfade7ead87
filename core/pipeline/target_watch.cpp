#include "core/pipeline/target_watch.h"

#include "core/base/text.h"
#include "core/base/thread_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace highwater::pipeline {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100);
constexpr int kLooksPerSample = 10;
/// After this time, the last samples of further processes are not begun, because the recording ends only after them.
constexpr auto kMostLast = std::chrono::seconds(1);

} // namespace

TargetWatch::TargetWatch(StopConditions conditions, Questions questions)
    : conditions_(conditions), questions_(std::move(questions)) {}

TargetWatch::~TargetWatch() { end(); }

void TargetWatch::begin(const std::vector<std::uint32_t>& pids, Listener listener) {
    if (pids.empty() && !conditions_.isAny()) return;
    for (const auto pid : pids)
        add(pid);
    listener_ = std::move(listener);
    begun_ = Clock::now();
    if (listener_.resident) schedule_.add(pids, begun_);
    const std::lock_guard lock(mutex_);
    isSampling_ = schedule_.next() != Clock::time_point::max();
    thread_ = std::thread([this] { run(); });
}

void TargetWatch::sampleSoon() {
    {
        const std::lock_guard lock(mutex_);
        isAsked_ = true;
    }
    woken_.notify_all();
}

bool TargetWatch::sampleLast(std::function<void()> then) {
    {
        const std::lock_guard lock(mutex_);
        if (!isSampling_) return false;
        if (!last_) last_ = std::move(then);
    }
    woken_.notify_all();
    return true;
}

void TargetWatch::end() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    woken_.notify_all();
    const std::lock_guard lock(joinMutex_);
    if (thread_.joinable()) thread_.join();
}

void TargetWatch::run() {
    const auto pause = conditions_.isAny() ? kLook : kLook * kLooksPerSample;
    auto nextLook = Clock::now();
    std::unique_lock lock(mutex_);
    while (!isEnding_ || last_) {
        const bool isAsked = std::exchange(isAsked_, false);
        const bool isLast = last_ != nullptr;
        const bool isSampling = isSampling_;
        lock.unlock();
        if (Clock::now() >= nextLook) {
            look(looks_ % kLooksPerSample == 0);
            looks_ += conditions_.isAny() ? 1 : kLooksPerSample;
            nextLook = Clock::now() + pause;
        }
        if (isAsked) schedule_.ask();
        if (isLast)
            sampleLastNow();
        else if (isSampling)
            sampleDue();
        lock.lock();
        const auto next = isSampling_ ? std::min(nextLook, schedule_.next()) : nextLook;
        woken_.wait_until(lock, next, [this] { return isEnding_ || isAsked_ || last_; });
    }
    isSampling_ = false;
}

void TargetWatch::add(std::uint32_t pid) {
    const bool isKnown = std::ranges::any_of(targets_, [pid](const Target& target) { return target.pid == pid; });
    if (!isKnown) targets_.push_back({pid, std::nullopt});
}

/// Processes that have ended are forgotten: a build tool starts thousands.
void TargetWatch::look(bool isSample) {
    addFound();
    for (std::size_t i = 0; i < targets_.size();) {
        const auto pid = targets_[i].pid;
        const auto memory = questions_.memory(pid);
        if (!memory) {
            targets_.erase(targets_.begin() + static_cast<std::ptrdiff_t>(i));
            continue;
        }
        if (isSample) listener_.sampled(pid, *memory);
        check(targets_[i], memory->privateBytes); // may add targets
        ++i;
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
    if (std::exchange(hasReported_, true)) return;
    sampleAll();
    const auto last = endSampling();
    listener_.reached(sentence);
    if (last) last();
}

// ---- resident memory ----

void TargetWatch::sampleLastNow() {
    sampleAll();
    if (const auto last = endSampling()) last();
}

/// Returns the function to call after the last sample, if a caller waits for it.
std::function<void()> TargetWatch::endSampling() {
    const std::lock_guard lock(mutex_);
    isSampling_ = false;
    return std::exchange(last_, nullptr);
}

void TargetWatch::addFound() {
    if (!listener_.found) return;
    const auto found = listener_.found();
    for (const auto pid : found)
        add(pid);
    if (listener_.resident) schedule_.add(found, Clock::now());
}

void TargetWatch::sampleDue() {
    addFound();
    if (const auto pid = schedule_.due(Clock::now())) sampleResident(*pid);
}

void TargetWatch::sampleAll() {
    addFound();
    const auto begun = Clock::now();
    for (const auto pid : schedule_.processes())
        if (Clock::now() - begun < kMostLast) sampleResident(pid);
}

/// The pages are read last, so the time in the middle is closer to them than that of the first mapping.
void TargetWatch::sampleResident(std::uint32_t pid) {
    using Outcome = ResidentSchedule::Outcome;
    const auto begun = threadTime();
    const auto before = ticks();
    const auto answer = questions_.resident(pid);
    const auto after = ticks();
    ResidentSchedule::Cost cost;
    auto outcome = Outcome::Nothing;
    if (!answer.hasValue()) {
        outcome = Outcome::Failed;
        if (listener_.notSampled) listener_.notSampled(answer.error().message);
    } else if (answer.value()) {
        outcome = Outcome::Sampled;
        const auto time = before && after ? std::optional(*before + (*after - *before) / 2) : std::nullopt;
        cost.bytes = listener_.resident(*answer.value(), time);
    }
    cost.time = threadTime() - begun;
    schedule_.noteSampled(pid, outcome, cost, Clock::now());
}

std::optional<std::int64_t> TargetWatch::ticks() const {
    return listener_.clock ? std::optional(listener_.clock()) : std::nullopt;
}

} // namespace highwater::pipeline
