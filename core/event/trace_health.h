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

/// Everything that can be missing or damaged in a trace. One counter each; see describe() for the sentence.
enum class Loss : std::uint8_t {
    EventsLost,             ///< the recorder dropped events (header of the trace, lost-event records)
    BuffersLost,            ///< the recorder dropped whole buffers (header of the trace)
    BuffersMarkedLossy,     ///< buffers whose flag says that events or buffers were lost before them
    BuffersMissing,         ///< a gap in the buffer sequence numbers of the file
    BuffersBehindTheEnd,    ///< the last buffers that the file header counts; the file was cut off
    BuffersUnreadable,      ///< an invalid buffer header; the rest of the file was skipped
    BuffersTruncated,       ///< a buffer that is cut off by the end of the file
    BuffersNotDecompressed, ///< a compressed buffer that cannot be expanded
    RecordsDamaged,         ///< a record with an invalid size; the rest of its buffer was skipped
    BuffersEndEarly,        ///< records after the stated end of a buffer: beyond its size, or after padding
    RecordsTruncated,       ///< a record shorter than its kind and version require
    RecordsOutOfOrder,      ///< a record older than a preceding record of the same processor
    StacksMissing,          ///< an event whose class has stacks, but without a stack
    StackHalvesMissing,     ///< an event with only the kernel half of its stack
    StacksUnresolved,       ///< a stack key without a definition
    UnmatchedFrees,         ///< a free of a block whose allocation was not seen
    FreesLost,              ///< an allocation at an address that was still outstanding
    ReallocsOfUnknown,      ///< a realloc whose old block was not seen
    DecommitsOfUnknown,     ///< pages freed without a known commit
    ReservationsUnknown,    ///< a release of a reservation that was not seen; applied up to the next known region
    HeapsUnknown,           ///< a HeapDestroy of a heap that was not seen
    ProcessesUnknown,       ///< memory events of a process without start or rundown
    RowsDropped,            ///< the store is full
    SnapshotsUndecoded,     ///< a Windows heap snapshot with an unknown layout
    SnapshotsIncomplete,    ///< a Windows heap snapshot with missing or contradictory pieces
    Count_,
};
inline constexpr std::size_t kLossCount = static_cast<std::size_t>(Loss::Count_);

/// The severity of a loss.
enum class Severity {
    Note,  ///< totals are correct; some details are missing
    Bound, ///< totals are bounds: amounts are missing
};

/// The direction in which a loss changes totals of sizes. Event counts (Count, Allocated, Freed) can only be too low.
enum class Effect : std::uint8_t {
    None,
    TooLow,  ///< allocations are missing
    TooHigh, ///< frees are missing, so their blocks stay outstanding
    Either,
};

/// The kind of events that a loss affects.
enum class LossScope : std::uint8_t {
    All,   ///< any event
    Heaps, ///< blocks of heaps only
    Pages, ///< requests to the system only: VirtualAlloc, mmap
};

struct LossText {
    std::string_view name;     ///< the name in JSON: "events lost"
    std::string_view one;      ///< what follows the count 1: "event lost"
    std::string_view sentence; ///< explanation and advice, for one and for several
    Effect effect;
    LossScope scope = LossScope::All;
    std::string_view many = {}; ///< what follows other counts; empty: the name

    [[nodiscard]] std::string_view several() const { return many.empty() ? name : many; }
    [[nodiscard]] Severity severity() const { return effect == Effect::None ? Severity::Note : Severity::Bound; }
};
[[nodiscard]] LossText describe(Loss loss);

/// One health item that affects the interpretation of totals.
struct HealthEntry {
    std::string id;      ///< for programs: "events_lost"; for sentences "remark" or "note"
    std::string name;    ///< "events lost"; empty for sentences
    std::string counted; ///< the name after the count, singular for 1: "event lost"
    Severity severity = Severity::Note;
    std::uint64_t count = 1;
    std::string sentence;
    /// Upper bound of the error in Size because of it; nothing: not known.
    std::optional<std::uint64_t> mostBytes{};
    /// Upper bound of the missing allocations because of it; nothing: not known. For lost events it counts heap
    /// allocations, because each event is at most one block.
    std::optional<std::uint64_t> mostMissing{};

    /// "2 events lost. The recording lacks ..."
    [[nodiscard]] std::string text() const;
};

/// A copy of all counters. Immutable value.
struct HealthReport {
    std::array<std::uint64_t, kLossCount> counts{};
    /// Total size of the allocations that a loss affects; 0: not known.
    std::array<std::uint64_t, kLossCount> bytes{};
    /// Marks counts that are lower bounds.
    std::array<bool, kLossCount> isAtLeast{};
    /// StacksMissing counts the rows of one table that are under (no stack), instead of the events without a stack.
    bool countsRowsWithoutStack = false;
    /// Sentences about missing data ("buffer compressed with LZNT1, which Highwater cannot read").
    std::vector<std::string> remarks;
    /// Sentences about facts that affect the interpretation of totals although nothing is missing ("the program was
    /// terminated by signal 9").
    std::vector<std::string> notes;
    /// Known zones of missing data, for the counts and remarks above.
    std::vector<LostZone> zones;
    std::size_t remarksWithZone = 0; ///< number of remarks whose missing data is in zones
    /// Bytes by which the memory of processes grew during the recording in ways that were not recorded. Totals of
    /// events are right, but they are not the memory of the processes. 0: none, or too few to matter.
    std::uint64_t unrecordedGrowth = 0;

    /// Removes a loss from the report.
    void leaveOut(Loss loss) {
        const auto i = static_cast<std::size_t>(loss);
        counts[i] = bytes[i] = 0;
        isAtLeast[i] = false;
    }
    [[nodiscard]] std::uint64_t operator[](Loss loss) const { return counts[static_cast<std::size_t>(loss)]; }
    /// Whether the end of a file is missing because it was cut off or its recorder did not close it.
    [[nodiscard]] bool lacksEnd() const { return endZone() != nullptr; }
    /// The zone of the missing end of a file; the earliest one if there are several. Null: no end is missing. Lives as
    /// long as the report.
    [[nodiscard]] const LostZone* endZone() const;
    /// The combined effect of all losses on totals.
    [[nodiscard]] Effect effect() const;
    /// Whether data is missing that makes totals bounds (exit code 3 with --strict).
    [[nodiscard]] bool totalsAreBounds() const { return effect() != Effect::None; }
    /// Sentences about the totals that may be too low or too high. Empty if no total is a bound.
    [[nodiscard]] std::string boundsText() const;
    /// Upper bound of the missing heap allocations, for losses whose events were counted. Nothing: not known.
    [[nodiscard]] std::optional<std::uint64_t> mostMissing() const;
    /// The start of the first zone if all losses are in zones: nothing is missing before it. Nothing: not known, or
    /// nothing is missing.
    [[nodiscard]] std::optional<TraceTime> wholeBefore() const;
    /// Sentences about the upper bound of missing data and the time until which the trace is complete. Empty if nothing
    /// is missing.
    [[nodiscard]] std::string limitsText() const;
    /// All entries, those that make totals bounds first; entries with the same severity in the order losses, remarks,
    /// notes.
    [[nodiscard]] std::vector<HealthEntry> entries() const;
    /// No losses, remarks or notes.
    [[nodiscard]] bool isClean() const;
    /// Remarks, then notes.
    [[nodiscard]] std::vector<std::string> sentences() const;
};

/// The counters, incremented by source, decode and store. Any thread may call count().
class TraceHealth {
  public:
    void count(Loss loss, std::uint64_t times = 1) {
        counts_[static_cast<std::size_t>(loss)].fetch_add(times, std::memory_order_relaxed);
    }
    /// Counts a loss that may be larger than `times`.
    void countAtLeast(Loss loss, std::uint64_t times = 1) {
        isAtLeast_[static_cast<std::size_t>(loss)].store(true, std::memory_order_relaxed);
        count(loss, times);
    }
    /// Counts the loss of an allocation or free of that size, so that an upper bound of the error in totals is known.
    void countBytes(Loss loss, std::uint64_t bytes);
    /// Adds a sentence for the user about missing data that makes totals bounds. Duplicates are dropped. Not on hot
    /// paths. Any thread.
    void remark(std::string sentence);
    /// Adds a remark about data that is missing in a zone.
    void remark(std::string sentence, LostZone zone);
    /// Adds a sentence about something that does not make totals wrong.
    void note(std::string sentence);
    /// Adds a sentence about memory that was not recorded, and its bytes.
    void noteUnrecorded(std::string sentence, std::uint64_t bytes);
    /// Adds a zone for a loss that is counted or reported separately. Not on hot paths. Any thread.
    void addZone(LostZone zone);
    [[nodiscard]] HealthReport report() const;

  private:
    std::array<std::atomic<std::uint64_t>, kLossCount> counts_{};
    std::array<std::atomic<std::uint64_t>, kLossCount> bytes_{};
    std::array<std::atomic<bool>, kLossCount> isAtLeast_{};
    bool keep(std::vector<std::string>& list, std::string sentence);

    mutable std::atomic_flag sentencesLock_{}; ///< guards the following members
    std::vector<std::string> remarks_;
    std::vector<std::string> notes_;
    LostZones zones_;
    std::size_t remarksWithZone_ = 0;
    std::uint64_t unrecordedGrowth_ = 0;
};

} // namespace highwater
