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

/// The rows on screen from top to bottom, including opened ones, in a form that a worker can read.
struct ShownRows {
    struct Row {
        const TableRow* row = nullptr;
        int level = 0; ///< 0: the top level
    };
    std::shared_ptr<const store::PublishedTrace> trace; ///< for its health; may be null
    std::shared_ptr<const TableAnswer> answer;
    std::vector<Row> rows;
    std::vector<std::shared_ptr<const void>> kept; ///< owners of the rows
};

/// Progress of a writer in rows. Called on the writing thread.
using exports::ExportProgress;

/// Whether CSV output escapes text that spreadsheets would evaluate (core/export/csv_formulas.h). On by default. Any
/// thread.
void quoteFormulas(bool quotes);
[[nodiscard]] bool quotesFormulas();

/// Writes the displayed rows with core/export, like `highwater-cli table`; CSV follows quotesFormulas().
/// Returns the number of rows written. Error: Cancelled. Device errors are reported when the file is committed. Any
/// thread.
Result<std::size_t> writeShownRows(const ShownRows& shown, exports::TableFormat format, QIODevice& out,
                                   std::stop_token stop, const ExportProgress& progress = {});
/// Runs the query again and writes every row without children (exports::TableRows::Leaves). Workers only.
Result<std::size_t> writeLeaves(const TableRequest& request, exports::TableFormat format, QIODevice& out,
                                std::stop_token stop, const ExportProgress& progress = {});

/// Writes tables to files on a worker, one at a time. A file appears only when it is complete. GUI thread only.
class TableExporter : public QObject {
    Q_OBJECT
  public:
    explicit TableExporter(QObject* parent = nullptr);
    ~TableExporter() override;

    void exportShown(ShownRows shown, exports::TableFormat format, const QString& file);
    void exportLeaves(TableRequest request, exports::TableFormat format, const QString& file);
    /// For other tools: a table together with its trace.
    void exportFormat(formats::TraceExport what, formats::TraceFormat format, const QString& file);
    void cancel() { stop_.request_stop(); }
    [[nodiscard]] bool isBusy() const { return busy_; }

  signals:
    void progressed(std::size_t rows);
    void finished(const QString& file, std::size_t rows);
    /// Not emitted after a cancellation, which emits only stopped().
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
