#include "app/recording/heap_flag_controller.h"

#include "app/recording/elevation.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/heap_tracing_flags.h"
#include "ui/view/recording/heap_flags_page.h"

#include <QAction>
#include <QCoreApplication>
#include <QFutureWatcher>
#include <QMainWindow>
#include <QtConcurrentRun>

namespace highwater::app {
namespace {

QStringList cleanedUp() {
    QStringList sentences;
    for (const auto& sentence : source::cleanUpCaptureLeftovers())
        sentences << QString::fromStdString(sentence);
    QStringList flagged;
    for (const auto& program : source::programsWithHeapTracing()) {
        if (!program.isRecording) flagged << QString::fromStdString(program.name);
    }
    if (!flagged.isEmpty()) {
        sentences << HeapFlagController::tr(
                         "Heap tracing is still on for %1. To turn it off, use Record > Heap Tracing Flags.")
                         .arg(flagged.join(QStringLiteral(", ")));
    }
    return sentences;
}

QList<ui::HeapFlagRow> flaggedRows() {
    QList<ui::HeapFlagRow> rows;
    for (const auto& program : source::programsWithHeapTracing())
        rows << ui::HeapFlagRow{QString::fromStdString(program.name), program.isRecording};
    return rows;
}

/// Error messages.
QStringList clearAll(const QStringList& programs) {
    QStringList problems;
    for (const auto& program : programs) {
        const auto cleared = source::clearHeapTracing(program.toStdString());
        if (!cleared.hasValue()) problems << QString::fromStdString(cleared.error().message);
    }
    return problems;
}

/// Runs on a worker, then calls `then` on this thread if `owner` still exists.
template <typename Work, typename Then>
void onWorker(QObject* owner, Work work, Then then) {
    using Answer = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Answer>(owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, owner, [watcher, then = std::move(then)] {
        then(watcher->result());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

} // namespace

HeapFlagController::HeapFlagController(QMainWindow& window) : QObject(&window), window_(window) { build(); }

void HeapFlagController::build() {
    if (!source::hasHeapTracingFlags()) return;
    auto* flags = new QAction(tr("Heap Tracing &Flags…"), this);
    flags->setObjectName(QStringLiteral("heapTracingFlags"));
    connect(flags, &QAction::triggered, this, &HeapFlagController::show);
    actions_ << flags;
    if (!needsElevation()) return;
    auto* restart = new QAction(tr("Restart as &Administrator"), this);
    restart->setObjectName(QStringLiteral("restartAsAdministrator"));
    connect(restart, &QAction::triggered, this, &HeapFlagController::restartAsAdministrator);
    actions_ << restart;
}

void HeapFlagController::cleanUp() {
    onWorker(this, cleanedUp, [this](const QStringList& sentences) {
        if (!sentences.isEmpty()) emit messageWanted(sentences.join(QLatin1Char(' ')));
    });
}

/// Asks about unsaved data as when the window is closed.
void HeapFlagController::restartAsAdministrator() {
    if (startElevated(argumentsToRecordAgain(QCoreApplication::arguments().mid(1)))) window_.close();
}

void HeapFlagController::show() {
    if (!page_) {
        page_ = new ui::HeapFlagsPage(&window_);
        page_->setAttribute(Qt::WA_DeleteOnClose);
        connect(page_, &ui::HeapFlagsPage::clearWanted, this, &HeapFlagController::clear);
    }
    refresh();
    page_->show();
    page_->raise();
}

void HeapFlagController::refresh() {
    onWorker(this, flaggedRows, [this](const QList<ui::HeapFlagRow>& rows) {
        if (page_) page_->setPrograms(rows);
    });
}

void HeapFlagController::clear(const QStringList& programs) {
    onWorker(
        this, [programs] { return clearAll(programs); },
        [this](const QStringList& problems) {
            if (page_) page_->setProblem(problems.join(QLatin1Char(' ')));
            refresh();
        });
}

} // namespace highwater::app

#include "moc_heap_flag_controller.cpp"
