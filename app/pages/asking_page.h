#pragma once

#include "app/pages/graph_page.h"
#include "app/pages/page_filter.h"
#include "ui/state/analysis_state.h"
#include "ui/state/finders/finder_of.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"

#include <memory>
#include <utility>

namespace highwater::app {

/// A page whose view shows the answer to one question of core/analysis. The view provides setAnswer, clear, setBusy and
/// emptyText, and setFiltered if the page filters graphs.
template <typename Query, typename Found, typename View>
class AskingPage : public GraphPage {
  public:
    using Asked = ui::Asked<Query>;
    using Finder = ui::FinderOf<Asked, Found>;

    [[nodiscard]] bool isUpToDate() const override { return isSettled(finder_.isBusy()); }

  protected:
    AskingPage(ui::AnalysisTabs& tabs, QMainWindow& window, View* view, const QString& title, const PageDock& how,
               typename Finder::Find find)
        : GraphPage(tabs, window, view, title, how),
          view_(view),
          finder_(*this, std::move(find), [this](const Asked& asked, Result<Found> found) {
              if (found.hasValue())
                  showAnswer(asked, std::move(found).value());
              else
                  view_->clear(reasonOf(found.error()));
              emit upToDate();
          }) {
        finder_.onBusyChange([this] { view_->setBusy(finder_.isBusy()); });
    }

    /// Fills in the question about the trace on screen. Returns false if there is nothing to ask.
    virtual bool fill(Query& query) = 0;
    virtual void showAnswer(const Asked& asked, Found found) {
        using Answer = ui::Answered<Query, Found>;
        if constexpr (requires(std::shared_ptr<const Answer> answer) { view_->setAnswer(answer); })
            view_->setAnswer(std::make_shared<const Answer>(Answer{asked.query, std::move(found)}));
    }

    void ask(ui::Urgency urgency) override {
        const auto& shown = tabs().shown();
        if (!shown.trace()) return;
        Asked asked{shown.trace(), shown.labels(), {}};
        if (fill(asked.query)) finder_.ask(std::move(asked), urgency);
    }
    void cancel() override { finder_.cancel(); }
    void forgetTrace(bool isGone) override {
        finder_.cancel();
        filter_.forget();
        if constexpr (requires { view_->setFiltered({}); }) view_->setFiltered({});
        view_->clear(isGone ? View::emptyText() : QString());
    }

    [[nodiscard]] View& view() const { return *view_; }
    [[nodiscard]] PageFilter& filter() { return filter_; }

    /// Fills in the members common to all questions about the interval.
    void fillCommon(Query& query, const ui::AnalysisState& state) const {
        query.allocatorFrames = state.options().allocatorFrames;
        if constexpr (requires { query.processExitFreesHeap; })
            query.processExitFreesHeap = state.options().processExitFreesHeap;
        if constexpr (requires { query.marks; }) query.marks = state.marks();
    }
    /// The graph's filter without the page's own step; otherwise the page would show only the row that it filters to.
    /// Null: no filter.
    void fillFilter(Query& query, const ui::GraphState* graph) const {
        if (graph != nullptr) {
            if (auto filter = filter_.filterWithout(*graph); filter.hasValue())
                query.filter = std::move(filter).value();
        }
        view_->setFiltered(filter_.pathIn(graph));
    }

  private:
    View* view_;
    Finder finder_;
    PageFilter filter_;
};

} // namespace highwater::app
