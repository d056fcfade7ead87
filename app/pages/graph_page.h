#pragma once

#include "app/pages/page.h"
#include "app/pages/page_refresh.h"
#include "core/base/result.h"
#include "ui/state/graph_state.h"

#include <QPointer>
#include <QString>

#include <memory>

namespace highwater::ui {
class AnalysisTabs;
class GraphPanel;
} // namespace highwater::ui

namespace highwater::app {

/// A page about the current graph. Repeats its question when the trace, the visible interval, the current graph or its
/// filter changes, but not while hidden. GUI thread only.
class GraphPage : public Page {
    Q_OBJECT
  protected:
    /// `tabs` and `window` must outlive this object. Derived classes call followPanel() at the end of their
    /// constructors.
    GraphPage(ui::AnalysisTabs& tabs, QMainWindow& window, QWidget* widget, const QString& title, const PageDock& how);
    ~GraphPage() override;

    /// The current graph has changed.
    void followPanel();
    /// Connects the page to the panel of the current graph. The connections end with `until`.
    virtual void connectPanel(ui::GraphPanel& /*panel*/, QObject& /*until*/) {}
    /// Whether the page needs function names while it is open.
    [[nodiscard]] virtual bool showsStacks() const { return true; }
    virtual void ask(ui::Urgency urgency) = 0;
    virtual void cancel() = 0;
    /// The trace is closed, so the page must clear its content. isGone: no other trace replaces it.
    virtual void forgetTrace(bool isGone) = 0;

    [[nodiscard]] ui::AnalysisTabs& tabs() const { return tabs_; }
    [[nodiscard]] PageRefresh& refresh() { return refresh_; }
    /// Why there is no answer. While a file is being read, data that is missing may still follow.
    [[nodiscard]] QString reasonOf(const Error& error) const;
    /// The page is hidden, or the answer to its newest question has arrived. isBusy: the answer is being computed.
    [[nodiscard]] bool isSettled(bool isBusy) const;
    /// The current panel, or null.
    [[nodiscard]] ui::GraphState* graph() const { return graph_; }

  private:
    ui::AnalysisTabs& tabs_;
    PageRefresh refresh_;
    QPointer<ui::GraphState> graph_;
    std::unique_ptr<QObject> ofPanel_; ///< owns the connections to the current panel
};

} // namespace highwater::app
