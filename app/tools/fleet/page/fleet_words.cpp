#include "app/tools/fleet/page/fleet_words.h"

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/number_condition.h"
#include "core/export/wall_clock.h"
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"

#include <limits>

namespace highwater::ui {
namespace {

constexpr std::int64_t kTicksTo1970 = 116'444'736'000'000'000; ///< 100 ns since 1601

QString sidesOf(const FleetQuestion& question) {
    return ui::tr("from build %1 to build %2").arg(buildText(question.fromBuild), buildText(question.toBuild));
}

QString foundText(const FleetQuestion& question, const fleet::GrewAnswer& answer) {
    const auto from = buildText(question.fromBuild), to = buildText(question.toBuild);
    switch (question.kind) {
    case FleetKind::New:
        return countText(answer.significant, "1 stack of build %2 is new since build %3.",
                         "%1 stacks of build %2 are new since build %3.")
            .arg(to, from);
    case FleetKind::Gone:
        return countText(answer.significant, "1 stack of build %2 is gone in build %3.",
                         "%1 stacks of build %2 are gone in build %3.")
            .arg(from, to);
    default:
        const auto text = isOfProcesses(question.samples.measure) ? ui::tr("%1 of %2 tested processes grew %3.")
                                                                  : ui::tr("%1 of %2 tested stacks grew %3.");
        return text.arg(formatCount(static_cast<std::int64_t>(answer.significant)),
                        formatCount(static_cast<std::int64_t>(answer.tested)), sidesOf(question));
    }
}

QString grewSummary(const FleetQuestion& question, const fleet::GrewAnswer& answer) {
    const auto sides = sidesOf(question);
    const auto from = buildText(question.fromBuild), to = buildText(question.toBuild);
    if (answer.rows.empty()) {
        switch (question.kind) {
        case FleetKind::New:
            return ui::tr("No stack of build %1 is new since build %2.").arg(to, from);
        case FleetKind::Gone:
            return ui::tr("No stack of build %1 is gone in build %2.").arg(from, to);
        default:
            if (!answer.canTell)
                return ui::tr("Growth %1 cannot be determined because there are too few comparable runs.").arg(sides);
            return ui::tr("Nothing grew %1 by %2 or more beyond noise (%3).")
                .arg(sides, fleetBound(question.samples.measure, leastOf(question)),
                     isOfProcesses(question.samples.measure)
                         ? countText(answer.tested, "1 process tested", "%1 processes tested")
                         : countText(answer.tested, "1 stack tested", "%1 stacks tested"));
        }
    }
    auto text = foundText(question, answer);
    if (answer.rows.size() < answer.significant)
        text += QLatin1Char(' ') +
                ui::tr("Showing the largest %1.").arg(formatCount(static_cast<std::int64_t>(answer.rows.size())));
    return text;
}

} // namespace

QString fleetKindText(FleetKind kind, fleet::Measure measure) {
    switch (kind) {
    case FleetKind::Grew:
        return isOfProcesses(measure) ? ui::tr("Grown processes") : ui::tr("Grown stacks");
    case FleetKind::New:
        return ui::tr("New stacks");
    case FleetKind::Gone:
        return ui::tr("Gone stacks");
    case FleetKind::Slope:
        return ui::tr("Slope per hour");
    case FleetKind::Health:
        return ui::tr("Data health");
    case FleetKind::Runs:
        break;
    }
    return ui::tr("Runs");
}

QString fleetMeasureText(fleet::Measure measure) {
    switch (measure) {
    case fleet::Measure::InuseSpace:
        return ui::tr("Outstanding Size");
    case fleet::Measure::InuseObjects:
        return ui::tr("Outstanding Count");
    case fleet::Measure::AllocSpace:
        return ui::tr("Allocated Size");
    case fleet::Measure::AllocObjects:
        return ui::tr("Allocated Count");
    case fleet::Measure::Freed:
        return ui::tr("Freed Size");
    case fleet::Measure::Peak:
        return ui::tr("Peak Size");
    case fleet::Measure::Impacting:
        return ui::tr("Impacting Size");
    case fleet::Measure::RssPeak:
        return ui::tr("Highest Rss");
    case fleet::Measure::Held:
        return ui::tr("Held Pages");
    case fleet::Measure::Slope:
        break;
    }
    return ui::tr("Slope");
}

QString fleetAmount(fleet::Measure measure, std::int64_t value) {
    if (isOfObjects(measure)) return formatCount(value);
    return measure == fleet::Measure::Slope ? ui::tr("%1/h").arg(formatBytes(value)) : formatBytes(value);
}

QString fleetBound(fleet::Measure measure, std::int64_t value) {
    if (isOfObjects(measure)) return formatCount(value);
    const auto text = formatBytes(value, 0);
    const auto read = parseFleetBound(measure, text);
    return read.hasValue() && read.value() == value ? text : formatBytes(value);
}

Result<std::int64_t> parseFleetBound(fleet::Measure measure, const QString& typed) {
    auto text = typed.trimmed();
    text.remove(QLatin1Char(',')); // as in displayed amounts
    const auto kind = isOfObjects(measure) ? analysis::ValueKind::Count : analysis::ValueKind::Bytes;
    const auto bound =
        TRY(analysis::NumberCondition::create(kind, analysis::NumberOperator::GreaterOrEqual, text.toStdString()));
    // The smallest integer that satisfies the bound: 0.5 B are 1.
    if (bound.matches(0)) return 0;
    std::int64_t below = 0, least = std::numeric_limits<std::int64_t>::max();
    while (least - below > 1) {
        const auto middle = below + (least - below) / 2;
        (bound.matches(middle) ? least : below) = middle;
    }
    return least;
}

bool isOfObjects(fleet::Measure measure) {
    return measure == fleet::Measure::InuseObjects || measure == fleet::Measure::AllocObjects;
}

QString fleetChange(fleet::Measure measure, std::int64_t value) {
    return (value > 0 ? QStringLiteral("+") : QString()) + fleetAmount(measure, value);
}

QString recordedText(std::optional<std::int64_t> ns) {
    if (!ns || *ns < 0) return {};
    const auto text = toQString(exports::calendarText(kTicksTo1970 + *ns / 100, ' ', 1));
    return ui::tr("%1 UTC").arg(text.left(text.indexOf(QLatin1Char('.'))));
}

QString ownerText(const fleet::FleetStack& stack) {
    return stack.owner.empty() ? ui::tr("(no stack)") : lineText(stack.owner);
}

QString subjectText(const fleet::FleetStack& stack, fleet::Measure measure) {
    return isOfProcesses(measure) ? lineText(stack.process) : ownerText(stack);
}

QString unknownText(std::size_t runs) {
    if (runs == 0) return {};
    return QLatin1Char(' ') + countText(runs, "1 run is not shown because its value is unknown.",
                                        "%1 runs are not shown because their values are unknown.");
}

QString buildText(const std::string& build) { return build.empty() ? ui::tr("(no build)") : lineText(build); }

QString runText(const summary::RunFacts& facts) {
    const auto build = buildText(facts.build);
    return facts.machine.empty() ? ui::tr("from build %1").arg(build)
                                 : ui::tr("from build %1 on %2").arg(build, lineText(facts.machine));
}

QString summaryOf(const FleetAnswer& answer) {
    const auto& question = answer.question;
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found)) return grewSummary(question, *grew);
    if (const auto* slopes = std::get_if<std::vector<fleet::SlopeRow>>(&answer.found)) {
        if (slopes->empty())
            return ui::tr("No stack of build %1 grows while it runs.").arg(buildText(question.toBuild));
        return ui::tr("%1 while build %2 runs, steepest first.")
            .arg(countText(slopes->size(), "1 stack grows", "%1 stacks grow"), buildText(question.toBuild));
    }
    if (const auto* health = std::get_if<std::vector<fleet::HealthRow>>(&answer.found)) {
        std::size_t runs = 0, notWhole = 0;
        for (const auto& row : *health) {
            runs += row.runs;
            notWhole += row.runsNotWhole;
        }
        const auto text = countText(runs, "1 run", "%1 runs");
        if (notWhole == 0) return ui::tr("%1; all totals are exact.").arg(text);
        return ui::tr("%1; the totals of %2 are bounds.").arg(text, formatCount(static_cast<std::int64_t>(notWhole)));
    }
    const auto& runs = std::get<std::vector<fleet::RunRow>>(answer.found);
    return runs.empty() ? ui::tr("No runs match.") : ui::tr("%1.").arg(countText(runs.size(), "1 run", "%1 runs"));
}

} // namespace highwater::ui
