#include "app/fleet/fleet_export.h"

#include "app/cli/fleet/fleet_answers.h"

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

} // namespace

std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format, std::span<const std::size_t> order) {
    std::ostringstream out;
    const cli::FleetAnswers writer(wordOf(format), out);
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found))
        writer.write(inOrder(*grew, order), answer.question.samples.measure);
    else
        std::visit(
            [&](const auto& rows) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(rows)>, fleet::GrewAnswer>)
                    writer.write(inOrder(rows, order));
            },
            answer.found);
    return out.str();
}

std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format, std::span<const std::size_t> order) {
    std::ostringstream out;
    cli::FleetAnswers(wordOf(format), out).write(inOrder(worst.runs, order), worst.question.samples.measure);
    return out.str();
}

} // namespace highwater::app
