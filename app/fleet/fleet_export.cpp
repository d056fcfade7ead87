#include "app/fleet/fleet_export.h"

#include "app/cli/fleet/fleet_answers.h"

#include <sstream>

namespace highwater::app {
namespace {

std::string_view wordOf(ui::FleetFormat format) { return format == ui::FleetFormat::Csv ? "csv" : "json"; }

} // namespace

std::string exported(const ui::FleetAnswer& answer, ui::FleetFormat format) {
    std::ostringstream out;
    const cli::FleetAnswers writer(wordOf(format), out);
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found))
        writer.write(*grew, answer.question.samples.measure);
    else
        std::visit(
            [&](const auto& rows) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(rows)>, fleet::GrewAnswer>) writer.write(rows);
            },
            answer.found);
    return out.str();
}

std::string exported(const ui::FleetWorst& worst, ui::FleetFormat format) {
    std::ostringstream out;
    cli::FleetAnswers(wordOf(format), out).write(worst.runs, worst.question.samples.measure);
    return out.str();
}

} // namespace highwater::app
