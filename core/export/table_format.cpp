#include "core/export/table_format.h"

#include "core/export/table_head.h"

namespace highwater::exports {

std::unique_ptr<TableWriter> makeTableWriter(TableFormat format, const analysis::Query& query, std::ostream& out) {
    switch (format) {
    case TableFormat::Csv:
        return makeCsvWriter(TableHead(query), out);
    case TableFormat::JsonTree:
        return makeJsonTreeWriter(TableHead(query), out);
    case TableFormat::JsonLeaves:
        return makeJsonLeafWriter(TableHead(query), out);
    case TableFormat::Text:
        break;
    }
    return makeTextWriter(TableHead(query), out);
}

} // namespace highwater::exports
