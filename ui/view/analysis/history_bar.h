#pragma once

#include "ui/state/analysis_state.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace highwater::ui {

/// Position of an analysis as a breadcrumb trail: the whole trace, the interval, the instant, and the filters of its
/// graphs, each with a close button. Items that do not fit are in the menu of "+2". A list of all previous steps is on
/// the left. The tool bar has commands to go back and forward. GUI thread only.
class HistoryBar : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryBar(QWidget* parent = nullptr);
    /// The analysis to show; null: none.
    void setState(AnalysisState* state);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// An item of the trail.
    struct Crumb {
        QString text;
        QString tip;
        std::function<void()> act; ///< on click: removes the item; for the first one, resets the interval
        bool isRemovable = true;
    };

    void build();
    void follow();
    void refresh();
    void refill();
    void fillHistory();
    [[nodiscard]] std::vector<Crumb> crumbs() const;
    void addFilters(std::vector<Crumb>& crumbs) const;
    [[nodiscard]] std::size_t countThatFits(const std::vector<Crumb>& crumbs) const;
    void place(QToolButton& button);
    void addSeparator();
    void addCrumb(const Crumb& crumb, bool isLast);
    void addRest(const std::vector<Crumb>& crumbs, std::size_t first);
    [[nodiscard]] QString shortened(const Crumb& crumb) const;
    [[nodiscard]] int widthOf(const Crumb& crumb) const;

    QPointer<AnalysisState> state_;
    QToolButton* list_;
    QWidget* last_ = nullptr; ///< last widget in the tab order
    QMenu* history_;
    QHBoxLayout* crumbs_;
    std::vector<QMetaObject::Connection> graphs_; ///< to graphs whose filters are shown
};

} // namespace highwater::ui
