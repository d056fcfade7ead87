#include "core/decode/stacks/held_stacks.h"

#include <algorithm>

namespace highwater::decode {
namespace {

std::uint64_t placeOf(std::uint32_t pid, std::uint16_t processor) { return std::uint64_t{pid} << 16 | processor; }

} // namespace

void HeldStacks::add(const HeldStack& stack) {
    Tick& tick = ticks_[stack.reference.eventTicks];
    if (tick.takenCount > kFewTaken && tick.takenCount > tick.stacks.size() / 2) forgetTaken(tick);
    append(tick, stack);
    ++count_;
}

void HeldStacks::append(Tick& tick, const HeldStack& stack) {
    const auto number = static_cast<std::uint32_t>(tick.stacks.size());
    tick.stacks.push_back(stack);
    const auto list = stack.half == StackHalf::Kernel ? &Halves::kernel : &Halves::others;
    const auto enter = [&](Halves& halves) { (halves.*list).stacks.push_back(number); };
    const StackReference& reference = stack.reference;
    if (reference.tid.isKnown()) enter(tick.byThread[reference.tid]);
    enter(tick.byPlace[placeOf(reference.pid, reference.processor)]);
    if (!stack.mayBeGuessed) return;
    enter(tick.byProcess[reference.pid]);
    enter(tick.byProcessor[reference.processor]);
}

/// A tick may last as long as the file.
void HeldStacks::forgetTaken(Tick& tick) {
    Tick fresh;
    for (const HeldStack& stack : tick.stacks)
        if (!stack.isTaken) append(fresh, stack);
    tick = std::move(fresh);
}

std::uint32_t HeldStacks::firstIn(List& list, const Tick& tick, bool isGuess) {
    for (; list.next < list.stacks.size(); ++list.next) {
        const auto number = list.stacks[list.next];
        const HeldStack& stack = tick.stacks[number];
        if (!stack.isTaken && (!isGuess || stack.mayBeGuessed)) return number;
    }
    return kNone;
}

template <typename Key>
std::uint32_t HeldStacks::firstOf(std::map<Key, Halves>& lists, Key key, WaitingEvent::Open open, const Tick& tick,
                                  bool isGuess) {
    const auto found = lists.find(key);
    if (found == lists.end()) return kNone;
    const auto other = firstIn(found->second.others, tick, isGuess);
    if (open != WaitingEvent::Open::ForBothHalves) return other;
    return std::min(other, firstIn(found->second.kernel, tick, isGuess));
}

HeldStack* HeldStacks::find(const WaitingEvent& waiting) {
    const auto open = waiting.open();
    const auto found = ticks_.find(waiting.ticks);
    if (found == ticks_.end() || waiting.isStackless || open == WaitingEvent::Open::ForNone) return nullptr;
    Tick& tick = found->second;
    const auto pid = waiting.event.pid;
    const auto first = waiting.event.tid.isKnown()
                           ? firstOf(tick.byThread, waiting.event.tid, open, tick, false)
                           : std::min({firstOf(tick.byPlace, placeOf(pid, waiting.processor), open, tick, false),
                                       firstOf(tick.byProcess, pid, open, tick, true),
                                       firstOf(tick.byProcessor, waiting.processor, open, tick, true)});
    return first == kNone ? nullptr : &tick.stacks[first];
}

void HeldStacks::take(HeldStack& stack) {
    const auto tick = ticks_.find(stack.reference.eventTicks);
    stack.isTaken = true;
    --count_;
    if (++tick->second.takenCount == tick->second.stacks.size()) ticks_.erase(tick);
}

void HeldStacks::drop(std::int64_t before, const std::function<void(HeldStack&)>& dropped) {
    while (!ticks_.empty() && ticks_.begin()->first < before) {
        for (HeldStack& stack : ticks_.begin()->second.stacks) {
            if (stack.isTaken) continue;
            dropped(stack);
            --count_;
        }
        ticks_.erase(ticks_.begin());
    }
}

} // namespace highwater::decode
