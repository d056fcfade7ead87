#pragma once

#include "core/analysis/rows/instances.h"
#include "ui/state/mark_list.h"
#include "ui/view/parts/message_strip.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace highwater::ui {
class AnalysisTabs;
class MarksView;
} // namespace highwater::ui

namespace highwater::app {

class RecordingSession;
class TraceOpener;

/// The marks of what is shown: from the trace into the list and the graphs, and from the list into the recording; and
/// those that are made on a trace that is open, which are kept as long as it is, of a recording also in what is saved
/// next. GUI thread only.
class MarkController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive it.
    MarkController(TraceOpener& opener, RecordingSession& session, ui::AnalysisTabs& tabs, QObject* parent = nullptr);

    /// Another trace is shown from now on.
    void clear();
    [[nodiscard]] ui::MarkList& marks() { return marks_; }
    /// Instants that were made snapshots here.
    [[nodiscard]] const std::vector<TraceTime>& instants() const { return instants_; }
    /// Makes snapshots of these, too, as far as there are none of them; nobody is told.
    void addInstants(const std::vector<TraceTime>& instants);
    /// At the cursor of a graph; else at the instant that is shown; else, of what has just been recorded and is shown
    /// to its end, there; else in the middle of what the graphs show.
    void markHere();
    /// Makes a heap snapshot of the same instant: an instance of the table Heap Snapshot, kept as long as marks are.
    void snapshotHere();
    /// The list, for the window to place; the window owns it.
    [[nodiscard]] ui::MarksView* makeView(QWidget* parent);

  signals:
    /// Those that are made snapshots from now on.
    void instantsChanged(const highwater::analysis::SharedInstants& instants);
    void messageWanted(const highwater::ui::Message& message);
    /// What this message told has been taken back, or read.
    void messageGone(const QString& sentence);

  private:
    [[nodiscard]] TraceTime timeMeant() const;
    void noteEdit(qint64 ticks, const QString& name);
    void noteRename(qint64 ticks, const QString& from, const QString& to);
    void showInstants();
    [[nodiscard]] std::optional<quint32> snapshotAt(const store::PublishedTrace& trace, TraceTime time) const;
    void undoSnapshots(std::size_t before);
    void noteRemoval(const std::vector<Mark>& marks);
    void tellRemoval();
    void undoRemoval();
    [[nodiscard]] QString removalText() const;

    struct Removed {
        QList<qint64> ticks;
        QStringList names;
    };

    RecordingSession& session_;
    ui::AnalysisTabs& tabs_;
    ui::MarkList marks_;
    QPointer<ui::MarksView> view_;
    std::vector<TraceTime> instants_; ///< that were made snapshots
    std::vector<Removed> removed_;    ///< what can be taken back, the last first
    QString toldOf_;                  ///< of the first mark: how long those are kept that are made on this trace
};

} // namespace highwater::app
