#include "ui/view/window/status_line.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QProgressBar>
#include <QToolButton>

namespace highwater::ui {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kNoteWidth = 420; ///< of a note that names a file

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent),
      loading_(new PlainLabel),
      bar_(new QProgressBar),
      cancel_(new QToolButton),
      symbols_(new QToolButton),
      cancelSymbols_(new QToolButton),
      memory_(new PlainLabel) {
    build();
    hideProgress();
    setSymbols({});
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
    memory_->setObjectName(QStringLiteral("ownMemory"));
    memory_->setToolTip(tr("Memory that this program uses"));
    addPermanentWidget(loading_);
    addPermanentWidget(bar_);
    addPermanentWidget(cancel_);
    buildSymbols();
    addPermanentWidget(memory_);
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelWanted);
}

void StatusLine::buildSymbols() {
    symbols_->setObjectName(QStringLiteral("symbolNote"));
    symbols_->setAutoRaise(true);
    symbols_->setFocusPolicy(Qt::TabFocus);
    cancelSymbols_->setObjectName(QStringLiteral("cancelSymbols"));
    cancelSymbols_->setText(tr("Cancel"));
    cancelSymbols_->setAccessibleName(tr("Cancel loading symbols"));
    cancelSymbols_->setToolTip(tr("Stop loading symbols; names that are there stay"));
    addPermanentWidget(symbols_);
    addPermanentWidget(cancelSymbols_);
    connect(symbols_, &QToolButton::clicked, this, &StatusLine::modulesWanted);
    connect(cancelSymbols_, &QToolButton::clicked, this, &StatusLine::symbolCancelWanted);
}

void StatusLine::setSymbols(const SymbolNote& note) {
    symbols_->setVisible(!note.words.isEmpty());
    cancelSymbols_->setVisible(!note.words.isEmpty() && note.isBusy);
    const auto words = menuText(fontMetrics().elidedText(note.words, Qt::ElideMiddle, kNoteWidth));
    symbols_->setText(note.isProblem ? QStringLiteral("⚠ ") + words : words);
    symbols_->setToolTip(tooltipText(note.sentences + QLatin1Char('\n') + tr("Click for all modules")));
    symbols_->setAccessibleName(note.words);
    symbols_->setAccessibleDescription(note.sentences);
}

void StatusLine::showProgress(const QString& name, std::uint64_t done, std::uint64_t total) {
    if (!since_.isValid()) since_.start();
    auto text = tr("Loading %1").arg(fontMetrics().elidedText(lineText(name), Qt::ElideMiddle, 180));
    if (total > 0) {
        text += tr(": %1 of %2")
                    .arg(formatBytes(static_cast<std::int64_t>(done)), formatBytes(static_cast<std::int64_t>(total)));
        bar_->setValue(static_cast<int>(done * kBarSteps / total));
    }
    // Below a second of reading the rest is a guess.
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

void StatusLine::setOwnMemory(std::optional<ByteCount> bytes) {
    memory_->setVisible(bytes.has_value());
    if (bytes) memory_->setText(tr("Memory of Highwater %1").arg(formatBytes(static_cast<std::int64_t>(*bytes))));
}

} // namespace highwater::ui
