#pragma once

#include "tests/ui/support/small_trace.h"
#include "ui/state/analysis_state.h"
#include "ui/view/flames/flame_view.h"

#include <QTest>

#include <memory>

namespace highwater::tests {

/// The flame graph of a small trace: a.exe (1) with 0x400100, in it 0x400200, in it 0x400400 (8 pages) and 0x400300
/// (4); b.exe (2) with a page without a stack, which is freed.
struct FlameStage {
    SmallTrace trace;
    std::shared_ptr<analysis::FrameLabels> labels = std::make_shared<analysis::FrameLabels>();
    ui::TraceOnScreen shown;
    ui::AnalysisState state;
    ui::GraphState& graph = state.addGraph(analysis::Table::VirtualAlloc);
    ui::FlameFinder finder{graph, shown};
    ui::FlameView view{graph, finder};
    ui::FlameCanvas& canvas = view.canvas();

    FlameStage() {
        using analysis::Column;
        trace.process(1, "a.exe").process(2, "b.exe");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
        trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
        trace.commit(300, 2, 0x10000, kPage).decommit(600, 2, 0x10000, kPage);
        auto layout = graph.layout();
        layout.keys = {Column::Process, Column::Stack};
        layout.columns = {Column::Count, Column::Size};
        layout.graphed = 1;
        layout.sort = {{Column::Size}};
        graph.setLayout(layout);
        graph.setChart(ui::ChartType::Flames);
        view.resize(900, 400);
        view.show();
        show();
    }
    void show() {
        const auto published = trace.publish(1000);
        state.reset(published->wholeRange());
        shown.show(published, labels);
        (void)wait();
    }
    bool wait() {
        QTest::qWait(1); // the finder asks in the next turn
        return QTest::qWaitFor([this] { return finder.isUpToDate(); });
    }
    [[nodiscard]] const analysis::FlameTree& tree() const { return view_().answer()->tree; }
    /// 0 if there is none.
    [[nodiscard]] std::uint32_t node(const QString& text) const {
        for (std::uint32_t node = 1; node < tree().nodes.size(); ++node) {
            if (QString::fromStdString(tree().text(node)) == text) return node;
        }
        return 0;
    }
    [[nodiscard]] QPoint placeOf(const QString& text) const { return canvas.rectOf(node(text)).center(); }
    void click(const QString& text) { QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, placeOf(text)); }
    [[nodiscard]] QString zoomed() const { return QString::fromStdString(tree().text(canvas.zoom())); }
    [[nodiscard]] QString current() const {
        return canvas.current() ? QString::fromStdString(tree().text(*canvas.current())) : QString("none");
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&canvas, static_cast<Qt::Key>(key), modifiers);
    }

  private:
    [[nodiscard]] const ui::FlameCanvas& view_() const { return canvas; }
};

} // namespace highwater::tests
