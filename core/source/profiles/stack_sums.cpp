#include "core/source/profiles/stack_sums.h"

#include "core/base/counted.h"
#include "core/base/seeded_hash.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>

namespace highwater::source {
namespace {

constexpr std::int64_t kEndOfFreed = 1;
/// Total allocations of a service exceed the memory of any machine: a few petabytes at one stack over months. The
/// memory in use of a fleet may also be summed up in one profile.
constexpr std::int64_t kMostOfStack = std::int64_t{1} << 53;

bool isWithin(std::int64_t value) { return value >= -kMostOfStack && value <= kMostOfStack; }

/// Allows for writers that round each number separately.
bool isClearlyLess(std::int64_t allocated, std::int64_t used) {
    constexpr std::int64_t kRounded = 16, kRoundedShare = 1024;
    return used > 0 && allocated < used - used / kRoundedShare - kRounded;
}

void addTo(std::uint64_t& sum, std::int64_t value) {
    if (__builtin_add_overflow(sum, static_cast<std::uint64_t>(value), &sum))
        sum = std::numeric_limits<std::uint64_t>::max();
}

/// Saturates far from the 64-bit limits.
void addWithin(std::int64_t& sum, std::int64_t value) {
    constexpr auto kMost = std::int64_t{1} << 60;
    sum = std::clamp(sum + value, -kMost, kMost);
}

} // namespace

void StackSums::Sum::add(std::int64_t moreObjects, std::int64_t moreBytes) {
    ++stacks;
    addTo(objects, std::max<std::int64_t>(moreObjects, 0));
    addTo(bytes, std::max<std::int64_t>(moreBytes, 0));
}

bool StackSums::add(const Profile::Sample& stack, const StackAmounts& amounts) {
    for (const auto amount : {amounts.usedObjects, amounts.usedBytes, amounts.allocatedObjects, amounts.allocatedBytes})
        if (!isWithin(amount)) return false;
    isDifference_ |= amounts.usedBytes < 0 || amounts.allocatedObjects < 0 || amounts.allocatedBytes < 0;
    if (amounts != StackAmounts()) entries_.push_back({stack.firstFrame, stack.frames, amounts});
    return true;
}

/// A difference may contain each stack twice: before (negative) and after, or by block size.
void StackSums::sumUpStacks() {
    tsl::robin_map<std::string_view, std::size_t, SeededHash> places;
    std::size_t count = 0;
    for (const auto& entry : entries_) {
        const std::string_view stack(reinterpret_cast<const char*>(profile_.stackFrames.data() + entry.firstFrame),
                                     entry.frames * sizeof(std::uint32_t));
        const auto [place, isNew] = places.emplace(stack, count);
        if (isNew) {
            entries_[count++] = entry;
            continue;
        }
        auto& sum = entries_[place->second].amounts;
        addWithin(sum.usedObjects, entry.amounts.usedObjects);
        addWithin(sum.usedBytes, entry.amounts.usedBytes);
        addWithin(sum.allocatedObjects, entry.amounts.allocatedObjects);
        addWithin(sum.allocatedBytes, entry.amounts.allocatedBytes);
    }
    entries_.resize(count);
}

void StackSums::addSamples(const Entry& entry, bool knowsFreed) {
    const auto& [usedObjects, usedBytes, allObjects, allBytes] = entry.amounts;
    const auto amount = [](std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)); };
    const auto freed = [&](std::int64_t all, std::int64_t used) { // both are far from the 64-bit limits
        return amount(all - std::max<std::int64_t>(used, 0));
    };
    Profile::Sample sample;
    sample.firstFrame = entry.firstFrame;
    sample.frames = entry.frames;
    addSample(sample, amount(usedObjects), amount(usedBytes), Profile::kNever);
    if (knowsFreed) addSample(sample, freed(allObjects, usedObjects), freed(allBytes, usedBytes), kEndOfFreed);
}

/// Splits the amounts, because a sample holds at most kMostProfileBytes.
void StackSums::addSample(Profile::Sample sample, std::uint64_t objects, std::uint64_t bytes, std::int64_t end) {
    sample.end = end;
    for (auto left = std::max(bytes, objects) / kMostProfileBytes + 1; left > 0 && (objects > 0 || bytes > 0); --left) {
        sample.objects = objects / left;
        sample.bytes = bytes / left;
        objects -= sample.objects;
        bytes -= sample.bytes;
        profile_.samples.push_back(sample);
    }
}

void StackSums::countAmounts() {
    for (const auto& entry : entries_) {
        const auto& [usedObjects, usedBytes, allObjects, allBytes] = entry.amounts;
        if (usedBytes > 0 || (usedBytes == 0 && usedObjects > 0)) grown_.add(usedObjects, usedBytes);
        if (usedBytes < 0) shrunk_.add(-usedObjects, -usedBytes);
        if (usedBytes >= 0 && usedObjects < 0) objectsBelowZero_.add(-usedObjects, 0);
        if (allObjects > 0 || allBytes > 0) allocated_.add(allObjects, allBytes);
        if (allObjects < 0 || allBytes < 0) undone_.add(-allObjects, -allBytes);
        if (isClearlyLess(allBytes, usedBytes)) ++tooFew_;
    }
}

void StackSums::finish(const KnownAmounts& known, std::string_view name) {
    if (isDifference_) sumUpStacks();
    countAmounts();
    const bool isOtherSpan = known.allocated && known.used && tooFew_ > 0 && !isDifference_;
    for (const auto& entry : entries_) {
        addSamples(entry, known.allocated && !isOtherSpan);
        if (isTooMuch(profile_)) return;
    }
    profile_.hasCounts = known.objects;
    if (!known.objects) {
        for (auto& sample : profile_.samples)
            sample.objects = 1;
    }
    if (!known.allocated)
        profile_.notes.emplace_back("The profile shows memory in use when it was written, not freed memory.");
    if (!known.used) {
        profile_.remarks.push_back(
            fmt::format("{} counts allocations but does not show which of them are in use. All of them are shown as "
                        "freed, so outstanding memory is missing.",
                        name));
    }
    if (isOtherSpan) noteOtherSpan(name);
    if (objectsBelowZero_.stacks > 0) {
        profile_.notes.push_back(fmt::format(
            "The number of objects in use is below zero in {} of {} (by {} in total), although bytes are not. It "
            "counts as 0 there.",
            counted(objectsBelowZero_.stacks, "stack"), name, thousands(objectsBelowZero_.objects)));
    }
    if (isDifference_) noteDifference(name);
}

void StackSums::noteOtherSpan(std::string_view name) {
    profile_.notes.push_back(fmt::format(
        "Allocations in {} cover a different time span than memory in use because {} {} less allocated than in use. "
        "Only memory in use is shown; {} bytes of allocations ({}) are left out.",
        name, counted(tooFew_, "stack"), byNumber(tooFew_, "has", "have"), thousands(allocated_.bytes),
        counted(allocated_.objects, "object")));
}

/// Decreases cannot be shown as outstanding, because that memory was allocated before the time that the difference
/// covers.
void StackSums::noteDifference(std::string_view name) {
    if (shrunk_.stacks == 0 && undone_.stacks == 0) {
        profile_.notes.push_back(fmt::format("{} is a difference of two profiles. Memory in use did not decrease in "
                                             "any stack.",
                                             name));
        return;
    }
    std::string text = fmt::format("{} is a difference of two profiles.", name);
    if (shrunk_.stacks > 0) {
        text +=
            fmt::format(" Memory in use is {} bytes ({}) lower in {} and {} bytes ({}) higher in {}; only increases "
                        "are shown.",
                        thousands(shrunk_.bytes), counted(shrunk_.objects, "object"), counted(shrunk_.stacks, "stack"),
                        thousands(grown_.bytes), counted(grown_.objects, "object"), counted(grown_.stacks, "stack"));
    }
    if (undone_.stacks > 0) {
        text +=
            fmt::format(" Allocations are below zero in {}, by {} bytes ({}), and count as 0 there.",
                        counted(undone_.stacks, "stack"), thousands(undone_.bytes), counted(undone_.objects, "object"));
    }
    profile_.remarks.push_back(
        text + " To see both, compare the two original profiles (highwater-cli diff BEFORE --with AFTER).");
}

} // namespace highwater::source
