#include "ui/view/analysis_tabs.h"

#include "ui/view/analysis_view.h"

#include <QToolButton>

#include <utility>

namespace highwater::ui {

AnalysisTabs::AnalysisTabs(QWidget* parent, QueryFunctions functions)
    : QTabWidget(parent), functions_(std::move(functions)) {
    build();
    addAnalysis();
}

AnalysisTabs::~AnalysisTabs() {
    // Views look at the colours until their end, which would come after that of our members.
    disconnect(this, nullptr, this, nullptr);
    while (count() > 0) {
        delete widget(0);
    }
}

void AnalysisTabs::build() {
    setObjectName(QStringLiteral("analysisTabs"));
    setDocumentMode(true);
    setTabsClosable(true);
    setMovable(true);
    auto* add = new QToolButton;
    add->setObjectName(QStringLiteral("newAnalysis"));
    add->setText(QStringLiteral("+"));
    add->setAutoRaise(true);
    add->setToolTip(tr("New analysis tab with an interval of its own"));
    add->setAccessibleName(tr("New analysis"));
    setCornerWidget(add, Qt::TopRightCorner);
    connect(add, &QToolButton::clicked, this, [this] { addAnalysis(); });
    connect(this, &QTabWidget::tabCloseRequested, this, &AnalysisTabs::closeAnalysis);
    connect(this, &QTabWidget::currentChanged, this, [this] {
        emit currentPanelChanged();
        emit currentStateChanged();
    });
}

AnalysisView& AnalysisTabs::viewAt(int index) const { return *static_cast<AnalysisView*>(widget(index)); }

AnalysisView& AnalysisTabs::current() const { return viewAt(currentIndex()); }

GraphPanel* AnalysisTabs::currentPanel() const { return current().currentPanel(); }

AnalysisView& AnalysisTabs::addAnalysis() {
    auto* view = new AnalysisView(colors_, this, functions_);
    view->state().setOptions(options_);
    view->state().addGraph(analysis::Table::VirtualAlloc);
    view->setLoading(loading_);
    if (trace_) view->setTrace(trace_, labels_);
    connect(view, &AnalysisView::upToDate, this, [this, view] {
        if (view == &current()) emit upToDate();
    });
    connect(view, &AnalysisView::currentPanelChanged, this, [this, view] {
        if (view == &current()) emit currentPanelChanged();
    });
    connect(&view->state(), &AnalysisState::changed, this, [this, view] {
        if (view == &current()) emit currentStateChanged();
    });
    setCurrentIndex(addTab(view, tr("Analysis %1").arg(nextNumber_++)));
    return *view;
}

void AnalysisTabs::closeAnalysis(int index) {
    if (count() == 1) return;
    auto* view = widget(index);
    removeTab(index);
    view->deleteLater();
}

void AnalysisTabs::setTrace(std::shared_ptr<const store::PublishedTrace> trace,
                            std::shared_ptr<analysis::FrameLabels> labels) {
    if (labels != labels_) colors_.clear();
    trace_ = trace;
    labels_ = labels;
    for (int i = 0; i < count(); ++i) {
        viewAt(i).setTrace(trace, labels);
    }
}

void AnalysisTabs::clearTrace() {
    trace_.reset();
    labels_.reset();
    for (int i = 0; i < count(); ++i) {
        viewAt(i).clearTrace();
    }
}

void AnalysisTabs::setLoading(bool loading) {
    loading_ = loading;
    for (int i = 0; i < count(); ++i) {
        viewAt(i).setLoading(loading);
    }
}

void AnalysisTabs::setOptions(const AnalysisOptions& options) {
    options_ = options;
    for (int i = 0; i < count(); ++i) {
        viewAt(i).state().setOptions(options);
    }
}

bool AnalysisTabs::isUpToDate() const { return current().isUpToDate(); }

} // namespace highwater::ui
