#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"

#include <QString>

#include <optional>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// START:END in seconds; an empty side means the start or end of the trace.
struct SecondsRange {
    std::optional<double> start;
    std::optional<double> end;
    [[nodiscard]] TimeRange within(TimeRange whole) const;
    /// The range is empty for every trace.
    [[nodiscard]] bool isEmpty() const { return start && end && *start >= *end; }
};
[[nodiscard]] std::optional<SecondsRange> parseSecondsRange(const QString& text);

/// The initial view of a trace from the command line, so that an interval or a query can be shared as a command. A
/// plain value.
struct StartView {
    std::optional<analysis::Table> graph;
    QString preset;  ///< preset of the graph's table; empty: the preferred one
    QString process; ///< process to filter to: "name.exe", "name.exe (pid)", or its number; empty: all
    std::optional<SecondsRange> range;
    std::optional<SecondsRange> selection;
    bool bottomUp = false;
    bool opensHotPath = false;
    bool showsLeaks = false;       ///< the Leaks page
    bool showsFlames = false;      ///< show a flame graph; bottom-up: an icicle graph
    bool showsGenerations = false; ///< the Generations page
    bool isGraphShown = false;     ///< the requested graph is shown
};

/// Applies and removes the parts of the view that are possible while the trace is loading. Other parts are not errors
/// yet; a process filter waits until all processes with that name are known.
void applyStartOf(StartView& view, ui::AnalysisTabs& tabs);

/// Applies the rest after loading, except for the hot path, which needs the answer first. Error: Usage for an unknown
/// preset or process, or a time outside the trace; the rest is applied.
[[nodiscard]] Result<void> applyStartView(const StartView& view, ui::AnalysisTabs& tabs);

} // namespace highwater::app
