#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/rows/row_population.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/published_trace.h"
#include "core/summary/run_summary.h"
#include "core/summary/summary_stacks.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::summary {

/// The summed tables: those whose rows are allocations.
inline constexpr std::array kSummedTables{analysis::Table::Heap, analysis::Table::VirtualAlloc,
                                          analysis::Table::Managed};

/// Sums up one table of a trace, window by window. The trace and the stacks must outlive this object. One thread, which
/// uses others as helpers.
class TableSamples {
  public:
    /// processes: numbers of their names; new ones are added.
    TableSamples(const store::PublishedTrace& trace, analysis::Table table, SummaryStacks& stacks,
                 std::map<std::string, std::uint32_t>& processes);

    using Rows = std::unique_ptr<analysis::RowPopulation>;
    /// The rows of a window: the input of add(), which can be determined before the stacks. Null when stopped.
    [[nodiscard]] static Rows rowsOf(const store::PublishedTrace& trace, analysis::Table table, const Window& window,
                                     const std::stop_token& stop);
    /// Adds a sample for each group of rows that take part. rows: those of the window. False when stopped.
    [[nodiscard]] bool add(const Window& window, std::uint32_t number, Rows rows, std::vector<Sample>& samples,
                           const std::stop_token& stop);

  private:
    struct Group {
        std::uint32_t process = 0;
        std::uint32_t stack = 0;
    };
    struct WindowSums;
    [[nodiscard]] std::uint32_t groupOf(std::uint32_t site);
    [[nodiscard]] bool measureLevels(WindowSums& sums, const std::stop_token& stop) const;
    void findBegins(const Window& window, WindowSums& sums);

    const store::PublishedTrace& trace_;
    const store::TableView& view_;
    analysis::Table table_;
    SummaryStacks& stacks_;
    std::map<std::string, std::uint32_t>& processes_;
    std::vector<std::uint32_t> ofSite_;        ///< index into groups_; kNone if not determined yet
    std::vector<std::uint32_t> nameOfProcess_; ///< by ProcessIndex; kNone as above
    std::vector<Group> groups_;
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> numbers_; ///< by process and stack
};

} // namespace highwater::summary
