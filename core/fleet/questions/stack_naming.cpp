#include "core/fleet/questions/stack_naming.h"

#include "core/fleet/questions/stored_facts.h"
#include "core/summary/stack_key.h"

#include <algorithm>

namespace highwater::fleet {
namespace {

enum NumberAt : std::size_t { AllocObjects = 1, First = 8, Last = 9 };

std::size_t ownerBehind(const std::vector<CalledFrame>& frames, std::size_t from, const PlumbingTest& isPlumbing) {
    for (auto i = from; i < frames.size(); ++i)
        if (!isPlumbing(frames[i].name)) return i;
    return from;
}

} // namespace

summary::StackKey keyOf(std::span<const CalledFrame> frames) {
    std::vector<summary::StackKey> keys;
    keys.reserve(frames.size());
    for (const auto& frame : frames)
        keys.push_back(frame.isNamed ? summary::functionKey(frame.name)
                                     : summary::unnamedFunctionKey(frame.name, frame.buildId));
    return summary::stackKey(keys);
}

std::optional<CalledStack> renamed(const CalledStack& stack, const NamesNow& namesNow, const PlumbingTest& isPlumbing) {
    CalledStack now;
    bool isRenamed = false;
    for (std::size_t i = 0; i < stack.frames.size(); ++i) {
        const auto& frame = stack.frames[i];
        if (i == stack.owner) now.owner = now.frames.size();
        const auto* names = frame.isNamed ? nullptr : namesNow(frame);
        isRenamed = isRenamed || names != nullptr;
        if (names == nullptr)
            now.frames.push_back(frame);
        else
            now.frames.insert(now.frames.end(), names->begin(), names->end());
    }
    if (!isRenamed) return std::nullopt;
    now.owner = ownerBehind(now.frames, now.owner, isPlumbing);
    return now;
}

void SampleNumbers::add(const SampleNumbers& other) {
    const bool hasBegins = values[AllocObjects] > 0, hasOthers = other.values[AllocObjects] > 0;
    for (std::size_t i = 0; i < First; ++i)
        values[i] = addWithin(values[i], other.values[i]);
    if (!hasOthers) return;
    values[First] = hasBegins ? std::min(values[First], other.values[First]) : other.values[First];
    values[Last] = hasBegins ? std::max(values[Last], other.values[Last]) : other.values[Last];
}

} // namespace highwater::fleet
