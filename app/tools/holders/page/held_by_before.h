#pragma once

#include "app/tools/holders/page/held_by_rows.h"
#include "core/analysis/held/held_by.h"

#include <optional>
#include <vector>

namespace highwater::ui {

/// For each row, the blocks of the same process, holder or step in the earlier answer, which may be 0; nothing: the
/// earlier answer does not contain the process. Any thread.
[[nodiscard]] std::vector<std::optional<analysis::BlockSum>> sumsBefore(const std::vector<HeldRow>& rows,
                                                                        const std::vector<analysis::HeldBy>& processes,
                                                                        const std::vector<analysis::HeldBy>& earlier);

} // namespace highwater::ui
