#pragma once

#include "core/analysis/generations/generation_numbers.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stack_groups.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Counts the changes of each stack of each process in each generation, row by row. A row that starts and ends in one
/// generation is very cheap. The selection has the columns Process and StackBottomUp, and must outlive it.
class GenerationCount {
  public:
    /// edges: the start of the first generation and the end of each, ascending. At least two.
    GenerationCount(const RowSelection& selection, const RowPopulation& population, std::vector<TraceTime> edges);

    /// A stack of a process in one generation.
    struct Entry {
        std::uint32_t group = 0;
        GenerationNumbers numbers{};
    };
    /// By generation, unordered; without stacks whose numbers are all 0. Nothing: stopped.
    [[nodiscard]] std::optional<std::vector<std::vector<Entry>>> count(const std::stop_token& stop);

    /// A cell of the group, and its frames: innermost first, without allocator frames.
    struct Group {
        ProcessIndex process;
        CellKey example;
        std::span<const std::uint32_t> frames;
    };
    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

  private:
    /// The numbers of one worker, by generation and group.
    using Part = tsl::robin_map<std::uint64_t, GenerationNumbers, SeededHash>;

    void findGroups();
    [[nodiscard]] std::uint64_t generationAt(TraceTime time) const;
    [[nodiscard]] GenerationNumbers& at(Part& part, TraceTime time, std::uint32_t group) const;
    void addRow(Part& part, const Member& member) const;
    bool addRows(std::vector<Part>& parts, const std::stop_token& stop) const;

    const RowSelection& selection_;
    const RowPopulation& population_;
    std::vector<TraceTime> edges_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> groupOfCell_;
};

} // namespace highwater::analysis
