#include "core/event/trace_health.h"

#include <algorithm>

namespace highwater {
namespace {

/// Held for a few instructions only; remarks are rare.
class SpinGuard {
  public:
    explicit SpinGuard(std::atomic_flag& flag) : flag_(flag) {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~SpinGuard() { flag_.clear(std::memory_order_release); }
    SpinGuard(const SpinGuard&) = delete;
    SpinGuard& operator=(const SpinGuard&) = delete;

  private:
    std::atomic_flag& flag_;
};

/// Nobody reads more of them, and a file can give reason for any number.
constexpr std::size_t kMostSentences = 100;
constexpr std::string_view kMoreSentences = "There is more of this kind than is listed.";

constexpr std::array<LossText, kLossCount> kTexts{{
    {"events lost",
     "The recording lacks events: its buffers were full, or its disk. Record with more or larger buffers, or more room.",
     Severity::Bound},
    {"buffers lost", "The recorder dropped whole buffers. Record again with more buffers or a faster disk.", Severity::Bound},
    {"buffers after a loss", "These buffers say that events were lost before them. Record again with more buffers.",
     Severity::Bound},
    {"buffers missing", "Buffer sequence numbers have gaps: parts of the file are missing.", Severity::Bound},
    {"buffers unreadable", "The file is damaged there; what follows was not read. Copy it again from its source.",
     Severity::Bound},
    {"buffers truncated", "The file ends in the middle of a buffer: the recording was cut off.", Severity::Bound},
    {"buffers not decompressed", "These buffers could not be decompressed.", Severity::Bound},
    {"records damaged", "The rest of a buffer was skipped after a record that makes no sense.", Severity::Bound},
    {"buffers that end early", "Records behind the place where these buffers say that they end were not read.",
     Severity::Bound},
    {"records truncated", "Records shorter than their kind requires were skipped.", Severity::Bound},
    {"records out of order", "Records of one processor were not in time order; they were sorted.", Severity::Note},
    {"stacks missing", "Events whose stack did not arrive are shown under (no stack).", Severity::Note},
    {"stack halves missing", "Only the kernel part of these stacks was recorded.", Severity::Note},
    {"stacks unresolved", "Stack keys without a definition: the recording was not ended properly.", Severity::Note},
    {"unmatched frees",
     "Blocks freed whose allocation was not recorded. They are listed under Frees, never subtracted.", Severity::Note},
    {"frees lost", "Blocks allocated again without a free in between: their frees are missing.", Severity::Bound},
    {"reallocs of unknown blocks", "Blocks moved whose allocation was not recorded.", Severity::Note},
    {"decommits of unknown pages", "Pages freed that were not known as committed: committed before the recording.",
     Severity::Note},
    {"unknown reservations released",
     "Releases of memory reserved before the recording: ended up to the next known region.", Severity::Note},
    {"unknown heaps destroyed", "Heaps destroyed that were created before the recording.", Severity::Note},
    {"unknown processes", "Processes without a name: neither start nor rundown was recorded.", Severity::Note},
    {"rows dropped", "The trace has more allocations than Highwater can hold. Open a shorter recording.",
     Severity::Bound},
}};

} // namespace

LossText describe(Loss loss) { return kTexts[static_cast<std::size_t>(loss)]; }

bool HealthReport::totalsAreBounds() const {
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (counts[i] > 0 && kTexts[i].severity == Severity::Bound) return true;
    }
    return !remarks.empty();
}

bool HealthReport::isClean() const {
    return remarks.empty() && notes.empty() && std::all_of(counts.begin(), counts.end(), [](auto n) { return n == 0; });
}

std::vector<std::string> HealthReport::sentences() const {
    auto all = remarks;
    all.insert(all.end(), notes.begin(), notes.end());
    return all;
}

void TraceHealth::remark(std::string sentence) { keep(remarks_, std::move(sentence)); }
void TraceHealth::note(std::string sentence) { keep(notes_, std::move(sentence)); }

void TraceHealth::keep(std::vector<std::string>& list, std::string sentence) {
    const SpinGuard guard(sentencesLock_);
    if (list.size() > kMostSentences || std::find(list.begin(), list.end(), sentence) != list.end()) return;
    list.push_back(list.size() < kMostSentences ? std::move(sentence) : std::string(kMoreSentences));
}

HealthReport TraceHealth::report() const {
    HealthReport report;
    for (std::size_t i = 0; i < kLossCount; ++i) {
        report.counts[i] = counts_[i].load(std::memory_order_relaxed);
    }
    const SpinGuard guard(sentencesLock_);
    report.remarks = remarks_;
    report.notes = notes_;
    return report;
}

} // namespace highwater
