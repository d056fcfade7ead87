#include "core/analysis/difference/difference_sentences.h"
#include "core/export/csv_text.h"
#include "core/export/difference/difference_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::exports {
namespace {

using analysis::Difference, analysis::kMeasures, analysis::Side;

/// The texts of the row's path by key. The frames of a stack are one field.
std::vector<std::string> fieldsOf(const std::vector<analysis::Column>& keys, const std::vector<PathStep>& path) {
    std::vector<std::string> fields(keys.size());
    std::size_t key = 0;
    for (const auto& step : path) {
        while (key + 1 < keys.size() && keys[key] != step.column)
            ++key;
        if (!fields[key].empty()) fields[key] += kFrameSeparator;
        fields[key] += step.text;
    }
    return fields;
}

std::string changeFields(const Difference& difference, const std::optional<analysis::Change>& change) {
    if (!change) return ",,,,";
    if (!hasRates(difference)) return fmt::format("{},{},{},,", change->before, change->after, change->delta());
    return fmt::format("{},{},{},{:.3f},{:.3f}", change->before, change->after, change->delta(),
                       analysis::perSecond(change->before, difference.seconds(Side::Before)),
                       analysis::perSecond(change->after, difference.seconds(Side::After)));
}

} // namespace

void writeDifferenceCsv(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out) {
    const auto& query = page.difference.query();
    for (const auto key : query.keys)
        out << csvField(analysis::columnName(query.table, key)) << ',';
    out << "State";
    for (const auto measure : kMeasures) {
        const auto name = analysis::measureName(measure);
        out << fmt::format(",{0} before,{0} after,{0} delta,{0} before/s,{0} after/s", name);
    }
    out << ",Level\n";
    for (const auto& row : rows) {
        for (const auto& field : fieldsOf(query.keys, row.path))
            out << csvField(field) << ',';
        if (row.state) out << analysis::stateWord(*row.state);
        for (const auto measure : kMeasures)
            out << ',' << changeFields(page.difference, row.of(measure));
        out << ',' << row.path.size() << '\n';
    }
}

} // namespace highwater::exports
