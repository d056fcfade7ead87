#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"
#include "ui/format/time_base.h"
#include "ui/state/row_notes.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <utility>

namespace highwater::ui {

/// The trace that the window shows, as far as it has been read. Views connect to the signals; one that is created later
/// can query the current state. GUI thread only.
class TraceOnScreen : public QObject {
    Q_OBJECT
  public:
    enum Change {
        NewTrace = 1,   ///< or other frame names: nothing shown is valid
        MoreOfIt = 2,   ///< a later publication of the same trace
        Cleared = 4,    ///< the trace was closed
        Names = 8,      ///< functions have gained or lost names
        WallClock = 16, ///< the recording time is known
        Loading = 32,   ///< whether more data is expected
        Naming = 64,    ///< whether function names are expected
        Contents = 128, ///< a description of its contents is known
    };
    Q_DECLARE_FLAGS(Changes, Change)

    explicit TraceOnScreen(QObject* parent = nullptr) : QObject(parent), notes_(new RowNotes(this)) {}

    /// A new trace if the labels differ; otherwise more of the same.
    void show(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clear();
    /// Makes tables show the names soon, preserving open, selected and visible rows. Cheap, but do not call it for
    /// every single name.
    void noteNames() { emit changed(Names); }
    /// Its name, for names of derived files; "app.etl". Emits no signal.
    void setName(const QString& name) { name_ = name; }
    /// A sentence about its contents, for empty tables; empty: unknown.
    void setContents(const QString& sentence);
    /// Its samples of private bytes, before the publication to which they belong. Emits no signal.
    void setTraceNotes(SharedTraceNotes notes) { traceNotes_ = std::move(notes); }
    /// For columns in wall-clock time.
    void setTimeBase(const TimeBase& base);
    /// While a trace is loading, an empty table may still get rows.
    void setLoading(bool loading);
    /// Whether the processes of the trace are being recorded on this machine. Emits no signal.
    void setRecording(bool recording) { isRecording_ = recording; }
    /// While names are loading, a search for them is incomplete. `named`: the number of publications whose names are
    /// loaded.
    void setNamesComing(bool coming, std::uint64_t named = 0);

    /// Null: no trace.
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return trace_; }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return labels_; }
    /// The user's notes on rows of this trace.
    [[nodiscard]] RowNotes& notes() const { return *notes_; }
    /// Null: none.
    [[nodiscard]] const SharedTraceNotes& traceNotes() const { return traceNotes_; }
    [[nodiscard]] const QString& name() const { return name_; }
    [[nodiscard]] const QString& contents() const { return contents_; }
    [[nodiscard]] const TimeBase& timeBase() const { return timeBase_; }
    [[nodiscard]] bool isLoading() const { return isLoading_; }
    [[nodiscard]] bool isRecording() const { return isRecording_; }
    [[nodiscard]] bool areNamesComing() const { return areNamesComing_; }
    /// Whether an address of this publication may still get a name.
    [[nodiscard]] bool areNamesComing(const store::PublishedTrace& trace) const {
        return areNamesComing_ && trace.number >= named_;
    }

  signals:
    void changed(highwater::ui::TraceOnScreen::Changes changes);
    /// Emitted after NewTrace and MoreOfIt, when all receivers have processed them: its whole range has changed.
    void rangeChanged(bool isNew);

  private:
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    RowNotes* notes_;
    SharedTraceNotes traceNotes_;
    QString name_;
    QString contents_;
    TimeBase timeBase_;
    bool isLoading_ = false;
    bool isRecording_ = false;
    bool areNamesComing_ = false;
    std::uint64_t named_ = 0;
};
Q_DECLARE_OPERATORS_FOR_FLAGS(TraceOnScreen::Changes)

} // namespace highwater::ui
