#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/table/table_query.h"
#include "core/pipeline/crop/trace_crop.h"
#include "ui/state/finders/finder_of.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <stop_token>

class QWidget;

namespace highwater::store {
struct PublishedTrace;
} // namespace highwater::store
namespace highwater::ui {
class AnalysisTabs;
class CropDialog;
} // namespace highwater::ui

namespace highwater::app {

class RecordController;
class SessionController;

/// File > Export > Part of the Trace: the interval on screen and the processes that are ticked, as a trace of its own
/// (pipeline::cropTrace, as `highwater-cli crop`), written in the background. GUI thread only.
class CropController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    CropController(ui::AnalysisTabs& tabs, const SessionController& sessions, const RecordController& recorder,
                   QWidget& window);
    ~CropController() override;

    [[nodiscard]] QAction* action() const { return action_; }
    /// What is being written, how far it is, and what came of it; for the window to place, which owns it.
    [[nodiscard]] ui::MessageStrip* strip() const { return strip_; }
    [[nodiscard]] bool isWriting() const { return writing_ != nullptr; }
    /// The window is to close: once the file is there, or nobody waits for it any more.
    void leave(std::function<void()> then);
    /// What the dialog has, which closes.
    void writeTo(const QString& path);

  signals:
    /// The part that was written is to be opened.
    void traceWanted(const QStringList& files);

  private:
    /// Which processes have rows that pass the filter: a table by process.
    using Population = ui::Asked<analysis::Query>;
    using Pids = std::vector<std::uint32_t>;
    /// What is being written.
    struct Writing {
        pipeline::CropRequest request;
        QString path;
        Progress progress;
        std::stop_source stop;
    };

    void show();
    /// Why no part can be cut from the files of the trace that is shown; empty: it can.
    [[nodiscard]] QString obstacle() const;
    void askForFilter(const TimeRange& interval);
    static Result<Pids> pidsOf(const Population& population, std::stop_token stop);
    void tick(const Result<Pids>& pids);
    void askForFile();
    void tellProgress();
    void finish(const std::shared_ptr<Writing>& writing, const Result<pipeline::CropResult>& result);
    [[nodiscard]] TimeRange intervalToKeep() const;

    ui::AnalysisTabs& tabs_;
    const SessionController& sessions_; ///< has the files of the trace
    const RecordController& recorder_;
    QWidget& window_;
    QAction* action_;
    ui::MessageStrip* strip_;
    ui::FinderOf<Population, Pids> finder_;
    QPointer<ui::CropDialog> dialog_;
    pipeline::CropRequest request_; ///< what the dialog is about
    QThreadPool writers_;
    std::shared_ptr<Writing> writing_; ///< null: nothing is being written
    std::function<void()> leaving_;    ///< null: nobody wants to leave
    QTimer clock_;                     ///< looks how far it is
};

} // namespace highwater::app
