#pragma once

#include "app/tools/difference/page/difference_view.h"
#include "tests/app/main_window_test/window_user.h"
#include "tests/fixtures/trace_builder.h"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

#include <string>
#include <utility>
#include <vector>

namespace highwater::tests {

/// A trace of a program: the function of each module makes one block of this size.
inline bool writeBlocks(const QString& path, std::uint32_t pid,
                        const std::vector<std::pair<std::string, ByteCount>>& blocks,
                        const std::string& program = "a.exe") {
    fixtures::TraceBuilder trace;
    std::vector<std::string> modules{"ntdll.dll"};
    for (const auto& [module, bytes] : blocks)
        modules.push_back(module);
    trace.processStarts(fixtures::seconds(0.1), {.pid = pid, .name = program, .mainTid = pid + 1, .modules = modules});
    double time = 1;
    for (const auto& [module, bytes] : blocks) {
        trace.heapAlloc({fixtures::seconds(time), pid, pid + 1}, 0x1D0000,
                        {0x1E0000 + static_cast<Address>(time) * 0x10000, bytes},
                        program + "!main;" + module + "!run;ntdll.dll!RtlAllocateHeap");
        time += 1;
    }
    trace.endsAt(fixtures::seconds(10));
    return trace.writeTo(path.toStdString()).hasValue();
}

/// The window with a trace, showing only its heaps.
struct CompareStage : WindowStage {
    bool begin(const QString& path) { return open({path}) && showOnly(analysis::Table::Heap); }
    /// As a user does: through the menu and the dialog.
    bool compareWith(const QString& path) {
        window.findChild<QAction*>("compareWith")->trigger();
        auto* dialog = window.findChild<QFileDialog*>("compareDialog");
        auto* name = dialog == nullptr ? nullptr : dialog->findChild<QLineEdit*>("fileNameEdit");
        if (name == nullptr) return false;
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
        return QTest::qWaitFor([this] { return rows() > 0; }, 10'000);
    }
    ui::DifferenceView& view() { return *window.findChild<ui::DifferenceView*>(); }
    QTreeView& tree() { return view().tree(); }
    int rows() { return tree().model()->rowCount(); }
    QModelIndex function(int row, int column = 0) {
        return tree().model()->index(row, column, tree().model()->index(0, 0));
    }
    QString text(int row, int column) { return function(row, column).data().toString(); }
    /// "grows.exe Grown +8 B": module, state and delta of the functions of the first process.
    QStringList functions() {
        QStringList texts;
        for (int row = 0; row < tree().model()->rowCount(tree().model()->index(0, 0)); ++row)
            texts << QStringLiteral("%1 %2 %3")
                         .arg(text(row, ui::DifferenceModel::kGroup).section('!', 0, 0),
                              text(row, ui::DifferenceModel::kState), text(row, ui::DifferenceModel::kDelta));
        return texts;
    }
    void click(int row) {
        tree().scrollTo(function(row));
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().visualRect(function(row)).center());
    }
    void filter(int row) {
        click(row);
        QTest::keyClick(&tree(), Qt::Key_Space);
    }
    QString label(const char* name) { return view().findChild<QLabel*>(name)->text(); }
    QStringList chips() {
        QStringList texts;
        for (const auto& step : panel().graph().filterSteps())
            texts << step.text;
        return texts;
    }
};

} // namespace highwater::tests
