#pragma once

#include "tests/ui/support/printed_layout.h"
#include "ui/state/analysis_state.h"
#include "ui/view/table/pivot_header.h"

#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

namespace highwater::tests {

/// Sections of the table below.
enum Section { Line, Process, Handle, Thread, Count, Size };

/// A table with one row whose sections follow the layout of a graph immediately.
struct PivotHeaderStage {
    using Column = analysis::Column;

    ui::AnalysisState analysis;
    ui::GraphState& graph = analysis.addGraph(analysis::Table::Heap);
    QStandardItemModel model;
    QTreeView view;
    ui::PivotHeader* header = new ui::PivotHeader(graph);

    PivotHeaderStage() {
        ui::TableLayout layout{analysis::Table::Heap,
                               {Column::Process, Column::Handle},
                               {Column::Thread, Column::Count, Column::Size},
                               1,
                               {{Column::Size, true}}};
        for (auto* list : {&layout.keys, &layout.columns}) {
            for (auto& column : *list)
                column.width = 120;
        }
        graph.setLayout(layout);
        fill();
        QObject::connect(&graph, &ui::GraphState::changed, &model, [this] { fill(); });
        view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        view.setModel(&model);
        view.setHeader(header);
        view.resize(900, 300);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    void fill() {
        model.setColumnCount(ui::sectionCount(graph.layout()));
        if (model.rowCount() == 0) model.appendRow(new QStandardItem(QStringLiteral("1")));
    }

    [[nodiscard]] QPoint middle(int section) const {
        return {header->places().section(section).center().x(), header->height() / 2};
    }
    [[nodiscard]] QPoint at(int x) const { return {x, header->height() / 2}; }
    void press(QPoint point) { QTest::mousePress(header->viewport(), Qt::LeftButton, {}, point); }
    /// In two steps, so that it is a drag.
    void moveTo(QPoint point) {
        QTest::mouseMove(header->viewport(), point - QPoint(1, 0));
        QTest::mouseMove(header->viewport(), point);
    }
    void release(QPoint point) { QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, point); }
    void drag(QPoint from, QPoint to) {
        press(from);
        moveTo({(from.x() + to.x()) / 2, from.y()});
        moveTo(to);
        release(to);
    }
    void click(int section, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, modifiers, middle(section));
    }

    /// "Process Handle | Thread Count | Size"
    [[nodiscard]] QString columns() const { return printed(graph.layout()); }
};

} // namespace highwater::tests
