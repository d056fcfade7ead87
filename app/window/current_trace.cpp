#include "app/window/current_trace.h"

#include "app/recording/elevation.h"
#include "app/recording/heap_flag_controller.h"
#include "app/recording/mark_controller.h"
#include "app/recording/record_controller.h"
#include "app/recording/recovery_controller.h"
#include "app/recording/trace_sources.h"
#include "app/symbols/symbol_session.h"
#include "app/window/start_view_controller.h"
#include "app/window/trace_contents.h"
#include "app/window/window_pages.h"
#include "core/store/published/partly_loaded.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/window/recent_trace.h"
#include "ui/view/window/status_line.h"

#include <utility>

namespace highwater::app {
namespace {

/// Shorter loads show the summary at the end; after longer ones the user is not waiting for it.
constexpr std::uint64_t kPublicationsOfAShortLoad = 5;

ui::TraceNote noteOf(const store::PublishedTrace& trace) {
    const auto whole = trace.wholeRange();
    return {.durationNs = whole.end.ns - whole.start.ns,
            .heapAllocations = trace.heap.rows,
            .commits = trace.virtualAlloc.rows,
            .isLossy = trace.health.totalsAreBounds(),
            .managedAllocations = trace.managed.rows,
            .hasTimes = !trace.lacks.times,
            .areSums = trace.lacks.objects,
            .isPartial = false,
            .unrecordedBytes = trace.health.unrecordedGrowth};
}

} // namespace

CurrentTrace::CurrentTrace(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {
    connectSources();
    connect(&parts_.pages, &WindowPages::startShown, this, &CurrentTrace::describe);
    connect(&parts_.view, &StartViewController::failed, this, [this](const QString& sentence) {
        refuse({sentence, ui::MessageTone::Warning});
    });
}

void CurrentTrace::connectSources() {
    auto& sources = parts_.sources;
    auto* opener = &sources.opener();
    auto* recorder = &sources.recorder();
    connect(&sources, &TraceSources::published, this, &CurrentTrace::show);
    connect(&sources, &TraceSources::saved, this, &CurrentTrace::noteSaved);
    connect(&sources, &TraceSources::discarded, this, &CurrentTrace::close);
    connect(opener, &TraceOpener::ended, this, &CurrentTrace::noteRead);
    connect(opener, &TraceOpener::progressed, this, [this](quint64 done, quint64 total) {
        parts_.status.showProgress(parts_.tabs.shown().name(), done, total);
    });
    connect(&parts_.status, &ui::StatusLine::cancelWanted, opener, &TraceOpener::cancel);
    connect(recorder, &RecordController::beginning, this, [this, opener](const QString& name) {
        opener->close();
        parts_.status.hideProgress();
        begin(name);
    });
    connect(&recorder->residentMemory(), &ResidentWatch::changed, &parts_.status, &ui::StatusLine::setResidentMemory);
    connect(recorder, &RecordController::startFailed, this, &CurrentTrace::noteStartFailed);
    connect(&recorder->session(), &RecordingSession::ended, this, &CurrentTrace::noteRecorded);
    connect(&sources.recovery(), &RecoveryController::showWanted, this, &CurrentTrace::recover);
}

bool CurrentTrace::isThere() const {
    const auto& shown = parts_.tabs.shown();
    return !shown.name().isEmpty() || shown.trace();
}

void CurrentTrace::refuse(const ui::Message& message) {
    emit messageWanted(message);
    emit openFailed(message.text);
}

void CurrentTrace::begin(const QString& name) {
    hasEnded_ = false;
    parts_.pages.beginTrace();
    parts_.tabs.shown().setName(name);
    parts_.sources.marks().clear();
    files_.clear();
    emit beginning();
    parts_.status.setTrace({});
}

void CurrentTrace::load(const QStringList& files, const QString& name) {
    begin(name);
    parts_.status.showProgress(name, 0, 0);
    parts_.sources.opener().open(files, parts_.symbols.begin(files));
}

void CurrentTrace::recover(const LostRecording& recording) {
    parts_.sources.recorder().leave([this, recording] {
        if (parts_.sources.recovery().begin(recording))
            load({recording.path}, tr("%1 (unsaved recording)").arg(recording.program)); // also inside of sentences
    });
}

void CurrentTrace::show(const std::shared_ptr<const store::PublishedTrace>& trace,
                        const std::shared_ptr<analysis::FrameLabels>& labels) {
    auto& [sources, tabs, symbols, pages, view, status] = parts_;
    auto& shown = tabs.shown();
    const bool isLoading = sources.opener().isLoading();
    const bool isRecording = sources.isRecording();
    shownName_ = shown.name();
    isPartial_ = isLoading || isRecording;
    pages.setTitle(shownName_);
    status.setTrace(noteOf(*trace));
    shown.setLoading(isLoading || isRecording);
    shown.setRecording(isRecording);
    symbols.setTrace(trace, labels); // first, because pages that show stacks ask for its names
    shown.show(trace, labels);
    const auto properties = sources.properties();
    shown.setTimeBase({properties.startFileTime, properties.biasMinutes});
    const bool isLongLoad = isLoading && !view.waitsForGraph() && trace->number >= kPublicationsOfAShortLoad;
    if (isRecording || isLongLoad) view.showFirstTableWithData();
    if (!pages.isTraceShown() && !pages.isAway()) pages.showTrace();
    if (shown.isLoading()) view.showFirst();
}

/// On the start page, which links back to the trace.
void CurrentTrace::describe() {
    const auto& recorder = parts_.sources.recorder();
    if (recorder.isUnsaved() && !parts_.sources.isRecording())
        return parts_.pages.setOpenTrace(recorder.unsavedTitle());
    const auto sentence = parts_.sources.isRecording() ? tr("%1 is being recorded.") : tr("%1 is open.");
    parts_.pages.setOpenTrace(sentence.arg(ui::lineText(parts_.tabs.shown().name())));
}

/// Other messages are about the trace that is still open.
QString CurrentTrace::withOpenTrace(const QString& sentence) const {
    const auto& shown = parts_.tabs.shown();
    if (!shown.trace()) return sentence;
    return tr("%1 %2 is still open.").arg(sentence, ui::lineText(shown.name()));
}

/// The trace that should replace it could not be opened.
void CurrentTrace::keepBefore() {
    auto& shown = parts_.tabs.shown();
    if (!shown.trace()) return;
    shown.setName(shownName_);
    parts_.pages.keepTrace();
    showNote();
    describe();
}

/// Numbers of a trace that is not completely loaded must not look like those of the whole.
void CurrentTrace::showNote() {
    auto& shown = parts_.tabs.shown();
    if (isPartial_) shown.show(store::partlyLoaded(shown.trace()), shown.labels());
    auto note = noteOf(*shown.trace());
    note.isPartial = isPartial_;
    parts_.status.setTrace(note);
    parts_.pages.setTitle(isPartial_ ? tr("%1 (partly loaded)").arg(shown.name()) : shown.name());
}

/// No further publication, so the last one becomes the complete trace.
void CurrentTrace::noteEnd() {
    hasEnded_ = true;
    parts_.symbols.noteEnd();
    auto& shown = parts_.tabs.shown();
    if (const auto* loader = parts_.sources.loader()) shown.setContents(traceContents(loader->facts().counts));
    shown.setRecording(false);
    shown.setLoading(false);
}

void CurrentTrace::noteRead(pipeline::LoadState state, const QString& sentence) {
    auto& recovery = parts_.sources.recovery();
    noteEnd();
    parts_.status.hideProgress();
    if (state == pipeline::LoadState::Failed) {
        recovery.giveUp();
        emit loadFailed();
        keepBefore();
        return refuse({withOpenTrace(sentence), ui::MessageTone::Warning});
    }
    if (recovery.shown())
        recovery.noteRead();
    else
        files_ = parts_.sources.opener().paths();
    isPartial_ = state == pipeline::LoadState::Cancelled;
    if (parts_.tabs.shown().trace()) showNote();
    parts_.view.showAll();
    emit loaded();
    reportRead(state, sentence);
    emit settling();
}

void CurrentTrace::reportRead(pipeline::LoadState state, const QString& sentence) {
    auto* recovery = &parts_.sources.recovery();
    if (state == pipeline::LoadState::Cancelled)
        emit messageWanted(tr("Loading was cancelled. Only the data that was read before is shown."));
    else if (!sentence.isEmpty())
        emit messageWanted({sentence, ui::MessageTone::Warning});
    else if (recovery->shown())
        emit messageWanted(
            {tr("This recording was not saved when Highwater exited. It is kept until you save or discard it."),
             ui::MessageTone::Plain,
             {tr("Save…"), [recovery] { recovery->askForName(); }}});
}

/// The trace on screen is unchanged.
void CurrentTrace::noteStartFailed(const QString& sentence) {
    auto* flags = &parts_.sources.heapFlags();
    ui::MessageLink link;
    if (needsElevation()) link = {tr("Restart as Administrator"), [flags] { flags->restartAsAdministrator(); }};
    if (!sentence.isEmpty() && !parts_.sources.recorder().isAsking())
        emit messageWanted({sentence, ui::MessageTone::Warning, link});
    emit openFailed(sentence);
}

void CurrentTrace::noteRecorded(pipeline::LoadState state, const QString& sentence) {
    const auto& recorder = parts_.sources.recorder();
    noteEnd();
    isPartial_ = isPartial_ && state == pipeline::LoadState::Failed;
    describe();
    const bool isShown = parts_.pages.isTraceShown() || parts_.pages.isAway();
    if (state == pipeline::LoadState::Failed) {
        keepBefore();
        return noteStartFailed(sentence);
    }
    if (!sentence.isEmpty() && !recorder.isAsking()) emit messageWanted({sentence, ui::MessageTone::Warning});
    if (isShown) {
        parts_.view.showAll();
        emit settling();
    } else if (sentence.isEmpty()) {
        const auto nothing = recorder.session().facts().isStopped
                                 ? tr("The recording of %1 was stopped before any data was recorded.")
                                 : tr("%1 ended before any data was recorded.");
        refuse(nothing.arg(parts_.tabs.shown().name()));
    }
}

void CurrentTrace::noteSaved(const QString& path) {
    files_ = QStringList{path};
    const auto name = ui::nameOfTrace(files_);
    parts_.tabs.shown().setName(name);
    parts_.pages.setTitle(name);
    parts_.symbols.noteSaved(path);
    emit saved();
    describe();
    emit messageWanted(tr("Saved as %1.").arg(path));
}

/// Resets to the state without a trace.
void CurrentTrace::close() {
    begin({});
    parts_.tabs.shown().clear();
    parts_.symbols.close();
    parts_.pages.closeTrace();
}

} // namespace highwater::app

#include "moc_current_trace.cpp"
