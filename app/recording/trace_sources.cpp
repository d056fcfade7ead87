#include "app/recording/trace_sources.h"

#include "app/recording/heap_flag_controller.h"
#include "app/recording/mark_controller.h"
#include "app/recording/record_controller.h"
#include "app/recording/recovery_controller.h"
#include "app/settings/application_settings.h"
#include "ui/view/window/start_page.h"

#include <QMainWindow>

namespace highwater::app {

TraceSources::TraceSources(const Parts& parts, QMainWindow& window)
    : QObject(&window),
      recorder_(new RecordController(parts.settings, parts.symbols, parts.tabs, window)),
      marks_(new MarkController(opener_, recorder_->session(), parts.tabs, &window)),
      recovery_(new RecoveryController(parts.settings.recordingsFolder(), parts.start, window)),
      heapFlags_(new HeapFlagController(window)) {
    opener_.keepIndexes(parts.settings);
    connect(&opener_, &TraceOpener::published, this, &TraceSources::published);
    connect(marks_, &MarkController::messageWanted, this, &TraceSources::messageWanted);
    connect(marks_, &MarkController::messageGone, this, &TraceSources::messageGone);
    connect(heapFlags_, &HeapFlagController::messageWanted, this, &TraceSources::messageWanted);
    connectRecorder();
    connectStart(parts.start);
    heapFlags_->cleanUp();
}

void TraceSources::connectRecorder() {
    connect(&recorder_->session(), &RecordingSession::published, this, [this](const auto& trace, const auto& labels) {
        emit published(recorder_->growth().withNote(trace), labels);
    });
    connect(recorder_, &RecordController::markWanted, marks_, &MarkController::markHere);
    connect(recorder_, &RecordController::snapshotWanted, marks_, &MarkController::snapshotHere);
    connect(recorder_, &RecordController::discarded, this, &TraceSources::discarded);
    connect(recorder_, &RecordController::saved, this, &TraceSources::saved);
    connect(recorder_, &RecordController::elevationWanted, heapFlags_, &HeapFlagController::restartAsAdministrator);
    connect(recorder_, &RecordController::messageWanted, this, &TraceSources::messageWanted);
    recorder_->setRecovery(*recovery_);
    connect(recovery_, &RecoveryController::saved, this, &TraceSources::saved);
    connect(recovery_, &RecoveryController::discarded, this, &TraceSources::discarded);
    connect(recovery_, &RecoveryController::failed, this, [this](const QString& sentence) {
        emit messageWanted({sentence, ui::MessageTone::Warning});
    });
}

void TraceSources::connectStart(ui::StartPage& start) {
    connect(&start, &ui::StartPage::recordWanted, recorder_, &RecordController::ask);
    connect(&start, &ui::StartPage::attachWanted, recorder_, &RecordController::askToAttach);
    connect(&start, &ui::StartPage::exampleWanted, recorder_, &RecordController::recordExample);
    start.setHasExample(!RecordController::exampleProgram().isEmpty());
}

bool TraceSources::isRecording() const { return recorder_->session().isRecording(); }

const pipeline::TraceLoader* TraceSources::loader() const {
    const auto& session = recorder_->session();
    return session.isOpen() ? session.loader() : opener_.loader();
}

TraceProperties TraceSources::properties() const {
    const auto& session = recorder_->session();
    return session.isOpen() ? session.properties() : opener_.properties();
}

} // namespace highwater::app

#include "moc_trace_sources.cpp"
