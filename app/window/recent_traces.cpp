#include "app/window/recent_traces.h"

#include "app/settings/application_settings.h"
#include "app/window/window_menus.h"
#include "core/store/published/partly_loaded.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_explorer.h"
#include "ui/view/window/start_page.h"

#include <algorithm>
#include <utility>

namespace highwater::app {

RecentTraces::RecentTraces(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    connect(&parts_.start, &ui::StartPage::removeWanted, this, [this](const QStringList& files) {
        parts_.settings.removeRecentTrace(files);
        fill();
    });
    fill();
}

void RecentTraces::add(const QStringList& files) {
    files_ = files;
    if (!files.isEmpty()) {
        const auto whole = parts_.tabs.current().state().wholeRange();
        const auto& trace = parts_.tabs.shown().trace(); // not available yet if a recording is saved at once
        const bool isLengthKnown = !trace || !(trace->lacks.times || store::isPartlyLoaded(*trace));
        parts_.settings.addRecentTrace(files, isLengthKnown ? whole.end.ns - whole.start.ns : 0);
    }
    fill();
}

void RecentTraces::forget() {
    files_.clear();
    hasOutline_ = false;
}

void RecentTraces::keepOutlineOnce() {
    const auto& trace = parts_.tabs.shown().trace();
    if (files_.isEmpty() || (trace && store::isPartlyLoaded(*trace))) return;
    if (!std::exchange(hasOutline_, true)) keepOutline();
}

void RecentTraces::keepOutline() {
    QList<qint64> amounts;
    for (const auto table : {analysis::Table::VirtualAlloc, analysis::Table::Heap}) {
        const auto& drawn = parts_.explorer.thumbnail(table).timeline;
        if (!drawn || drawn->series.empty()) continue;
        const auto& peaks = drawn->series.front().peaks;
        const QList<qint64> line(peaks.begin(), peaks.end());
        const auto highest = [](const QList<qint64>& of) {
            return of.isEmpty() ? 0 : *std::max_element(of.begin(), of.end());
        };
        if (highest(line) > highest(amounts)) amounts = line;
    }
    parts_.settings.setOutline(files_, amounts);
    fill();
}

void RecentTraces::fill() {
    const auto traces = parts_.settings.recentTraces();
    parts_.start.setRecentTraces(traces);
    parts_.menus.setRecentTraces(traces);
}

} // namespace highwater::app

#include "moc_recent_traces.cpp"
