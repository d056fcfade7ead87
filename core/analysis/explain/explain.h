#pragma once

#include "core/analysis/balance/balance.h"
#include "core/analysis/explain/surge.h"
#include "core/analysis/held/held_by.h"
#include "core/analysis/held/holders.h"
#include "core/analysis/leaks/leak_suspects.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The unnamed frames in an explanation.
struct UnnamedFrames {
    std::size_t frames = 0;           ///< distinct frames shown
    std::size_t unnamed = 0;          ///< those without a name
    std::vector<std::string> modules; ///< their modules, in the order of appearance
};

inline constexpr std::size_t kAllJudged = 4096; ///< more suspects than the leak search judges

/// The problems of an interval. A plain value.
struct Explanation {
    Table table = Table::Heap; ///< table of the surge
    TimeRange interval;        ///< limited to the extent of the trace
    SurgeReport rise;
    std::vector<SearchedTable> tables;                       ///< tables that were searched for suspects
    std::size_t judged = 0;                                  ///< stacks that keep memory that they allocated
    SuppressedLeaks suppressed;                              ///< stacks that are not judged
    LeftOutStacks heapMemory;                                ///< as in LeakReport
    std::vector<LeakSuspect> suspects;                       ///< at most three
    std::vector<std::pair<LeakVerdict, std::size_t>> others; ///< verdicts on the other stacks, with their counts
    /// Of these, the one that keeps most, if that is a tenth of its table, and a picture shows what holds it.
    std::optional<LeakSuspect> largest;
    std::string whyNone;                                     ///< the reason, if there are no suspects; otherwise empty
    std::optional<Balance>
        balance; ///< with the highest Rss of all processes at their newest samples; nothing: a filter
    std::optional<ProcessHolders> held; ///< as from heldBy(); also nothing if there is a filter
    std::vector<UntracedBlocks> untraced; ///< as in LeakReport
    bool hasPicture = false;              ///< the interval contains a picture of memory
    /// What holds the blocks of the pictures, of a trace that shows little else (isOfPictures); also empty if there is
    /// a filter.
    std::vector<HeldBy> pictures;
    UnnamedFrames names;
    std::optional<FreedOnExit> freedOnExit; ///< only from explainWithExit()
};

/// The owner whose few heap blocks hold the most pages, in the interval of the query, regardless of its tables and
/// filter. Any thread. Errors: Cancelled.
[[nodiscard]] Result<std::optional<ProcessHolders>> heldBy(const store::PublishedTrace& trace, FrameLabels& labels,
                                                           const LeakQuery& query, const std::stop_token& stop);
/// The surge in `query.table`, and the leak suspects of all its tables. Ignores `query.most`. Any thread. Errors:
/// Cancelled, Usage.
[[nodiscard]] Result<Explanation> explain(const store::PublishedTrace& trace, FrameLabels& labels,
                                          const LeakQuery& query, const std::stop_token& stop = {});
/// explain() with Explanation::freedOnExit. Any thread. Errors: as there.
[[nodiscard]] Result<Explanation> explainWithExit(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                  const std::shared_ptr<FrameLabels>& labels, const LeakQuery& query,
                                                  const std::stop_token& stop = {});
/// The data that is missing in the tables of the explanation. Any thread.
[[nodiscard]] HealthReport healthOf(const store::PublishedTrace& trace, const Explanation& explanation);

} // namespace highwater::analysis
