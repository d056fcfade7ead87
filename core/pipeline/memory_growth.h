#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <map>

namespace highwater::pipeline {

/// Whether the resident memory of processes has grown by an amount: of each process since its first value, and then
/// since the last time that it had. One thread.
class MemoryGrowth {
  public:
    explicit MemoryGrowth(ByteCount by) : by_(by) {}

    [[nodiscard]] bool hasGrown(std::uint32_t pid, ByteCount resident) {
        auto& from = from_.try_emplace(pid, resident).first->second;
        if (resident < from || resident - from < by_) return false;
        from = resident;
        return true;
    }

  private:
    ByteCount by_;
    std::map<std::uint32_t, ByteCount> from_; ///< by pid
};

} // namespace highwater::pipeline
