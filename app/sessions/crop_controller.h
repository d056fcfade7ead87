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

/// File > Export > Part of the Trace: writes the visible interval and the selected processes to a separate trace in the
/// background (pipeline::cropTrace, as `highwater-cli crop`). GUI thread only.
class CropController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    CropController(ui::AnalysisTabs& tabs, const SessionController& sessions, const RecordController& recorder,
                   QWidget& window);
    ~CropController() override;

    [[nodiscard]] QAction* action() const { return action_; }
    /// A strip with the progress and result of the export, to place in the window, which owns it.
    [[nodiscard]] ui::MessageStrip* strip() const { return strip_; }
    [[nodiscard]] bool isWriting() const { return writing_ != nullptr; }
    /// The window closes after the file is written or the user stops waiting.
    void leave(std::function<void()> then);
    /// Takes the input of the dialog, which closes.
    void writeTo(const QString& path);

  signals:
    /// The user wants to open the written part.
    void traceWanted(const QStringList& files);

  private:
    /// The query for processes with rows that pass the filter: a table by process.
    using Population = ui::Asked<analysis::Query>;
    using Pids = std::vector<std::uint32_t>;
    /// The running export.
    struct Writing {
        pipeline::CropRequest request;
        QString path;
        Progress progress;
        std::stop_source stop;
    };

    void show();
    /// Why the files of the trace cannot be cropped; empty if they can.
    [[nodiscard]] QString obstacle() const;
    void askForFilter(const TimeRange& interval);
    static Result<Pids> pidsOf(const Population& population, std::stop_token stop);
    void tick(const Result<Pids>& pids);
    void askForFile();
    void showExportProgress();
    void finish(const std::shared_ptr<Writing>& writing, const Result<pipeline::CropResult>& result);
    [[nodiscard]] TimeRange intervalToKeep() const;

    ui::AnalysisTabs& tabs_;
    const SessionController& sessions_; ///< provides the files of the trace
    const RecordController& recorder_;
    QWidget& window_;
    QAction* action_;
    ui::MessageStrip* strip_;
    ui::FinderOf<Population, Pids> finder_;
    QPointer<ui::CropDialog> dialog_;
    pipeline::CropRequest request_; ///< the request edited by the dialog
    QThreadPool writers_;
    std::shared_ptr<Writing> writing_; ///< null: no export is running
    std::function<void()> leaving_;    ///< null: the window is not closing
    QTimer clock_;                     ///< updates the progress
};

} // namespace highwater::app
