#include "app/tools/fleet/page/fleet_controller.h"

#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "app/tools/fleet/page/fleet_export.h"
#include "app/tools/fleet/page/fleet_form.h"
#include "app/tools/fleet/page/fleet_list.h"
#include "app/tools/fleet/page/fleet_place.h"
#include "app/tools/fleet/page/fleet_store_bar.h"
#include "app/tools/fleet/page/fleet_table.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "app/tools/fleet/page/fleet_words.h"
#include "ui/format/file_name.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/analysis/analysis_tabs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

namespace highwater::app {
namespace {

constexpr int kSelectionRestsMs = 60; ///< delay before a history is queried, so that key repeat can move on

QStringList absolute(const QStringList& files) {
    QStringList paths;
    for (const auto& file : files)
        paths << QFileInfo(file).absoluteFilePath();
    return paths;
}

} // namespace

FleetController::FleetController(ApplicationSettings& settings, ui::AnalysisTabs& tabs, SymbolSession& symbols,
                                 QWidget& window, ui::OpenFleetFunction open)
    : QObject(&window),
      settings_(settings),
      window_(window),
      view_(new ui::FleetView),
      open_(new QAction(tr("Open &Fleet…"), &window)),
      toggle_(new QAction(tr("&Fleet"), &window)),
      finder_(std::move(open)),
      rows_(tabs, symbols) {
    buildActions();
    connectFinder();
    connectView();
    view_->store().setRecent(settings_.recentFleets());
    historySoon_.setSingleShot(true);
    historySoon_.setInterval(kSelectionRestsMs);
    connect(&historySoon_, &QTimer::timeout, this, &FleetController::askHistory);
    connect(&rows_, &FleetRows::namesWanted, this, &FleetController::namesWanted);
    connect(&rows_, &FleetRows::messageWanted, this, &FleetController::showMessageOnTrace);
}

void FleetController::buildActions() {
    open_->setObjectName(QStringLiteral("openFleet"));
    open_->setToolTip(tr("Show which stacks grew from build to build over many runs"));
    connect(open_, &QAction::triggered, this, [this] {
        emit pageWanted();
        view_->store().focusAddress();
    });
    toggle_->setObjectName(QStringLiteral("toggleFleet"));
    toggle_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    connect(toggle_, &QAction::triggered, this, &FleetController::toggled);
}

void FleetController::connectFinder() {
    connect(&finder_, &ui::FleetFinder::contentsAnswered, this, &FleetController::takeContents);
    connect(&finder_, &ui::FleetFinder::answered, view_, &ui::FleetView::setAnswer);
    connect(&finder_, &ui::FleetFinder::historyAnswered, view_,
            [this](const auto& history, fleet::Measure measure) { view_->setHistory(history, measure); });
    connect(&finder_, &ui::FleetFinder::worstAnswered, view_, &ui::FleetView::setWorst);
    connect(&finder_, &ui::FleetFinder::reachAnswered, this, &FleetController::takeReach);
    connect(&finder_, &ui::FleetFinder::failed, this, &FleetController::fail);
    connect(&finder_, &ui::FleetFinder::busyChanged, this, [this] {
        view_->setWaiting(finder_.isListingRuns());
        if (isUpToDate()) emit upToDate();
    });
}

void FleetController::connectView() {
    connect(&view_->store(), &ui::FleetStoreBar::openWanted, this, &FleetController::open);
    connect(&view_->store(), &ui::FleetStoreBar::browseWanted, this, &FleetController::browse);
    connect(&view_->store(), &ui::FleetStoreBar::signInWanted, this, &FleetController::signIn);
    connect(&view_->form(), &ui::FleetForm::questionChanged, this, &FleetController::ask);
    connect(view_, &ui::FleetView::askAgainWanted, this, &FleetController::askAgain);
    connect(view_, &ui::FleetView::cancelWanted, this, &FleetController::cancel);
    connect(view_, &ui::FleetView::stackSelected, this, [this](const fleet::FleetStack& stack) {
        stack_ = stack;
        historySoon_.start();
    });
    connect(view_, &ui::FleetView::runsWanted, this, &FleetController::askRuns);
    connect(view_, &ui::FleetView::runWanted, this, &FleetController::openRun);
    connect(view_, &ui::FleetView::runsLeft, this, [this] { view_->strip().takeBack(runMessage_); });
    connect(view_, &ui::FleetView::exportWanted, this, &FleetController::exportTable);
}

QString FleetController::name() const {
    const auto address = ui::toQString(finder_.place().address);
    if (address.isEmpty()) return tr("Fleet");
    return isServer(finder_.place()) ? address : QFileInfo(address).fileName();
}

bool FleetController::isUpToDate() const { return !finder_.isBusy() && !historySoon_.isActive(); }

void FleetController::tell(const QString& sentence, const ui::MessageLink& link) {
    view_->strip().showMessage(sentence, ui::MessageStrip::Tone::Warning, link);
}

void FleetController::showRunMessage(const QString& sentence, const ui::MessageLink& link) {
    runMessage_ = sentence;
    tell(sentence, link);
}

void FleetController::showMessageOnTrace(const ui::Message& message) {
    if (view_->isVisible()) return; // it would lead to the current page
    messageOnTrace_ = message.text;
    emit messageWanted({message.text, message.tone, {tr("Back to the Fleet"), [this] { emit pageWanted(); }}});
}

void FleetController::notePageShown() {
    if (!messageOnTrace_.isEmpty()) emit messageGone(std::exchange(messageOnTrace_, {}));
}

void FleetController::forget() {
    shownRun_.clear();
    rows_.forget();
}

void FleetController::browse() {
    auto* dialog = new QFileDialog(&window_, tr("Open Fleet"), {}, fleetFileFilter() + tr(";;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("openFleetDialog"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FleetController::open);
    dialog->open();
}

void FleetController::open(const QString& address) {
    auto place = placeOf(address);
    // Reuses the last credentials unless the address contains others.
    if (place.user.empty() && place.address == finder_.place().address) place = finder_.place();
    view_->store().setAddress(ui::toQString(place.address));
    view_->store().askToSignIn(false);
    askContents(place);
}

void FleetController::openFile(const QString& path) { open(QFileInfo(path).absoluteFilePath()); }

void FleetController::signIn(const QString& user, const QString& password) {
    askContents({candidate_.address, user.toStdString(), password.toStdString()});
}

void FleetController::askContents(const ui::FleetPlace& place) {
    candidate_ = place;
    view_->strip().hide();
    finder_.askContents(candidate_);
    view_->setAsking(true);
}

void FleetController::takeContents(const ui::FleetPlace& place, const ui::FleetContents& contents) {
    const auto address = ui::toQString(place.address);
    const bool isOther = place.address != finder_.place().address;
    finder_.setPlace(place);
    emit placeChanged();
    contents_ = contents;
    view_->store().askToSignIn(false);
    settings_.addRecentFleet(address);
    view_->store().setRecent(settings_.recentFleets());
    if (isOther) view_->clear(tr("Select a stack to see its history."));
    view_->setContents(contents);
    view_->setAsking(false);
    if (contents.runs > 0) return ask();
    view_->clear(tr("The fleet has no runs to query."));
    tell(tr("%1 has no runs yet. Add runs with highwater-cli fleet add.").arg(ui::lineText(address)));
}

/// Runs may have been added since.
void FleetController::askAgain() { askContents(finder_.place()); }

void FleetController::ask() {
    const auto question = view_->form().question();
    if (contents_.runs == 0) return;
    view_->strip().hide();
    if (const auto problem = view_->form().problem(); !problem.isEmpty()) return tell(problem);
    if (ui::comparesBuilds(question.kind)) {
        if (contents_.builds.size() < 2)
            return tell(tr("All runs are from build %1, but a comparison needs two builds. Slope, health and runs are "
                           "still available.")
                            .arg(ui::buildText(contents_.builds.front())));
        if (question.fromBuild == question.toBuild)
            return tell(tr("Both builds are %1. Choose two different builds.").arg(ui::buildText(question.toBuild)));
    }
    finder_.ask(question);
    view_->setAsking(true);
}

/// The content of the page stays.
void FleetController::cancel() {
    const bool wasOpening = finder_.isOpening() && candidate_.address != finder_.place().address;
    finder_.cancel();
    view_->setAsking(false);
    if (wasOpening)
        tell(withStoreBefore(tr("Cancelled before %1 was opened.").arg(ui::lineText(candidate_.address))),
             {tr("Try Again"), [this, place = candidate_] { askContents(place); }});
    else
        tell(tr("Cancelled. Still showing the previous result."), {tr("Run Again"), [this] { askAgain(); }});
    emit upToDate();
}

fleet::SampleFilter FleetController::samplesOf(const fleet::FleetStack& stack) const {
    auto samples = view_->answer()->question.samples;
    samples.process = stack.process;
    samples.table = stack.table;
    return samples;
}

void FleetController::askHistory() {
    if (!view_->answer()) return;
    finder_.askHistory({stack_.key, stack_.table, samplesOf(stack_)});
}

void FleetController::askRuns(const fleet::FleetStack& stack, const std::string& build) {
    finder_.askWorst({stack.key, stack.table, samplesOf(stack), build}, stack);
}

void FleetController::openRun(const ui::FleetRun& run) { finder_.askReach(run); }

void FleetController::takeReach(const ui::FleetRun& run, const ui::FleetReach& reach) {
    const auto files = ui::filesOf(run.facts);
    if (!reach.missing.isEmpty() || files.isEmpty()) return reportMissingFiles(run, reach.missing);
    if (reach.isOther) return reportOtherRecording(run);
    waiting_ = Waiting{run, absolute(files)};
    view_->strip().hide();
    emit traceWanted(waiting_->files, run.facts.run == shownRun_);
}

void FleetController::reportMissingFiles(const ui::FleetRun& run, const QStringList& missing) {
    const auto where = missing.isEmpty() ? tr("an unknown path") : ui::lineText(missing.join(QStringLiteral(", ")));
    const auto machine = run.facts.machine.empty() ? tr("a machine without a name") : ui::lineText(run.facts.machine);
    showRunMessage(
        tr("The trace of this run cannot be reached. It was at %1 when it was added, and was recorded on %2. The "
           "data in the fleet is not affected.")
            .arg(where, machine),
        {tr("Find Trace…"), [this, run] { findTrace(run); }});
}

/// The file was overwritten, or the user chose another one, so its rows are not those of the run.
void FleetController::reportOtherRecording(const ui::FleetRun& run) {
    const auto files = absolute(ui::filesOf(run.facts));
    const auto sentence =
        run.isFound ? tr("%1 is not the recording of the run %2.")
                    : tr("%1 is not the recording of the run %2. It was overwritten after the run was added.");
    showRunMessage(sentence.arg(ui::lineText(files.join(QStringLiteral(", "))), ui::runText(run.facts)),
                   {tr("Open Anyway"), [this, run, files] {
                        waiting_ = Waiting{run, files, true};
                        emit traceWanted(files, false);
                    }});
}

void FleetController::findTrace(ui::FleetRun run) {
    auto* dialog = new QFileDialog(&window_, tr("Find Trace"), {}, tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("findRunDialog"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this, run](const QStringList& files) mutable {
        run.facts.trace = files.join(QLatin1Char(';')).toStdString();
        run.isFound = true;
        openRun(run);
    });
    dialog->open();
}

void FleetController::noteLoaded(const QStringList& files) {
    const auto waiting = std::exchange(waiting_, std::nullopt);
    if (!waiting || absolute(files) != waiting->files) return;
    const auto run = ui::runText(waiting->run.facts);
    if (waiting->isOther)
        return showMessageOnTrace(
            {tr("This is not the recording of the run %1 of the fleet.").arg(run), ui::MessageTone::Warning});
    shownRun_ = waiting->run.facts.run;
    if (waiting->run.hasStack) return rows_.show(waiting->run);
    if (waiting->run.showsMemory) emit memoryWanted();
    showMessageOnTrace(tr("This is the run %1 of the fleet.").arg(run));
}

void FleetController::exportTable(ui::FleetFormat format) {
    const bool areRuns = view_->areRunsShown();
    if (areRuns ? !view_->worst() : !view_->answer()) return;
    const auto& list = areRuns ? view_->runs() : view_->answers();
    const auto order = list.order();
    const auto text = areRuns ? exported(*view_->worst(), format, order) : exported(*view_->answer(), format, order);
    const bool isCsv = format == ui::FleetFormat::Csv;
    const auto suffix = isCsv ? QStringLiteral("csv") : QStringLiteral("json");
    auto* dialog = new QFileDialog(&window_, tr("Export Table As"), {},
                                   isCsv ? tr("CSV (*.csv);;All files (*)") : tr("JSON (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("exportFleetDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(ui::proposedFileName(tr("fleet"), list.accessibleName(), suffix));
    connect(dialog, &QFileDialog::fileSelected, this, [this, text](const QString& path) { save(text, path); });
    dialog->open();
}

void FleetController::save(const std::string& text, const QString& path) {
    if (const auto why = ui::traceOverwriteRefusal(path); !why.isEmpty()) return tell(why);
    const auto bytes = QByteArray::fromStdString(text);
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return view_->strip().showMessage(tr("Saved as %1.").arg(ui::lineText(path)));
    tell(tr("%1 cannot be written: %2.").arg(ui::lineText(path), file.errorString()));
}

void FleetController::fail(ui::FleetFinder::Asked asked, ErrorKind kind, const QString& sentence) {
    view_->setAsking(false);
    if (asked == ui::FleetFinder::Asked::Contents) return failToOpen(kind, sentence);
    if (asked == ui::FleetFinder::Asked::History) view_->setHistory(nullptr, {}, sentence);
    if (kind == ErrorKind::AccessDenied && isServer(finder_.place())) {
        candidate_ = finder_.place();
        view_->store().askToSignIn(true);
    }
    tell(sentence, {tr("Run Again"), [this] { askAgain(); }});
}

/// The previous store stays open.
void FleetController::failToOpen(ErrorKind kind, const QString& sentence) {
    const auto text = withStoreBefore(sentence);
    if (kind == ErrorKind::AccessDenied && isServer(candidate_)) {
        tell(text);
        view_->store().askToSignIn(true);
    } else {
        tell(text, {tr("Try Again"), [this, place = candidate_] { askContents(place); }});
    }
    emit openFailed(sentence);
}

QString FleetController::withStoreBefore(const QString& sentence) const {
    const auto& before = finder_.place().address;
    if (before.empty() || before == candidate_.address) return sentence;
    return sentence + QLatin1Char(' ') + tr("Still showing %1.").arg(ui::lineText(before));
}

} // namespace highwater::app

#include "moc_fleet_controller.cpp"
