#pragma once

#include "core/analysis/histogram/histogram.h"
#include "ui/state/query_lane.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace highwater::ui {

/// Sizes or lifetimes of what is on screen.
struct HistogramRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::HistogramQuery query;
};

/// Never changes.
struct HistogramAnswer {
    analysis::HistogramQuery query;
    analysis::Histogram histogram;
};

using HistogramFunction = std::function<Result<HistogramAnswer>(const HistogramRequest&, std::stop_token)>;
[[nodiscard]] Result<HistogramAnswer> answerHistogram(const HistogramRequest& request, std::stop_token stop);

/// Asks for histograms on a worker and brings the newest answer to the GUI thread, where it lives.
class HistogramFinder : public QObject {
    Q_OBJECT
  public:
    explicit HistogramFinder(QObject* parent = nullptr, HistogramFunction find = answerHistogram);
    ~HistogramFinder() override;

    void ask(HistogramRequest request, Urgency urgency);
    void cancel() { lane_.cancel(); }
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::HistogramAnswer> answer);
    /// Never for questions that were cancelled.
    void failed(const QString& sentence);

  private:
    QueryPools pools_;
    QueryLane<HistogramRequest, HistogramAnswer> lane_;
};

} // namespace highwater::ui
