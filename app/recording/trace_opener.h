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

/// What dialogs that ask for a trace offer: all that can be opened.
[[nodiscard]] QString traceFileFilter();

/// Opens one trace at a time and brings what the loader publishes to the GUI thread, some four times a second. Its
/// files, and those of the trace that is shown until there is something of it, are not written over (see
/// trace_guard.h). GUI thread only.
class TraceOpener : public QObject {
    Q_OBJECT
  public:
    explicit TraceOpener(QObject* parent = nullptr);
    ~TraceOpener() override;

    /// Keeps what is made of traces that are opened from now on, and opens them by it the next time.
    void keepIndexes(const ApplicationSettings& settings);
    /// Gives up the trace that is being loaded, if any. `names`: where the labels take functions' names from.
    void open(const QStringList& paths, std::shared_ptr<const symbols::NameSource> names = nullptr);
    void cancel();
    /// Gives up what is being loaded, without a signal: something else is shown.
    void close();
    [[nodiscard]] const QStringList& paths() const { return paths_; }
    /// Known from the first publication on.
    [[nodiscard]] TraceProperties properties() const {
        return loader_ ? loader_->facts().properties : TraceProperties();
    }
    /// Null: nothing was opened yet.
    [[nodiscard]] const pipeline::TraceLoader* loader() const { return loader_.get(); }
    [[nodiscard]] bool isLoading() const { return loader_ && timer_.isActive(); }

  signals:
    /// The labels are the same object for all publications of one trace.
    void published(std::shared_ptr<const highwater::store::PublishedTrace> trace,
                   std::shared_ptr<highwater::analysis::FrameLabels> labels);
    /// Marks and samples, as far as they are known. Comes before the publication that they belong to.
    void noted(std::shared_ptr<const highwater::TraceNotes> notes);
    void progressed(quint64 done, quint64 total);
    /// After the last publication. `sentence`: why it failed, or where reading stopped; empty if all went well.
    void ended(highwater::pipeline::LoadState state, const QString& sentence);

  private:
    void poll();
    void retire();
    void publishNewest(bool isLast);

    QStringList paths_;
    QStringList shownPaths_; ///< of the trace that was published last
    std::shared_ptr<pipeline::TraceIndexCache> indexes_;
    std::unique_ptr<pipeline::TraceLoader> loader_;
    RetiredWork retired_; ///< loaders on their way out
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::shared_ptr<const store::PublishedTrace> shown_;
    std::shared_ptr<const TraceNotes> reported_;
    QTimer timer_;
};

} // namespace highwater::app
