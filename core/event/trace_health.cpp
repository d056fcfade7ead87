#include "core/event/trace_health.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater {
namespace {

/// Held only for a few instructions; remarks are rare.
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

/// A limit, because a file can cause any number of sentences.
constexpr std::size_t kMostSentences = 100;
constexpr std::string_view kMoreSentences = "Further messages are not listed.";

constexpr std::array<LossText, kLossCount> kTexts{{
    {"events lost", "event was lost",
     "The recording lacks events because its buffers or its disk were full. Record with more or larger buffers, or "
     "more disk space.",
     Effect::Either, LossScope::All, "events were lost"},
    {"buffers lost", "buffer was lost",
     "The recorder dropped buffers. Record again with more buffers or a faster disk.", Effect::Either, LossScope::All,
     "buffers were lost"},
    {"buffers after a loss", "buffer follows a loss",
     "According to the recorder, events were lost just before. Record again with more buffers.", Effect::Either,
     LossScope::All, "buffers follow a loss"},
    {"buffers missing", "buffer is missing",
     "The sequence numbers of the buffers have gaps, so parts of the file are missing.", Effect::Either, LossScope::All,
     "buffers are missing"},
    {"buffers behind the end", "buffer is missing at the end of the file",
     "The file ends sooner than its header says. It was cut off, only partly copied, or damaged.", Effect::Either,
     LossScope::All, "buffers are missing at the end of the file"},
    {"buffers unreadable", "buffer could not be read",
     "The file is damaged, and parts of it were not read. Copy it again from its source.", Effect::Either,
     LossScope::All, "buffers could not be read"},
    {"buffers truncated", "buffer is cut off",
     "The file ends in the middle of a buffer because the recording or its copy was cut off.", Effect::Either,
     LossScope::All, "buffers are cut off"},
    {"buffers not decompressed", "buffer could not be decompressed", "The compressed content could not be read.",
     Effect::Either, LossScope::All, "buffers could not be decompressed"},
    {"records damaged", "record is damaged", "After a record with an invalid size, the rest of its buffer was skipped.",
     Effect::Either, LossScope::All, "records are damaged"},
    {"buffers that end early", "buffer ends early",
     "Records after the end of the data, as stated by the buffer's header, were not read.", Effect::Either,
     LossScope::All, "buffers end early"},
    {"records truncated", "record is too short", "Records that are shorter than their kind requires were skipped.",
     Effect::Either, LossScope::All, "records are too short"},
    {"records out of order", "record was out of order",
     "The records of a processor were not in chronological order, so Highwater sorted them.", Effect::None,
     LossScope::All, "records were out of order"},
    {"stacks missing", "event has no stack",
     "Rows of events without a stack are listed under (no stack). The count is for the whole trace.", Effect::None,
     LossScope::All, "events have no stack"},
    {"stack halves missing", "stack is incomplete", "Only the kernel part was recorded, not the part in the program.",
     Effect::None, LossScope::All, "stacks are incomplete"},
    {"stacks unresolved", "stack has no frames",
     "The file refers to stacks that it does not contain. Stacks are written when a recording ends, so the recording "
     "was not ended properly, or the file was cut off or damaged.",
     Effect::None, LossScope::All, "stacks have no frames"},
    {"unmatched frees", "free has no recorded allocation",
     "Such frees are listed under Frees, but not subtracted from totals.", Effect::None, LossScope::Heaps,
     "frees have no recorded allocation"},
    {"frees lost", "free was lost",
     "An address was allocated again without a free in between, so the free was not recorded.", Effect::TooHigh,
     LossScope::Heaps, "frees were lost"},
    {"reallocs of unknown blocks", "reallocation refers to an unknown block",
     "The allocation of the block was not recorded.", Effect::None, LossScope::Heaps,
     "reallocations refer to unknown blocks"},
    {"decommits of unknown pages", "decommit refers to unknown pages",
     "The commit of the decommitted pages was not recorded because it preceded the recording.", Effect::None,
     LossScope::Pages, "decommits refer to unknown pages"},
    {"unknown reservations released", "unknown reservation was released",
     "The released memory was reserved before the recording. Its size is unknown, so the release is applied up to the "
     "next known region.",
     Effect::None, LossScope::Pages, "unknown reservations were released"},
    {"unknown heaps destroyed", "unknown heap was destroyed", "A destroyed heap had been created before the recording.",
     Effect::None, LossScope::Heaps, "unknown heaps were destroyed"},
    {"unknown processes", "process has no name", "Neither the start nor the rundown of such a process was recorded.",
     Effect::None, LossScope::All, "processes have no name"},
    {"rows dropped", "row was dropped",
     "The trace has more allocations than Highwater has memory or rows for. Open a shorter recording, or allow more "
     "memory (on Linux ulimit -v).",
     Effect::TooLow, LossScope::All, "rows were dropped"},
    {"heap snapshots undecoded", "heap snapshot could not be decoded",
     "Windows heap snapshots with an unknown layout are not in the table Heap Snapshot. To save their bytes, run "
     "highwater-cli info TRACE --save-snapshots FOLDER.",
     Effect::None, LossScope::Heaps, "heap snapshots could not be decoded"},
    {"heap snapshots incomplete", "heap snapshot is incomplete",
     "Windows heap snapshots with missing or contradictory pieces are not in the table Heap Snapshot.", Effect::None,
     LossScope::Heaps, "heap snapshots are incomplete"},
}};

/// Replaces the sentence of StacksMissing if rows of a table are counted.
constexpr std::string_view kRowsWithoutStack =
    "The stack was not recorded, or no code caused the event (memory older than the trace, the end of a process). The "
    "count is for the whole trace.";

} // namespace

LossText describe(Loss loss) { return kTexts[static_cast<std::size_t>(loss)]; }

namespace {

/// Only lost frees make Size too high.
std::string mostBytesText(Effect effect, std::uint64_t bytes) {
    return fmt::format(" Size is at most {} too {} because of this.", counted(bytes, "byte"),
                       effect == Effect::TooLow ? "low" : "high");
}

bool isBound(std::size_t loss) { return kTexts[loss].effect != Effect::None; }

/// Number of losses in zones whose start is certain.
std::uint64_t countInZones(const std::vector<LostZone>& zones, std::initializer_list<std::string_view> kinds) {
    std::uint64_t sum = 0;
    for (const auto& zone : zones) {
        const bool isOfKind = std::ranges::find(kinds, std::string_view(zone.what)) != kinds.end();
        if (isOfKind && zone.isStartCertain) sum += std::min(zone.count, ~sum);
    }
    return sum;
}

/// In milliseconds, unless nothing remains of it. Rounded down, because data may be missing right after it.
std::string roundedDown(TraceTime time) {
    constexpr std::int64_t kMillisecond = 1'000'000;
    return secondsText(time.ns < kMillisecond ? time : TraceTime{time.ns - time.ns % kMillisecond});
}

std::string missingText(std::uint64_t most) {
    return fmt::format("At most {} {} missing.", counted(most, "heap allocation"), byNumber(most, "is", "are"));
}

} // namespace

std::string HealthEntry::text() const {
    if (name.empty()) return sentence;
    return fmt::format("{} {}. {}", thousands(count), counted, sentence);
}

const LostZone* HealthReport::endZone() const {
    const auto zone = std::ranges::find(zones, std::string_view(kEndOfFile), &LostZone::what);
    return zone == zones.end() ? nullptr : &*zone;
}

Effect HealthReport::effect() const {
    auto all = remarks.empty() ? Effect::None : Effect::Either;
    for (std::size_t i = 0; i < kLossCount; ++i) {
        const auto one = counts[i] == 0 ? Effect::None : kTexts[i].effect;
        if (one == Effect::None || one == all) continue;
        all = all == Effect::None ? one : Effect::Either;
    }
    return all;
}

std::string HealthReport::boundsText() const {
    switch (effect()) {
    case Effect::TooLow:
        return "All totals may be too low.";
    case Effect::TooHigh:
        return "Size, Impacting Size and Peak Size may be too high.";
    case Effect::Either:
        return "Count, Allocated and Freed may be too low; Size, Impacting Size and Peak Size too low or too high.";
    case Effect::None:
        break;
    }
    return {};
}

/// Lost frees do not reduce the number of allocations.
std::optional<std::uint64_t> HealthReport::mostMissing() const {
    if (remarks.size() > remarksWithZone) return std::nullopt;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kLossCount; ++i) {
        const auto loss = static_cast<Loss>(i);
        if (counts[i] == 0 && !isAtLeast[i]) continue;
        if (!isBound(i) || loss == Loss::FreesLost) continue;
        if (isAtLeast[i] || (loss != Loss::EventsLost && loss != Loss::RowsDropped)) return std::nullopt;
        sum += std::min(counts[i], ~sum);
    }
    return sum;
}

std::optional<TraceTime> HealthReport::wholeBefore() const {
    if (!totalsAreBounds() || zones.empty() || remarks.size() > remarksWithZone) return std::nullopt;
    auto left = counts;
    const auto place = [&](std::initializer_list<Loss> losses, std::initializer_list<std::string_view> kinds) {
        auto found = countInZones(zones, kinds);
        for (const auto loss : losses) {
            auto& count = left[static_cast<std::size_t>(loss)];
            const auto here = std::min(count, found);
            count -= here;
            found -= here;
        }
    };
    place({Loss::EventsLost}, {describe(Loss::EventsLost).name, kEventsMissingInFile});
    place({Loss::BuffersMissing}, {describe(Loss::BuffersMissing).name});
    place({Loss::BuffersBehindTheEnd, Loss::BuffersTruncated}, {kEndOfFile});
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (isBound(i) && left[i] > 0) return std::nullopt;
    }
    const auto start = std::ranges::min(zones, {}, &LostZone::start).start;
    return start > TraceTime{0} ? std::optional(start) : std::nullopt;
}

std::string HealthReport::limitsText() const {
    // Blocks with lost frees are reported one by one.
    if (effect() == Effect::None || effect() == Effect::TooHigh) return {};
    const auto most = mostMissing();
    auto text = most ? missingText(*most) : std::string("The number of missing allocations is unknown.");
    if (const auto until = wholeBefore())
        text += fmt::format(" Nothing is missing before {} s, so amounts until then are exact.", roundedDown(*until));
    return text;
}

std::vector<HealthEntry> HealthReport::entries() const {
    std::vector<HealthEntry> all;
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (counts[i] == 0) continue;
        auto text = kTexts[i];
        if (static_cast<Loss>(i) == Loss::StacksMissing && countsRowsWithoutStack) text.sentence = kRowsWithoutStack;
        std::string id(text.name);
        std::replace(id.begin(), id.end(), ' ', '_');
        all.push_back({std::move(id), std::string(text.name), std::string(counts[i] == 1 ? text.one : text.several()),
                       text.severity(), counts[i], std::string(text.sentence)});
        const bool isCounted = static_cast<Loss>(i) == Loss::EventsLost || static_cast<Loss>(i) == Loss::RowsDropped;
        if (isCounted && !isAtLeast[i]) all.back().mostMissing = counts[i];
        if (bytes[i] == 0) continue;
        all.back().mostBytes = bytes[i];
        all.back().sentence += mostBytesText(text.effect, bytes[i]);
    }
    for (const auto& sentence : remarks)
        all.push_back({"remark", {}, {}, Severity::Bound, 1, sentence});
    for (const auto& sentence : notes)
        all.push_back({"note", {}, {}, Severity::Note, 1, sentence});
    std::ranges::stable_partition(all, [](const HealthEntry& entry) { return entry.severity == Severity::Bound; });
    return all;
}

bool HealthReport::isClean() const {
    return remarks.empty() && notes.empty() && std::all_of(counts.begin(), counts.end(), [](auto n) { return n == 0; });
}

std::vector<std::string> HealthReport::sentences() const {
    auto all = remarks;
    all.insert(all.end(), notes.begin(), notes.end());
    return all;
}

void TraceHealth::countBytes(Loss loss, std::uint64_t bytes) {
    count(loss);
    auto& sum = bytes_[static_cast<std::size_t>(loss)];
    auto before = sum.load(std::memory_order_relaxed);
    while (!sum.compare_exchange_weak(before, before + std::min(bytes, ~before), std::memory_order_relaxed)) {
    }
}

void TraceHealth::remark(std::string sentence) {
    const SpinGuard guard(sentencesLock_);
    keep(remarks_, std::move(sentence));
}

void TraceHealth::remark(std::string sentence, LostZone zone) {
    const SpinGuard guard(sentencesLock_);
    zones_.add(std::move(zone));
    remarksWithZone_ += keep(remarks_, std::move(sentence)) ? 1 : 0;
}

void TraceHealth::note(std::string sentence) {
    const SpinGuard guard(sentencesLock_);
    keep(notes_, std::move(sentence));
}

void TraceHealth::noteUnrecorded(std::string sentence, std::uint64_t bytes) {
    const SpinGuard guard(sentencesLock_);
    keep(notes_, std::move(sentence));
    unrecordedGrowth_ += std::min(bytes, ~unrecordedGrowth_);
}

void TraceHealth::addZone(LostZone zone) {
    const SpinGuard guard(sentencesLock_);
    zones_.add(std::move(zone));
}

/// Returns whether the sentence was added. Call it with the lock held.
bool TraceHealth::keep(std::vector<std::string>& list, std::string sentence) {
    if (list.size() > kMostSentences || std::find(list.begin(), list.end(), sentence) != list.end()) return false;
    const bool fits = list.size() < kMostSentences;
    list.push_back(fits ? std::move(sentence) : std::string(kMoreSentences));
    return fits;
}

HealthReport TraceHealth::report() const {
    HealthReport report;
    for (std::size_t i = 0; i < kLossCount; ++i) {
        report.counts[i] = counts_[i].load(std::memory_order_relaxed);
        report.bytes[i] = bytes_[i].load(std::memory_order_relaxed);
        report.isAtLeast[i] = isAtLeast_[i].load(std::memory_order_relaxed);
    }
    const SpinGuard guard(sentencesLock_);
    report.remarks = remarks_;
    report.notes = notes_;
    report.zones = zones_.list();
    report.remarksWithZone = remarksWithZone_;
    report.unrecordedGrowth = unrecordedGrowth_;
    return report;
}

} // namespace highwater
