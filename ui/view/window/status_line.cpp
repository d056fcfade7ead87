#include "ui/view/window/status_line.h"

#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/plain_widgets.h"

#include <QProgressBar>
#include <QToolButton>

namespace highwater::ui {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kNoteWidth = 420; ///< maximum width of a note with a file name

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent),
      loading_(new PlainLabel),
      bar_(new QProgressBar),
      cancel_(new QToolButton),
      symbols_(new QToolButton),
      cancelSymbols_(new QToolButton),
      trace_(new ElidedLabel({})) {
    build();
    hideProgress();
    setSymbols({});
    setTrace({});
}

void StatusLine::build() {
    loading_->setObjectName(QStringLiteral("loading"));
    bar_->setAccessibleName(tr("Loading"));
    bar_->setRange(0, kBarSteps);
    bar_->setTextVisible(false);
    bar_->setFixedWidth(120);
    cancel_->setObjectName(QStringLiteral("cancelLoading"));
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel loading"));
    trace_->setObjectName(QStringLiteral("traceNote"));
    addWidget(trace_, 1);
    addPermanentWidget(loading_);
    addPermanentWidget(bar_);
    addPermanentWidget(cancel_);
    buildSymbols();
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelWanted);
}

void StatusLine::buildSymbols() {
    symbols_->setObjectName(QStringLiteral("symbolNote"));
    symbols_->setAutoRaise(true);
    symbols_->setFocusPolicy(Qt::TabFocus);
    cancelSymbols_->setObjectName(QStringLiteral("cancelSymbols"));
    cancelSymbols_->setText(tr("Cancel"));
    cancelSymbols_->setAccessibleName(tr("Cancel loading symbols"));
    cancelSymbols_->setToolTip(tr("Stop loading symbols and keep the names loaded so far"));
    addPermanentWidget(symbols_);
    addPermanentWidget(cancelSymbols_);
    connect(symbols_, &QToolButton::clicked, this, &StatusLine::modulesWanted);
    connect(cancelSymbols_, &QToolButton::clicked, this, &StatusLine::symbolCancelWanted);
}

void StatusLine::setSymbols(const SymbolNote& note) {
    hasSymbols_ = !note.words.isEmpty();
    areSymbolsBusy_ = note.isBusy;
    showNotes();
    const auto words = menuText(fontMetrics().elidedText(note.words, Qt::ElideMiddle, kNoteWidth));
    symbols_->setText(note.isProblem ? QStringLiteral("⚠ ") + words : words);
    symbols_->setToolTip(tooltipText(note.sentences + QLatin1Char('\n') + tr("Click for all modules")));
    symbols_->setAccessibleName(note.words);
    symbols_->setAccessibleDescription(note.sentences);
}

void StatusLine::setTraceShown(bool isShown) {
    isTraceShown_ = isShown;
    showNotes();
}

void StatusLine::showNotes() {
    trace_->setVisible(isTraceShown_ && note_);
    symbols_->setVisible(isTraceShown_ && hasSymbols_);
    cancelSymbols_->setVisible(isTraceShown_ && hasSymbols_ && areSymbolsBusy_);
}

void StatusLine::showProgress(const QString& name, std::uint64_t done, std::uint64_t total) {
    if (!since_.isValid()) since_.start();
    auto text = tr("Loading %1").arg(fontMetrics().elidedText(lineText(name), Qt::ElideMiddle, 180));
    if (total > 0) {
        text += tr(": %1 of %2")
                    .arg(formatBytes(static_cast<std::int64_t>(done)), formatBytes(static_cast<std::int64_t>(total)));
        bar_->setValue(static_cast<int>(done * kBarSteps / total));
    }
    // An estimate within the first second would be a guess.
    if (done > 0 && total > done && since_.elapsed() > 1000) {
        const auto rest =
            static_cast<double>(since_.elapsed()) * static_cast<double>(total - done) / static_cast<double>(done);
        text += tr(", about %1 s left").arg(formatCount(static_cast<std::int64_t>(rest / 1000.0) + 1));
    }
    loading_->setText(text);
    for (QWidget* part :
         {static_cast<QWidget*>(loading_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_)}) {
        part->show();
    }
}

void StatusLine::hideProgress() {
    since_.invalidate();
    for (QWidget* part :
         {static_cast<QWidget*>(loading_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_)}) {
        part->hide();
    }
}

void StatusLine::setTrace(std::optional<TraceNote> note) {
    note_ = note;
    showNotes();
    showTrace();
}

void StatusLine::setResidentMemory(const QString& words) {
    resident_ = words;
    showTrace();
}

void StatusLine::showTrace() {
    const auto& note = note_;
    if (!note) return;
    QStringList words;
    if (note->hasTimes) words << formatDuration(note->durationNs);
    if (note->heapAllocations > 0 || (note->commits == 0 && note->managedAllocations == 0))
        words << (note->areSums ? countText(note->heapAllocations, "1 heap total by stack", "%1 heap totals by stack")
                                : countText(note->heapAllocations, "1 heap allocation", "%1 heap allocations"));
    if (note->commits > 0) words << countText(note->commits, "1 commit", "%1 commits");
    if (note->managedAllocations > 0)
        words << countText(note->managedAllocations, "1 managed allocation", "%1 managed allocations");
    words << (note->isPartial ? tr("⚠ partly loaded")
              : note->isLossy ? tr("⚠ events are missing")
              : note->unrecordedBytes > 0
                  ? tr("⚠ %1 not recorded").arg(formatBytes(static_cast<std::int64_t>(note->unrecordedBytes)))
                  : tr("nothing lost"));
    if (!resident_.isEmpty()) words << resident_;
    trace_->setText(words.join(QStringLiteral(" · ")));
}

} // namespace highwater::ui

#include "moc_status_line.cpp"
