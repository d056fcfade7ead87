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

/// Manages the marks of the trace on screen: shows them in the list and the graphs, and applies edits from the list to
/// the recording. Marks added to an open trace exist as long as it is open; for a recording they are also saved with
/// it. GUI thread only.
class MarkController : public QObject {
    Q_OBJECT
  public:
    /// All must outlive this object.
    MarkController(TraceOpener& opener, RecordingSession& session, ui::AnalysisTabs& tabs, QObject* parent = nullptr);

    /// Another trace is shown.
    void clear();
    [[nodiscard]] ui::MarkList& marks() { return marks_; }
    /// Instants that were added as snapshots here.
    [[nodiscard]] const std::vector<TraceTime>& instants() const { return instants_; }
    /// Adds these instants as snapshots without a message, except for existing ones.
    void addInstants(const std::vector<TraceTime>& instants);
    /// Adds a mark at the cursor of a graph; otherwise at the instant shown; otherwise at the end of a recording that
    /// is shown to its end; otherwise in the middle of the visible interval.
    void markHere();
    /// Adds a heap snapshot of the same instant, an instance in the table Heap Snapshot with the lifetime of a mark.
    void snapshotHere();
    /// The list to place in the window, which owns it.
    [[nodiscard]] ui::MarksView* makeView(QWidget* parent);

  signals:
    /// The new set of added snapshots.
    void instantsChanged(const highwater::analysis::SharedInstants& instants);
    void messageWanted(const highwater::ui::Message& message);
    /// The action of this message was undone, or the message was read.
    void messageGone(const QString& sentence);

  private:
    [[nodiscard]] TraceTime timeMeant() const;
    void noteEdit(qint64 ticks, const QString& name);
    void noteRename(qint64 ticks, const QString& from, const QString& to);
    void showInstants();
    [[nodiscard]] std::optional<quint32> snapshotAt(const store::PublishedTrace& trace, TraceTime time) const;
    void undoSnapshots(std::size_t before);
    void noteRemoval(const std::vector<Mark>& marks);
    void showRemovalMessage();
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
    std::vector<TraceTime> instants_; ///< added snapshots
    std::vector<Removed> removed_;    ///< deletions that can be undone, newest last
    QString firstMarkMessage_;        ///< message for the first mark about how long marks on this trace exist
};

} // namespace highwater::app
