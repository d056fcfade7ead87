#include "core/analysis/columns/cell_text.h"
#include "core/export/csv_text.h"
#include "core/export/table_head.h"

namespace highwater::exports {
namespace {

class CsvWriter : public TableWriter {
  public:
    CsvWriter(TableHead head, std::ostream& out) : head_(std::move(head)), out_(out) {
        if (head_.look.clock) head_.look.clock = head_.look.clock->withZone(); // there is no header that could show it
    }

    void begin() override {
        for (const auto& name : head_.keyNames)
            add(name);
        for (const auto& name : head_.columnNames)
            add(name);
        add("Level");
        endLine();
    }

    void write(const ExportedRow& row) override {
        for (const auto& texts : textsByKey(head_, row.path)) {
            std::string field;
            for (const auto& text : texts) {
                if (!field.empty()) field += kFrameSeparator;
                field += text;
            }
            add(field);
        }
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            add(cellText(head_.columns[i], row.values[i]));
        }
        add(std::to_string(row.path.size()));
        endLine();
    }

    void end(const HealthReport& /*health*/) override {} // only the table

  private:
    [[nodiscard]] std::string cellText(analysis::ValueColumn column, const analysis::CellValue& value) const {
        const auto* time = std::get_if<TraceTime>(&value);
        return time != nullptr && isOnClock(column, *time, head_.look) ? head_.look.clock->text(*time)
                                                                       : analysis::plainText(column, value);
    }
    void add(std::string_view text) {
        if (!isFirst_) out_ << ',';
        isFirst_ = false;
        out_ << csvField(text);
    }
    void endLine() {
        out_ << '\n';
        isFirst_ = true;
    }

    TableHead head_;
    std::ostream& out_;
    bool isFirst_ = true;
};

} // namespace

std::unique_ptr<TableWriter> makeCsvWriter(TableHead head, TableRows /*rows*/, std::ostream& out) {
    return std::make_unique<CsvWriter>(std::move(head), out);
}

} // namespace highwater::exports
