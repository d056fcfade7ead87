#include "app/tools/fleet/page/fleet_view.h"

#include "app/tools/fleet/page/fleet_chart.h"
#include "app/tools/fleet/page/fleet_form.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_store_bar.h"
#include "app/tools/fleet/page/fleet_table.h"
#include "app/tools/fleet/page/fleet_words.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/plain_widgets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr int kDimAfterMs = 200;

std::vector<fleet::FleetStack> stacksOf(const FleetAnswer& answer) {
    std::vector<fleet::FleetStack> stacks;
    for (std::size_t row = 0; const auto* stack = stackOf(answer, row); ++row)
        stacks.push_back(*stack);
    return stacks;
}

QString notesOf(const FleetAnswer& answer) {
    QStringList notes;
    if (const auto* grew = std::get_if<fleet::GrewAnswer>(&answer.found)) {
        for (const auto& note : grew->notes)
            notes << visibleText(note);
    }
    return notes.join(QLatin1Char(' '));
}

} // namespace

FleetView::FleetView(QWidget* parent)
    : QWidget(parent),
      store_(new FleetStoreBar),
      strip_(new MessageStrip),
      form_(new FleetForm),
      ask_(new QPushButton(tr("Run A&gain"))),
      cancel_(new QPushButton(tr("Cancel"))),
      summary_(new ElidedLabel({})),
      notes_(new PlainLabel),
      back_(new QToolButton),
      export_(new MenuButton),
      lists_(new QStackedWidget),
      answers_(new FleetList(tr("List &Runs, or Open the Trace"))),
      runs_(new FleetList(tr("&Open Trace at These Rows"))),
      chart_(new FleetChart),
      splitter_(new QSplitter(Qt::Vertical)) {
    build();
    connectViews();
    clear(tr("A fleet is a store of runs created from traces by highwater-cli fleet add. Open one to see which stacks "
             "grew from build to build, and on how many machines."));
}

void FleetView::build() {
    setObjectName(QStringLiteral("fleetView"));
    strip_->setObjectName(QStringLiteral("fleetMessage"));
    age_.setSingleShot(true);
    age_.setInterval(kDimAfterMs);
    connect(&age_, &QTimer::timeout, this, &FleetView::dim);
    auto* middle = new QHBoxLayout;
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addWidget(makeForm());
    middle->addWidget(makeAnswer(), 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip_);
    layout->addWidget(store_);
    layout->addLayout(middle, 1);
}

/// Scrollable for large fonts and low windows.
QWidget* FleetView::makeForm() {
    ask_->setObjectName(QStringLiteral("fleetAsk"));
    ask_->setToolTip(tr("Run the query again, including runs that were added since (F5)"));
    ask_->setEnabled(false);
    cancel_->setObjectName(QStringLiteral("fleetCancel"));
    cancel_->setEnabled(false);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 0, 4, 4);
    buttons->addWidget(ask_);
    buttons->addWidget(cancel_);
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(form_);
    layout->addLayout(buttons);
    layout->addStretch(1);
    auto* scrolled = new QScrollArea;
    scrolled->setObjectName(QStringLiteral("fleetFormArea"));
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::NoFocus);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setWidgetResizable(true);
    scrolled->setWidget(column);
    scrolled->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    scrolled->setFixedWidth(column->sizeHint().width() + scrolled->verticalScrollBar()->sizeHint().width());
    return scrolled;
}

QWidget* FleetView::makeAnswer() {
    summary_->setObjectName(QStringLiteral("fleetSummary"));
    summary_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    notes_->setObjectName(QStringLiteral("fleetNotes"));
    notes_->setWordWrap(true);
    back_->setObjectName(QStringLiteral("fleetBack"));
    back_->setText(tr("Back to the Result"));
    back_->setToolTip(tr("Back to the result (Esc)"));
    back_->setFocusPolicy(Qt::TabFocus);
    export_->setObjectName(QStringLiteral("fleetExport"));
    export_->setText(tr("Export"));
    export_->setToolTip(tr("Save the table to a file"));
    export_->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(export_);
    connect(menu->addAction(tr("&CSV…")), &QAction::triggered, this, [this] { emit exportWanted(FleetFormat::Csv); });
    connect(menu->addAction(tr("&JSON…")), &QAction::triggered, this, [this] { emit exportWanted(FleetFormat::Json); });
    export_->setMenu(menu);
    answers_->setObjectName(QStringLiteral("fleetAnswers"));
    answers_->setAccessibleName(tr("Result"));
    runs_->setObjectName(QStringLiteral("fleetRuns"));
    runs_->setAccessibleName(tr("Runs of the stack"));
    lists_->addWidget(answers_);
    lists_->addWidget(runs_);
    splitter_->setObjectName(QStringLiteral("fleetSplitter"));
    splitter_->setChildrenCollapsible(false);
    splitter_->addWidget(lists_);
    splitter_->addWidget(chart_);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    auto* top = new QHBoxLayout;
    top->addWidget(back_);
    top->addWidget(summary_, 1);
    top->addWidget(export_);
    auto* answer = new QWidget;
    auto* layout = new QVBoxLayout(answer);
    layout->setContentsMargins(4, 4, 8, 4);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(splitter_, 1);
    layout->addWidget(notes_);
    return answer;
}

void FleetView::connectViews() {
    connect(ask_, &QPushButton::clicked, this, &FleetView::askAgainWanted);
    connect(cancel_, &QPushButton::clicked, this, &FleetView::cancelWanted);
    connect(back_, &QToolButton::clicked, this, &FleetView::leaveRuns);
    connect(answers_, &FleetList::rowSelected, this, &FleetView::select);
    connect(answers_, &FleetList::rowChosen, this, &FleetView::choose);
    connect(runs_, &FleetList::rowChosen, this, &FleetView::chooseRun);
    connect(chart_, &FleetChart::buildChosen, this, &FleetView::chooseBuild);
}

void FleetView::clear(const QString& why) {
    answer_ = nullptr;
    worst_ = nullptr;
    answers_->setTable(nullptr);
    runs_->setTable(nullptr);
    form_->forgetStore();
    form_->setContents({});
    store_->setFacts({});
    ask_->setEnabled(false);
    export_->setEnabled(false);
    summary_->setText({});
    notes_->hide();
    setAsking(false);
    showRuns(false);
    chart_->show();
    setHistory(nullptr, {}, why);
}

void FleetView::setContents(const FleetContents& contents) {
    form_->setContents(contents);
    ask_->setEnabled(true);
    store_->setFacts(tr("%1, %2, %3")
                         .arg(countText(contents.runs, "1 run", "%1 runs"),
                              countText(contents.builds.size(), "1 build", "%1 builds"),
                              contents.machines.empty() && contents.runs > 0
                                  ? tr("machines not named")
                                  : countText(contents.machines.size(), "1 machine", "%1 machines")));
}

void FleetView::setAsking(bool isAsking) {
    isAsking_ = isAsking;
    cancel_->setEnabled(isAsking_ || isWaiting_);
    if (isAsking && !age_.isActive()) age_.start();
    if (!isAsking) age_.stop();
}

void FleetView::setWaiting(bool isWaiting) {
    isWaiting_ = isWaiting;
    cancel_->setEnabled(isAsking_ || isWaiting_);
}

void FleetView::dim() {
    if (!isAsking_ || !answer_) return;
    answers_->setOld(true);
    chart_->setOld(true);
    summary_->setText(tr("%1 (updating…)").arg(summaryOf(*answer_)));
}

void FleetView::setAnswer(std::shared_ptr<const FleetAnswer> answer) {
    setAsking(false);
    answer_ = std::move(answer);
    form_->offerProcesses(stacksOf(*answer_));
    answers_->setOld(false);
    answers_->setAccessibleName(fleetKindText(answer_->question.kind, answer_->question.samples.measure));
    const bool isStacks = isOfStacks(answer_->question.kind);
    chart_->setVisible(isStacks);
    chart_->setSides(comparesBuilds(answer_->question.kind) ? answer_->question.fromBuild : std::string(),
                     answer_->question.toBuild);
    if (isStacks && stackOf(*answer_, 0) == nullptr) setHistory(nullptr, {}, summaryOf(*answer_));
    export_->setEnabled(true);
    showRuns(false);
    answers_->setTable(std::make_shared<const FleetTable>(tableOf(*answer_)));
}

void FleetView::setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                           const QString& why) {
    chart_->setHistory(std::move(history), measure, why);
}

void FleetView::setWorst(std::shared_ptr<const FleetWorst> worst) {
    worst_ = std::move(worst);
    runs_->setTable(std::make_shared<const FleetTable>(tableOf(*worst_)));
    showRuns(true);
    runs_->setFocus();
}

bool FleetView::areRunsShown() const { return lists_->currentWidget() == runs_; }

void FleetView::showRuns(bool areRuns) {
    const bool hadFocus = lists_->currentWidget()->hasFocus();
    lists_->setCurrentWidget(areRuns ? runs_ : answers_);
    back_->setVisible(areRuns);
    if (hadFocus) lists_->currentWidget()->setFocus();
    if (areRuns && worst_) {
        const auto build = worst_->question.build;
        const auto subject = subjectText(worst_->stack, worst_->question.samples.measure);
        const auto runs = worst_->runs.empty()
                              ? tr("%2 does not occur in build %1.").arg(buildText(build), subject)
                              : tr("Runs of %1 in build %2. Enter opens the trace.").arg(subject, buildText(build));
        summary_->setText(runs + unknownText(worst_->runsUnknown));
    } else if (answer_) {
        summary_->setText(summaryOf(*answer_));
    }
    const auto notes = answer_ ? notesOf(*answer_) : QString();
    notes_->setSentence(notes);
    notes_->setVisible(!notes.isEmpty() && !areRuns);
}

void FleetView::focusAnswer() { lists_->currentWidget()->setFocus(); }

void FleetView::select(std::size_t row) {
    if (const auto* stack = answer_ ? stackOf(*answer_, row) : nullptr) emit stackSelected(*stack);
}

void FleetView::choose(std::size_t row) {
    if (!answer_) return;
    if (const auto* stack = stackOf(*answer_, row)) return emit runsWanted(*stack, buildWithStacks(answer_->question));
    const auto* runs = std::get_if<std::vector<fleet::RunRow>>(&answer_->found);
    if (runs != nullptr && row < runs->size()) emit runWanted({.facts = (*runs)[row].facts});
}

void FleetView::chooseRun(std::size_t row) {
    if (!worst_ || row >= worst_->runs.size()) return;
    const auto& run = worst_->runs[row];
    if (isOfProcesses(worst_->question.samples.measure))
        return emit runWanted({.facts = run.facts, .process = run.process, .showsMemory = true});
    emit runWanted({run.facts, true, worst_->stack, run.process, run.start, run.end, run.first, run.last});
}

/// While the selection changes, the graph belongs to no selected stack.
void FleetView::chooseBuild(const std::string& build) {
    const auto row = answers_->selectedRow();
    const auto* stack = answer_ && row ? stackOf(*answer_, *row) : nullptr;
    if (stack == nullptr || stack->key != chart_->history()->stack.key) return;
    const bool isOther =
        isOfProcesses(answer_->question.samples.measure) && stack->process != chart_->history()->stack.process;
    if (!isOther) emit runsWanted(*stack, build);
}

void FleetView::leaveRuns() {
    showRuns(false);
    emit runsLeft();
}

void FleetView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F5 && ask_->isEnabled()) return emit askAgainWanted();
    if (event->key() == Qt::Key_Escape && cancel_->isEnabled()) return emit cancelWanted();
    if (event->key() == Qt::Key_Escape && areRunsShown()) return leaveRuns();
    QWidget::keyPressEvent(event);
}

} // namespace highwater::ui

#include "moc_fleet_view.cpp"
