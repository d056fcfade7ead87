#pragma once

#include "core/analysis/balance/balance.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/table/held_memory.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Question for the functions whose blocks keep pages resident. A plain value.
struct HolderQuery {
    Table table = Table::Heap; ///< or VirtualAlloc
    BalanceQuery samples = {}; ///< which processes, and at which samples: the newest ones
    std::shared_ptr<const AllocatorFrames> allocatorFrames = nullptr; ///< skipped to find owners; null: none
    OwnerChoices owners = {};                                         ///< the user's choice of owners and wrappers
    bool asksPath = false;                                            ///< sets Holder::path
};

/// All rows of one owner in one process: docs/numbers.md 12 (owner) and 25.
struct Holder : HeldMemory {
    std::string owner; ///< "libapp.so!Index::add"; "(no stack)"
    KeyPath path;      ///< only of the first in its process, if asked for: to the owner in the stack with the most
                       ///< resident bytes; Process, then Stack (bottom-up)
};

/// A process and its holders, most held pages first.
struct ProcessHolders {
    ProcessIndex process;
    std::string name;          ///< "name (pid)"
    TraceTime time;            ///< time of the sample
    ByteCount rss = 0;         ///< at this time
    std::string_view doubt;    ///< why Held Pages may be wrong, a sentence; empty: they are right
    std::vector<Holder> holders;
    HeldMemory all; ///< all rows of the process: several owners may hold a page together

    /// Nothing may be in RAM but what is in `holders`.
    [[nodiscard]] bool isComplete() const { return doubt.empty() && all.rowsOnUnknownPages == 0; }
    /// False: `all` is 0 because it is unknown which pages of the rows are resident.
    [[nodiscard]] bool isKnown() const { return all.rows > 0 || all.rowsOnUnknownPages == 0; }
};

/// In the order of the process table. Holders without memory that is known to be resident are left out. Any thread.
/// Errors: Cancelled, Unsupported (the trace has no samples).
[[nodiscard]] Result<std::vector<ProcessHolders>> findHolders(const store::PublishedTrace& trace, FrameLabels& labels,
                                                              const HolderQuery& query,
                                                              const std::stop_token& stop = {});

/// A sentence about the pages that the first holder keeps, if they are much more than its blocks, or about why the
/// numbers may be too high. May be empty.
[[nodiscard]] std::string meaningOf(const ProcessHolders& holders);

/// The holder whose few bytes keep the most pages, with its process as the only one there. Nothing: the trace has no
/// samples in the interval, or no holder keeps much more than its own bytes. Any thread. Errors: Cancelled.
[[nodiscard]] Result<std::optional<ProcessHolders>> findLargestHolder(const store::PublishedTrace& trace,
                                                                      FrameLabels& labels, const HolderQuery& query,
                                                                      const std::stop_token& stop = {});

} // namespace highwater::analysis
