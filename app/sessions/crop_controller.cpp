#include "app/sessions/crop_controller.h"

#include "app/recording/record_controller.h"
#include "app/sessions/session_controller.h"
#include "core/analysis/table/grouped_table.h"
#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/store/published/published_trace.h"
#include "ui/format/file_name.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query_planner.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/window/crop_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <utility>

namespace highwater::app {
namespace {

constexpr int kLookMs = 250;

/// One entry per pid, because events do not distinguish successive processes with the same pid. Pid 0 without a name is
/// not a process: events without a process have this pid.
std::vector<ui::CropDialog::Process> processesOf(const store::PublishedTrace& trace) {
    std::map<std::uint32_t, QStringList> names;
    const auto& table = *trace.processes;
    for (std::uint32_t i = 0; i < table.processes().size(); ++i) {
        const auto& process = table.processes()[i];
        if (process.pid != 0 || process.nameKnown) names[process.pid] << ui::toQString(table.key(ProcessIndex{i}));
    }
    std::vector<ui::CropDialog::Process> processes;
    for (const auto& [pid, called] : names)
        processes.push_back({pid, called.join(QStringLiteral(", "))});
    std::stable_sort(processes.begin(), processes.end(),
                     [](const auto& a, const auto& b) { return a.name.compare(b.name, Qt::CaseInsensitive) < 0; });
    return processes;
}

} // namespace

CropController::CropController(ui::AnalysisTabs& tabs, const SessionController& sessions,
                               const RecordController& recorder, QWidget& window)
    : QObject(&window),
      tabs_(tabs),
      sessions_(sessions),
      recorder_(recorder),
      window_(window),
      action_(new QAction(tr("&Part of the Trace (.etl)…"), this)),
      strip_(new ui::MessageStrip),
      finder_(*this, &CropController::pidsOf,
              [this](const Population& /*asked*/, const Result<Pids>& pids) { tick(pids); }) {
    action_->setObjectName(QStringLiteral("exportCrop"));
    action_->setToolTip(tr("Save the visible interval and selected processes as a new trace that includes the "
                           "allocations outstanding at its start"));
    strip_->setObjectName(QStringLiteral("cropMessage"));
    strip_->hide();
    writers_.setMaxThreadCount(1);
    clock_.setInterval(kLookMs);
    connect(action_, &QAction::triggered, this, &CropController::show);
    connect(&clock_, &QTimer::timeout, this, &CropController::showExportProgress);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, [this](ui::TraceOnScreen::Changes changes) {
        const auto another = ui::TraceOnScreen::Changes(ui::TraceOnScreen::NewTrace) | ui::TraceOnScreen::Cleared;
        if (!(changes & another)) return;
        if (dialog_) dialog_->close();
        if (!writing_) strip_->hide(); // it belongs to the previous trace
    });
}

CropController::~CropController() {
    finder_.cancel();
    if (writing_) writing_->stop.request_stop();
    writers_.waitForDone();
}

/// If an end of the trace is visible, includes everything beyond it.
TimeRange CropController::intervalToKeep() const {
    const auto& state = tabs_.current().state();
    auto interval = state.visibleRange();
    if (interval.start <= state.wholeRange().start) interval.start = kBeforeTrace;
    if (interval.end >= state.wholeRange().end) interval.end = kNever;
    return interval;
}

QString CropController::obstacle() const {
    if (recorder_.isUnsaved()) return tr("Exporting a part requires a trace file. Save the recording first.");
    if (sessions_.files().isEmpty())
        return tr("Exporting a part requires a fully loaded trace file. Wait until it is loaded.");
    const auto changed = sessions_.changedFile();
    if (changed.isEmpty()) return {};
    return tr("%1 has changed on disk since it was opened. Reopen it first.")
        .arg(ui::lineText(QFileInfo(changed).fileName()));
}

void CropController::show() {
    const auto& trace = tabs_.shown().trace();
    if (!trace) return strip_->showMessage(tr("No trace is open."));
    if (const auto why = obstacle(); !why.isEmpty()) return strip_->showMessage(why);
    if (trace->lacks.isAny())
        return strip_->showMessage(
            tr("%1 was recorded by another profiler. Only parts of event traces (.etl) can be exported as traces.")
                .arg(ui::lineText(tabs_.shown().name())));
    if (isWriting()) return showExportProgress();
    request_ = {};
    for (const auto& file : sessions_.files())
        request_.traces.push_back(ui::toPath(file));
    request_.interval = intervalToKeep();
    const auto visible = tabs_.current().state().visibleRange();
    const auto words = tabs_.current().state().isZoomed()
                           ? tr("Exports the visible interval from %1, including the allocations outstanding at "
                                "its start. Processes to include:")
                                 .arg(ui::formatRange(visible))
                           : tr("Exports the whole trace. To export less, zoom in first. Processes to include:");
    delete dialog_;
    dialog_ = new ui::CropDialog(words, processesOf(*trace), &window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &ui::CropDialog::cropWanted, this, &CropController::askForFile);
    connect(dialog_, &QObject::destroyed, this, [this] { finder_.cancel(); });
    askForFilter(visible);
    dialog_->open();
}

/// Processes that the graph's filter excludes are not selected.
void CropController::askForFilter(const TimeRange& interval) {
    auto* panel = tabs_.currentPanel();
    if (panel == nullptr) return;
    Population population{panel->planner().trace(), panel->planner().labels(), panel->planner().tableQuery()};
    auto& query = population.query;
    if (!population.trace || query.filter.isEmpty()) return;
    query.interval = interval;
    query.keys = {analysis::Column::Process};
    query.columns.clear();
    query.sort.clear();
    dialog_->setWaiting();
    finder_.ask(std::move(population), ui::Urgency::Now);
}

Result<CropController::Pids> CropController::pidsOf(const Population& population, std::stop_token stop) {
    const auto computed =
        TRY(analysis::GroupedTable::compute(population.trace, population.labels, population.query, stop));
    auto& table = *computed;
    const auto& processes = population.trace->processes->processes();
    Pids pids;
    for (const auto node : table.children(analysis::GroupedTable::kRoot, stop))
        if (table.key(node) < processes.size()) pids.push_back(processes[table.key(node)].pid);
    if (stop.stop_requested()) return Error{ErrorKind::Cancelled, {}};
    return pids;
}

void CropController::tick(const Result<Pids>& pids) {
    if (!dialog_) return;
    if (!pids.hasValue()) return dialog_->tick({}, ui::toQString(pids.error().message));
    dialog_->tick(pids.value(), pids.value().empty() ? tr("No process has rows that match the filter of the graph.")
                                                     : tr("The selected processes have rows that match the filter of "
                                                          "the graph. All of their records are kept."));
}

void CropController::askForFile() {
    request_.pids = dialog_->chosen().value_or(Pids());
    auto* dialog = new QFileDialog(dialog_, tr("Export a Part of the Trace"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("cropFile"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(tr("Event traces (*.etl)"));
    dialog->setDefaultSuffix(QStringLiteral("etl"));
    const QFileInfo trace(ui::toQString(utf8(request_.traces.front())));
    const auto name = ui::proposedFileName(tabs_.shown().name(), tr("Part"), QStringLiteral("etl"));
    dialog->selectFile(trace.absoluteDir().filePath(name));
    connect(dialog, &QFileDialog::fileSelected, this, &CropController::writeTo);
    dialog->open();
}

void CropController::writeTo(const QString& path) {
    if (isWriting() || !dialog_) return;
    dialog_->accept();
    writing_ = std::make_shared<Writing>();
    writing_->path = path;
    writing_->request = request_;
    writing_->request.output = ui::toPath(path);
    clock_.start();
    showExportProgress();
    writers_.start([this, writing = writing_] {
        auto result = withinMemory(
            [&] { return pipeline::cropTrace(writing->request, writing->stop.get_token(), writing->progress); });
        QMetaObject::invokeMethod(
            this, [this, writing, result = std::move(result)] { finish(writing, result); }, Qt::QueuedConnection);
    });
}

/// Updates only changed text, because replacing a link makes it unclickable.
void CropController::showExportProgress() {
    if (!writing_) return;
    const auto done = writing_->progress.done.load(), total = writing_->progress.total.load();
    const auto name = ui::lineText(QFileInfo(writing_->path).fileName());
    auto sentence =
        total == 0
            ? tr("Writing %1…").arg(name)
            : tr("Writing %1: %2 % of the trace read…").arg(name).arg(std::min<std::uint64_t>(100, done * 100 / total));
    if (leaving_) sentence += tr(" The window will close when the file has been written.");
    if (strip_->isVisible() && strip_->message() == sentence) return;
    strip_->showMessage(sentence, ui::MessageStrip::Tone::Plain,
                        {leaving_ ? tr("Quit Without Exporting") : tr("Cancel"), [this] {
                             if (writing_) writing_->stop.request_stop();
                         }});
}

void CropController::leave(std::function<void()> then) {
    leaving_ = std::move(then);
    showExportProgress();
}

void CropController::finish(const std::shared_ptr<Writing>& writing, const Result<pipeline::CropResult>& result) {
    writing_.reset();
    clock_.stop();
    const auto leave = std::exchange(leaving_, nullptr);
    const bool isThere = result.hasValue() || result.error().kind == ErrorKind::Cancelled;
    if (leave && isThere) return leave(); // let the user read why there is no file
    if (!result.hasValue()) {
        if (result.error().kind == ErrorKind::Cancelled)
            return strip_->showMessage(tr("The export was cancelled; no file was written."));
        return strip_->showMessage(ui::toQString(result.error().message), ui::MessageStrip::Tone::Warning);
    }
    QStringList sentences;
    for (const auto& sentence :
         pipeline::sentencesOf(result.value(), QDir::toNativeSeparators(writing->path).toStdString()))
        sentences << ui::toQString(sentence);
    strip_->showMessage(sentences.join(QLatin1Char(' ')), ui::MessageStrip::Tone::Plain,
                        {tr("Open It"), [this, path = writing->path] {
                             strip_->hide();
                             emit traceWanted({path});
                         }});
}

} // namespace highwater::app

#include "moc_crop_controller.cpp"
