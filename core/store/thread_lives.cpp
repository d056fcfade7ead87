#include "core/store/thread_lives.h"

namespace highwater::store {

/// Whether the event concerns a thread that got the id later.
bool ThreadLives::isAnother(const Life& life, const ThreadEvent& event) {
    if (event.pid != life.pid) return true; // its start, or the end before it, was lost
    // Merged sessions repeat starts.
    if (event.occasion == Occasion::Start) return life.start != event.time;
    // Alive after its end: the start of a second one was lost. Ends may also be repeated.
    return event.occasion != Occasion::End && life.end != kNever && event.time > life.end;
}

void ThreadLives::apply(const ThreadEvent& event) {
    auto [entry, isFirst] = lives_.try_emplace(event.tid);
    auto& life = entry.value();
    if (isFirst || isAnother(life, event)) {
        life.pid = event.pid;
        life.start = event.occasion == Occasion::Start ? event.time : kBeforeTrace;
        life.end = kNever;
        if (!isFirst && life.number < kMostLives) setCurrent(event.tid, ++life.number);
    }
    if (event.occasion == Occasion::End && life.end == kNever) life.end = event.time;
    if (names_.set(ThreadId{event.tid}, life.number, event.name)) ++changes_;
}

void ThreadLives::setCurrent(std::uint32_t tid, ThreadLife number) {
    if (tid >= kUsualNumbers) {
        largeNumbers_[tid] = number;
        return;
    }
    if (tid >= numbers_.size()) numbers_.resize(std::size_t{tid} + 1);
    numbers_[tid] = number;
}

ThreadLife ThreadLives::ofLargeNumber(ThreadId thread) const {
    const auto found = largeNumbers_.find(thread.value);
    return found == largeNumbers_.end() ? ThreadLife{0} : found->second;
}

} // namespace highwater::store
