#pragma once

#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::pipeline {

/// Memory of a process that events do not cover: memory of the C library and the system. At the instant of the most
/// private bytes. Memory that was freed counts as recorded, because the allocator may keep it.
struct UnrecordedMemory {
    std::string process; ///< "name (pid)"
    TraceTime time;
    ByteCount privateBytes = 0;
    ByteCount unrecorded = 0;      ///< part of these; a lower bound because recorded memory need not be in use
    TraceTime since;               ///< a second after the first sample, so that the start of the program does not count
    ByteCount grown = 0;           ///< by which the private bytes grew from then until `time`
    ByteCount grownUnrecorded = 0; ///< part of these: the amount by which recorded memory grew less
    bool isAttached = false;       ///< the process has memory from before the recording
    bool isFork = false;           ///< the process has memory of its parent
    bool isInBalance = false;      ///< the file has samples of its resident memory and all of its blocks
};

/// The most heap memory that was outstanding until the sample with the most private bytes of a process, by pid. Noted
/// during the recording because no rows are kept from which it could be determined later.
class HeapAtPeaks {
  public:
    /// For each sample. `most`: outstanding until then.
    void note(const PrivateBytesSample& sample, SignedByteCount most) {
        auto& peak = peaks_[sample.pid];
        if (sample.bytes > peak.privateBytes) peak = {sample.bytes, static_cast<ByteCount>(most)};
    }
    [[nodiscard]] ByteCount most(std::uint32_t pid) const {
        const auto known = peaks_.find(pid);
        return known == peaks_.end() ? 0 : known->second.most;
    }

  private:
    struct Peak {
        ByteCount privateBytes = 0;
        ByteCount most = 0;
    };
    std::map<std::uint32_t, Peak> peaks_;
};

/// One for every process whose private bytes were sampled, the largest first. Only for recordings of the Linux agent,
/// in which heap blocks and pages do not overlap. Goes through all rows; any thread. `counted`: used in place of rows
/// of blocks if none were kept; otherwise null.
[[nodiscard]] std::vector<UnrecordedMemory>
unrecordedMemory(const store::PublishedTrace& trace, const TraceNotes& notes, const HeapAtPeaks* counted = nullptr);

/// Whether it is large enough to affect totals, 1 MB, and a tenth of the memory of the process, and is not divided
/// into layers by the balance of resident memory.
[[nodiscard]] bool isWorthSaying(const UnrecordedMemory& memory);
/// Whether the recording does not show how the process grew: 5 MB of its growth is missing, and a tenth.
[[nodiscard]] bool isGrowthMissing(const UnrecordedMemory& memory);
/// Whether it still is, if it was before: half of each, so that a message near these limits does not come and go.
[[nodiscard]] bool isGrowthStillMissing(const UnrecordedMemory& memory);

/// The sentence for the user: that growth is missing, or that memory is.
[[nodiscard]] std::string describe(const UnrecordedMemory& memory);
[[nodiscard]] std::string describeGrowth(const UnrecordedMemory& memory);

/// Whether a trace was recorded by the Linux agent.
[[nodiscard]] bool isOfAgent(std::string_view sessionName);

} // namespace highwater::pipeline
