#include "core/decode/stacks/stack_key_table.h"

#include <utility>

namespace highwater::decode {
namespace {

std::uint64_t pairKey(KeyGeneration kernel, KeyGeneration user) {
    return (std::uint64_t{kernel.value} << 32) | user.value;
}

} // namespace

StackKeyTable::StackKeyTable(const Clock& clock, EventSink& sink, TraceHealth& health, StackObserver* observer)
    : clock_(clock), sink_(sink), health_(health), observer_(observer) {}

KeyGeneration StackKeyTable::newGeneration() {
    if (!freeGenerations_.empty()) {
        const KeyGeneration reused{freeGenerations_.back()};
        freeGenerations_.pop_back();
        return reused;
    }
    generations_.emplace_back();
    return KeyGeneration{static_cast<std::uint32_t>(generations_.size() - 1)};
}

void StackKeyTable::release(KeyGeneration generation) {
    auto& entry = generations_[generation.value];
    if (--entry.holds > 0) return;
    entry.undefinedReferences = 0;
    entry.alone = kNoPending;
    entry.isDefined = false;
    entry.frames.clear(); // the vectors keep their capacity for the next generation in this slot
    entry.pendings.clear();
    entry.observed.clear();
    freeGenerations_.push_back(generation.value);
}

KeyGeneration StackKeyTable::refer(std::uint64_t key, const StackReference& reference) {
    const auto found = currentOfKey_.find(key);
    KeyGeneration generation;
    if (found != currentOfKey_.end()) {
        generation = found->second;
    } else {
        generation = newGeneration();
        currentOfKey_.emplace(key, generation);
        hold(generation);
    }
    auto& entry = generations_[generation.value];
    if (!entry.isDefined) ++entry.undefinedReferences;
    if (observer_ != nullptr) {
        const Observed observed{clock_.toTime(reference.eventTicks), reference.pid};
        if (entry.isDefined)
            observer_->onStack(observed.time, observed.pid, entry.frames);
        else
            entry.observed.push_back(observed);
    }
    return generation;
}

void StackKeyTable::define(std::uint64_t key, std::span<const Address> frames) {
    const auto found = currentOfKey_.find(key);
    if (found == currentOfKey_.end()) return; // there was no reference to it
    const auto generation = found->second;
    if (!generations_[generation.value].isDefined) setFrames(generation, frames);
    forget(key);
}

void StackKeyTable::create(std::uint64_t key, std::span<const Address> frames) {
    const auto found = currentOfKey_.find(key);
    if (found != currentOfKey_.end()) {
        if (!generations_[found->second.value].isDefined) {
            setFrames(found->second, frames);
            return;
        }
        forget(key);
    }
    const auto generation = newGeneration();
    currentOfKey_.emplace(key, generation);
    hold(generation);
    setFrames(generation, frames);
}

void StackKeyTable::forget(std::uint64_t key) {
    const auto found = currentOfKey_.find(key);
    const auto generation = found->second;
    currentOfKey_.erase(found);
    release(generation);
}

// The caller's key map holds the generation, so it outlives the pending stacks completed here.
void StackKeyTable::setFrames(KeyGeneration generation, std::span<const Address> frames) {
    auto& entry = generations_[generation.value];
    entry.isDefined = true;
    entry.undefinedReferences = 0;
    entry.frames.assign(frames.begin(), frames.end());
    for (const auto& observed : entry.observed) {
        observer_->onStack(observed.time, observed.pid, entry.frames);
    }
    entry.observed.clear();
    for (const auto slot : entry.pendings) {
        if (--pendings_[slot].missing == 0) completePending(slot);
    }
    entry.pendings.clear();
}

void StackKeyTable::completePending(std::uint32_t slot) {
    auto& pending = pendings_[slot];
    sink_.onPendingStackDefined(pending.id, joined(pending.kernel, pending.user));
    const bool kernelIsKey = pending.kernel.kind == StackPart::Kind::Key;
    const bool userIsKey = pending.user.kind == StackPart::Kind::Key;
    if (kernelIsKey && userIsKey) pendingOfPair_.erase(pairKey(pending.kernel.generation, pending.user.generation));
    if (kernelIsKey) release(pending.kernel.generation);
    if (userIsKey) release(pending.user.generation);
    freePendings_.push_back(slot);
}

bool StackKeyTable::isKnown(const StackPart& part) const {
    return part.kind != StackPart::Kind::Key || generations_[part.generation.value].isDefined;
}

std::span<const Address> StackKeyTable::framesOf(const StackPart& part) const {
    if (part.kind != StackPart::Kind::Key) return part.frames;
    return generations_[part.generation.value].frames;
}

std::span<const Address> StackKeyTable::joined(const StackPart& kernel, const StackPart& user) {
    const auto first = framesOf(kernel);
    const auto second = framesOf(user);
    if (first.empty()) return second;
    if (second.empty()) return first;
    joinedFrames_.assign(first.begin(), first.end());
    joinedFrames_.insert(joinedFrames_.end(), second.begin(), second.end());
    return joinedFrames_;
}

EventStack StackKeyTable::resolve(const StackPart& kernel, const StackPart& user) {
    EventStack stack;
    if (isKnown(kernel) && isKnown(user)) {
        stack.frames = joined(kernel, user);
        stack.kind = stack.frames.empty() ? EventStack::Kind::None : EventStack::Kind::Frames;
        return stack;
    }
    auto& slot = sharedSlot(kernel, user);
    if (slot == kNoPending) slot = newPending(kernel, user);
    stack.kind = EventStack::Kind::Pending;
    stack.pending = pendings_[slot].id;
    return stack;
}

// The place that stores the slot of a pending stack with these parts. Stacks with plain frames are not shared.
std::uint32_t& StackKeyTable::sharedSlot(const StackPart& kernel, const StackPart& user) {
    using Kind = StackPart::Kind;
    if (kernel.kind == Kind::Key && user.kind == Kind::Key) {
        return pendingOfPair_.emplace(pairKey(kernel.generation, user.generation), kNoPending).first.value();
    }
    if (kernel.kind == Kind::Key && user.kind == Kind::None) return generations_[kernel.generation.value].alone;
    if (kernel.kind == Kind::None && user.kind == Kind::Key) return generations_[user.generation.value].alone;
    unshared_ = kNoPending;
    return unshared_;
}

std::uint32_t StackKeyTable::newPending(const StackPart& kernel, const StackPart& user) {
    std::uint32_t slot = 0;
    if (freePendings_.empty()) {
        slot = static_cast<std::uint32_t>(pendings_.size());
        pendings_.emplace_back();
    } else {
        slot = freePendings_.back();
        freePendings_.pop_back();
    }
    auto& pending = pendings_[slot];
    pending.id = PendingStackId{nextPendingId_++};
    pending.kernel = kernel;
    pending.user = user;
    pending.missing = 0;
    copyPlainFrames(pending);
    await(pending.kernel, slot);
    await(pending.user, slot);
    return slot;
}

void StackKeyTable::await(StackPart& part, std::uint32_t slot) {
    if (part.kind != StackPart::Kind::Key) return;
    hold(part.generation);
    auto& entry = generations_[part.generation.value];
    if (entry.isDefined) return;
    entry.pendings.push_back(slot);
    ++pendings_[slot].missing;
}

// At most one half has plain frames: with two, nothing would be pending.
void StackKeyTable::copyPlainFrames(PendingStack& pending) {
    auto& plain = pending.kernel.kind == StackPart::Kind::Frames ? pending.kernel : pending.user;
    if (plain.kind != StackPart::Kind::Frames) return;
    pending.plainFrames.assign(plain.frames.begin(), plain.frames.end());
    plain.frames = pending.plainFrames;
}

void StackKeyTable::finish() {
    std::uint64_t unresolved = 0;
    for (const auto& [key, generation] : currentOfKey_) {
        unresolved += generations_[generation.value].undefinedReferences;
    }
    if (unresolved > 0) health_.count(Loss::StacksUnresolved, unresolved);
}

} // namespace highwater::decode
