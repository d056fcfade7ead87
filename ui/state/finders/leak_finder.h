#pragma once

#include "core/analysis/leaks/leak_suspects.h"
#include "ui/state/query_lane.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace highwater::ui {

/// Which stacks keep memory, of what is on screen.
struct LeakRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::LeakQuery query;
};

/// Never changes.
struct LeakAnswer {
    analysis::Table table = analysis::Table::Heap;
    analysis::LeakReport report;
    bool isFiltered = false; ///< not all rows took part
};

using LeakFunction = std::function<Result<LeakAnswer>(const LeakRequest&, std::stop_token)>;
[[nodiscard]] Result<LeakAnswer> answerLeaks(const LeakRequest& request, std::stop_token stop);

/// Asks for leaks on a worker and brings the newest answer to the GUI thread, where it lives.
class LeakFinder : public QObject {
    Q_OBJECT
  public:
    explicit LeakFinder(QObject* parent = nullptr, LeakFunction find = answerLeaks);
    ~LeakFinder() override;

    void ask(LeakRequest request, Urgency urgency);
    void cancel() { lane_.cancel(); }
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::LeakAnswer> answer);
    /// Never for questions that were cancelled.
    void failed(const QString& sentence);

  private:
    QueryPools pools_;
    QueryLane<LeakRequest, LeakAnswer> lane_;
};

} // namespace highwater::ui
