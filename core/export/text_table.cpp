#include "core/base/text.h"
#include "core/export/table_head.h"
#include "core/export/text_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

namespace highwater::exports {
namespace {

using analysis::Column;

class TextWriter : public TableWriter {
  public:
    TextWriter(TableHead head, TableRows rows, std::ostream& out) : head_(std::move(head)), rows_(rows), out_(out) {}

    void begin() override {}

    void write(const ExportedRow& row) override {
        const bool isLeaf = rows_ == TableRows::Leaves;
        auto line = isLeaf ? lineOfLeaf(row.path) : lineOfTree(row.path);
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            line.cells.push_back(cellText(head_.columns[i], row.values[i]));
        }
        isLeaf ? tree_.addAlone(std::move(line)) : tree_.add(std::move(line));
    }

    [[nodiscard]] bool wantsTotal() const override { return true; }

    void total(const std::vector<analysis::CellValue>& values) override {
        TextLine line{1, head_.keys.front(), false, "Total", {}};
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            auto text = cellText(head_.columns[i], values[i]);
            line.cells.push_back(text.empty() ? "-" : std::move(text));
        }
        tree_.addTotal(std::move(line));
    }

    void end(const HealthReport& health) override { // further remarks go to stderr
        out_ << fmt::format("{}, {} to {}{}{}\n\n", analysis::tableTitle(head_.table), boundText(head_.interval.start),
                            boundText(head_.interval.end), zoneText(), truncationNote(health));
        tree_.write(fmt::format("{}", fmt::join(head_.keyNames, " / ")), head_.columnNames, out_);
    }

  private:
    [[nodiscard]] std::string boundText(TraceTime time) const {
        return isOnClock(Column::BeginTime, time, head_.look) ? head_.look.clock->text(time)
                                                              : fmt::format("{:.9f} s", time.seconds());
    }

    /// The time zone of the header and all rows.
    [[nodiscard]] std::string zoneText() const {
        return head_.look.clock ? fmt::format(" ({})", head_.look.clock->zone()) : std::string();
    }

    /// For a trace whose file lacks its end, if that affects the interval: amounts after the end may be missing.
    [[nodiscard]] std::string truncationNote(const HealthReport& health) const {
        const auto* end = health.endZone();
        if (end == nullptr || end->start >= head_.interval.end) return {};
        // The trace ends a tick after its last event, which is not another time for a reader.
        constexpr std::int64_t kLongestTick = 1000;
        if (head_.interval.end.ns - end->start.ns <= kLongestTick) return ", where the file is cut off";
        return fmt::format(", complete only up to {} because the end of a file is missing", boundText(end->start));
    }

    TextLine lineOfTree(const std::vector<PathStep>& path) const {
        return {path.size(), path.back().column, false, printable(stepText(head_, path.back())), {}};
    }

    /// A leaf has no rows above it, so its line contains the whole path.
    TextLine lineOfLeaf(const std::vector<PathStep>& path) const {
        return {1, head_.keys.front(), false, printable(inOneLine(head_, path)), {}};
    }

    /// Shows only the file name of a source file; other formats include its folders.
    [[nodiscard]] std::string cellText(analysis::ValueColumn column, const analysis::CellValue& value) const {
        const auto text = readableText(column, value, head_.look);
        return printable(column == analysis::ValueColumn{Column::SourceLine} ? fileName(text) : text);
    }

    TableHead head_;
    TableRows rows_;
    std::ostream& out_;
    TextTree tree_;
};

} // namespace

std::unique_ptr<TableWriter> makeTextWriter(TableHead head, TableRows rows, std::ostream& out) {
    return std::make_unique<TextWriter>(std::move(head), rows, out);
}

} // namespace highwater::exports
