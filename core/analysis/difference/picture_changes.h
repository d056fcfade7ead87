#pragma once

#include "core/analysis/difference/difference_note.h"
#include "core/analysis/difference/difference_query.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/base/result.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// The blocks of an owner (docs/numbers.md 12) in the newest pictures of both sides, all processes with one name
/// together. A plain value.
struct PictureChange {
    std::string process; ///< process name
    std::string owner;   ///< "module!function"
    BlockSum unreachableBefore;
    BlockSum keptBefore;                ///< the others
    std::optional<PicturedStack> after; ///< nothing: it has no blocks there

    [[nodiscard]] BlockSum unreachableAfter() const { return after ? after->unreachable : BlockSum(); }
    [[nodiscard]] BlockSum keptAfter() const;
};

/// The owners with more unreachable or more other memory after than before. Uses the first trace of each side, as
/// noise makes no memory unreachable.
struct PictureChanges {
    std::vector<PictureChange> unreachable; ///< most additional unreachable bytes first
    std::vector<PictureChange> kept;        ///< most additional other bytes first
};

/// Nothing: a side has no picture in its interval, or the table is not Heap. Reads the rows of both traces. Errors:
/// Cancelled, those of the filters.
[[nodiscard]] Result<std::optional<PictureChanges>> findPictureChanges(const DifferenceQuery& query,
                                                                       const std::stop_token& stop = {});

/// "server!leak in server: 2 blocks (2.0 KB) are unreachable because ... Before, none was."
[[nodiscard]] std::string unreachableText(const PictureChange& change);
/// "server!add in server, with 4.2 MB more: Held by server!g_sessions (picture at 4.00 s)."
[[nodiscard]] std::string heldByText(const PictureChange& change);
/// The notes of these changes, with their first owners; none if they cannot be found.
void addPictureNotes(const DifferenceQuery& query, std::vector<DifferenceNote>& notes, const std::stop_token& stop);

} // namespace highwater::analysis
