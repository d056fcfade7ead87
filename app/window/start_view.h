#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"

#include <QString>

#include <optional>

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// START:END in seconds; what is left out is the whole trace's.
struct SecondsRange {
    std::optional<double> start;
    std::optional<double> end;
    [[nodiscard]] TimeRange within(TimeRange whole) const;
    /// Nothing lies in it, whatever the trace is.
    [[nodiscard]] bool isEmpty() const { return start && end && *start >= *end; }
};
[[nodiscard]] std::optional<SecondsRange> parseSecondsRange(const QString& text);

/// What the window shows of the trace that the program was started with, so that an interval or a question can be
/// handed on as a command line. A plain value.
struct StartView {
    std::optional<analysis::Table> graph;
    QString preset;  ///< of the graph's table; empty: the preferred one
    QString process; ///< filters to it: "name.exe", "name.exe (pid)", or its number; empty: all
    std::optional<SecondsRange> range;
    std::optional<SecondsRange> selection;
    bool bottomUp = false;
    bool opensHotPath = false;
    bool showsLeaks = false;       ///< the Leaks page
    bool showsFlames = false;      ///< the graph as a flame graph; read bottom-up: an icicle
    bool showsGenerations = false; ///< the Generations page
    bool isGraphShown = false;     ///< the graph was asked for, and is there
};

/// While the trace is loading: shows what can be shown already, and takes it out of the view. What cannot is no error
/// yet; a process filter waits for the end, when all processes of that name are known.
void applyStartOf(StartView& view, ui::AnalysisTabs& tabs);

/// Once the trace is loaded. Does not open the hot path: that needs the answer first. Error: Usage, an unknown preset
/// or process, a time outside the trace; the rest is shown.
[[nodiscard]] Result<void> applyStartView(const StartView& view, ui::AnalysisTabs& tabs);

} // namespace highwater::app
