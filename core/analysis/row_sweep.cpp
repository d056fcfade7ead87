#include "core/analysis/row_sweep.h"

#include <algorithm>

namespace highwater::analysis {

bool RowSweep::collectExits(const std::stop_token& stop) {
    const auto& rows = population_.rows();
    if (rows.exits().empty()) return true;
    const bool finished = population_.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            const auto row = static_cast<RowId>(member.row);
            const auto end = rows.end(row);
            if (!rows.isEndedByExit(row) || end.ns < rows.bounds().t0 || end.ns >= rows.bounds().t1) continue;
            ByteCount released = 0;
            for (const auto& partial : rows.partialsOf(row)) {
                if (partial.time <= end) released += partial.bytes;
            }
            const auto size = rows.view().size(row);
            exits_.push_back(Exit{end, row, size - std::min(size, released)});
        }
    });
    std::stable_sort(exits_.begin(), exits_.end(), [](const Exit& a, const Exit& b) { return a.time < b.time; });
    return finished;
}

} // namespace highwater::analysis
