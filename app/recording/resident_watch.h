#pragma once

#include "core/analysis/balance/balance.h"
#include "core/store/published/published_trace.h"
#include "ui/state/finders/finder_of.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <vector>

namespace highwater::app {

class RecordingSession;

/// While a recording runs, divides the newest samples of resident memory into layers, and reports those of the largest
/// process. Goes through all rows on a worker, at most once for each sample, and less often if it takes long. GUI
/// thread only.
class ResidentWatch : public QObject {
    Q_OBJECT
  public:
    explicit ResidentWatch(RecordingSession& session, QObject* parent = nullptr);

    /// "Rss 1.9 GB: 420.0 MB live, 1.2 GB free but held, 100.0 MB other": layers of at least a twentieth. Of the first
    /// one; with others after it, also its name. Empty: none.
    [[nodiscard]] static QString wordsOf(const std::vector<analysis::Balance>& balances);

  signals:
    /// Empty: the recording has no sample yet, or has ended.
    void changed(const QString& words);

  private:
    void look(const std::shared_ptr<const store::PublishedTrace>& trace);
    void clear();

    struct Question {
        std::shared_ptr<const store::PublishedTrace> trace;
        TraceTime sample; ///< time of the newest one
    };
    [[nodiscard]] static Result<std::vector<analysis::Balance>> answer(const Question& question,
                                                                       const std::stop_token& stop);

    RecordingSession& session_;
    TraceTime asked_ = kBeforeTrace; ///< the newest sample of the last question
    QElapsedTimer sinceQuestion_, sinceAnswer_;
    qint64 restMs_ = 0; ///< between an answer and the next question
    ui::FinderOf<Question, std::vector<analysis::Balance>> finder_;
};

} // namespace highwater::app
