#include "core/analysis/difference/difference_query.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/base/text.h"

#include <algorithm>

namespace highwater::analysis {

std::string_view measureName(Measure measure) {
    switch (measure) {
    case Measure::Outstanding:
        return "Outstanding";
    case Measure::Count:
        return "Count";
    case Measure::Size:
        return "Size";
    case Measure::ImpactingSize:
        return "Impacting Size";
    case Measure::PeakSize:
        return "Peak Size";
    case Measure::Allocated:
        return "Allocated";
    }
    return {};
}

std::optional<Measure> parseMeasure(std::string_view name) {
    const auto found = std::find_if(kMeasures.begin(), kMeasures.end(),
                                    [&](Measure measure) { return equalsIgnoringCase(measureName(measure), name); });
    return found == kMeasures.end() ? std::nullopt : std::optional(*found);
}

std::string_view whyNoMeasure(const DifferenceQuery& query, Measure measure) {
    if (measure != Measure::Count && measure != Measure::PeakSize) return {};
    const auto column = measure == Measure::Count ? Column::Count : Column::PeakSize;
    for (const auto* side : {&query.before, &query.after}) {
        for (const auto& compared : *side)
            if (const auto why = whyNoColumn({column}, compared.trace->lacks); !why.empty()) return why;
    }
    return {};
}

bool hasTimes(const DifferenceQuery& query) {
    const auto tells = [](const ComparedTrace& compared) { return !compared.trace->lacks.times; };
    return std::all_of(query.before.begin(), query.before.end(), tells) &&
           std::all_of(query.after.begin(), query.after.end(), tells);
}

std::string_view stateWord(DifferenceState state) {
    switch (state) {
    case DifferenceState::New:
        return "new";
    case DifferenceState::Grown:
        return "grown";
    case DifferenceState::Shrunk:
        return "shrunk";
    case DifferenceState::Gone:
        return "gone";
    case DifferenceState::Same:
        return "same";
    case DifferenceState::Noise:
        return "within_noise";
    }
    return {};
}

std::string_view stateText(DifferenceState state) {
    switch (state) {
    case DifferenceState::New:
        return "New";
    case DifferenceState::Grown:
        return "Grown";
    case DifferenceState::Shrunk:
        return "Shrunk";
    case DifferenceState::Gone:
        return "Gone";
    case DifferenceState::Same:
        return "Same";
    case DifferenceState::Noise:
        return "Within noise";
    }
    return {};
}

bool isComparable(Column column) {
    switch (column) {
    case Column::Process:
    case Column::ProcessName:
    case Column::ThreadName:
    case Column::Type:
    case Column::ImpactingType:
    case Column::Stack:
    case Column::StackBottomUp:
    case Column::StackTag:
    case Column::FrameTags:
    case Column::Source:
    case Column::IsRealloc:
    case Column::FreeType:
    case Column::Annotation:
        return true;
    default:
        return false;
    }
}

} // namespace highwater::analysis
