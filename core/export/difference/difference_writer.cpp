#include "core/export/difference/difference_writer.h"

#include "core/export/difference/difference_rows.h"

namespace highwater::exports {

void writeDifference(TableFormat format, const DifferencePage& page, TreeLimits limits, std::ostream& out) {
    const auto rows = rowsOf(page.difference, limits);
    switch (format) {
    case TableFormat::Text:
        return writeDifferenceText(page, rows, out);
    case TableFormat::Csv:
        return writeDifferenceCsv(page, rows, out);
    case TableFormat::NestedJson:
        return writeDifferenceJson(page, rows, out);
    case TableFormat::JsonLines:
        return writeDifferenceNdjson(page, rows, out);
    }
}

} // namespace highwater::exports
