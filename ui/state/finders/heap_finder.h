#pragma once

#include "core/analysis/heaps/heap_list.h"
#include "ui/state/query_lane.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace highwater::ui {

/// The heaps of what is on screen.
struct HeapRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::HeapsQuery query;
};

/// Never changes.
struct HeapAnswer {
    analysis::HeapList list;
    bool isFiltered = false;
};

using HeapFunction = std::function<Result<HeapAnswer>(const HeapRequest&, std::stop_token)>;
[[nodiscard]] Result<HeapAnswer> answerHeaps(const HeapRequest& request, std::stop_token stop);

/// Asks for heaps on a worker and brings the newest answer to the GUI thread, where it lives.
class HeapFinder : public QObject {
    Q_OBJECT
  public:
    explicit HeapFinder(QObject* parent = nullptr, HeapFunction find = answerHeaps);
    ~HeapFinder() override;

    void ask(HeapRequest request, Urgency urgency);
    void cancel() { lane_.cancel(); }
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::HeapAnswer> answer);
    /// Never for questions that were cancelled.
    void failed(const QString& sentence);

  private:
    QueryPools pools_;
    QueryLane<HeapRequest, HeapAnswer> lane_;
};

} // namespace highwater::ui
