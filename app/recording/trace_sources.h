#pragma once

#include "app/recording/trace_opener.h"
#include "ui/view/parts/message_strip.h"

#include <QObject>

#include <memory>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class StartPage;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;
class HeapFlagController;
class MarkController;
class RecordController;
class RecoveryController;
class SymbolSession;

/// Where the trace on screen comes from: files, a recording, or a recording that an earlier Highwater did not save.
/// Makes the controllers that open, record and mark, wires them to each other and to the start page, and passes their
/// publications and messages on. The window owns it and them. GUI thread only.
class TraceSources : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    struct Parts {
        ApplicationSettings& settings;
        SymbolSession& symbols;
        ui::AnalysisTabs& tabs;
        ui::StartPage& start;
    };
    TraceSources(const Parts& parts, QMainWindow& window);

    [[nodiscard]] TraceOpener& opener() { return opener_; }
    [[nodiscard]] RecordController& recorder() const { return *recorder_; }
    [[nodiscard]] MarkController& marks() const { return *marks_; }
    [[nodiscard]] RecoveryController& recovery() const { return *recovery_; }
    [[nodiscard]] HeapFlagController& heapFlags() const { return *heapFlags_; }

    [[nodiscard]] bool isRecording() const;
    /// Of what is shown; null: nothing is open.
    [[nodiscard]] const pipeline::TraceLoader* loader() const;
    [[nodiscard]] TraceProperties properties() const;

  signals:
    /// The labels are the same object for all publications of one trace.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// What was recorded, now or by an earlier Highwater, is in this file from now on.
    void saved(const QString& path);
    /// The user threw it away: nothing is to be shown of it any more.
    void discarded();
    void messageWanted(const highwater::ui::Message& message);
    /// What this message told has been taken back, or read.
    void messageGone(const QString& sentence);

  private:
    void connectRecorder();
    void connectStart(ui::StartPage& start);

    TraceOpener opener_;
    RecordController* recorder_;
    MarkController* marks_;
    RecoveryController* recovery_;
    HeapFlagController* heapFlags_;
};

} // namespace highwater::app
