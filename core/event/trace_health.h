#pragma once

#include "core/event/lost_zones.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// Every way in which a trace can be less than whole. One counter each; see describe() for the sentence.
enum class Loss : std::uint8_t {
    EventsLost,            ///< the recorder dropped events (header of the trace, lost-event records)
    BuffersLost,           ///< the recorder dropped whole buffers (header of the trace)
    BuffersMarkedLossy,    ///< buffers whose flag says that events or buffers were lost before them
    BuffersMissing,        ///< a gap in the buffer sequence numbers of the file
    BuffersBehindTheEnd,   ///< the last ones of those that the header of the file counts: it was cut off
    BuffersUnreadable,     ///< a buffer header that makes no sense; the rest of the file was skipped
    BuffersTruncated,      ///< a buffer that is cut off by the end of the file
    BuffersNotDecompressed,///< a compressed buffer that does not expand
    RecordsDamaged,        ///< a record whose size makes no sense; the rest of its buffer was skipped
    BuffersEndEarly,       ///< records behind the end that a buffer gives of itself: its size, or filling between them
    RecordsTruncated,      ///< a record shorter than its kind and version require
    RecordsOutOfOrder,     ///< a record older than one of the same processor before it
    StacksMissing,         ///< an event whose class has stacks, but none came
    StackHalvesMissing,    ///< an event with the kernel half of its stack only
    StacksUnresolved,      ///< a stack key without a definition
    UnmatchedFrees,        ///< a free of a block whose allocation was not seen
    FreesLost,             ///< an allocation on an address that was still outstanding
    ReallocsOfUnknown,     ///< a realloc whose old block was not seen
    DecommitsOfUnknown,    ///< pages freed that were not known as committed
    ReservationsUnknown,   ///< a release of a reservation that was not seen; up to the next known region
    HeapsUnknown,          ///< a HeapDestroy of a heap that was not seen
    ProcessesUnknown,      ///< memory events of a process without start or rundown
    RowsDropped,           ///< the store is full
    SnapshotsUndecoded,    ///< a heap snapshot of Windows of a layout that is not known
    SnapshotsIncomplete,   ///< a heap snapshot of Windows of which pieces are missing, or that contradicts itself
    Count_,
};
inline constexpr std::size_t kLossCount = static_cast<std::size_t>(Loss::Count_);

/// How much a loss hurts.
enum class Severity {
    Note,  ///< totals are right; something is not shown in full
    Bound, ///< totals are bounds: amounts are missing
};

/// Which way it moves the totals of sizes. Numbers of events (Count, Allocated, Freed) it can only lower.
enum class Effect : std::uint8_t {
    None,
    TooLow,  ///< allocations are missing
    TooHigh, ///< frees are missing: their blocks stay outstanding
    Either,
};

/// What lacks something by it.
enum class LossScope : std::uint8_t {
    All,   ///< may be any event
    Heaps, ///< blocks of heaps only
    Pages, ///< what is asked of the system only: VirtualAlloc, mmap
};

struct LossText {
    std::string_view name;     ///< what the JSON says: "events lost"
    std::string_view one;      ///< the same of a single one: "event lost"
    std::string_view sentence; ///< what it means and what to do
    Effect effect;
    LossScope scope = LossScope::All;

    [[nodiscard]] Severity severity() const { return effect == Effect::None ? Severity::Note : Severity::Bound; }
};
[[nodiscard]] LossText describe(Loss loss);

/// One thing that a reader of totals should know.
struct HealthEntry {
    std::string id;      ///< for programs: "events_lost"; of sentences "remark" or "note"
    std::string name;    ///< "events lost"; of sentences empty
    std::string counted; ///< the same as it stands behind the count: "event lost" of one
    Severity severity = Severity::Note;
    std::uint64_t count = 1;
    std::string sentence;
    /// How much Size is too high, or too low, at most because of it; nothing: not known.
    std::optional<std::uint64_t> mostBytes{};
    /// How many allocations are missing at most because of it; nothing: not known. Of events lost: of heaps, where each
    /// event is at most one block.
    std::optional<std::uint64_t> mostMissing{};

    /// "2 events lost. The recording lacks ..."
    [[nodiscard]] std::string text() const;
};

/// A copy of all counters. Immutable value.
struct HealthReport {
    std::array<std::uint64_t, kLossCount> counts{};
    /// Sizes of the allocations that a loss concerns; 0: not known.
    std::array<std::uint64_t, kLossCount> bytes{};
    /// Which counts say how much was lost at least: there may have been more.
    std::array<bool, kLossCount> isAtLeast{};
    /// StacksMissing says how many rows of one table are under (no stack), not of how many events no stack came.
    bool countsRowsWithoutStack = false;
    /// Sentences about things that are missing, by name ("buffer compressed with LZNT1, which Highwater cannot read").
    std::vector<std::string> remarks;
    /// Sentences about things that are as they should be, but that the reader of totals should know ("the program was
    /// ended by signal 9").
    std::vector<std::string> notes;
    /// Where something is missing, as far as that is known: of what is counted or said above.
    std::vector<LostZone> zones;
    std::size_t remarksWithZone = 0; ///< of the remarks: what they tell of lies in zones

    /// As if it had not happened.
    void leaveOut(Loss loss) {
        const auto i = static_cast<std::size_t>(loss);
        counts[i] = bytes[i] = 0;
        isAtLeast[i] = false;
    }
    [[nodiscard]] std::uint64_t operator[](Loss loss) const { return counts[static_cast<std::size_t>(loss)]; }
    /// Whether a file of the trace lacks its end: it was cut off, or its recorder did not close it.
    [[nodiscard]] bool lacksEnd() const { return endZone() != nullptr; }
    /// Where a file lacks its end; of several the earliest. Null: none does. Lives as long as the report.
    [[nodiscard]] const LostZone* endZone() const;
    /// Which way totals are moved by all that is missing.
    [[nodiscard]] Effect effect() const;
    /// Whether anything is missing that makes totals bounds (exit code 3 with --strict).
    [[nodiscard]] bool totalsAreBounds() const { return effect() != Effect::None; }
    /// Which totals may be too low and which too high: sentences. Empty: none is a bound.
    [[nodiscard]] std::string boundsText() const;
    /// How many allocations of heaps are missing at most: losses whose events were counted. Nothing: not known.
    [[nodiscard]] std::optional<std::uint64_t> mostMissing() const;
    /// Nothing that is missing happened before: all that was lost lies in zones, the first of which begins there.
    /// Nothing: not known, or nothing is missing.
    [[nodiscard]] std::optional<TraceTime> wholeBefore() const;
    /// How much is missing at most, and until when nothing is: sentences. Empty: there is nothing to say.
    [[nodiscard]] std::string limitsText() const;
    /// All that there is to say, what makes totals bounds first; of the same severity losses, remarks, notes.
    [[nodiscard]] std::vector<HealthEntry> entries() const;
    /// Nothing is lost, and there is nothing to say.
    [[nodiscard]] bool isClean() const;
    /// Remarks, then notes.
    [[nodiscard]] std::vector<std::string> sentences() const;
};

/// The counters, incremented by source, decode and store. count() may be called by any thread.
class TraceHealth {
  public:
    void count(Loss loss, std::uint64_t times = 1) {
        counts_[static_cast<std::size_t>(loss)].fetch_add(times, std::memory_order_relaxed);
    }
    /// The same where more may have been lost than is known.
    void countAtLeast(Loss loss, std::uint64_t times = 1) {
        isAtLeast_[static_cast<std::size_t>(loss)].store(true, std::memory_order_relaxed);
        count(loss, times);
    }
    /// One more, of an allocation of that size: how much totals are wrong at most is known then.
    void countBytes(Loss loss, std::uint64_t bytes);
    /// A sentence for the user about something that is missing: totals are bounds. The same sentence is kept once. Not on
    /// hot paths. Any thread.
    void remark(std::string sentence);
    /// The same about something that lies in a zone.
    void remark(std::string sentence, LostZone zone);
    /// The same about something that makes no total wrong.
    void note(std::string sentence);
    /// Where something is missing of what is counted or said besides. Not on hot paths. Any thread.
    void addZone(LostZone zone);
    [[nodiscard]] HealthReport report() const;

  private:
    std::array<std::atomic<std::uint64_t>, kLossCount> counts_{};
    std::array<std::atomic<std::uint64_t>, kLossCount> bytes_{};
    std::array<std::atomic<bool>, kLossCount> isAtLeast_{};
    bool keep(std::vector<std::string>& list, std::string sentence);

    mutable std::atomic_flag sentencesLock_{}; ///< guards what follows
    std::vector<std::string> remarks_;
    std::vector<std::string> notes_;
    LostZones zones_;
    std::size_t remarksWithZone_ = 0;
};

} // namespace highwater
