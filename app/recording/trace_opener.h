#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/retired_work.h"
#include "core/pipeline/trace_loader.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>

namespace highwater::app {

class ApplicationSettings;

/// File filter of open dialogs: all supported files.
[[nodiscard]] QString traceFileFilter();

/// Opens one trace at a time and brings the loader's publications to the GUI thread, about four times a second.
/// Protects its files, and those of the trace on screen until the new one is shown, from being overwritten (see
/// trace_guard.h). GUI thread only.
class TraceOpener : public QObject {
    Q_OBJECT
  public:
    explicit TraceOpener(QObject* parent = nullptr);
    ~TraceOpener() override;

    /// Caches indexes of traces opened from now on, and uses them for the next opening.
    void keepIndexes(const ApplicationSettings& settings);
    /// Cancels the trace that is being loaded, if any. `names`: source of function names for the labels.
    void open(const QStringList& paths, std::shared_ptr<const symbols::NameSource> names = nullptr);
    void cancel();
    /// Cancels loading without a signal because something else is shown.
    void close();
    [[nodiscard]] const QStringList& paths() const { return paths_; }
    /// Known after the first publication.
    [[nodiscard]] TraceProperties properties() const {
        return loader_ ? loader_->facts().properties : TraceProperties();
    }
    /// Null before the first trace.
    [[nodiscard]] const pipeline::TraceLoader* loader() const { return loader_.get(); }
    [[nodiscard]] bool isLoading() const { return loader_ && timer_.isActive(); }

  signals:
    /// The labels are the same object for all publications of one trace.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// Marks and samples known so far. Emitted before the publication to which they belong.
    void noted(std::shared_ptr<const highwater::TraceNotes> notes);
    void progressed(quint64 done, quint64 total);
    /// Emitted after the last publication. `sentence`: why it failed or where reading stopped; empty on success.
    void ended(highwater::pipeline::LoadState state, const QString& sentence);

  private:
    void poll();
    void retire();
    void publishNewest(bool isLast);

    QStringList paths_;
    QStringList shownPaths_; ///< files of the last published trace
    std::shared_ptr<pipeline::TraceIndexCache> indexes_;
    std::unique_ptr<pipeline::TraceLoader> loader_;
    RetiredWork retired_; ///< loaders being destroyed
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::shared_ptr<const store::PublishedTrace> shown_;
    std::shared_ptr<const TraceNotes> reported_;
    QTimer timer_;
};

} // namespace highwater::app
