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

/// What a page is made of: all of it is the worker's own.
struct ExplainRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    pipeline::TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
    analysis::LeakQuery query;
    exports::CommandWords words;
};

/// What `highwater-cli explain` prints. Any thread. Error: Cancelled.
[[nodiscard]] Result<QString> explanationText(const ExplainRequest& request, const std::stop_token& stop);

/// Help > What Is Wrong Here: the page that explains the visible interval of the current graph, of all that has been
/// recorded when it is asked for. It is made on a worker, and again when functions get names. GUI thread only.
class ExplainController : public QObject {
    Q_OBJECT
  public:
    /// The loader of what is shown; null: there is none.
    using FindLoader = std::function<const pipeline::TraceLoader*()>;
    /// Which files of stack tags and suppressions are in use: what commands say of them.
    struct Definitions {
        const DefinitionFiles& stackTags;
        const DefinitionFiles& suppressions;
    };
    /// All must outlive it.
    ExplainController(ui::AnalysisTabs& tabs, const SymbolSession& symbols, Definitions definitions, FindLoader loader,
                      QMainWindow& window);

    [[nodiscard]] QAction* action() const { return action_; }

  signals:
    void messageWanted(const highwater::ui::Message& message);
    /// Stacks are shown: functions are to get names.
    void namesWanted();

  private:
    void show();
    void ask(ui::Urgency urgency);
    void followTrace(ui::TraceOnScreen::Changes changes);
    void answer(const ExplainRequest& request, const Result<QString>& text);
    [[nodiscard]] exports::CommandWords words() const;
    /// The queries of the graph's filter, which commands understand; the rows of others they cannot name.
    void takeFilter(ExplainRequest& request) const;

    ui::AnalysisTabs& tabs_;
    const SymbolSession& symbols_;
    Definitions definitions_;
    FindLoader loader_;
    QMainWindow& window_;
    QAction* action_;
    QPointer<ExplanationPage> page_;
    QTimer names_; ///< names come by the thousand
    ui::FinderOf<ExplainRequest, QString> finder_;
};

} // namespace highwater::app
