#include "ui/state/table/table_export.h"

#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/export/csv_formulas.h"
#include "core/files/output_file.h"
#include "ui/format/qt_text.h"

#include <QSaveFile>

#include <array>
#include <atomic>
#include <optional>
#include <ostream>
#include <streambuf>

namespace highwater::ui {

using analysis::GroupedTable;

namespace {

constexpr std::size_t kRowsPerProgress = 4096;

Error notWritten(const QString& file, const QString& why) {
    return {ErrorKind::Io, TableExporter::tr("%1 could not be written: %2").arg(file, why).toStdString()};
}

/// A device as a standard stream. Errors are reported when the file is committed.
class DeviceBuffer : public std::streambuf {
  public:
    explicit DeviceBuffer(QIODevice& device) : device_(device) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
    ~DeviceBuffer() override { flush(); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  protected:
    int_type overflow(int_type next) override {
        flush();
        if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
        return traits_type::not_eof(next);
    }
    int sync() override {
        flush();
        return 0;
    }

  private:
    void flush() {
        device_.write(pbase(), pptr() - pbase());
        setp(bytes_.data(), bytes_.data() + bytes_.size());
    }

    QIODevice& device_;
    std::array<char, 16384> bytes_{};
};

std::atomic<bool> areFormulasQuoted{true};

/// Output of a table: directly to the device or, for CSV, through a stream that quotes formulas.
class TableOutput {
  public:
    TableOutput(exports::TableFormat format, QIODevice& out) : buffer_(out), stream_(&buffer_) {
        if (format == exports::TableFormat::Csv && quotesFormulas()) quoting_.emplace(stream_);
    }
    [[nodiscard]] std::ostream& stream() { return quoting_ ? static_cast<std::ostream&>(*quoting_) : stream_; }

  private:
    DeviceBuffer buffer_;
    std::ostream stream_;
    std::optional<exports::FormulaQuotingStream> quoting_; ///< destroyed first
};

Error exportCancelled() { return {ErrorKind::Cancelled, "The export was cancelled."}; }

} // namespace

void quoteFormulas(bool quotes) { areFormulasQuoted = quotes; }

bool quotesFormulas() { return areFormulasQuoted; }

Result<std::size_t> writeShownRows(const ShownRows& shown, exports::TableFormat format, QIODevice& out,
                                   std::stop_token stop, const ExportProgress& progress) {
    TableOutput output(format, out);
    const auto writer =
        exports::makeTableWriter(format, exports::TableRows::Tree, shown.answer->query(), output.stream());
    writer->begin();
    std::vector<exports::PathStep> path;
    std::size_t written = 0;
    for (const auto& [row, level] : shown.rows) {
        if (stop.stop_requested()) return exportCancelled();
        path.resize(static_cast<std::size_t>(level));
        path.push_back({row->step.column, row->text.toStdString()});
        writer->write({path, row->values});
        if (++written % kRowsPerProgress == 0 && progress) progress(written);
    }
    const auto table = shown.answer->query().table;
    writer->end(shown.trace ? analysis::healthOf(*shown.trace, table) : HealthReport{});
    return written;
}

Result<std::size_t> writeLeaves(const TableRequest& request, exports::TableFormat format, QIODevice& out,
                                std::stop_token stop, const ExportProgress& progress) {
    const auto table = TRY(GroupedTable::compute(request.trace, request.labels, request.query, stop));
    TableOutput output(format, out);
    const auto writer = exports::makeTableWriter(format, exports::TableRows::Leaves, request.query, output.stream());
    const auto health = analysis::healthOf(*request.trace, request.query.table);
    return exports::writeLeaves(*table, health, *writer, stop, progress);
}

TableExporter::TableExporter(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

TableExporter::~TableExporter() {
    cancel();
    pool_.waitForDone();
}

void TableExporter::exportShown(ShownRows shown, exports::TableFormat format, const QString& file) {
    start(
        [shown = std::move(shown), format](QIODevice& out, std::stop_token stop, const ExportProgress& progress) {
            return writeShownRows(shown, format, out, std::move(stop), progress);
        },
        file);
}

void TableExporter::exportLeaves(TableRequest request, exports::TableFormat format, const QString& file) {
    start(
        [request = std::move(request), format](QIODevice& out, std::stop_token stop, const ExportProgress& progress) {
            return writeLeaves(request, format, out, std::move(stop), progress);
        },
        file);
}

void TableExporter::exportFormat(formats::TraceExport what, formats::TraceFormat format, const QString& file) {
    run(
        [what = std::move(what), format, file](std::stop_token stop, const ExportProgress& progress) {
            return formats::writeTraceFormat(format, what, toPath(file), stop, progress);
        },
        file);
}

void TableExporter::start(Write write, const QString& file) {
    run(
        [write = std::move(write), file](std::stop_token stop, const ExportProgress& progress) -> Result<std::size_t> {
            const auto place = TRY(OutputFile::placeFor(toPath(file)));
            QSaveFile out(toQString(utf8(place)));
            if (!out.open(QIODevice::WriteOnly)) return notWritten(file, out.errorString());
            auto written = write(out, std::move(stop), progress);
            if (written.hasValue() && !out.commit()) return notWritten(file, out.errorString());
            return written;
        },
        file);
}

void TableExporter::run(Work work, const QString& file) {
    if (busy_) return;
    busy_ = true;
    stop_ = std::stop_source();
    pool_.start([this, work = std::move(work), file, stop = stop_.get_token()] {
        const auto progress = [this](std::size_t rows) {
            QMetaObject::invokeMethod(
                this, [this, rows] { emit progressed(rows); }, Qt::QueuedConnection);
        };
        QMetaObject::invokeMethod(
            this, [this, file, result = withinMemory([&] { return work(stop, progress); })] { report(file, result); },
            Qt::QueuedConnection);
    });
}

void TableExporter::report(const QString& file, const Result<std::size_t>& result) {
    busy_ = false;
    if (result.hasValue()) return emit finished(file, result.value());
    if (result.error().kind == ErrorKind::Cancelled) return emit stopped();
    emit failed(toQString(result.error().message));
}

} // namespace highwater::ui

#include "moc_table_export.cpp"
