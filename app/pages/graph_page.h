#pragma once

#include "app/pages/page.h"
#include "app/pages/page_refresh.h"
#include "ui/state/graph_state.h"

#include <QPointer>

#include <memory>

namespace highwater::ui {
class AnalysisTabs;
class GraphPanel;
} // namespace highwater::ui

namespace highwater::app {

/// A page about the current graph. It asks its question again whenever the trace, the visible interval, the current graph
/// or its filter changes, and never while it is hidden. GUI thread only.
class GraphPage : public Page {
    Q_OBJECT
  protected:
    /// `tabs` and `window` must outlive it. A derived class calls followPanel() at the end of its constructor.
    GraphPage(ui::AnalysisTabs& tabs, QMainWindow& window, QWidget* widget, const QString& title, const PageDock& how);
    ~GraphPage() override;

    /// The current graph is another one.
    void followPanel();
    /// Connects the page with the panel of the current graph; the connections end with `until`.
    virtual void connectPanel(ui::GraphPanel& /*panel*/, QObject& /*until*/) {}
    /// Whether functions need names while the page is open.
    [[nodiscard]] virtual bool showsStacks() const { return true; }
    virtual void ask(ui::Urgency urgency) = 0;
    virtual void cancel() = 0;
    /// The trace is gone, with all that the page shows of it. isGone: no other trace has come.
    virtual void forgetTrace(bool isGone) = 0;

    [[nodiscard]] ui::AnalysisTabs& tabs() const { return tabs_; }
    [[nodiscard]] PageRefresh& refresh() { return refresh_; }
    /// The page is hidden, or it has asked its newest question and the answer is there. isBusy: it is being computed.
    [[nodiscard]] bool isSettled(bool isBusy) const;
    /// The current one; null: there is none.
    [[nodiscard]] ui::GraphState* graph() const { return graph_; }

  private:
    ui::AnalysisTabs& tabs_;
    PageRefresh refresh_;
    QPointer<ui::GraphState> graph_;
    std::unique_ptr<QObject> ofPanel_; ///< ends the connections to the current panel
};

} // namespace highwater::app
