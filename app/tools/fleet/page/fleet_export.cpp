#include "app/tools/fleet/page/fleet_export.h"

#include "app/tools/fleet/command/fleet_answers.h"
#include "core/export/csv_formulas.h"
#include "ui/state/table/table_export.h"

#include <sstream>
#include <vector>

namespace highwater::app {
namespace {

std::string_view wordOf(ui::FleetFormat format) { return format == ui::FleetFormat::Csv ? "csv" : "json"; }

template <typename Row>
std::vector<Row> inOrder(const std::vector<Row>& rows, std::span<const std::size_t> order) {
    if (order.empty()) return rows;
    std::vector<Row> ordered;
    for (const auto row : order)
        ordered.push_back(rows.at(row));
    return ordered;
}

fleet::GrewAnswer inOrder(fleet::GrewAnswer answer, std::span<const std::size_t> order) {
    answer.rows = inOrder(answer.rows, order);
    return answer;
}

/// The output of `write`; CSV as in exported tables.
template <typename Write>
std::string written(ui::FleetFormat format, const Write& write) {
    std::ostringstream out;
    if (format == ui::FleetFormat::Csv && ui::quotesFormulas()) {
        exports::FormulaQuotingStream quoting(out);
        write(cli::FleetAnswers(wordOf(format), quoting));
    } else {
        write(cli::FleetAnswers(wordOf(format), out));
    }
    return out.str();
}

} // namespace

std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format, std::span<const std::size_t> order) {
    return written(format, [&](const cli::FleetAnswers& writer) {
        if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found))
            return writer.write(inOrder(*grew, order), answer.question.samples.measure);
        std::visit(
            [&](const auto& rows) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(rows)>, fleet::GrewAnswer>)
                    writer.write(inOrder(rows, order));
            },
            answer.found);
    });
}

std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format, std::span<const std::size_t> order) {
    return written(format, [&](const cli::FleetAnswers& writer) {
        writer.write(fleet::WorstAnswer{inOrder(worst.runs, order), worst.runsUnknown}, worst.question.samples.measure);
    });
}

} // namespace highwater::app
