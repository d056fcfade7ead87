#include "app/recording/recovery_controller.h"

#include "core/files/output_file.h"
#include "core/pipeline/spool/saved_file.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/window/start_page.h"

#include <QFile>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QtConcurrentRun>

#include <filesystem>
#include <system_error>
#include <utility>

namespace highwater::app {
namespace {

/// Moves a file; returns an error message or an empty string. Across disks, the file is copied first and deleted only
/// after the copy is complete.
QString moveFile(const QString& from, const QString& to) {
    const auto place = OutputFile::placeFor(ui::toPath(to));
    if (!place.hasValue()) return ui::toQString(place.error().message);
    std::error_code failed;
    std::filesystem::rename(ui::toPath(from), place.value(), failed);
    if (!failed) return {};
    const auto copied =
        pipeline::saveCopy(ui::toPath(from), std::filesystem::file_size(ui::toPath(from), failed), place.value());
    if (!copied.hasValue()) return ui::toQString(copied.error().message);
    std::filesystem::remove(ui::toPath(from), failed);
    return {};
}

} // namespace

RecoveryController::RecoveryController(QString folder, ui::StartPage& page, QMainWindow& window)
    : QObject(&window), folder_(std::move(folder)), page_(page), window_(window) {
    connect(&page_, &ui::StartPage::recoverWanted, this, [this](int number) {
        if (number < lost_.size()) emit showWanted(lost_[number]);
    });
    connect(&page_, &ui::StartPage::discardWanted, this, [this](int number) {
        if (number < lost_.size()) askToDiscard(lost_[number]);
    });
    refresh();
}

void RecoveryController::refresh() {
    lost_ = lostRecordings(folder_);
    QStringList words;
    for (const auto& recording : lost_) {
        words << labelOf(recording);
    }
    page_.setLostRecordings(words);
}

bool RecoveryController::begin(const LostRecording& recording) {
    auto held = OutputFile::hold(ui::toPath(recording.path));
    if (!held.hasValue()) {
        refresh();
        emit failed(ui::toQString(held.error().message));
        return false;
    }
    held_ = std::move(held).value();
    shown_ = recording;
    isRead_ = false;
    emit changed();
    return true;
}

void RecoveryController::noteRead() {
    isRead_ = true;
    emit changed();
}

void RecoveryController::giveUp() { forget(); }

void RecoveryController::forget() {
    shown_.reset();
    held_.reset();
    isRead_ = isUnwanted_ = false;
    refresh();
    emit changed();
}

void RecoveryController::makeWay(std::function<void()> then) {
    if (isMoving_) {
        afterSave_ = std::move(then);
        return;
    }
    const auto recording = *shown_;
    auto* question = ui::makeQuestion(
        tr("The recording of %1 has not been saved.").arg(recording.program),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Ignore | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("unsavedRecording"));
    question->setInformativeText(
        tr("If you keep it, the start page offers it again. If you discard it, it will be lost."));
    question->button(QMessageBox::Ignore)->setText(tr("&Keep for Later"));
    question->button(QMessageBox::Save)->setEnabled(isRead_);
    question->setDefaultButton(isRead_ ? QMessageBox::Save : QMessageBox::Ignore);
    connect(question, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        if (answer == QMessageBox::Cancel || !shown_) return;
        if (answer == QMessageBox::Save) {
            afterSave_ = then;
            return askForName();
        }
        isUnwanted_ = answer == QMessageBox::Discard;
        then();
    });
    question->open();
}

bool RecoveryController::finishLeaving() {
    if (!shown_) return true;
    if (isUnwanted_ && !discard(*shown_)) return false;
    forget();
    return true;
}

void RecoveryController::askForName() {
    if (!canSave()) return;
    auto* dialog = new QFileDialog(&window_, tr("Save Recording"), {}, tr("Event traces (*.etl)"));
    dialog->setObjectName(QStringLiteral("recoverAs"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("etl"));
    dialog->selectFile(shown_->program + QStringLiteral(".etl"));
    connect(dialog, &QFileDialog::fileSelected, this, &RecoveryController::move);
    connect(dialog, &QDialog::rejected, this, [this] { afterSave_ = nullptr; });
    dialog->open();
}

/// On a worker because it may move to another disk.
void RecoveryController::move(const QString& path) {
    if (!canSave()) return;
    isMoving_ = true;
    emit changed();
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        watcher->deleteLater();
        noteMoved(path, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([from = shown_->path, path] { return moveFile(from, path); }));
}

void RecoveryController::noteMoved(const QString& path, const QString& problem) {
    isMoving_ = false;
    const auto then = std::exchange(afterSave_, nullptr);
    if (!problem.isEmpty()) {
        emit changed();
        return emit failed(problem);
    }
    forget();
    emit saved(path);
    if (then) then();
}

void RecoveryController::askToDiscard() {
    if (shown_ && !isMoving_) askToDiscard(*shown_);
}

void RecoveryController::askToDiscard(const LostRecording& recording) {
    auto* question = ui::makeQuestion(tr("Discard the recording of %1?").arg(recording.program),
                                      QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("discardQuestion"));
    question->setInformativeText(tr("It has not been saved and will be lost."));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this, recording](int answer) {
        if (answer != QMessageBox::Discard || !discard(recording)) return;
        const bool wasShown = shown_ && shown_->path == recording.path;
        if (!wasShown) return refresh();
        forget();
        emit discarded();
    });
    question->open();
}

bool RecoveryController::discard(const LostRecording& recording) {
    QFile file(recording.path);
    if (file.remove()) return true;
    emit failed(tr("%1 cannot be deleted: %2.").arg(recording.path, file.errorString()));
    refresh();
    return false;
}

} // namespace highwater::app

#include "moc_recovery_controller.cpp"
