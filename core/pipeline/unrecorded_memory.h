#pragma once

#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::pipeline {

/// Memory of a process that no event tells of: what the C library and the system keep for themselves. At the instant
/// where the process had the most private bytes.
struct UnrecordedMemory {
    std::string process; ///< "name (pid)"
    TraceTime time;
    ByteCount privateBytes = 0;
    ByteCount unrecorded = 0; ///< of these; at least, as recorded memory need not be in use
};

/// What was outstanding of heaps when a process had the most private bytes, by pid: noted while it is recorded, where
/// no rows are kept that would tell it later.
class HeapAtPeaks {
  public:
    /// The process never had as many.
    [[nodiscard]] bool isHigher(const PrivateBytesSample& sample) const {
        const auto known = peaks_.find(sample.pid);
        return sample.bytes > (known == peaks_.end() ? 0 : known->second.privateBytes);
    }
    void note(const PrivateBytesSample& sample, SignedByteCount outstanding) {
        peaks_[sample.pid] = {sample.bytes, static_cast<ByteCount>(std::max<SignedByteCount>(outstanding, 0))};
    }
    [[nodiscard]] ByteCount outstanding(std::uint32_t pid) const {
        const auto known = peaks_.find(pid);
        return known == peaks_.end() ? 0 : known->second.outstanding;
    }

  private:
    struct Peak {
        ByteCount privateBytes = 0;
        ByteCount outstanding = 0;
    };
    std::map<std::uint32_t, Peak> peaks_;
};

/// One for every process whose private bytes were sampled, the largest first. For recordings of the Linux agent only:
/// there, heap blocks and pages do not overlap. Goes through all rows; any thread. `counted`: what there is instead of
/// rows of blocks, if none were kept; null: they were.
[[nodiscard]] std::vector<UnrecordedMemory>
unrecordedMemory(const store::PublishedTrace& trace, const TraceNotes& notes, const HeapAtPeaks* counted = nullptr);

/// Whether it is enough to matter for who reads totals: 1 MB, and a tenth of what the process had.
[[nodiscard]] bool isWorthSaying(const UnrecordedMemory& memory);

/// The sentence for the user.
[[nodiscard]] std::string describe(const UnrecordedMemory& memory);

/// Whether a trace was recorded by the Linux agent.
[[nodiscard]] bool isOfAgent(std::string_view sessionName);

} // namespace highwater::pipeline
