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

/// What the events of a file of heaptrack refer to, as its lines define it: texts, frames, calls, allocations. Indices
/// of the file count from 1, 0 is none; those of allocations from 0. What makes no sense is counted. One thread.
class HeaptrackTables {
  public:
    struct Allocation {
        ByteCount size = 0;
        const StackKeyItem* key = nullptr; ///< null: no stack
        std::uint32_t newestBlock = 0;     ///< for who keeps blocks; 0: none
    };

    /// mostFrames: of all stacks together; further ones are left out. The records outlive it.
    HeaptrackTables(std::uint32_t format, std::uint64_t mostFrames, NamePool& names, ProfileRecords& records);

    /// The whole line; the lines go on behind it where the text does.
    void defineString(std::string_view line, LineReader& lines);
    // The rest of a line.
    void defineFrame(std::string_view rest, std::int64_t ticks);
    void defineNode(std::string_view rest);
    void defineAllocation(std::string_view rest, std::int64_t ticks);

    /// Null: there is none. Valid until the next definition.
    [[nodiscard]] Allocation* allocation(std::uint64_t index) {
        return index < allocations_.size() ? &allocations_[static_cast<std::size_t>(index)] : nullptr;
    }
    /// What the records of events point to: batches keep them.
    [[nodiscard]] const std::shared_ptr<std::deque<StackKeyItem>>& keys() const { return keys_; }

    /// More than Highwater keeps of a file.
    [[nodiscard]] bool isTooMuch() const;
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    /// Allocations without a stack, as there are more frames than mostFrames.
    [[nodiscard]] std::uint64_t stacksLeftOut() const { return stacksLeftOut_; }

  private:
    struct Node {
        std::uint32_t frame = 0;
        std::uint32_t parent = 0;
        const StackKeyItem* key = nullptr; ///< null: not told yet
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
