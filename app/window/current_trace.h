#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/pipeline/trace_loader.h"
#include "ui/view/parts/message_strip.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace highwater::ui {
class AnalysisTabs;
class StatusLine;
} // namespace highwater::ui

namespace highwater::app {

struct LostRecording;
class StartViewController;
class SymbolSession;
class TraceSources;
class WindowPages;

/// The current trace of the window, from the request to open it until it is replaced: shows the publications of its
/// source under its name and on its page, tracks how it ends, and returns to the previous trace if it fails. Owned by
/// the window. GUI thread only.
class CurrentTrace : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    struct Parts {
        TraceSources& sources;
        ui::AnalysisTabs& tabs;
        SymbolSession& symbols;
        WindowPages& pages;
        StartViewController& view;
        ui::StatusLine& status;
    };
    CurrentTrace(const Parts& parts, QObject* parent);

    /// Opens a trace; several files make one trace. Closes the previous trace without asking.
    void load(const QStringList& files, const QString& name);
    /// Empty if it has no file that can be opened again, or is not loaded yet.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// There is a trace, or one was requested.
    [[nodiscard]] bool isThere() const;
    /// There are no further publications.
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }

  signals:
    /// Another trace starts or the trace is closed; state of the previous one must be cleared.
    void beginning();
    /// The whole trace is on screen, loaded from files().
    void loaded();
    /// Loading failed; the previous trace is still open.
    void loadFailed();
    /// The recording was saved to files().
    void saved();
    /// There are no further publications, and all listeners were notified.
    void settling();
    void messageWanted(const highwater::ui::Message& message);
    /// The trace, or the requested part, cannot be shown; messageWanted() has reported why.
    void openFailed(const QString& sentence);

  private:
    void connectSources();
    /// The trace on screen is no longer loading.
    void begin(const QString& name);
    /// Opens a recording that was not saved when Highwater exited.
    void recover(const LostRecording& recording);
    void show(const std::shared_ptr<const store::PublishedTrace>& trace,
              const std::shared_ptr<analysis::FrameLabels>& labels);
    void describe();
    void keepBefore();
    [[nodiscard]] QString withOpenTrace(const QString& sentence) const;
    void showNote();
    void noteEnd();
    void noteRead(pipeline::LoadState state, const QString& sentence);
    void reportRead(pipeline::LoadState state, const QString& sentence);
    void noteStartFailed(const QString& sentence);
    void noteRecorded(pipeline::LoadState state, const QString& sentence);
    void noteSaved(const QString& path);
    void close();
    void refuse(const ui::Message& message);

    Parts parts_;
    QStringList files_;
    QString shownName_;      ///< name of the displayed trace, which stays until the next one has something to show
    bool isPartial_ = false; ///< the trace on screen is not completely loaded
    bool hasEnded_ = false;
};

} // namespace highwater::app
