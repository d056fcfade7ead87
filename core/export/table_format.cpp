#include "core/export/table_format.h"

#include "core/base/enum_table.h"
#include "core/export/table_head.h"

#include <algorithm>
#include <array>

namespace highwater::exports {
namespace {

constexpr std::array kSpecs{
    TableFormatSpec{TableFormat::Text, "text", "Text", "Text", "", makeTextWriter},
    TableFormatSpec{TableFormat::Csv, "csv", "CSV", "Comma-separated values", "csv", makeCsvWriter},
    TableFormatSpec{TableFormat::NestedJson, "json", "JSON", "JSON", "json", makeJsonWriter},
    TableFormatSpec{TableFormat::JsonLines, "ndjson", "NDJSON", "JSON lines", "ndjson", makeNdjsonWriter},
};
static_assert(isEnumTable<&TableFormatSpec::format>(kSpecs));

} // namespace

std::span<const TableFormatSpec> tableFormats() { return kSpecs; }

const TableFormatSpec& specOf(TableFormat format) { return kSpecs[static_cast<std::size_t>(format)]; }

std::optional<TableFormat> parseTableFormat(std::string_view word) {
    const auto* found = std::find_if(kSpecs.begin(), kSpecs.end(), [&](const auto& spec) { return spec.word == word; });
    return found == kSpecs.end() ? std::nullopt : std::optional(found->format);
}

std::unique_ptr<TableWriter> makeTableWriter(TableFormat format, TableRows rows, const analysis::Query& query,
                                             std::ostream& out, TableLook look) {
    return specOf(format).makeWriter(TableHead(query, look), rows, out);
}

} // namespace highwater::exports
