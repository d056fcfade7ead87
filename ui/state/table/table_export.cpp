#include "ui/state/table/table_export.h"

#include "core/analysis/columns/cell_text.h"
#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/files/output_file.h"
#include "ui/format/qt_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStringList>

#include <algorithm>

namespace highwater::ui {

using analysis::Column;
using analysis::GroupedTable;

namespace {

constexpr std::size_t kRowsPerProgress = 4096;

Error notWritten(const QString& file, const QString& why) {
    return {ErrorKind::Io, TableExporter::tr("%1 could not be written: %2").arg(file, why).toStdString()};
}

QByteArray csvField(const QString& text) {
    auto field = text.toUtf8();
    const auto needsQuotes = [](char c) { return c == ',' || c == '"' || c == '\n' || c == '\r'; };
    if (std::none_of(field.begin(), field.end(), needsQuotes)) return field;
    return '"' + field.replace('"', "\"\"") + '"';
}

QByteArray dumped(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); }

QByteArray dumped(const QString& text) {
    const auto list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

QJsonValue jsonOf(analysis::ValueColumn column, const analysis::CellValue& value) {
    const auto kind = analysis::valueKind(column);
    if (const auto* text = std::get_if<std::string>(&value)) return toQString(*text);
    const auto plain = analysis::plainText(column, value);
    if (plain.empty()) return QJsonValue::Null;
    if (const auto* number = std::get_if<std::int64_t>(&value);
        number && kind != analysis::ValueKind::Hex && kind != analysis::ValueKind::Duration) {
        return QJsonValue(static_cast<qint64>(*number));
    }
    if (kind == analysis::ValueKind::Hex) return toQString(plain);
    return toQString(plain).toDouble();
}

/// One row and where it stands.
struct Line {
    const std::vector<analysis::KeyStep>& steps;
    const QStringList& texts; ///< one per step
    const std::vector<analysis::CellValue>& values;
};

/// Writes the lines of one table. Errors of the device show when the file is committed.
class LineWriter {
  public:
    LineWriter(const analysis::Query& query, QIODevice& out) : query_(query), out_(out) {}
    virtual ~LineWriter() = default;
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    virtual void begin() = 0;
    virtual void write(const Line& line) = 0;
    virtual void end() = 0;

  protected:
    [[nodiscard]] QString keyName(Column column) const { return toQString(analysis::columnName(query_.table, column)); }
    [[nodiscard]] QString valueName(analysis::ValueColumn column) const {
        return QString::fromStdString(analysis::valueColumnName(query_.table, column));
    }
    /// The texts of the path in one key column: several of a stack.
    [[nodiscard]] static QStringList textsOf(const Line& line, Column key) {
        QStringList texts;
        for (std::size_t i = 0; i < line.steps.size(); ++i) {
            if (line.steps[i].column == key) texts << line.texts[static_cast<qsizetype>(i)];
        }
        return texts;
    }
    [[nodiscard]] QJsonObject valuesOf(const Line& line) const {
        QJsonObject values;
        for (std::size_t i = 0; i < query_.columns.size(); ++i) {
            values.insert(valueName(query_.columns[i]), jsonOf(query_.columns[i], line.values[i]));
        }
        return values;
    }
    void writeJsonHead() {
        QJsonArray columns;
        for (const auto column : query_.columns) {
            columns.append(valueName(column));
        }
        const QJsonObject interval{{"start", query_.interval.start.seconds()}, {"end", query_.interval.end.seconds()}};
        out_.write("{\"table\":" + dumped(toQString(analysis::tableWord(query_.table))) +
                   ",\"interval\":" + dumped(interval) +
                   ",\"columns\":" + QJsonDocument(columns).toJson(QJsonDocument::Compact) + ",\"rows\":[");
    }

    const analysis::Query& query_;
    QIODevice& out_;
};

class CsvWriter : public LineWriter {
  public:
    using LineWriter::LineWriter;

    void begin() override {
        QByteArrayList fields;
        for (const auto key : query_.keys) {
            fields << csvField(keyName(key));
        }
        for (const auto column : query_.columns) {
            fields << csvField(valueName(column));
        }
        out_.write(fields.join(',') + '\n');
    }
    void write(const Line& line) override {
        QByteArrayList fields;
        for (const auto key : query_.keys) {
            fields << csvField(textsOf(line, key).join(QStringLiteral(" > ")));
        }
        for (std::size_t i = 0; i < query_.columns.size(); ++i) {
            fields << csvField(QString::fromStdString(analysis::plainText(query_.columns[i], line.values[i])));
        }
        out_.write(fields.join(',') + '\n');
    }
    void end() override {}
};

class JsonTreeWriter : public LineWriter {
  public:
    JsonTreeWriter(const analysis::Query& query, QIODevice& out, QByteArray health)
        : LineWriter(query, out), health_(std::move(health)) {}

    void begin() override { writeJsonHead(); }
    void write(const Line& line) override {
        const auto level = line.steps.size();
        const bool isSibling = level <= level_;
        close(level);
        const auto step = line.steps.back();
        out_.write((isSibling ? ",\n{\"column\":" : "\n{\"column\":") + dumped(keyName(step.column)) +
                   ",\"key\":" + dumped(line.texts.back()) + ",\"values\":" + dumped(valuesOf(line)) + ",\"rows\":[");
        level_ = level;
    }
    void end() override {
        close(1);
        out_.write("],\"health\":" + health_ + "}\n");
    }

  private:
    void close(std::size_t downTo) {
        for (; level_ >= downTo; --level_) {
            out_.write("]}");
        }
    }
    QByteArray health_;
    std::size_t level_ = 0;
};

class JsonLeafWriter : public LineWriter {
  public:
    using LineWriter::LineWriter;

    void begin() override { writeJsonHead(); }
    void write(const Line& line) override {
        QJsonObject keys;
        for (const auto key : query_.keys) {
            const auto texts = textsOf(line, key);
            if (analysis::isStack(key))
                keys.insert(keyName(key), QJsonArray::fromStringList(texts));
            else
                keys.insert(keyName(key), texts.isEmpty() ? QJsonValue() : QJsonValue(texts.first()));
        }
        out_.write((first_ ? "\n" : ",\n") + dumped(QJsonObject{{"keys", keys}, {"values", valuesOf(line)}}));
        first_ = false;
    }
    void end() override { out_.write("]}\n"); }

  private:
    bool first_ = true;
};

QByteArray healthJson(const store::PublishedTrace* trace) {
    QJsonArray health;
    const auto add = [&](std::string_view what, std::uint64_t count) {
        if (count > 0) health.append(QJsonObject{{"what", toQString(what)}, {"count", static_cast<qint64>(count)}});
    };
    for (std::size_t i = 0; trace && i < kLossCount; ++i) {
        add(describe(static_cast<Loss>(i)).name, trace->health.counts[i]);
    }
    if (trace) {
        for (const auto& sentence : trace->health.sentences()) {
            add(sentence, 1);
        }
    }
    return QJsonDocument(health).toJson(QJsonDocument::Compact);
}

Error exportCancelled() { return {ErrorKind::Cancelled, "The export was cancelled."}; }

/// Walks a table down to its leaves.
class LeafWalk {
  public:
    LeafWalk(GroupedTable& table, LineWriter& writer, std::stop_token stop, const ExportProgress& progress)
        : table_(table), writer_(writer), stop_(std::move(stop)), progress_(progress) {}

    void visit(GroupedTable::NodeId node) {
        if (stop_.stop_requested()) return;
        const auto children = table_.children(node, stop_);
        if (!table_.computeValues(children, stop_).hasValue()) return;
        for (const auto child : children) {
            steps_.push_back({table_.column(child), table_.key(child)});
            texts_.push_back(QString::fromStdString(table_.keyText(child)));
            if (table_.hasChildren(child))
                visit(child);
            else
                write(child);
            steps_.pop_back();
            texts_.pop_back();
        }
    }
    [[nodiscard]] std::size_t written() const { return written_; }

  private:
    void write(GroupedTable::NodeId node) {
        values_.clear();
        for (const auto column : table_.query().columns) {
            values_.push_back(table_.value(node, column));
        }
        writer_.write({steps_, texts_, values_});
        if (++written_ % kRowsPerProgress == 0 && progress_) progress_(written_);
    }

    GroupedTable& table_;
    LineWriter& writer_;
    std::stop_token stop_;
    const ExportProgress& progress_;
    std::vector<analysis::KeyStep> steps_;
    QStringList texts_;
    std::vector<analysis::CellValue> values_;
    std::size_t written_ = 0;
};

} // namespace

Result<std::size_t> writeShownRows(const ShownRows& shown, ExportFormat format, QIODevice& out, std::stop_token stop,
                                   const ExportProgress& progress) {
    const auto& query = shown.answer->query();
    std::unique_ptr<LineWriter> writer;
    if (format == ExportFormat::Csv)
        writer = std::make_unique<CsvWriter>(query, out);
    else
        writer = std::make_unique<JsonTreeWriter>(query, out, healthJson(shown.trace.get()));
    writer->begin();
    std::vector<analysis::KeyStep> steps;
    QStringList texts;
    std::size_t written = 0;
    for (const auto& [row, level] : shown.rows) {
        if (stop.stop_requested()) return exportCancelled();
        steps.resize(static_cast<std::size_t>(level));
        texts.resize(level);
        steps.push_back(row->step);
        texts.push_back(row->text);
        writer->write({steps, texts, row->values});
        if (++written % kRowsPerProgress == 0 && progress) progress(written);
    }
    writer->end();
    return written;
}

Result<std::size_t> writeLeaves(const TableRequest& request, ExportFormat format, QIODevice& out, std::stop_token stop,
                                const ExportProgress& progress) {
    auto table = GroupedTable::compute(request.trace, request.labels, request.query, stop);
    if (!table.hasValue()) return table.error();
    std::unique_ptr<LineWriter> writer;
    if (format == ExportFormat::Csv)
        writer = std::make_unique<CsvWriter>(request.query, out);
    else
        writer = std::make_unique<JsonLeafWriter>(request.query, out);
    writer->begin();
    LeafWalk walk(*table.value(), *writer, stop, progress);
    walk.visit(GroupedTable::kRoot);
    if (stop.stop_requested()) return exportCancelled();
    writer->end();
    return walk.written();
}

TableExporter::TableExporter(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

TableExporter::~TableExporter() {
    cancel();
    pool_.waitForDone();
}

void TableExporter::exportShown(ShownRows shown, ExportFormat format, const QString& file) {
    start(
        [shown = std::move(shown), format](QIODevice& out, std::stop_token stop, const ExportProgress& progress) {
            return writeShownRows(shown, format, out, std::move(stop), progress);
        },
        file);
}

void TableExporter::exportLeaves(TableRequest request, ExportFormat format, const QString& file) {
    start(
        [request = std::move(request), format](QIODevice& out, std::stop_token stop, const ExportProgress& progress) {
            return writeLeaves(request, format, out, std::move(stop), progress);
        },
        file);
}

void TableExporter::start(Write write, const QString& file) {
    if (busy_) return;
    busy_ = true;
    stop_ = std::stop_source();
    pool_.start([this, write = std::move(write), file, stop = stop_.get_token()] {
        const auto run = [&]() -> Result<std::size_t> {
            const auto place = OutputFile::placeFor(toPath(file));
            if (!place.hasValue()) return place.error();
            QSaveFile out(toQString(utf8(place.value())));
            if (!out.open(QIODevice::WriteOnly)) return notWritten(file, out.errorString());
            auto written = write(out, stop, [this](std::size_t rows) {
                QMetaObject::invokeMethod(
                    this, [this, rows] { emit progressed(rows); }, Qt::QueuedConnection);
            });
            if (written.hasValue() && !out.commit()) return notWritten(file, out.errorString());
            return written;
        };
        QMetaObject::invokeMethod(
            this, [this, file, result = withinMemory(run)] { report(file, result); }, Qt::QueuedConnection);
    });
}

void TableExporter::report(const QString& file, const Result<std::size_t>& result) {
    busy_ = false;
    if (result.hasValue()) return emit finished(file, result.value());
    if (result.error().kind == ErrorKind::Cancelled) return emit stopped();
    emit failed(toQString(result.error().message));
}

} // namespace highwater::ui
