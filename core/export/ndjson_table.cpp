#include "core/export/json_text.h"
#include "core/export/table_head.h"

#include <optional>

namespace highwater::exports {
namespace {

/// Every line can be parsed separately, by tools that do not support trees. For a tree the last row is held back,
/// because only the next row shows whether it has rows below it.
class NdjsonWriter : public TableWriter {
  public:
    NdjsonWriter(TableHead head, TableRows rows, std::ostream& out) : head_(std::move(head)), rows_(rows), out_(out) {}

    void begin() override {
        out_ << dumped({{"schema_version", kSchemaVersion},
                        {"table", analysis::tableWord(head_.table)},
                        {"interval", intervalJson(head_.interval)},
                        {"keys", head_.keyNames},
                        {"columns", head_.columnNames}})
             << '\n';
    }

    void write(const ExportedRow& row) override {
        writeHeld(row.path.size());
        auto path = Json::array();
        for (const auto& step : row.path)
            path.push_back(step.text);
        held_ = Held{row.path.size(), Json{{"path", std::move(path)},
                                           {"column", analysis::columnName(head_.table, row.path.back().column)},
                                           {"level", row.path.size()},
                                           {"leaf", rows_ == TableRows::Leaves},
                                           {"values", valuesJson(head_, row.values)}}};
    }

    void end(const HealthReport& health) override {
        writeHeld(0);
        out_ << dumped({{"health", healthJson(health)}}) << '\n';
    }

  private:
    struct Held {
        std::size_t level = 0;
        Json row;
    };

    void writeHeld(std::size_t nextLevel) {
        if (!held_) return;
        if (nextLevel <= held_->level) held_->row["leaf"] = true;
        out_ << dumped(held_->row) << '\n';
        held_.reset();
    }

    TableHead head_;
    TableRows rows_; ///< leaves never have rows below them
    std::ostream& out_;
    std::optional<Held> held_;
};

} // namespace

std::unique_ptr<TableWriter> makeNdjsonWriter(TableHead head, TableRows rows, std::ostream& out) {
    return std::make_unique<NdjsonWriter>(std::move(head), rows, out);
}

} // namespace highwater::exports
