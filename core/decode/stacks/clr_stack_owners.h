#pragma once

#include "core/base/seeded_hash.h"
#include "core/decode/records/stack_record.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>

namespace highwater::decode {

/// Determines the allocation that the next CLRStackWalk of a thread belongs to. The record does not contain it but
/// follows its event on the same thread, before any other event of the runtime. Pipeline thread only.
class ClrStackOwners {
  public:
    /// An allocation without its own stack.
    void onAllocation(const etl::RawRecord& record) {
        // Threads that never continue are from a damaged file or have ended; their stacks will not arrive.
        if (waiting_.size() >= kMostThreads) waiting_.clear();
        waiting_[record.tid] = {record.ticks, record.pid, record.processor};
    }
    /// Another event of the runtime on this thread.
    void onOther(std::uint32_t tid) {
        if (!waiting_.empty()) waiting_.erase(tid);
    }
    /// The owner of the stack in this record; nothing if it belongs to an event of another kind.
    [[nodiscard]] std::optional<StackReference> take(const etl::RawRecord& record) {
        const auto found = waiting_.find(record.tid);
        if (found == waiting_.end()) return std::nullopt;
        const auto waiting = found->second;
        waiting_.erase(found);
        if (waiting.pid != record.pid) return std::nullopt;
        return StackReference{waiting.ticks, waiting.pid, ThreadId{record.tid}, record.ticks, waiting.processor};
    }

  private:
    static constexpr std::size_t kMostThreads = 65'536;
    struct Waiting {
        std::int64_t ticks = 0;
        std::uint32_t pid = 0;
        std::uint16_t processor = 0;
    };
    tsl::robin_map<std::uint32_t, Waiting, SeededHash> waiting_; ///< by thread
};

} // namespace highwater::decode
