#pragma once

#include "app/pages/asking_page.h"
#include "ui/view/access/focus.h"
#include "ui/view/analysis/graph_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include <atomic>
#include <chrono>
#include <thread>

namespace highwater::tests {

struct RowsQuery {
    analysis::Table table = analysis::Table::Heap;
    TimeRange interval;
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames;
};

inline std::atomic<bool> isCountingHeld = false; ///< no count ends before it is false, except for cancelled ones
inline std::atomic<int> cancelledCounts = 0;

/// A query of its own: the number of rows in a table.
inline Result<std::uint64_t> countRows(const store::PublishedTrace& trace, analysis::FrameLabels&,
                                       const RowsQuery& query, const std::stop_token& stop) {
    while (isCountingHeld && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) ++cancelledCounts;
    if (query.table == analysis::Table::VirtualAlloc) return Error{ErrorKind::NotFound, "Only heaps are counted."};
    return trace.heap.rows;
}

/// And the widget that shows the answer.
class RowsView : public QWidget {
  public:
    RowsView() : line_(new QLabel(emptyText())) {
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(line_);
        line_->setFocusPolicy(Qt::StrongFocus);
        ui::passFocus(*this, *line_);
    }
    static QString emptyText() { return QStringLiteral("Open a trace to count its rows."); }
    void setAnswer(const std::shared_ptr<const ui::Answered<RowsQuery, std::uint64_t>>& answer) {
        line_->setText(QStringLiteral("%1 rows").arg(answer->found));
    }
    void clear(const QString& why) { line_->setText(why); }
    void setBusy(bool busy) { wasBusy = wasBusy || busy; }
    [[nodiscard]] QString text() const { return line_->text(); }
    [[nodiscard]] QWidget& line() const { return *line_; }

    bool wasBusy = false;

  private:
    QLabel* line_;
};

/// All that a new page needs beside these two.
class RowsPage : public app::AskingPage<RowsQuery, std::uint64_t, RowsView> {
  public:
    RowsPage(ui::AnalysisTabs& tabs, QMainWindow& window)
        : AskingPage(tabs, window, new RowsView, QStringLiteral("Rows"),
                     {.name = "rowsDock", .action = "toggleRows", .text = QStringLiteral("Rows")},
                     ui::foundBy<countRows>) {
        followPanel();
    }
    [[nodiscard]] RowsView& shownView() const { return view(); }
    [[nodiscard]] bool isOpen() const { return dock().isVisible(); }
    int asked = 0;

  private:
    bool fill(RowsQuery& query) override {
        if (graph() == nullptr) return false;
        ++asked;
        query.table = graph()->table();
        query.interval = tabs().current().state().tableRange();
        fillCommon(query, tabs().current().state());
        return true;
    }
};

} // namespace highwater::tests
