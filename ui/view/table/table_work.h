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

/// Long operations on a table: opening very many rows, and exports. A strip above the table shows the operation with a
/// link to cancel it, and asks before a very large number of rows is opened. GUI thread only.
class TableWork : public QObject {
    Q_OBJECT
  public:
    /// Asks before opening more rows than this; never opens more than kMaxRows.
    static constexpr std::size_t kRowsToAskFor = 10'000;
    static constexpr std::size_t kMaxRows = 1'000'000;

    /// All arguments must outlive it.
    TableWork(QueryRunner& runner, QueryPlanner& planner, GroupedTableModel& model, GroupedTableView& view,
              MessageStrip& strip, QObject* parent = nullptr);

    /// Opens everything below a row, or asks first.
    void expand(const ExpandRequest& expansion);
    /// Asks for a file in a non-modal dialog.
    void chooseFile(exports::TableRows rows, exports::TableFormat format);
    /// Leaves with stacks are written after pending function names have been loaded, or when the user decides not to
    /// wait.
    void exportTo(const QString& file, exports::TableRows rows, exports::TableFormat format);
    /// The same for other tools; formats with frames wait for names as leaves do.
    void chooseFormatFile(formats::TraceFormat format);
    void exportFormat(const QString& file, formats::TraceFormat format);
    /// Path of the row whose descendants are being opened, if any; and the new path of that row.
    [[nodiscard]] std::vector<analysis::KeyPath> expansionPaths() const;
    /// Discards messages about another trace; a running export continues.
    void forgetTrace();
    void renameExpansion(const std::vector<analysis::KeyPath>& paths);
    /// Stops counting, opening or writing.
    void cancel();

  signals:
    /// The export contains frames.
    void namesWanted();

  private:
    /// An export that waits for names.
    struct WaitingExport {
        QString file;
        exports::TableFormat format = exports::TableFormat::Csv; ///< for leaves
        std::optional<formats::TraceFormat> other{};             ///< the format for other tools, used instead if set
    };

    void connectAnswers();
    void connectExports();
    void open(std::size_t limit);
    void ask(const OpenRequest& request, std::size_t rows);
    void say(const QString& sentence, const QString& link = {}, std::function<void()> onLink = {});
    void finish();
    void askForFile(const QString& title, const QString& kind, const QString& suffix,
                    std::function<void(const QString& file)> write);
    /// Whether no other export is running; shows a message otherwise.
    bool canExport();
    void exportWithNames(WaitingExport wanted, bool hasNames);
    [[nodiscard]] bool haveLeavesNames() const;
    [[nodiscard]] formats::TraceExport shownExport() const;
    void writeWaiting();

    QueryRunner& runner_;
    QueryPlanner& planner_;
    GroupedTableModel& model_;
    GroupedTableView& view_;
    MessageStrip& strip_;
    TableExporter exporter_;
    QString note_;                           ///< about the current export
    std::optional<WaitingExport> waiting_;   ///< waits for names
    QTimer patience_;                        ///< shows the operation if it takes longer than a moment
    std::optional<ExpandRequest> expansion_; ///< being counted or opened
    analysis::KeyPath expansionPath_;        ///< path of its node, in case the answer is replaced meanwhile
    std::size_t limit_ = 0;
};

} // namespace highwater::ui
