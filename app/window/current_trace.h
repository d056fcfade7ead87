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

/// The trace that the window is about, from when somebody asks for it until another one takes its place: shows what its
/// source publishes, under its name and on its page, notes how it ends, and goes back to the trace before if it fails.
/// The window owns it. GUI thread only.
class CurrentTrace : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    struct Parts {
        TraceSources& sources;
        ui::AnalysisTabs& tabs;
        SymbolSession& symbols;
        WindowPages& pages;
        StartViewController& view;
        ui::StatusLine& status;
    };
    CurrentTrace(const Parts& parts, QObject* parent);

    /// Reads it. Several files make one trace. Gives up the trace before without asking.
    void load(const QStringList& files, const QString& name);
    /// Empty: it is in no file that one would open again, or not read yet.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// There is one, or one was asked for.
    [[nodiscard]] bool isThere() const;
    /// Nothing more of it will come.
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }

  signals:
    /// Another one begins, or there is none any more: what was about the one before is to be forgotten.
    void beginning();
    /// All of it is on screen, read from files().
    void loaded();
    /// It could not be read: what was open before is open still.
    void loadFailed();
    /// It was recorded, and is in files() from now on.
    void saved();
    /// No more of it will come, and everybody has heard that.
    void settling();
    void messageWanted(const highwater::ui::Message& message);
    /// There is nothing to show of it, or not what was asked for; messageWanted() said why.
    void openFailed(const QString& sentence);

  private:
    void connectSources();
    /// Nothing of what is shown is waited for any more.
    void begin(const QString& name);
    /// Reads the file of a recording that an earlier Highwater did not save.
    void recover(const LostRecording& recording);
    void show(const std::shared_ptr<const store::PublishedTrace>& trace,
              const std::shared_ptr<analysis::FrameLabels>& labels);
    void describe();
    void keepBefore();
    void noteWhole();
    void noteRead(pipeline::LoadState state, const QString& sentence);
    void reportRead(pipeline::LoadState state, const QString& sentence);
    void noteStartFailed(const QString& sentence);
    void noteRecorded(pipeline::LoadState state, const QString& sentence);
    void noteSaved(const QString& path);
    void close();
    void refuse(const ui::Message& message);

    Parts parts_;
    QStringList files_;
    QString nameBefore_; ///< of the trace that was shown before
    bool hasEnded_ = false;
};

} // namespace highwater::app
