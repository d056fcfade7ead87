#include "ui/view/analysis/graph_header.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/presets.h"
#include "ui/view/access/motion.h"
#include "ui/view/access/row_height.h"
#include "ui/view/analysis/preset_box.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/line_icons.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kMargins = 4; ///< above and below the boxes, together
constexpr int kPresetWidth = 330;
constexpr int kFrameMs = 33;
constexpr int kTurnMs = 1200; ///< duration of one pass of the line
constexpr int kLineHeight = 2;

QToolButton* makeButton(const char* name, const QString& words) {
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    keepControlHeight(*button);
    button->setToolTip(tooltipText(words));
    button->setAccessibleName(words);
    return button;
}

} // namespace

GraphHeader::GraphHeader(GraphState& graph, QWidget* parent)
    : QFrame(parent),
      graph_(graph),
      preset_(new PresetBox(graph)),
      counting_(new PlainLabel(tr("counting…"))),
      chart_(new QComboBox),
      parts_(new QButtonGroup(this)),
      up_(makeButton("moveUp", tr("Move this graph up"))),
      down_(makeButton("moveDown", tr("Move this graph down"))) {
    build();
    connect(&graph_, &GraphState::changed, this, &GraphHeader::refresh);
    connect(&graph_.analysis(), &AnalysisState::changed, this, &GraphHeader::refresh);
    connect(&delay_, &QTimer::timeout, this, [this] {
        showsBusy_ = true;
        if (motion() == Motion::Full) motion_.start(kFrameMs);
        update();
    });
    connect(&motion_, &QTimer::timeout, this, [this] {
        phase_ = (phase_ + kFrameMs) % kTurnMs;
        update(0, height() - kLineHeight, width(), kLineHeight);
    });
    refresh();
}

void GraphHeader::build() {
    setObjectName(QStringLiteral("graphHeader"));
    keepControlHeight(*this, kMargins);
    delay_.setSingleShot(true);
    const auto title = analysis::tableTitle(graph_.table());
    auto* name = new ElidedLabel(toQString(title));
    name->setObjectName(QStringLiteral("graphTitle"));
    auto font = name->font();
    font.setBold(true);
    name->setFont(font);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 4, 0);
    layout->setSpacing(4);
    preset_->setMaximumWidth(kPresetWidth);
    layout->addWidget(name);
    layout->addWidget(preset_, 100);
    counting_->setObjectName(QStringLiteral("counting"));
    counting_->setToolTip(tooltipText(tr("The numbers below are out of date until the new ones have been computed.")));
    counting_->hide();
    layout->addWidget(counting_);
    layout->addStretch(1); // space that the preset does not use
    addChart(*layout);
    addParts(*layout);
    addPlace(*layout);
}

void GraphHeader::addChart(QHBoxLayout& layout) {
    chart_->setObjectName(QStringLiteral("chartType"));
    chart_->setAccessibleName(tr("Chart type"));
    chart_->setToolTip(tr("How the graph is drawn"));
    chart_->addItem(lineIcon(LineIcon::Line), tr("Line"));
    chart_->addItem(lineIcon(LineIcon::StackedArea), tr("Stacked"));
    chart_->addItem(lineIcon(LineIcon::Bars), tr("Bars"));
    chart_->addItem(lineIcon(LineIcon::Lifetimes), tr("Lifetimes"));
    chart_->addItem(lineIcon(LineIcon::NewBytes), tr("New Bytes"));
    chart_->addItem(lineIcon(LineIcon::Flames), tr("Flames"));
    chart_->addItem(lineIcon(LineIcon::Icicle), tr("Icicle"));
    keepControlHeight(*preset_);
    keepControlHeight(*chart_);
    if (graph_.table() == analysis::Table::Snapshot)
        keepCharts({ChartType::Bars, ChartType::Flames, ChartType::Icicle});
    if (graph_.table() == analysis::Table::Managed) // no event reports the end of an object
        keepCharts({ChartType::Line, ChartType::StackedArea, ChartType::Bars, ChartType::Flames, ChartType::Icicle});
    if (graph_.table() == analysis::Table::GcHeap)
        keepCharts({ChartType::Line, ChartType::StackedArea, ChartType::Bars});
    connect(chart_, &QComboBox::activated, this, [this](int index) { graph_.setChart(static_cast<ChartType>(index)); });
    layout.addWidget(chart_);
}

/// Other entries are hidden but keep their index, because charts are chosen by index.
void GraphHeader::keepCharts(std::initializer_list<ChartType> charts) {
    auto* list = qobject_cast<QListView*>(chart_->view());
    auto* model = qobject_cast<QStandardItemModel*>(chart_->model());
    for (int i = 0; list && model && i < chart_->count(); ++i) {
        if (std::find(charts.begin(), charts.end(), static_cast<ChartType>(i)) != charts.end()) continue;
        list->setRowHidden(i, true);
        model->item(i)->setEnabled(false);
    }
}

void GraphHeader::addParts(QHBoxLayout& layout) {
    const auto add = [&](const char* objectName, LineIcon icon, const QString& words, GraphParts parts) {
        auto* button = makeButton(objectName, words);
        button->setIcon(lineIcon(icon));
        button->setCheckable(true);
        parts_->addButton(button, static_cast<int>(parts));
        layout.addWidget(button);
    };
    layout.addSpacing(4);
    add("graphAndTable", LineIcon::GraphAndTable, tr("Graph and table"), GraphParts::GraphAndTable);
    add("graphOnly", LineIcon::GraphOnly, tr("Graph only"), GraphParts::GraphOnly);
    add("tableOnly", LineIcon::TableOnly, tr("Table only"), GraphParts::TableOnly);
    connect(parts_, &QButtonGroup::idClicked, this, [this](int id) { graph_.setParts(static_cast<GraphParts>(id)); });
}

void GraphHeader::addPlace(QHBoxLayout& layout) {
    const auto add = [&](QToolButton* button, LineIcon icon) {
        button->setIcon(lineIcon(icon));
        layout.addWidget(button);
    };
    layout.addSpacing(4);
    add(up_, LineIcon::Up);
    add(down_, LineIcon::Down);
    auto* close = makeButton("closeGraph", tr("Close this graph"));
    add(close, LineIcon::Close);
    connect(up_, &QToolButton::clicked, this, [this] { emit moveWanted(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { emit moveWanted(1); });
    connect(close, &QToolButton::clicked, this, &GraphHeader::closeWanted);
}

void GraphHeader::setPresets(Presets& presets) { preset_->setPresets(presets); }

void GraphHeader::refresh() {
    chart_->setCurrentIndex(static_cast<int>(graph_.showsInstances() ? ChartType::Bars : graph_.chart()));
    if (auto* button = parts_->button(static_cast<int>(graph_.parts()))) button->setChecked(true);
    const auto graphs = graph_.analysis().graphs();
    up_->setVisible(graphs.size() > 1);
    down_->setVisible(graphs.size() > 1);
    up_->setEnabled(!graphs.empty() && graphs.front() != &graph_);
    down_->setEnabled(!graphs.empty() && graphs.back() != &graph_);
}

void GraphHeader::setBusy(bool busy) {
    if (busy) {
        if (!showsBusy_ && !delay_.isActive()) delay_.start(kBusyDelayMs);
        return;
    }
    delay_.stop();
    motion_.stop();
    showsBusy_ = false;
    update();
}

void GraphHeader::setCounting(bool isCounting) { counting_->setVisible(isCounting); }

/// A moving segment, or the whole line if motion is reduced.
QRect GraphHeader::busyPiece() const {
    if (!motion_.isActive()) return {0, height() - kLineHeight, width(), kLineHeight};
    const auto length = width() / 4;
    return {(width() + length) * phase_ / kTurnMs - length, height() - kLineHeight, length, kLineHeight};
}

void GraphHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit maximizeWanted();
}

void GraphHeader::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    if (!showsBusy()) return;
    QPainter painter(this);
    painter.fillRect(busyPiece(), palette().color(QPalette::Highlight));
}

} // namespace highwater::ui

#include "moc_graph_header.cpp"
