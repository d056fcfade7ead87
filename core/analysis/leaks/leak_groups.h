#pragma once

#include "core/analysis/frames/suppressed_stacks.h"
#include "core/analysis/leaks/leak_evidence.h"
#include "core/analysis/leaks/leak_report.h"
#include "core/analysis/leaks/owner_places.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stack_groups.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The rows of one stack in one process, of all cells that read the same and were asked for at one place of the owner.
struct LeakGroup {
    ProcessIndex process;
    CellKey example;                       ///< one of its cells
    std::span<const std::uint32_t> frames; ///< innermost first, without allocator frames; of the selection
    std::uint32_t owner = 0;               ///< of the whole stack
    LabelId place{};                       ///< of OwnerPlaces; kNoStack: its stack has no other place in the process
    std::uint32_t family = 0;
    LeakPeriod period{};
    LeakEvidence evidence{};
};

/// All rows that one owner asked for in one way (by the same frames inside of it), whoever called it and at whatever
/// line: a log that several functions write to is one buffer.
struct LeakFamily {
    std::size_t stacks = 0; ///< that it has; evidence is collected of two or more
    std::size_t groups = 0; ///< of these, that are looked at
    LeakPeriod period{};
    LeakEvidence evidence{};
};

/// Collects the evidence: first cell by cell, which is cheap; then row by row for the groups that keep most. Rows whose
/// process ended count as kept: it never freed them. The selection is one with the columns Process, StackBottomUp and
/// FreeType, and must outlive it.
class LeakGroups {
  public:
    /// suppressed: stacks that are counted, and make no group; null: none. It must outlive collect().
    LeakGroups(const RowSelection& selection, const RowPopulation& population, TimeRange interval,
               std::vector<TraceTime> marks, OwnerPlaces& places, SuppressedStacks* suppressed = nullptr)
        : selection_(selection),
          population_(population),
          interval_(interval),
          marks_(std::move(marks)),
          places_(places),
          suppressedStacks_(suppressed) {}

    /// Of all groups together; lost and freed rows are also those of suppressed stacks.
    struct Totals {
        ByteCount kept = 0;
        std::size_t keptStacks = 0;  ///< groups that keep rows
        ByteCount keptUntilExit = 0; ///< of these, by processes that ended inside
        std::uint64_t freed = 0;     ///< rows
        std::uint64_t lost = 0;      ///< of these: frees that were lost, as their addresses show
    };
    /// At most about `most` groups by kept bytes, and as many by kept rows. False when stopped.
    bool collect(std::size_t most, const std::stop_token& stop);
    [[nodiscard]] const std::vector<LeakGroup>& groups() const { return groups_; }
    /// By LeakGroup::family.
    [[nodiscard]] const std::vector<LeakFamily>& families() const { return families_; }
    [[nodiscard]] const Totals& totals() const { return totals_; }
    [[nodiscard]] const SuppressedLeaks& suppressed() const { return suppressed_; }

  private:
    struct CellTotals {
        std::uint64_t count = 0;
        ByteCount bytes = 0;
    };
    /// A group before it is known whether it is looked at: small, because there may be many.
    struct Candidate {
        ProcessIndex process;
        CellKey example;
        std::span<const std::uint32_t> frames;
        OwnerPlaces::Place place;
        std::uint32_t family = 0;
        std::uint32_t path = 0; ///< which of the different processes and frames, whatever the place
        CellTotals kept{};      ///< as far as cells tell: to choose by
    };
    /// The numbers of what rows are grouped by.
    struct Numbers {
        StackGroups groups;
        StackGroups families;
        StackGroups paths;
    };
    [[nodiscard]] std::uint32_t groupOf(const CellKey& key, Numbers& numbers, std::vector<Candidate>& candidates);
    [[nodiscard]] std::vector<Candidate> findCandidates();
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
    SuppressedStacks* suppressedStacks_;
    SuppressedLeaks suppressed_;
    std::vector<LeakGroup> groups_;
    std::vector<LeakFamily> families_;
    std::vector<std::uint32_t> groupOfCell_;
    std::vector<std::uint32_t> familyOfCell_;
    Totals totals_;
};

} // namespace highwater::analysis
