#pragma once

#include "core/export/table_format.h"
#include "core/export/table_walk.h"
#include "core/formats/trace_format.h"
#include "ui/state/table/table_answer.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

class QIODevice;

namespace highwater::ui {

/// The rows that are on screen, open ones with their rows, top to bottom, as a worker can read them.
struct ShownRows {
    struct Row {
        const TableRow* row = nullptr;
        int level = 0; ///< 0: the top
    };
    std::shared_ptr<const store::PublishedTrace> trace; ///< for its health; may be null
    std::shared_ptr<const TableAnswer> answer;
    std::vector<Row> rows;
    std::vector<std::shared_ptr<const void>> kept; ///< what owns the rows
};

/// How far a writer has got; counts rows. Called on the thread that writes.
using exports::ExportProgress;

/// Whether what a spreadsheet would compute is written into CSV so that it does not (core/export/csv_formulas.h): yes,
/// until somebody says otherwise. Any thread.
void quoteFormulas(bool quotes);
[[nodiscard]] bool quotesFormulas();

/// Writes rows as they are shown, in the forms of core/export: those of `highwater-cli table`, in CSV as
/// quotesFormulas() has it. Returns how many rows were written. Error: Cancelled. Those of the device show when the
/// file is committed. Any thread.
Result<std::size_t> writeShownRows(const ShownRows& shown, exports::TableFormat format, QIODevice& out,
                                   std::stop_token stop, const ExportProgress& progress = {});
/// Answers the request anew and writes every row that has none below it (exports::TableRows::Leaves). Workers only.
Result<std::size_t> writeLeaves(const TableRequest& request, exports::TableFormat format, QIODevice& out,
                                std::stop_token stop, const ExportProgress& progress = {});

/// Writes tables into files on a worker, one at a time. A file appears when it is complete, never half. GUI thread
/// only.
class TableExporter : public QObject {
    Q_OBJECT
  public:
    explicit TableExporter(QObject* parent = nullptr);
    ~TableExporter() override;

    void exportShown(ShownRows shown, exports::TableFormat format, const QString& file);
    void exportLeaves(TableRequest request, exports::TableFormat format, const QString& file);
    /// For other tools: a table with its trace.
    void exportFormat(formats::TraceExport what, formats::TraceFormat format, const QString& file);
    void cancel() { stop_.request_stop(); }
    [[nodiscard]] bool isBusy() const { return busy_; }

  signals:
    void progressed(std::size_t rows);
    void finished(const QString& file, std::size_t rows);
    /// Not for what was cancelled: then only stopped().
    void failed(const QString& sentence);
    void stopped();

  private:
    using Write = std::function<Result<std::size_t>(QIODevice&, std::stop_token, const ExportProgress&)>;
    using Work = std::function<Result<std::size_t>(std::stop_token, const ExportProgress&)>;
    void start(Write write, const QString& file);
    void run(Work work, const QString& file);
    void report(const QString& file, const Result<std::size_t>& result);

    QThreadPool pool_;
    std::stop_source stop_;
    bool busy_ = false;
};

} // namespace highwater::ui
