#pragma once

#include "ui/state/graph_state.h"

#include <QFrame>
#include <QTimer>

#include <initializer_list>

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace highwater::ui {

class PlainLabel;
class PresetBox;
class Presets;

/// The line above a graph: its name, its preset, how it is drawn, which halves are shown; up, down, close. A double
/// click on it shows the graph alone, and with the others again. Below it a thin line moves while an answer is being
/// computed. GUI thread only.
class GraphHeader : public QFrame {
    Q_OBJECT
  public:
    static constexpr int kHeight = 28;
    /// Shorter questions are not worth a line that flashes.
    static constexpr int kBusyDelayMs = 100;

    explicit GraphHeader(GraphState& graph, QWidget* parent = nullptr);
    /// Own ones, too. They must outlive it.
    void setPresets(Presets& presets);
    void setBusy(bool busy);
    /// Says that the table's numbers are those of before.
    void setCounting(bool isCounting);
    /// The thin line is there.
    [[nodiscard]] bool showsBusy() const { return showsBusy_; }

  signals:
    void closeWanted();
    /// -1: up, 1: down.
    void moveWanted(int places);
    /// To be shown alone, or with the others again.
    void maximizeWanted();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    void build();
    void addChart(QHBoxLayout& layout);
    void keepCharts(std::initializer_list<ChartType> charts);
    void addParts(QHBoxLayout& layout);
    void addPlace(QHBoxLayout& layout);
    void refresh();
    [[nodiscard]] QRect busyPiece() const;

    GraphState& graph_;
    PresetBox* preset_;
    PlainLabel* counting_;
    QComboBox* chart_;
    QButtonGroup* parts_;
    QToolButton* up_;
    QToolButton* down_;
    QTimer delay_;
    QTimer motion_; ///< runs while the line moves
    bool showsBusy_ = false;
    int phase_ = 0;
};

} // namespace highwater::ui
