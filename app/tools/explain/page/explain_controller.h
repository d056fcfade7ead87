#pragma once

#include "core/analysis/leaks/leak_suspects.h"
#include "core/export/explain/explain_commands.h"
#include "core/pipeline/trace_loader.h"
#include "ui/state/finders/finder_of.h"
#include "ui/state/trace_on_screen.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>
#include <stop_token>

class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

class ExplanationPage;
class DefinitionFiles;
class SymbolSession;

/// The input of a page; owned by the worker.
struct ExplainRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    pipeline::TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
    analysis::LeakQuery query;
    exports::CommandWords words;
};

/// Returns the output of `highwater-cli explain`. Any thread. Error: Cancelled.
[[nodiscard]] Result<QString> explanationText(const ExplainRequest& request, const std::stop_token& stop);

/// Help > Explain Memory Growth: a page that explains the visible interval of the current graph, with the data recorded
/// at the time of the request. Computed on a worker, and again when function names arrive. GUI thread only.
class ExplainController : public QObject {
    Q_OBJECT
  public:
    /// The loader of the trace on screen, or null.
    using FindLoader = std::function<const pipeline::TraceLoader*()>;
    /// Returns the stack tag and suppression files in use, for the commands on the page.
    struct Definitions {
        const DefinitionFiles& stackTags;
        const DefinitionFiles& suppressions;
    };
    /// All must outlive this object.
    ExplainController(ui::AnalysisTabs& tabs, const SymbolSession& symbols, Definitions definitions, FindLoader loader,
                      QMainWindow& window);

    [[nodiscard]] QAction* action() const { return action_; }
    /// Explains again if the page is open.
    void refresh() { ask(ui::Urgency::WhenIdle); }

  signals:
    void messageWanted(const highwater::ui::Message& message);
    /// Emitted when stacks are shown, so that function names are loaded.
    void namesWanted();

  private:
    void show();
    void ask(ui::Urgency urgency);
    void followTrace(ui::TraceOnScreen::Changes changes);
    void answer(const ExplainRequest& request, const Result<QString>& text);
    [[nodiscard]] exports::CommandWords words() const;
    /// The queries of the graph's filter, which commands support, unlike row filters.
    void takeFilter(ExplainRequest& request) const;

    ui::AnalysisTabs& tabs_;
    const SymbolSession& symbols_;
    Definitions definitions_;
    FindLoader loader_;
    QMainWindow& window_;
    QAction* action_;
    QPointer<ExplanationPage> page_;
    QTimer names_; ///< names arrive in large batches
    ui::FinderOf<ExplainRequest, QString> finder_;
};

} // namespace highwater::app
