#include "core/decode/stacks/crowded_tick.h"

#include <algorithm>
#include <array>

namespace highwater::decode {
namespace {

std::uint64_t processKey(std::uint32_t pid) { return std::uint64_t{1} << 48 | std::uint64_t{pid} << 16; }
std::uint64_t processorKey(std::uint16_t processor) { return std::uint64_t{2} << 48 | processor; }
std::uint64_t processAndProcessorKey(std::uint32_t pid, std::uint16_t processor) {
    return std::uint64_t{3} << 48 | std::uint64_t{pid} << 16 | processor;
}

std::array<std::uint64_t, 3> placeKeysOf(const WaitingEvent& waiting) {
    return {processAndProcessorKey(waiting.event.pid, waiting.processor), processKey(waiting.event.pid),
            processorKey(waiting.processor)};
}

} // namespace

void CrowdedTick::add(std::uint64_t position, const WaitingEvent& waiting) {
    if (waiting.isStackless) return;
    const auto open = waiting.open();
    const bool hasThread = waiting.event.tid.isKnown();
    if (open != WaitingEvent::Open::ForBothHalves) {
        Lists& counts = threads_[waiting.event.tid];
        ++(open == WaitingEvent::Open::ForUserHalf ? counts.halfCount : counts.completeCount);
        if (open == WaitingEvent::Open::ForNone) return;
    }
    const bool isUserMode = hasThread && isLoggedInUserMode(waiting.event.operation);
    const auto list = open == WaitingEvent::Open::ForUserHalf ? &Lists::halves
                      : isUserMode                            ? &Lists::userMode
                                                              : &Lists::kernelMode;
    if (hasThread) {
        (threads_[waiting.event.tid].*list).push(position);
        return;
    }
    for (const PlaceKey key : placeKeysOf(waiting))
        (places_[key].*list).push(position);
}

void CrowdedTick::change(std::uint64_t position, const WaitingEvent& waiting, WaitingEvent::Open before,
                         ThreadId tidBefore) {
    if (waiting.open() == before) return;
    uncount(tidBefore, before);
    add(position, waiting);
}

void CrowdedTick::remove(std::uint64_t position, const WaitingEvent& waiting) {
    if (waiting.isStackless) return;
    uncount(waiting.event.tid, waiting.open());
    if (const auto thread = threads_.find(waiting.event.tid); thread != threads_.end()) {
        drop(thread->second, position);
        if (thread->second.isEmpty()) threads_.erase(thread);
    }
    if (!waiting.cameWithoutThread) return;
    for (const PlaceKey key : placeKeysOf(waiting)) {
        const auto place = places_.find(key);
        if (place == places_.end()) continue;
        drop(place->second, position);
        if (place->second.isEmpty()) places_.erase(place);
    }
}

void CrowdedTick::uncount(ThreadId tid, WaitingEvent::Open open) {
    const auto thread = threads_.find(tid);
    if (thread == threads_.end()) return;
    Lists& lists = thread->second;
    if (open == WaitingEvent::Open::ForUserHalf && lists.halfCount != 0) --lists.halfCount;
    if (open == WaitingEvent::Open::ForNone && lists.completeCount != 0) --lists.completeCount;
}

/// Positions before the front of the queue are always at the start of a list.
void CrowdedTick::drop(Lists& lists, std::uint64_t position) {
    for (auto* list : {&lists.kernelMode, &lists.userMode, &lists.halves})
        while (!list->empty() && list->top() <= position)
            list->pop();
}

std::uint64_t CrowdedTick::firstIn(Positions& list, WaitingEvent::Open open, bool hasThread, const Queue& queue) {
    for (; !list.empty(); list.pop()) {
        if (list.top() < queue.delivered) continue;
        const auto& waiting = queue.events[static_cast<std::size_t>(list.top() - queue.delivered)];
        if (waiting.open() == open && (waiting.event.tid.isKnown()) == hasThread) return list.top();
    }
    return kNowhere;
}

std::uint64_t CrowdedTick::firstOf(Lists& lists, StackHalf half, bool hasThread, const Queue& queue) {
    using Open = WaitingEvent::Open;
    const auto kernelMode = firstIn(lists.kernelMode, Open::ForBothHalves, hasThread, queue);
    if (half == StackHalf::Kernel) return kernelMode;
    return std::min({kernelMode, firstIn(lists.userMode, Open::ForBothHalves, hasThread, queue),
                     firstIn(lists.halves, Open::ForUserHalf, hasThread, queue)});
}

std::uint64_t CrowdedTick::firstAt(PlaceKey key, StackHalf half, const Queue& queue) {
    const auto place = places_.find(key);
    return place == places_.end() ? kNowhere : firstOf(place->second, half, false, queue);
}

CrowdedTick::Found CrowdedTick::find(const StackReference& reference, StackHalf half, const Queue& queue) {
    const auto thread = !reference.tid.isKnown() ? threads_.end() : threads_.find(reference.tid);
    const bool isKnown = thread != threads_.end();
    if (isKnown) {
        const auto first = firstOf(thread->second, half, true, queue);
        if (first != kNowhere) return {first, Fit::Thread};
    }
    const auto near = firstAt(processAndProcessorKey(reference.pid, reference.processor), half, queue);
    if (near != kNowhere) return {near, Fit::ProcessAndProcessor};
    if (half == StackHalf::Kernel && isKnown) {
        const auto first = firstIn(thread->second.userMode, WaitingEvent::Open::ForBothHalves, true, queue);
        if (first != kNowhere) return {first, Fit::UserModeThread};
    }
    const auto ofProcess = firstAt(processKey(reference.pid), half, queue);
    if (ofProcess != kNowhere) return {ofProcess, Fit::Process};
    const auto ofProcessor = firstAt(processorKey(reference.processor), half, queue);
    return ofProcessor == kNowhere ? Found{} : Found{ofProcessor, Fit::Processor};
}

bool CrowdedTick::hasHalfAlready(ThreadId tid, StackHalf half) const {
    const auto thread = threads_.find(tid);
    if (thread == threads_.end()) return false;
    return thread->second.completeCount != 0 || (half == StackHalf::Kernel && thread->second.halfCount != 0);
}

} // namespace highwater::decode
