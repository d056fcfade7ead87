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

/// The line above a graph: name, preset, chart type, visible halves, and the up, down and close buttons. A double click
/// shows the graph alone, another one shows all again. A thin line below moves while an answer is computed. GUI thread
/// only.
class GraphHeader : public QFrame {
    Q_OBJECT
  public:
    static constexpr int kHeight = 28;
    /// Shorter queries do not show the line, to avoid flicker.
    static constexpr int kBusyDelayMs = 100;

    explicit GraphHeader(GraphState& graph, QWidget* parent = nullptr);
    /// Presets including the user's. They must outlive the header.
    void setPresets(Presets& presets);
    void setBusy(bool busy);
    /// Shows that the table's numbers are out of date.
    void setCounting(bool isCounting);
    /// Whether the thin line is visible.
    [[nodiscard]] bool showsBusy() const { return showsBusy_; }

  signals:
    void closeWanted();
    /// -1: up, 1: down.
    void moveWanted(int places);
    /// Show this graph alone, or all graphs again.
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
    QTimer motion_; ///< active while the line moves
    bool showsBusy_ = false;
    int phase_ = 0;
};

} // namespace highwater::ui
