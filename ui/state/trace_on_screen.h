#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/store/published/published_trace.h"
#include "ui/format/time_base.h"
#include "ui/state/row_notes.h"

#include <QObject>
#include <QString>

#include <memory>

namespace highwater::ui {

/// The trace that the window shows, as far as it has come. Whoever shows a part of it follows the signals, also one
/// that is made later: what there is then can be asked. GUI thread only.
class TraceOnScreen : public QObject {
    Q_OBJECT
  public:
    enum Change {
        NewTrace = 1,   ///< or another way to name its frames: nothing that was shown holds
        MoreOfIt = 2,   ///< a later publication of the same trace
        Cleared = 4,    ///< there is none any more
        Names = 8,      ///< functions have got, or lost, names
        WallClock = 16, ///< when it was recorded is known
        Loading = 32,   ///< whether more is to come
        Naming = 64,    ///< whether names of functions are to come
        Contents = 128, ///< what it holds besides is known
    };
    Q_DECLARE_FLAGS(Changes, Change)

    explicit TraceOnScreen(QObject* parent = nullptr) : QObject(parent), notes_(new RowNotes(this)) {}

    /// A new trace, when the labels are other ones; else more of the same.
    void show(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    void clear();
    /// Tables show the names soon, each row that is open, selected or looked at staying so. Cheap to call; not for
    /// every single name.
    void noteNames() { emit changed(Names); }
    /// What it is called, for what is made of it; "app.etl". Nobody is told.
    void setName(const QString& name) { name_ = name; }
    /// What it holds, in a sentence, for where a table has nothing to show; empty: not known.
    void setContents(const QString& sentence);
    /// For columns in wall-clock time.
    void setTimeBase(const TimeBase& base);
    /// While a trace is loading, an empty table may still get rows.
    void setLoading(bool loading);
    /// While names are coming, what looks for them is not done.
    void setNamesComing(bool coming);

    /// Null: none.
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return trace_; }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return labels_; }
    /// The reader's, on rows of this trace.
    [[nodiscard]] RowNotes& notes() const { return *notes_; }
    [[nodiscard]] const QString& name() const { return name_; }
    [[nodiscard]] const QString& contents() const { return contents_; }
    [[nodiscard]] const TimeBase& timeBase() const { return timeBase_; }
    [[nodiscard]] bool isLoading() const { return isLoading_; }
    [[nodiscard]] bool areNamesComing() const { return areNamesComing_; }

  signals:
    void changed(highwater::ui::TraceOnScreen::Changes changes);
    /// After NewTrace and MoreOfIt, when everybody has it: its whole range is another one.
    void rangeChanged(bool isNew);

  private:
    std::shared_ptr<const store::PublishedTrace> trace_;
    std::shared_ptr<analysis::FrameLabels> labels_;
    RowNotes* notes_;
    QString name_;
    QString contents_;
    TimeBase timeBase_;
    bool isLoading_ = false;
    bool areNamesComing_ = false;
};
Q_DECLARE_OPERATORS_FOR_FLAGS(TraceOnScreen::Changes)

} // namespace highwater::ui
