#pragma once

#include "core/analysis/frames/suppressed_stacks.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/leaks/heap_memory.h"
#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/leaks/leak_report.h"
#include "core/analysis/leaks/owner_places.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stack_groups.h"
#include "core/analysis/table/node_tree.h"
#include "core/event/trace_notes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The rows of one stack in one process: all cells with the same text whose memory was requested at one place in the
/// owner.
struct LeakGroup {
    ProcessIndex process;
    CellKey example;                       ///< the cell that keeps most
    std::span<const std::uint32_t> frames; ///< innermost first, without allocator frames; points into the selection
    std::uint32_t owner = 0;               ///< index in the whole stack
    LabelId place{};                       ///< from OwnerPlaces; kNoStack: its stack has no other place in the process
    std::uint32_t family = 0;
    LeakPeriod period{};
    LeakEvidence evidence{};
    std::uint32_t pictured = 0; ///< its number in the pictures
};

/// All rows that one owner requested in one way (through the same frames inside it), regardless of its callers and
/// lines: a log that several functions write to is one buffer.
struct LeakFamily {
    std::size_t stacks = 0; ///< number of its stacks; evidence is collected for two or more
    std::size_t groups = 0; ///< examined groups among these
    LeakPeriod period{};
    LeakEvidence evidence{};
};

/// The times of the marks in the interval, in order. marks: may be null.
[[nodiscard]] std::vector<TraceTime> marksIn(const SharedMarks& marks, TimeRange interval);

/// Stacks that are counted but do not form a group. Both may be null, and must outlive LeakGroups::collect().
struct LeftOutOfLeaks {
    SuppressedStacks* suppressed = nullptr;
    HeapMemory* heapMemory = nullptr; ///< only for VirtualAlloc
};

/// Collects the evidence: first cell by cell, which is cheap, then row by row for the groups that keep most. Rows whose
/// process has ended count as kept because they were never freed. The selection has the columns Process, StackBottomUp
/// and FreeType, and must outlive it.
class LeakGroups {
  public:
    LeakGroups(const RowSelection& selection, const RowPopulation& population, TimeRange interval,
               std::vector<TraceTime> marks, OwnerPlaces& places, LeftOutOfLeaks leftOut = {})
        : selection_(selection),
          population_(population),
          interval_(interval),
          marks_(std::move(marks)),
          places_(places),
          leftOut_(leftOut) {}

    /// Sums over all groups; lost and freed rows include those of stacks that are left out.
    struct Totals {
        ByteCount kept = 0;
        std::size_t keptStacks = 0;  ///< groups that keep rows, or have unreachable blocks
        ByteCount keptUntilExit = 0; ///< part of `kept`, by processes that ended inside
        std::uint64_t freed = 0;     ///< rows
        std::uint64_t lost = 0;      ///< part of `freed`: lost frees, detected by reused addresses
    };
    /// Selects about `most` groups by kept bytes, as many by kept rows, and as many by unreachable bytes. Assigns the
    /// blocks of the pictures to groups; null: none. False: stopped.
    bool collect(std::size_t most, PicturedStacks* pictures, const std::stop_token& stop);
    [[nodiscard]] const std::vector<LeakGroup>& groups() const { return groups_; }
    /// The rows of each group: cells of the selection, or single rows of it if it has only some of the cells' rows.
    [[nodiscard]] std::vector<std::vector<NodeTree::Element>> elements() const;
    /// By LeakGroup::family.
    [[nodiscard]] const std::vector<LeakFamily>& families() const { return families_; }
    [[nodiscard]] const Totals& totals() const { return totals_; }
    [[nodiscard]] const LeftOutStacks& suppressed() const { return suppressed_.counts; }
    [[nodiscard]] const LeftOutStacks& heapMemory() const { return heapMemory_.counts; }

  private:
    struct CellTotals {
        std::uint64_t count = 0;
        ByteCount bytes = 0;
    };
    /// A group before the selection; small because there may be many.
    struct Candidate {
        ProcessIndex process;
        CellKey example;
        std::span<const std::uint32_t> frames;
        OwnerPlaces::Place place;
        std::uint32_t family = 0;
        std::uint32_t path = 0;     ///< number of the process and frames, regardless of the place
        CellTotals kept{};          ///< derived from cells, for the selection
        BlockSum unreachable{};     ///< in the pictures
        ByteCount exampleBytes = 0; ///< kept by the example

        [[nodiscard]] bool mayLeak() const { return kept.count > 0 || unreachable.count > 0; }
    };
    /// The numbers of the properties that group rows.
    struct Numbers {
        StackGroups groups;
        StackGroups families;
        StackGroups paths;
    };
    /// Stacks that are left out for one reason.
    struct Counted {
        LeftOutStacks counts;
        StackGroups numbers;
    };
    /// Null: the rows of the cell belong to a group.
    [[nodiscard]] Counted* whyLeftOut(const CellKey& key);
    void leaveOut(const CellKey& key, const CellTotals& totals, Counted& counted) const;
    void addToTotals(const CellKey& key, const CellTotals& totals, Candidate& candidate);
    [[nodiscard]] std::uint32_t groupOf(const CellKey& key, Numbers& numbers, std::vector<Candidate>& candidates);
    [[nodiscard]] std::vector<Candidate> findCandidates();
    [[nodiscard]] bool findUnreachable(PicturedStacks& pictures, std::vector<Candidate>& candidates,
                                       const std::stop_token& stop) const;
    [[nodiscard]] std::vector<CellTotals> totalsOfCells() const;
    [[nodiscard]] static bool isKept(const CellKey& key);
    void keepLargest(const std::vector<Candidate>& candidates, std::size_t most);
    void makeGroups(const std::vector<Candidate>& candidates, const std::vector<std::uint8_t>& keep);
    [[nodiscard]] LeakPeriod periodOf(ProcessIndex process) const;
    bool readRows(const std::stop_token& stop);
    /// Evidence of groups, then of families.
    void addRow(std::span<LeakEvidence> evidence, const Member& member) const;
    void addRowTo(LeakEvidence& evidence, const LeakPeriod& period, const Member& member) const;

    const RowSelection& selection_;
    const RowPopulation& population_;
    TimeRange interval_;
    std::vector<TraceTime> marks_;
    OwnerPlaces& places_;
    LeftOutOfLeaks leftOut_;
    Counted suppressed_, heapMemory_;
    std::vector<LeakGroup> groups_;
    std::vector<LeakFamily> families_;
    std::vector<std::uint32_t> groupOfCell_;
    std::vector<std::uint32_t> familyOfCell_;
    Totals totals_;
};

} // namespace highwater::analysis
