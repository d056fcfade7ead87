#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/unrecorded_memory.h"
#include "core/store/published/published_trace.h"
#include "ui/state/finders/finder_of.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace highwater::app {

class RecordingSession;

/// The newest data of a running recording.
struct GrowthQuestion {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<const TraceNotes> notes;
    std::set<std::string> missedBefore = {}; ///< processes in the last answer
};
struct MissingGrowth {
    ByteCount bytes = 0;       ///< sum of all processes; 0: none, or too few to matter
    std::string sentence = {}; ///< for the process that lacks most; empty: none
    std::set<std::string> processes = {};
};
/// A process in the last answer stays while half of the limits is missing, so that the message does not come and go.
[[nodiscard]] MissingGrowth missingGrowth(const std::vector<pipeline::UnrecordedMemory>& ofProcesses,
                                          const std::set<std::string>& missedBefore);

/// Compares, while a recording runs, how the private memory of its processes grew with how the recorded memory grew
/// (docs/numbers.md 11), and reports the difference. Goes through all rows on a worker, at most every few seconds. GUI
/// thread only.
class GrowthWatch : public QObject {
    Q_OBJECT
  public:
    explicit GrowthWatch(RecordingSession& session, QObject* parent = nullptr);

    /// Belongs to the running recording, or to the last one.
    [[nodiscard]] ByteCount missingBytes() const { return missing_.bytes; }
    /// The publication of the running recording, with a note if growth is missing, as its last publication will have.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace>
    withNote(const std::shared_ptr<const store::PublishedTrace>& trace) const;

  private:
    void look();
    void take(const MissingGrowth& missing);

    RecordingSession& session_;
    GrowthQuestion newest_;
    MissingGrowth missing_;
    QElapsedTimer sinceQuestion_, sinceAnswer_;
    qint64 restMs_ = 0; ///< between an answer and the next question
    ui::FinderOf<GrowthQuestion, MissingGrowth> finder_;
};

} // namespace highwater::app
