#include "core/analysis/rows/pass_cache.h"

namespace highwater::analysis {

std::optional<PassKey> PassKey::make(const IntervalRows& rows, RowPassOptions options) {
    if (!rows.exits().empty()) return std::nullopt;
    const auto& view = rows.view();
    PassKey key;
    key.trace = rows.trace().columns;
    key.table = rows.kind();
    key.horizon = view.horizon;
    key.rows = view.rows;
    key.sites = view.sites;
    key.endSites = view.endSites;
    key.bounds = rows.bounds();
    key.options = options;
    return key;
}

bool operator==(const PassKey& a, const PassKey& b) {
    const bool sameTrace = !a.trace.owner_before(b.trace) && !b.trace.owner_before(a.trace);
    return sameTrace && a.table == b.table && a.horizon == b.horizon && a.rows == b.rows && a.sites == b.sites &&
           a.endSites == b.endSites && a.bounds == b.bounds && a.options == b.options && a.byRealloc == b.byRealloc &&
           a.rowColumns == b.rowColumns;
}

} // namespace highwater::analysis
