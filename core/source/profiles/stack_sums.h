#pragma once

#include "core/source/profiles/profile.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Amounts that a heap profile gives for one stack. They may be negative in the difference of two profiles.
struct StackAmounts {
    std::int64_t usedObjects = 0, usedBytes = 0;           ///< in use
    std::int64_t allocatedObjects = 0, allocatedBytes = 0; ///< in all, with those in use

    friend bool operator==(const StackAmounts&, const StackAmounts&) = default;
};

/// Which of these amounts the file gives.
struct KnownAmounts {
    bool used = true, allocated = true;
    bool objects = true; ///< false: bytes only
};

/// Adds samples to a profile: the memory that is in use, and the memory that was allocated and freed before. Amounts
/// that cannot be shown like that are counted, and finish() says so. One thread.
class StackSums {
  public:
    explicit StackSums(Profile& profile) : profile_(profile) {}

    /// The frames of the sample are those of the stack; its amounts are ignored. False: no program has such amounts,
    /// and nothing is added.
    [[nodiscard]] bool add(const Profile::Sample& stack, const StackAmounts& amounts);
    /// What it keeps until finish(), for isTooMuch().
    [[nodiscard]] std::size_t bytes() const { return 2 * entries_.size() * sizeof(Entry); }
    /// After the last stack, of the file that is called so. The profile may be too much then.
    void finish(const KnownAmounts& known, std::string_view name);

  private:
    struct Entry {
        std::uint32_t firstFrame = 0, frames = 0;
        StackAmounts amounts;
    };
    struct Sum {
        std::uint64_t stacks = 0, objects = 0, bytes = 0;
        void add(std::int64_t objects, std::int64_t bytes);
    };

    void sumUpStacks();
    void countAmounts();
    void addSamples(const Entry& entry, bool knowsFreed);
    void addSample(Profile::Sample sample, std::uint64_t objects, std::uint64_t bytes, std::int64_t end);
    void sayOtherSpan(std::string_view name);
    void sayDifference(std::string_view name);

    Profile& profile_;
    std::vector<Entry> entries_;
    bool isDifference_ = false;
    std::uint64_t tooFew_ = 0; ///< stacks with less allocated than in use
    Sum grown_, shrunk_;       ///< in use, above and below zero
    Sum allocated_, undone_;   ///< the same of allocations
    Sum objectsBelowZero_;     ///< although bytes are in use
};

} // namespace highwater::source
