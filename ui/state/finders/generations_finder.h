#pragma once

#include "core/analysis/generations/generations.h"
#include "ui/state/query_lane.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace highwater::ui {

/// What grew from mark to mark, of what is on screen.
struct GenerationsRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::GenerationsQuery query;
};

/// Never changes.
struct GenerationsAnswer {
    analysis::Table table = analysis::Table::Heap;
    analysis::GenerationsReport report;
};

using GenerationsFunction = std::function<Result<GenerationsAnswer>(const GenerationsRequest&, std::stop_token)>;
[[nodiscard]] Result<GenerationsAnswer> answerGenerations(const GenerationsRequest& request, std::stop_token stop);

/// Asks for generations on a worker and brings the newest answer to the GUI thread, where it lives.
class GenerationsFinder : public QObject {
    Q_OBJECT
  public:
    explicit GenerationsFinder(QObject* parent = nullptr, GenerationsFunction find = answerGenerations);
    ~GenerationsFinder() override;

    void ask(GenerationsRequest request, Urgency urgency) { lane_.ask(std::move(request), urgency); }
    void cancel() { lane_.cancel(); }
    [[nodiscard]] bool isBusy() const { return lane_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::GenerationsAnswer> answer);
    /// Never for questions that were cancelled.
    void failed(const QString& sentence);

  private:
    QueryPools pools_;
    QueryLane<GenerationsRequest, GenerationsAnswer> lane_;
};

} // namespace highwater::ui
