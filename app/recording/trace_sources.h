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

/// The sources of the trace on screen: files, a recording, or a recovered recording. Creates the controllers that open,
/// record and mark, connects them to each other and to the start page, and forwards their publications and messages.
/// Owned by the window, like the controllers. GUI thread only.
class TraceSources : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
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
    /// The loader of the displayed trace; null: no trace is open.
    [[nodiscard]] const pipeline::TraceLoader* loader() const;
    [[nodiscard]] TraceProperties properties() const;

  signals:
    /// The labels are the same object for all publications of one trace.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// The recording, current or recovered, was saved to this file.
    void saved(const QString& path);
    /// The user discarded the recording, so the trace closes.
    void discarded();
    void messageWanted(const highwater::ui::Message& message);
    /// The action of this message was undone, or the message was read.
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
