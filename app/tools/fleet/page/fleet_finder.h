#pragma once

#include "app/tools/fleet/page/fleet_request.h"
#include "core/base/result.h"
#include "core/fleet/contract/fleet_store.h"
#include "ui/state/query_lane.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::ui {

/// Opens an existing store. Called by several workers in parallel. Errors: those of FleetStore, Usage.
using OpenFleetFunction = std::function<Result<std::unique_ptr<fleet::FleetStore>>(const FleetPlace&)>;

/// Whether the files of a run are available.
struct FleetReach {
    QStringList missing;  ///< unreadable files; empty: all are readable
    bool isOther = false; ///< readable but another recording: overwritten, or chosen by the user
};

/// Queries a store of runs on workers, with a separate store connection per kind of query, and delivers the newest
/// answers to the GUI thread, to which it belongs. A query that does not end does not block others. The destructor
/// waits for running queries after requesting them to stop.
class FleetFinder : public QObject {
    Q_OBJECT
  public:
    explicit FleetFinder(OpenFleetFunction open, QObject* parent = nullptr);
    ~FleetFinder() override;

    /// Sets the current store; empty: none. Cancels running queries, which belong to the previous one.
    void setPlace(const FleetPlace& place);
    [[nodiscard]] const FleetPlace& place() const { return place_; }

    /// Checks that a store exists and reads its contents, before it becomes the current one.
    void askContents(const FleetPlace& place);
    void ask(const FleetQuestion& question);
    void askHistory(const fleet::HistoryQuestion& question);
    void askWorst(const fleet::WorstQuestion& question, const fleet::FleetStack& stack);
    /// Checks whether the files of a run are readable and unchanged. They may be on a disk that is asleep or missing.
    void askReach(const FleetRun& run);
    void cancel();

    /// The query.
    enum class Asked : std::uint8_t { Contents, Answer, History, Worst, Reach };
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] bool isOpening() const { return contents_.isBusy(); }
    [[nodiscard]] bool isListingRuns() const { return worst_.isBusy(); }

  signals:
    void busyChanged(highwater::ui::FleetFinder::Asked asked, bool busy);
    void contentsAnswered(const highwater::ui::FleetPlace& place, const highwater::ui::FleetContents& contents);
    void answered(std::shared_ptr<const highwater::ui::FleetAnswer> answer);
    void historyAnswered(std::shared_ptr<const highwater::fleet::HistoryAnswer> answer,
                         highwater::fleet::Measure measure);
    void worstAnswered(std::shared_ptr<const highwater::ui::FleetWorst> worst);
    void reachAnswered(const highwater::ui::FleetRun& run, const highwater::ui::FleetReach& reach);
    /// Not emitted for cancelled questions.
    void failed(highwater::ui::FleetFinder::Asked asked, highwater::ErrorKind kind, const QString& sentence);

  private:
    template <typename Question>
    struct Placed {
        FleetPlace place;
        Question question;
    };
    struct StackRuns {
        fleet::WorstQuestion question;
        fleet::FleetStack stack;
    };
    struct Nothing {};
    template <typename Question, typename Answer>
    using Lane = QueryLane<Placed<Question>, Answer>;
    template <typename Request, typename Answer>
    void deliver(Asked asked, const Request& request, const Result<Answer>& answer);
    void fail(Asked asked, const Error& error);
    void tell(const Placed<Nothing>& request, const FleetContents& contents) {
        emit contentsAnswered(request.place, contents);
    }
    void tell(const Placed<FleetQuestion>& request, FleetAnswer answer);
    void tell(const Placed<fleet::HistoryQuestion>& request, fleet::HistoryAnswer answer);
    void tell(const Placed<StackRuns>& request, FleetWorst answer);
    OpenFleetFunction open_;
    FleetPlace place_;
    QueryPools pools_;
    Lane<Nothing, FleetContents> contents_;
    Lane<FleetQuestion, FleetAnswer> answers_;
    Lane<fleet::HistoryQuestion, fleet::HistoryAnswer> histories_;
    Lane<StackRuns, FleetWorst> worst_;
    QueryLane<FleetRun, FleetReach> reach_;
};

/// The files of a run.
[[nodiscard]] QStringList filesOf(const summary::RunFacts& facts);

} // namespace highwater::ui
