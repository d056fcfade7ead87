#pragma once

#include "ui/state/analysis_state.h"

#include <QPointer>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QToolButton;

namespace highwater::ui {

/// The zooms and filters of an analysis as crumbs to click: the current one marked, those that were taken back dimmed.
/// Crumbs that do not fit are in the menu of "…". Beside them a chip while tables show one instant. GUI thread only.
class HistoryBar : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryBar(QWidget* parent = nullptr);
    /// The analysis whose history is shown; null: none.
    void setState(AnalysisState* state);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refresh();
    void refill();
    QToolButton* addCrumb(std::size_t position, const QString& words);
    void addRest(const QStringList& words);
    [[nodiscard]] std::pair<std::size_t, std::size_t> crumbsThatFit(const QStringList& words) const;
    [[nodiscard]] QString shortened(const QString& words) const;
    [[nodiscard]] int widthOf(const QString& words) const;
    void showInstant();

    QPointer<AnalysisState> state_;
    QToolButton* back_;
    QToolButton* forward_;
    QHBoxLayout* crumbs_;
    QToolButton* instant_;
};

} // namespace highwater::ui
