#include "core/agent_linux/stack_walker.h"

#include "core/agent_linux/system_calls.h"

#include <ucontext.h>

namespace highwater::agent {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLargestGeneratedFrame = 1u << 20;

std::uint64_t load(std::uint64_t address) { return *reinterpret_cast<const std::uint64_t*>(address); }

std::uint64_t mixed(std::uint64_t key, std::uint64_t returnAddress) {
    const unsigned __int128 product = static_cast<unsigned __int128>(key ^ returnAddress) * 0x9E3779B97F4A7C15ull;
    const std::uint64_t folded = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return folded + returnAddress;
}

} // namespace

/// Stack memory is checked page by page, because stacks may end anywhere (threads, coroutines, signal stacks).
bool FrameStepper::extendReadable(std::uint64_t address) {
    const std::uint64_t page = address & ~(kPage - 1);
    if (address % 8 != 0 || address < kPage || address >> 47 != 0) return false;
    constexpr std::uint64_t kFar = 16 * kPage;
    if (readableTo_ != 0 && page >= readableTo_ && page - readableTo_ <= kFar) {
        for (; readableTo_ <= page; readableTo_ += kPage)
            if (!isPageReadable(readableTo_)) return false;
        return true;
    }
    if (readableTo_ != 0 && page < readableFrom_ && readableFrom_ - page <= kFar) {
        for (; readableFrom_ > page; readableFrom_ -= kPage)
            if (!isPageReadable(readableFrom_ - kPage)) return false;
        return true;
    }
    if (!isPageReadable(page)) return false;
    readableFrom_ = page;
    readableTo_ = page + kPage;
    return true;
}

/// The number of frames of the last walk, counted from the outermost one, that are still the callers of `frame`.
/// `candidate` is the position of the search (outer frames have higher addresses). The caller of a frame depends only
/// on its three registers and on memory, so equal registers and equal memory result in equal frames.
std::uint32_t StackWalker::sameOuterFrames(const Frame& frame, std::uint32_t& candidate) const {
    while (candidate > 0 && frames_[candidate - 1].stackPointer < frame.stackPointer)
        --candidate;
    if (candidate == 0) return 0;
    const Frame& known = frames_[candidate - 1];
    if (known.stackPointer != frame.stackPointer || known.returnAddress != frame.returnAddress ||
        known.framePointer != frame.framePointer)
        return 0;
    for (std::uint32_t i = candidate - 1; i-- > 0;) {
        const Frame& outer = frames_[i];
        if (load(outer.stackPointer - 8) != outer.returnAddress) return 0;
        if (outer.framePointerAt != 0 && load(outer.framePointerAt) != outer.framePointer) return 0;
    }
    return candidate;
}

inline FrameStepper::Step FrameStepper::step(const StackFrame& from, StackFrame& to) {
    std::uint64_t offset = 0;
    std::uint64_t below = 0;
    if (!placeIsExact_ && frameRules.aboveStackPointer(from.returnAddress - 1, offset, below)) [[likely]] {
        const std::uint64_t frameAddress = from.stackPointer + offset;
        if (frameAddress > from.stackPointer && canRead(frameAddress - 8)) [[likely]]
            return fillFrame(from, to, frameAddress, below != 0 ? frameAddress - below : 0);
    }
    return stepOutSlowly(from, to);
}

FrameStepper::Step FrameStepper::stepOut(const StackFrame& from, StackFrame& to) { return step(from, to); }

void StackWalker::walk(const Caller& caller, std::uint64_t seed) {
    if (seed != seed_ || !isComplete_) depth_ = 0;
    seed_ = seed;
    stepper_.begin();
    std::uint32_t candidate = depth_;
    std::uint32_t outer = 0;
    std::uint32_t found = 1;
    bool isOrdered = true; // no frame is on another stack
    found_[0] = {caller.stackPointer, caller.returnAddress, caller.framePointer, 0, 0};
    static_cast<void>(stepper_.canRead(caller.stackPointer - 16));
    while (true) {
        const Frame& last = found_[found - 1];
        if (candidate != 0) outer = sameOuterFrames(last, candidate);
        if (outer != 0) { // the last one found is the innermost of those
            --found;
            break;
        }
        if (found == kMostFrames) break;
        const Step step = stepper_.step(last, found_[found]);
        if (step == Step::Done) break;
        if (step == Step::Jumped) {
            isOrdered = false;
            candidate = 0;
        }
        ++found;
    }
    if (outer + found > kMostFrames) { // frames of the last walk that do not fit are dropped, outermost first
        isOrdered = false;
        const std::uint32_t excess = outer + found - kMostFrames;
        for (std::uint32_t i = excess; i < outer; ++i)
            frames_[i - excess] = frames_[i];
        outer -= excess;
        for (std::uint32_t i = 0; i < outer; ++i)
            frames_[i].key = mixed(i == 0 ? seed : frames_[i - 1].key, frames_[i].returnAddress);
    }
    keep(outer, found, seed);
    isComplete_ = isOrdered && depth_ < kMostFrames;
}

void StackWalker::keep(std::uint32_t outer, std::uint32_t found, std::uint64_t seed) {
    std::uint64_t key = outer == 0 ? seed : frames_[outer - 1].key;
    for (std::uint32_t i = found; i-- > 0;) {
        Frame& frame = frames_[outer++];
        const Frame& last = found_[i];
        key = mixed(key, last.returnAddress);
        frame = {last.stackPointer, last.returnAddress, last.framePointer, last.framePointerAt, key};
    }
    depth_ = outer;
    if (frames_[depth_ - 1].key == 0) frames_[depth_ - 1].key = 1;
}

FrameStepper::Step FrameStepper::fillFrame(const StackFrame& from, StackFrame& to, std::uint64_t frameAddress,
                                           std::uint64_t savedAt) {
    if (savedAt != 0 && !canRead(savedAt)) savedAt = 0;
    to.stackPointer = frameAddress;
    to.returnAddress = load(frameAddress - 8);
    to.framePointer = savedAt != 0 ? load(savedAt) : from.framePointer;
    to.framePointerAt = savedAt;
    return to.returnAddress < kPage ? Step::Done : Step::Found;
}

FrameStepper::Step FrameStepper::stepOutSlowly(const StackFrame& from, StackFrame& to) {
    const FrameRule rule = frameRules.at(from.returnAddress - (placeIsExact_ ? 0 : 1));
    placeIsExact_ = false;
    std::uint64_t frameAddress = 0;
    std::uint64_t savedAt = 0;
    switch (rule.kind) {
    case FrameRule::Kind::StackPointer:
        frameAddress = from.stackPointer + static_cast<std::uint64_t>(std::int64_t{rule.frameOffset});
        break;
    case FrameRule::Kind::FramePointer:
        frameAddress = from.framePointer + static_cast<std::uint64_t>(std::int64_t{rule.frameOffset});
        break;
    case FrameRule::Kind::AtFramePointer: {
        const std::uint64_t at = from.framePointer + static_cast<std::uint64_t>(std::int64_t{rule.frameOffset});
        if (!canRead(at) || !canRead(from.framePointer)) break;
        frameAddress = load(at);
        savedAt = from.framePointer;
        break;
    }
    case FrameRule::Kind::End:
        return Step::Done;
    case FrameRule::Kind::SignalFrame:
        return leaveSignal(from, to);
    case FrameRule::Kind::Guess:
        return guess(from, to);
    default:
        break;
    }
    if (frameAddress <= from.stackPointer || !canRead(frameAddress - 8)) {
        wasCut_ = true;
        return Step::Done;
    }
    if (rule.savedBelow != 0) savedAt = frameAddress - static_cast<std::uint64_t>(rule.savedBelow);
    const Step step = fillFrame(from, to, frameAddress, savedAt);
    // The position of such a frame depends on memory that sameOuterFrames() does not compare, so the next walk does not
    // rely on it.
    return step == Step::Found && rule.kind == FrameRule::Kind::AtFramePointer ? Step::Jumped : step;
}

/// Generated code: if it keeps frame pointers, its return address is above the value that rbp points to. Code that uses
/// rbp in another way may leave any value, so only an executable address is accepted as a caller.
FrameStepper::Step FrameStepper::guess(const StackFrame& from, StackFrame& to) {
    const std::uint64_t at = from.framePointer;
    if (at < from.stackPointer || at - from.stackPointer > kLargestGeneratedFrame || !canRead(at) || !canRead(at + 8) ||
        load(at + 8) < kPage || frameRules.at(load(at + 8) - 1) == kNoCode) {
        wasCut_ = true;
        return Step::Done;
    }
    to = {at + 16, load(at + 8), load(at), at, 0};
    return Step::Found;
}

/// A signal handler returns to code whose stack pointer is in the saved registers.
FrameStepper::Step FrameStepper::leaveSignal(const StackFrame& from, StackFrame& to) {
    const auto* context = reinterpret_cast<const ucontext_t*>(from.stackPointer);
    const auto* registers = context->uc_mcontext.gregs;
    if (!canRead(reinterpret_cast<std::uint64_t>(registers)) ||
        !canRead(reinterpret_cast<std::uint64_t>(registers + REG_RIP))) {
        wasCut_ = true;
        return Step::Done;
    }
    to = {static_cast<std::uint64_t>(registers[REG_RSP]), static_cast<std::uint64_t>(registers[REG_RIP]),
          static_cast<std::uint64_t>(registers[REG_RBP]), 0, 0};
    placeIsExact_ = true;
    return to.returnAddress < kPage ? Step::Done : Step::Jumped;
}

} // namespace highwater::agent
