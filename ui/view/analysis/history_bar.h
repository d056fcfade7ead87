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

/// Where an analysis is: the whole trace, the interval, the instant, and the filters of its graphs, from the left, each
/// with an x. What does not fit is in the menu of "+2". Before them the list of all steps that led here. Back and
/// forward through it are commands of the tool bar. GUI thread only.
class HistoryBar : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryBar(QWidget* parent = nullptr);
    /// The analysis that is shown; null: none.
    void setState(AnalysisState* state);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// One part of the trail.
    struct Crumb {
        QString text;
        QString tip;
        std::function<void()> act; ///< of a click: takes it back; of the first one: all that makes the interval
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
    QWidget* last_ = nullptr; ///< of what Tab goes through
    QMenu* history_;
    QHBoxLayout* crumbs_;
    std::vector<QMetaObject::Connection> graphs_; ///< of the graphs whose filters are shown
};

} // namespace highwater::ui
