#include "ui/view/status_line.h"

#include "ui/format/byte_format.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace highwater::ui {
namespace {

constexpr int kBarSteps = 1000;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent), loading_(new QLabel), bar_(new QProgressBar), cancel_(new QToolButton), memory_(new QLabel) {
    build();
    hideProgress();
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
    addPermanentWidget(memory_);
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelWanted);
}

void StatusLine::showProgress(const QString& name, std::uint64_t done, std::uint64_t total) {
    if (!since_.isValid()) since_.start();
    auto text = tr("Loading %1").arg(fontMetrics().elidedText(name, Qt::ElideMiddle, 180));
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
