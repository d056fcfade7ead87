#include "app/recording/recovery_controller.h"

#include "core/files/output_file.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/window/start_page.h"

#include <QFile>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QMainWindow>
#include <QMessageBox>
#include <QtConcurrentRun>

#include <filesystem>
#include <system_error>

namespace highwater::app {
namespace {

QString cannotBePut(const QString& path, const QString& why) {
    return RecoveryController::tr("The recording cannot be moved to %1: %2.").arg(path, why);
}

/// Empty: done; else a sentence. Across disks it is copied first, and deleted only when all of it is there.
QString move(const QString& from, const QString& to) {
    const auto place = OutputFile::placeFor(ui::toPath(to));
    if (!place.hasValue()) return ui::toQString(place.error().message);
    auto partial = place.value();
    partial += ".partial";
    std::error_code failed;
    std::filesystem::copy_file(ui::toPath(from), partial, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed) std::filesystem::rename(partial, place.value(), failed);
    std::error_code ignored;
    std::filesystem::remove(failed ? partial : ui::toPath(from), ignored);
    return failed ? cannotBePut(to, ui::toQString(failed.message())) : QString();
}

} // namespace

RecoveryController::RecoveryController(QString folder, ui::StartPage& page, QMainWindow& window)
    : QObject(&window), folder_(std::move(folder)), page_(page), window_(window) {
    connect(&page_, &ui::StartPage::recoverWanted, this, &RecoveryController::askForName);
    connect(&page_, &ui::StartPage::discardWanted, this, &RecoveryController::askToDiscard);
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

void RecoveryController::askForName(int number) {
    const auto recording = lost_.value(number);
    auto* dialog = new QFileDialog(&window_, tr("Recover Recording"), {}, tr("Windows traces (*.etl)"));
    dialog->setObjectName(QStringLiteral("recoverAs"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("etl"));
    dialog->selectFile(recording.program + QStringLiteral(".etl"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, recording](const QString& path) { recover(recording, path); });
    dialog->open();
}

void RecoveryController::recover(const LostRecording& recording, const QString& path) {
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path] {
        const auto problem = watcher->result();
        watcher->deleteLater();
        refresh();
        if (problem.isEmpty())
            emit openWanted({path});
        else
            emit failed(problem);
    });
    watcher->setFuture(QtConcurrent::run([from = recording.path, path] { return move(from, path); }));
}

void RecoveryController::askToDiscard(int number) {
    const auto recording = lost_.value(number);
    auto* question = ui::makeQuestion(tr("Discard the recording of %1?").arg(recording.program),
                                      QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("discardQuestion"));
    question->setInformativeText(tr("It was not saved and will be gone for good."));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this, recording](int answer) {
        if (answer == QMessageBox::Discard) discard(recording);
    });
    question->open();
}

void RecoveryController::discard(const LostRecording& recording) {
    QFile file(recording.path);
    if (!file.remove()) emit failed(tr("%1 cannot be deleted: %2.").arg(recording.path, file.errorString()));
    refresh();
}

} // namespace highwater::app
