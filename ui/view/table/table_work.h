#pragma once

#include "ui/state/query_runner.h"
#include "ui/state/table/table_export.h"
#include "ui/view/table/table_actions.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace highwater::ui {

class GroupedTableModel;
class GroupedTableView;
class MessageStrip;
class QueryPlanner;

/// Work on a table that may take long: opening very many rows, and exports. Says in a strip above the table what is
/// done and how to stop it, and asks there before more rows open than anyone reads. GUI thread only.
class TableWork : public QObject {
    Q_OBJECT
  public:
    /// More rows than this are opened only when the reader agrees; more than kMaxRows are not opened.
    static constexpr std::size_t kRowsToAskFor = 10'000;
    static constexpr std::size_t kMaxRows = 1'000'000;

    /// All of them must outlive it.
    TableWork(QueryRunner& runner, QueryPlanner& planner, GroupedTableModel& model, GroupedTableView& view,
              MessageStrip& strip, QObject* parent = nullptr);

    /// Opens everything below a row, or asks.
    void expand(const ExpandRequest& expansion);
    /// Asks for a file, in a dialog that does not hold up the window.
    void chooseFile(exports::TableRows rows, exports::TableFormat format);
    /// Leaves with stacks are written once the names of functions that are coming are there, or the reader has had
    /// enough of waiting.
    void exportTo(const QString& file, exports::TableRows rows, exports::TableFormat format);
    /// The same for other tools; what has frames waits for names as leaves do.
    void chooseFormatFile(formats::TraceFormat format);
    void exportFormat(const QString& file, formats::TraceFormat format);
    /// The row below which everything is being opened, if any; the same row by its new path.
    [[nodiscard]] std::vector<analysis::KeyPath> expansionPaths() const;
    /// What was said of another trace is not said of this one; an export that runs goes on.
    void forgetTrace();
    void renameExpansion(const std::vector<analysis::KeyPath>& paths);
    /// Stops what is being counted, opened or written.
    void cancel();

  signals:
    /// What is to be written has frames.
    void namesWanted();

  private:
    /// What is written once names are there.
    struct WaitingExport {
        QString file;
        exports::TableFormat format = exports::TableFormat::Csv; ///< of leaves
        std::optional<formats::TraceFormat> other{};             ///< for other tools, in their place
    };

    void connectAnswers();
    void connectExports();
    void open(std::size_t limit);
    void ask(const OpenRequest& request, std::size_t rows);
    void say(const QString& sentence, const QString& link = {}, std::function<void()> onLink = {});
    void finish();
    void askForFile(const QString& title, const QString& kind, const QString& suffix,
                    std::function<void(const QString& file)> write);
    /// Nothing else is being written; else that is said.
    bool canExport();
    void exportWithNames(WaitingExport wanted, bool hasNames);
    [[nodiscard]] bool haveLeavesNames() const;
    [[nodiscard]] formats::TraceExport whatIsShown() const;
    void writeWaiting();

    QueryRunner& runner_;
    QueryPlanner& planner_;
    GroupedTableModel& model_;
    GroupedTableView& view_;
    MessageStrip& strip_;
    TableExporter exporter_;
    QString note_;                           ///< on what is being exported
    std::optional<WaitingExport> waiting_;   ///< for names
    QTimer patience_;                        ///< says what is done when it takes longer than a moment
    std::optional<ExpandRequest> expansion_; ///< being counted or opened
    analysis::KeyPath expansionPath_;        ///< of its node, for the case that the answer is replaced meanwhile
    std::size_t limit_ = 0;
};

} // namespace highwater::ui
