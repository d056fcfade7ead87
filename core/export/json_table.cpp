#include "core/export/json_text.h"
#include "core/export/table_head.h"

namespace highwater::exports {
namespace {

void writeHead(const TableHead& head, std::ostream& out) {
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(analysis::tableWord(head.table))
        << ",\"interval\":" << dumped(intervalJson(head.interval)) << ",\"columns\":" << dumped(head.columnNames)
        << ",\"rows\":[";
}

/// Writes row by row, because the tree may be deep and large, and rows already arrive in text order.
class JsonTreeWriter : public TableWriter {
  public:
    JsonTreeWriter(TableHead head, std::ostream& out) : head_(std::move(head)), out_(out) {}

    void begin() override { writeHead(head_, out_); }

    void write(const ExportedRow& row) override {
        const auto level = row.path.size();
        const bool isSibling = level <= level_;
        closeDownTo(level);
        const auto& step = row.path.back();
        out_ << (isSibling ? ",\n" : "\n") << "{\"column\":" << dumped(analysis::columnName(head_.table, step.column))
             << ",\"key\":" << dumped(step.text) << ",\"values\":" << dumped(valuesJson(head_, row.values))
             << ",\"rows\":[";
        level_ = level;
    }

    void end(const HealthReport& health) override {
        closeDownTo(1);
        out_ << "],\"health\":" << dumped(healthJson(health)) << "}\n";
    }

  private:
    void closeDownTo(std::size_t level) {
        for (; level_ >= level; --level_) {
            out_ << "]}";
        }
    }

    TableHead head_;
    std::ostream& out_;
    std::size_t level_ = 0;
};

class JsonLeafWriter : public TableWriter {
  public:
    JsonLeafWriter(TableHead head, std::ostream& out) : head_(std::move(head)), out_(out) {}

    void begin() override { writeHead(head_, out_); }

    void write(const ExportedRow& row) override {
        const auto texts = textsByKey(head_, row.path);
        auto keys = Json::object();
        for (std::size_t i = 0; i < head_.keys.size(); ++i) {
            if (analysis::isStack(head_.keys[i]))
                keys[head_.keyNames[i]] = texts[i];
            else
                keys[head_.keyNames[i]] = texts[i].empty() ? Json() : Json(texts[i].front());
        }
        out_ << (isFirst_ ? "\n" : ",\n") << "{\"keys\":" << dumped(keys)
             << ",\"values\":" << dumped(valuesJson(head_, row.values)) << '}';
        isFirst_ = false;
    }

    void end(const HealthReport& health) override { out_ << "],\"health\":" << dumped(healthJson(health)) << "}\n"; }

  private:
    TableHead head_;
    std::ostream& out_;
    bool isFirst_ = true;
};

} // namespace

std::unique_ptr<TableWriter> makeJsonWriter(TableHead head, TableRows rows, std::ostream& out) {
    if (rows == TableRows::Tree) return std::make_unique<JsonTreeWriter>(std::move(head), out);
    return std::make_unique<JsonLeafWriter>(std::move(head), out);
}

} // namespace highwater::exports
