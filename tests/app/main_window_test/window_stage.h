#pragma once

#include "app/window/main_window.h"
#include "ui/model/grouped_table_model.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"
#include "ui/view/timeline/timeline_view.h"

#include <QTemporaryDir>
#include <QTest>

namespace highwater::tests {

/// Process in the Exercise 2 trace.
inline const QString kProcess = QStringLiteral("MemoryTestApp.exe (4242)");
inline constexpr SignedByteCount kMegabyte = 1 << 20;

/// The window with settings of its own, and shorthands for the texts that a user reads in it.
struct WindowStage {
    QTemporaryDir folder;
    app::ApplicationSettings settings{folder.filePath("settings.ini")};
    app::MainWindow window;

    /// `functions`: the work of its workers.
    explicit WindowStage(const ui::QueryFunctions& functions = {}) : WindowStage(ui::SymbolChoices(), functions) {}
    /// `choices`: where it looks for symbols. Without a cache folder it uses its own.
    explicit WindowStage(ui::SymbolChoices choices, const ui::QueryFunctions& functions = {},
                         ui::OpenFleetFunction openFleet = app::openSystemFleet)
        : window(withSymbols(std::move(choices)), nullptr, functions, std::move(openFleet)) {
        window.resize(1280, 820);
        window.show();
    }
    app::ApplicationSettings& withSymbols(ui::SymbolChoices choices) {
        if (choices.cacheFolder.isEmpty()) choices.cacheFolder = folder.filePath("cache");
        // Compared with a path that does not exist: it is stored in any case, even when it is empty.
        settings.setSymbolChoices(choices, symbols::SymbolPath::parse("/nobody/has/this"));
        return settings;
    }
    ui::AnalysisState& state() { return window.tabs().current().state(); }
    ui::GraphPanel& panel() { return *window.tabs().currentPanel(); }
    /// Only this graph in the tab.
    bool showOnly(analysis::Table table) {
        window.tabs().current().showGraph(table);
        for (auto* graph : state().graphs()) {
            if (graph->table() != table) state().removeGraph(*graph);
        }
        return wait();
    }
    bool open(const QStringList& paths) {
        bool isSettled = false;
        const auto connection =
            QObject::connect(&window, &app::MainWindow::settled, &window, [&] { isSettled = true; });
        window.openTrace(paths);
        const bool settled = QTest::qWaitFor([&] { return isSettled; }, 20'000);
        QObject::disconnect(connection);
        return settled;
    }
    /// Waits until everything on screen is the answer to the latest query.
    bool wait() {
        QTest::qWait(1);
        return QTest::qWaitFor([this] { return window.tabs().isUpToDate(); }, 20'000);
    }
    bool zoom(double start, double end) {
        const auto ns = [](double seconds) { return TraceTime{std::llround(seconds * 1e9)}; };
        state().zoomTo({ns(start), ns(end)});
        return wait();
    }
    /// The row at the end of this path of texts, expanded on the way; invalid if there is none.
    QModelIndex row(const QStringList& path) {
        auto& model = panel().model();
        QModelIndex at;
        for (const auto& text : path) {
            panel().table().expand(at);
            (void)QTest::qWaitFor(
                [&] { return find(at, text).isValid() || (!model.canFetchMore(at) && model.rowCount(at) > 0); });
            at = find(at, text);
            if (!at.isValid()) return {};
        }
        return at;
    }
    QModelIndex find(const QModelIndex& parent, const QString& text) {
        auto& model = panel().model();
        for (int i = 0; i < model.rowCount(parent); ++i) {
            if (model.keyText(model.index(i, 0, parent)) == text) return model.index(i, 0, parent);
        }
        return {};
    }
    /// "Count", "Size" ... as displayed in the window; "-" if there is no such row.
    QString cell(const QStringList& path, analysis::Column column) {
        const auto at = row(path);
        auto& model = panel().model();
        for (int section = 1; at.isValid() && section < model.columnCount(); ++section) {
            if (model.valueColumn(section) == column) return at.siblingAtColumn(section).data().toString();
        }
        return "-";
    }
    QStringList children(const QStringList& path) {
        const auto at = row(path);
        panel().table().expand(at);
        (void)QTest::qWaitFor([&] { return panel().model().rowCount(at) > 0; });
        QStringList texts;
        for (int i = 0; i < panel().model().rowCount(at); ++i) {
            texts << panel().model().keyText(panel().model().index(i, 0, at));
        }
        return texts;
    }
};

} // namespace highwater::tests
