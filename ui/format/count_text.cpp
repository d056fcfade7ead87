#include "ui/format/count_text.h"

#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"

namespace highwater::ui {

QString countText(std::uint64_t count, const char* one, const char* several) {
    return count == 1 ? tr(one) : tr(several).arg(formatCount(static_cast<std::int64_t>(count)));
}

QString rowCountText(analysis::Table table, std::uint64_t count) {
    switch (table) {
    case analysis::Table::Frees:
        return countText(count, "1 release", "%1 releases");
    case analysis::Table::Snapshot:
        return countText(count, "1 block", "%1 blocks");
    case analysis::Table::Managed:
        return countText(count, "1 sample", "%1 samples");
    case analysis::Table::GcHeap:
        return countText(count, "1 size report", "%1 size reports");
    case analysis::Table::Heap:
    case analysis::Table::VirtualAlloc:
        break;
    }
    return countText(count, "1 allocation", "%1 allocations");
}

} // namespace highwater::ui
