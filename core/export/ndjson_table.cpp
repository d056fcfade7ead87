#include "core/export/json_text.h"
#include "core/export/table_head.h"

#include <optional>

namespace highwater::exports {
namespace {

/// Every line can be read alone, by tools that do not look into trees. Of a tree it holds one row back: whether it has
/// rows below it shows with the next one.
class NdjsonWriter : public TableWriter {
  public:
    NdjsonWriter(TableHead head, std::ostream& out, bool areLeaves)
        : head_(std::move(head)), out_(out), areLeaves_(areLeaves) {}

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
        held_ = Held{row.path.size(),
                     Json{{"path", std::move(path)},
                          {"column", analysis::columnName(head_.table, row.path.back().column)},
                          {"level", row.path.size()}},
                     valuesJson(head_, row.values)};
    }

    void end(const HealthReport& health) override {
        writeHeld(0);
        out_ << dumped({{"health", healthJson(health)}}) << '\n';
    }

  private:
    struct Held {
        std::size_t level = 0;
        Json row;
        Json values;
    };

    void writeHeld(std::size_t nextLevel) {
        if (!held_) return;
        held_->row["leaf"] = areLeaves_ || nextLevel <= held_->level;
        held_->row["values"] = std::move(held_->values);
        out_ << dumped(held_->row) << '\n';
        held_.reset();
    }

    TableHead head_;
    std::ostream& out_;
    bool areLeaves_; ///< then the next row says nothing about this one
    std::optional<Held> held_;
};

} // namespace

std::unique_ptr<TableWriter> makeNdjsonTreeWriter(TableHead head, std::ostream& out) {
    return std::make_unique<NdjsonWriter>(std::move(head), out, false);
}

std::unique_ptr<TableWriter> makeNdjsonLeafWriter(TableHead head, std::ostream& out) {
    return std::make_unique<NdjsonWriter>(std::move(head), out, true);
}

} // namespace highwater::exports
