#pragma once

#include "core/event/resident_sample.h"

namespace highwater::source {

/// Makes runs of the resident pages of a mapping, and joins those that touch, because systems report them in pieces.
/// One thread.
class RunJoiner {
  public:
    /// `begin`: address at which the mapping starts.
    explicit RunJoiner(Address begin) : base_(begin) {}

    /// Addresses ascend from call to call, and are multiples of kResidentPageBytes.
    void add(Address begin, Address end) {
        if (begin == end_ && end_ != begin_) {
            end_ = end;
            return;
        }
        close();
        begin_ = begin;
        end_ = end;
    }
    [[nodiscard]] ResidentRuns take() {
        close();
        return std::move(runs_);
    }

  private:
    void close() {
        if (begin_ == end_) return;
        runs_.append((begin_ - base_) / kResidentPageBytes, (end_ - begin_) / kResidentPageBytes);
        base_ = end_;
    }

    ResidentRuns runs_;
    Address base_; ///< end of the previous run
    Address begin_ = 0;
    Address end_ = 0;
};

/// Whether the mapping has private pages of its own that are not from a file: heaps, stacks, memory of mmap() and
/// VirtualAlloc(). Only their pages are in samples.
[[nodiscard]] inline bool isPrivateAnonymous(const Mapping& mapping) {
    constexpr auto kAsked = mapping_flag::kWrite | mapping_flag::kShared | mapping_flag::kFile;
    return (mapping.flags & kAsked) == mapping_flag::kWrite;
}

} // namespace highwater::source
