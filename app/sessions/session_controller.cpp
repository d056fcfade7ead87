#include "app/sessions/session_controller.h"

#include "app/recording/mark_controller.h"
#include "app/sessions/session_capture.h"
#include "app/symbols/definition_files.h"
#include "app/symbols/symbol_controller.h"
#include "core/symbols/places/trusted_image_path.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/row_notes.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/window/text_page.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QSaveFile>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

const auto kSuffix = QString::fromLatin1(ui::kSessionSuffix);

QString nameOfSession(const QString& path) { return QFileInfo(path).fileName(); }

std::vector<ui::SessionNote> storedNotes(const ui::RowNotes& notes, const ui::RowWords& words) {
    std::vector<ui::SessionNote> stored;
    for (const auto& note : notes.notes())
        stored.push_back({note.table, words.stored(note.table, note.path), note.text});
    return stored;
}

/// The label of a note's row, as where it was created: "Process = app.exe (1) › Stack = app.exe!main".
QString callRow(analysis::Table table, const ui::StoredPath& row) {
    QStringList parts;
    for (const auto& step : row) {
        const auto column = analysis::parseColumn(table, step.column.toStdString());
        const bool isFrameAbove = column && analysis::isStack(*column) && &step != &row.back();
        if (!isFrameAbove) parts << QStringLiteral("%1 = %2").arg(step.column, step.key);
    }
    return parts.join(QStringLiteral(" › "));
}

std::pair<qint64, QDateTime> stampOf(const QString& file) {
    const QFileInfo info(file);
    return {info.size(), info.lastModified()};
}

/// Substitutes the chosen files for missing ones, by name or else by order. Other missing files are searched next to a
/// file found by name. Existing files stay. Returns false if all chosen files are already included.
bool placeFiles(const QStringList& chosen, QStringList& files, QStringList& gone) {
    QStringList left;
    for (const auto& file : chosen) {
        if (!files.contains(file) || gone.contains(file)) left << file;
    }
    if (left.isEmpty()) return false;
    const auto put = [&](const QString& before, const QString& now) {
        files.replace(files.indexOf(before), now);
        gone.removeOne(before);
    };
    QStringList folders;
    for (const auto& file : QStringList(gone)) {
        const auto found = std::find_if(left.begin(), left.end(), [&](const QString& one) {
            return QFileInfo(one).fileName().compare(QFileInfo(file).fileName(), Qt::CaseInsensitive) == 0;
        });
        if (found == left.end()) continue;
        folders << QFileInfo(*found).absolutePath();
        put(file, *found);
        left.erase(found);
    }
    for (const auto& file : QStringList(gone)) {
        for (const auto& folder : folders) {
            const auto beside = QDir(folder).filePath(QFileInfo(file).fileName());
            if (!gone.contains(file) || files.contains(beside) || !QFileInfo(beside).isFile()) continue;
            put(file, beside);
        }
    }
    while (!left.isEmpty() && !gone.isEmpty())
        put(QString(gone.front()), left.takeFirst());
    files << left;
    return true;
}

} // namespace

SessionController::SessionController(const Parts& parts, QWidget& window)
    : QObject(&window),
      parts_(parts),
      window_(window),
      save_(new QAction(tr("Save Sess&ion"), this)),
      saveAs_(new QAction(tr("Save Session &As…"), this)),
      strip_(new ui::MessageStrip) {
    save_->setObjectName(QStringLiteral("saveSession"));
    save_->setShortcut(QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S));
    save_->setToolTip(tr("Save tabs, intervals, filters, presets, marks and notes in a file next to the trace"));
    saveAs_->setObjectName(QStringLiteral("saveSessionAs"));
    strip_->setObjectName(QStringLiteral("sessionMessage"));
    connect(save_, &QAction::triggered, this, &SessionController::save);
    connect(saveAs_, &QAction::triggered, this, &SessionController::askWhereToSave);
}

bool SessionController::isSession(const QString& path) {
    return QFileInfo(path).suffix().compare(kSuffix, Qt::CaseInsensitive) == 0;
}

ui::Session SessionController::captured() const {
    ui::Session session;
    for (const auto& file : files_)
        session.files.push_back({file, QFileInfo(file).size()});
    captureTabs(parts_.tabs, session);
    session.marks = parts_.marks.marks().kept();
    session.marks.made.insert(session.marks.made.end(), marksOutside_.begin(), marksOutside_.end());
    session.snapshots = parts_.marks.instants();
    session.snapshots.insert(session.snapshots.end(), snapshotsOutside_.begin(), snapshotsOutside_.end());
    const auto& shown = parts_.tabs.shown();
    session.notes = storedNotes(shown.notes(), ui::RowWords(*shown.trace(), *shown.labels()));
    session.notes.insert(session.notes.end(), unplaced_.begin(), unplaced_.end());
    session.symbolPath = parts_.symbols.symbolPath();
    session.stackTags = parts_.stackTags.files();
    session.suppressions = parts_.suppressions.files();
    return session;
}

QByteArray SessionController::essence() const { return ui::sessionToJson(ui::withoutViews(captured()), path_); }

void SessionController::save() {
    if (files_.isEmpty() || !parts_.tabs.shown().trace())
        return emit messageWanted(
            parts_.tabs.shown().trace()
                ? tr("A session requires a trace file. Save the recording first, or wait until the trace is loaded.")
                : tr("No trace is open, so there is nothing to save in a session."));
    const auto beside = ui::sessionBeside(files_.first());
    if (path_.isEmpty() && QFileInfo::exists(beside))
        return askWhereToSave(); // never silently replaces a different session
    saveTo(path_.isEmpty() ? beside : path_);
}

void SessionController::askWhereToSave() {
    if (files_.isEmpty()) return save(); // shows why not
    auto* dialog = new QFileDialog(&window_, tr("Save Session As"), {},
                                   tr("Highwater sessions (*.%1);;All files (*)").arg(kSuffix));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("saveSessionAsDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(kSuffix);
    dialog->selectFile(path_.isEmpty() ? ui::sessionBeside(files_.first()) : path_);
    connect(dialog, &QFileDialog::fileSelected, this, &SessionController::saveTo);
    dialog->open();
}

/// Writes a temporary file and renames it, so that the session file is always complete.
void SessionController::saveTo(const QString& path) {
    if (files_.isEmpty()) return save();
    if (const auto why = ui::traceOverwriteRefusal(path); !why.isEmpty())
        return emit messageWanted({why, ui::MessageTone::Warning});
    const auto bytes = ui::sessionToJson(captured(), path);
    QSaveFile file(path);
    const bool isSaved = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    const auto then = std::exchange(afterSave_, nullptr);
    if (!isSaved)
        return emit messageWanted(
            {tr("The session was not saved because %1 cannot be written: %2.").arg(path, file.errorString()),
             ui::MessageTone::Warning});
    path_ = path;
    saved_ = essence();
    emit messageWanted(tr("Saved the session as %1.").arg(path));
    if (then) then();
}

void SessionController::open(const QString& path) { load(path, true); }

void SessionController::refuse(const QString& sentence) {
    emit messageWanted({sentence, ui::MessageTone::Warning});
    emit openFailed(sentence);
}

void SessionController::load(const QString& path, bool opensTrace) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        const auto why = QFileInfo(path).isFile() ? file.errorString() : tr("the file does not exist");
        return refuse(tr("%1 cannot be read: %2.").arg(nameOfSession(path), why));
    }
    auto read = ui::sessionFromJson(file.read(ui::kLargestSession + 1), path);
    if (!read.session) return refuse(tr("Cannot open the session %1: %2.").arg(nameOfSession(path), read.refusal));
    if (!opensTrace) return show(path, *read.session, read.leftOut);
    QStringList files, gone;
    for (const auto& one : read.session->files) {
        files << one.path;
        // The path comes from another user, so network paths are not accessed.
        if (!symbols::objectionTo(one.path.toStdString()).empty() || !QFileInfo(one.path).isFile()) gone << one.path;
    }
    if (files == files_) // it is already open
        return leave([this, path, read] { show(path, *read.session, read.leftOut); });
    waiting_ = Waiting{files, path, std::move(*read.session), read.leftOut, gone};
    if (!gone.isEmpty()) return askForTrace();
    emit traceWanted(files);
}

/// The trace of a session, or a part of it, was not found.
void SessionController::askForTrace() {
    const auto sentence = tr("%1 was not found. The session %2 requires it.")
                              .arg(waiting_->gone.join(QStringLiteral(", ")), nameOfSession(waiting_->path));
    strip_->showMessage(sentence, ui::MessageStrip::Tone::Warning,
                        {tr("Locate…"), [this] {
                             auto* dialog = new QFileDialog(&window_, tr("Locate the Trace of the Session"));
                             dialog->setAttribute(Qt::WA_DeleteOnClose);
                             dialog->setObjectName(QStringLiteral("locateTrace"));
                             dialog->setFileMode(QFileDialog::ExistingFiles);
                             connect(dialog, &QFileDialog::filesSelected, this, &SessionController::locate);
                             dialog->open();
                         }});
    emit openFailed(sentence);
}

/// If the user chooses no new file, the existing files are opened.
void SessionController::locate(const QStringList& chosen) {
    if (!waiting_) return;
    strip_->hide();
    const bool isNew = placeFiles(chosen, waiting_->files, waiting_->gone);
    if (isNew && !waiting_->gone.isEmpty()) return askForTrace();
    for (const auto& file : waiting_->gone)
        waiting_->files.removeAll(file);
    emit traceWanted(QStringList(waiting_->files)); // may end the waiting
}

void SessionController::forget() {
    filesBefore_ = std::exchange(files_, {});
    stampsBefore_ = std::exchange(stamps_, {});
    path_.clear();
    saved_.clear();
    unplaced_.clear();
    marksOutside_.clear();
    snapshotsOutside_.clear();
    parts_.exitFrees.setChecked(parts_.ownExitFrees());
    parts_.stackTags.useOwn();
    parts_.suppressions.useOwn();
    strip_->hide();
}

/// The previous trace is still on screen.
void SessionController::noteFailed() {
    waiting_.reset();
    if (!parts_.tabs.shown().trace()) return;
    files_ = filesBefore_;
    stamps_ = stampsBefore_;
}

void SessionController::noteLoaded(const QStringList& files) {
    noteSaved(files);
    const auto waiting = std::exchange(waiting_, std::nullopt);
    if (waiting && waiting->files == files) return show(waiting->path, waiting->session, waiting->missing);
    if (files.isEmpty()) return;
    const auto beside = ui::sessionBeside(files.first());
    if (QFileInfo(beside).isFile()) offer(beside);
}

void SessionController::noteSaved(const QStringList& files) {
    files_.clear();
    stamps_.clear();
    for (const auto& file : files) {
        files_ << QFileInfo(file).absoluteFilePath();
        stamps_.push_back(stampOf(files_.back()));
    }
}

QString SessionController::changedFile() const {
    for (qsizetype i = 0; i < files_.size(); ++i)
        if (stampOf(files_[i]) != stamps_[static_cast<std::size_t>(i)]) return files_[i];
    return {};
}

void SessionController::offer(const QString& path) {
    const auto when = QLocale().toString(QFileInfo(path).lastModified(), QLocale::ShortFormat);
    strip_->showMessage(tr("This trace has a saved session: %1, %2.").arg(nameOfSession(path), when),
                        ui::MessageStrip::Tone::Plain, {tr("Restore"), [this, path] {
                                                            strip_->hide();
                                                            load(path, false);
                                                        }});
}

void SessionController::compareFiles(const ui::Session& session, QStringList& missing) const {
    qint64 before = 0, now = 0;
    for (const auto& file : session.files)
        before += file.bytes;
    for (const auto& file : files_)
        now += QFileInfo(file).size();
    if (before != now)
        missing << tr("the trace has %1 bytes but had %2 when the session was saved, so rows and times may differ")
                       .arg(QLocale().toString(now), QLocale().toString(before));
}

/// The trace may be different and shorter.
void SessionController::takeMarks(const ui::Session& session, QStringList& missing) {
    const auto whole = parts_.tabs.current().state().wholeRange();
    const auto isInside = [&](TraceTime time) { return time.ns >= whole.start.ns && time.ns <= whole.end.ns; };
    auto marks = session.marks;
    const auto outside = std::stable_partition(marks.made.begin(), marks.made.end(),
                                               [&](const Mark& mark) { return isInside(mark.time); });
    marksOutside_.assign(outside, marks.made.end());
    marks.made.erase(outside, marks.made.end());
    for (const auto& mark : marksOutside_)
        missing
            << tr("the mark “%1”, which is outside the trace and stays in the session").arg(ui::lineText(mark.name));
    auto snapshots = session.snapshots;
    const auto later = std::stable_partition(snapshots.begin(), snapshots.end(), isInside);
    snapshotsOutside_.assign(later, snapshots.end());
    snapshots.erase(later, snapshots.end());
    if (!snapshotsOutside_.empty())
        missing << ui::countText(snapshotsOutside_.size(), "1 snapshot outside the trace, which stays in the session",
                                 "%1 snapshots outside the trace, which stay in the session");
    parts_.marks.marks().adopt(marks);
    parts_.marks.addInstants(snapshots);
}

/// They replace the user's own files while this trace is shown. The paths come from another user, so network paths are
/// not accessed.
void SessionController::takeDefinitions(const ui::Session& session, QStringList& missing) {
    const auto take = [&](const std::optional<QStringList>& wanted, DefinitionFiles& definitions, const QString& gone,
                          const QString& refused) {
        if (!wanted) return;
        QStringList files;
        for (const auto& file : *wanted) {
            const auto why =
                file == ui::FileListDialog::builtInEntry() ? std::string() : symbols::objectionTo(file.toStdString());
            if (!why.empty()) {
                missing << refused.arg(file, ui::toQString(why));
                continue;
            }
            files << file;
            if (QDir::isAbsolutePath(file) && !QFileInfo(file).isFile()) missing << gone.arg(file);
        }
        definitions.useInstead(files);
    };
    take(session.stackTags, parts_.stackTags, tr("the stack tag file %1, which does not exist"),
         tr("the stack tag file %1, because it %2"));
    take(session.suppressions, parts_.suppressions, tr("the suppression file %1, which does not exist"),
         tr("the suppression file %1, because it %2"));
}

/// Symbol paths of a session from another user are used only if the user accepts them.
void SessionController::offerSymbolPath(const QString& text, QStringList& missing) {
    for (const auto& folder : SymbolController::foldersGone(text))
        missing << tr("the symbol folder %1, which does not exist").arg(folder);
    if (text.isEmpty() || text == parts_.symbols.symbolPath()) return;
    strip_->showMessage(tr("The session uses other symbol paths: %1.").arg(text), ui::MessageStrip::Tone::Plain,
                        {tr("Use These Paths"), [this, text] {
                             strip_->hide();
                             parts_.symbols.useSymbolPath(text);
                         }});
}

void SessionController::show(const QString& path, const ui::Session& session, QStringList missing) {
    auto& tabs = parts_.tabs;
    if (!tabs.shown().trace()) return;
    compareFiles(session, missing);
    parts_.exitFrees.setChecked(session.processExitFreesHeap);
    takeDefinitions(session, missing);
    takeMarks(session, missing);
    const bool needsNames = showTabs(session, tabs, missing);
    const ui::RowWords words(*tabs.shown().trace(), *tabs.shown().labels());
    unplaced_.clear();
    for (const auto& note : session.notes) {
        if (const auto row = words.path(note.table, note.row))
            tabs.shown().notes().set({note.table, *row, callRow(note.table, note.row), note.text});
        else
            unplaced_.push_back(note);
    }
    for (const auto& note : unplaced_)
        missing << tr("the row of the note “%1”, which stays in the session").arg(note.text);
    offerSymbolPath(session.symbolPath, missing);
    if (needsNames) emit tabs.namesWanted();
    // With only a part of its trace open, saving would lose data of the session.
    const bool isWhole = files_.size() >= static_cast<qsizetype>(session.files.size());
    if (!isWhole)
        missing << ui::countText(files_.size(),
                                 "only 1 of %2 files of the trace is open, so changes are not saved in this session",
                                 "only %1 of %2 files of the trace are open, so changes are not saved in this session")
                       .arg(session.files.size());
    path_ = isWhole ? path : QString();
    saved_ = essence();
    report(path, missing);
}

QString SessionController::overriddenSettingsText() const {
    const bool frees = parts_.exitFrees.isChecked();
    if (frees == parts_.ownExitFrees()) return {};
    return frees ? tr("Process Exit Frees Heap is turned on for this trace, as in the session.")
                 : tr("Process Exit Frees Heap is turned off for this trace, as in the session.");
}

void SessionController::report(const QString& path, const QStringList& missing) {
    const auto name = nameOfSession(path);
    const auto tell = [this](const QString& sentence, ui::MessageTone tone, const ui::MessageLink& link = {}) {
        const auto differs = overriddenSettingsText();
        emit messageWanted({differs.isEmpty() ? sentence : sentence + QLatin1Char(' ') + differs, tone, link});
    };
    if (missing.isEmpty()) return tell(tr("Restored the session %1.").arg(name), ui::MessageTone::Plain);
    const auto text =
        QStringLiteral("%1\n\n%2\n  %3\n").arg(name, tr("Not restored:"), missing.join(QStringLiteral("\n  ")));
    const auto sentence = missing.size() == 1
                              ? tr("Restored the session %1 except for one item: %2.").arg(name, missing.front())
                              : tr("Restored the session %1 except for %2 items.").arg(name).arg(missing.size());
    tell(sentence, ui::MessageTone::Warning,
         {tr("Show Details"), [this, name, text] {
              ui::showTextPage(&window_, {QStringLiteral("sessionReport"), tr("Missing Items of %1").arg(name),
                                          tr("Items that were not restored"), text});
          }});
}

bool SessionController::isChanged() const {
    if (path_.isEmpty() || files_.isEmpty() || !parts_.tabs.shown().trace()) return false;
    return essence() != saved_;
}

void SessionController::leave(std::function<void()> then) {
    if (!isChanged()) return then();
    auto* question = ui::makeQuestion(tr("Save the changes to the session %1?").arg(nameOfSession(path_)),
                                      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question->setObjectName(QStringLiteral("changedSession"));
    question->setDefaultButton(QMessageBox::Save);
    connect(question, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        if (answer == QMessageBox::Discard) {
            path_.clear();
            then();
        } else if (answer == QMessageBox::Save) {
            afterSave_ = then;
            save();
        }
    });
    question->open();
}

} // namespace highwater::app

#include "moc_session_controller.cpp"
