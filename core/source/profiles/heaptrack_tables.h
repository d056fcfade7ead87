#pragma once

#include "core/source/profiles/line_reader.h"
#include "core/source/profiles/name_pool.h"
#include "core/source/profiles/profile_records.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace highwater::source {

/// The tables that the events of a heaptrack file refer to, as defined by its lines: texts, frames, calls, allocations.
/// Indices in the file start at 1, with 0 for none; those of allocations start at 0. Invalid definitions are counted.
/// One thread.
class HeaptrackTables {
  public:
    struct Allocation {
        ByteCount size = 0;
        const StackKeyItem* key = nullptr; ///< null: no stack
        std::uint32_t newestBlock = 0;     ///< for the owner of the blocks; 0: none
    };

    /// mostFrames: limit for all stacks together; further stacks are left out. `records` must outlive it.
    HeaptrackTables(std::uint32_t format, std::uint64_t mostFrames, NamePool& names, ProfileRecords& records);

    /// Takes the whole line, and further lines if the text contains line breaks.
    void defineString(std::string_view line, LineReader& lines);
    // `rest`: the line without its type.
    void defineFrame(std::string_view rest, std::int64_t ticks);
    void defineNode(std::string_view rest);
    void defineAllocation(std::string_view rest, std::int64_t ticks);

    /// Null: not defined. Valid until the next definition.
    [[nodiscard]] Allocation* allocation(std::uint64_t index) {
        return index < allocations_.size() ? &allocations_[static_cast<std::size_t>(index)] : nullptr;
    }
    /// Keys that records of events point to; batches keep them alive.
    [[nodiscard]] const std::shared_ptr<std::deque<StackKeyItem>>& keys() const { return keys_; }

    /// The file exceeds the limits of Highwater.
    [[nodiscard]] bool isTooMuch() const;
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    /// Allocations without a stack because of mostFrames.
    [[nodiscard]] std::uint64_t stacksLeftOut() const { return stacksLeftOut_; }

  private:
    struct Node {
        std::uint32_t frame = 0;
        std::uint32_t parent = 0;
        const StackKeyItem* key = nullptr; ///< null: not written yet
    };
    [[nodiscard]] NameId nameOf(std::uint64_t index);
    [[nodiscard]] const StackKeyItem* keyOf(std::size_t index, std::int64_t ticks);

    std::uint32_t format_;
    std::uint64_t mostFrames_;
    NamePool& names_;
    ProfileRecords& records_;
    std::vector<NameId> strings_;
    std::vector<Address> frames_;
    std::vector<Node> nodes_;
    std::vector<Allocation> allocations_;
    std::shared_ptr<std::deque<StackKeyItem>> keys_; ///< read by other threads
    std::vector<NamedFunction> functions_;
    std::vector<Address> stack_;
    std::uint64_t toldFrames_ = 0;
    std::uint64_t damaged_ = 0, stacksLeftOut_ = 0;
};

} // namespace highwater::source
