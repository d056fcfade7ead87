#pragma once

#include "core/source/profiles/profile.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Amounts of one stack in a heap profile. They may be negative in a difference of two profiles.
struct StackAmounts {
    std::int64_t usedObjects = 0, usedBytes = 0;           ///< in use
    std::int64_t allocatedObjects = 0, allocatedBytes = 0; ///< in total, including those in use

    friend bool operator==(const StackAmounts&, const StackAmounts&) = default;
};

/// The amounts that the file contains.
struct KnownAmounts {
    bool used = true, allocated = true;
    bool objects = true; ///< false: bytes only
};

/// Adds samples to a profile: memory in use, and memory that was allocated and freed before. Amounts that cannot be
/// represented in this way are counted, and finish() reports them. One thread.
class StackSums {
  public:
    explicit StackSums(Profile& profile) : profile_(profile) {}

    /// Uses the frames of the sample and ignores its amounts. False: the amounts are out of range, and nothing is
    /// added.
    [[nodiscard]] bool add(const Profile::Sample& stack, const StackAmounts& amounts);
    /// The memory used until finish(), for isTooMuch().
    [[nodiscard]] std::size_t bytes() const { return 2 * entries_.size() * sizeof(Entry); }
    /// Call it after the last stack. `name` is that of the file. The profile may exceed the limits afterwards.
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
    void noteOtherSpan(std::string_view name);
    void noteDifference(std::string_view name);

    Profile& profile_;
    std::vector<Entry> entries_;
    bool isDifference_ = false;
    std::uint64_t tooFew_ = 0; ///< stacks with less allocated than in use
    Sum grown_, shrunk_;       ///< memory in use, increases and decreases
    Sum allocated_, undone_;   ///< allocations, positive and negative
    Sum objectsBelowZero_;     ///< although bytes are in use
};

} // namespace highwater::source
