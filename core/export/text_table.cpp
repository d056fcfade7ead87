#include "core/base/text.h"
#include "core/export/table_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace highwater::exports {
namespace {

using analysis::Column;

/// Columns that a terminal needs for UTF-8 text, near enough: its code points.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string paddedRight(std::string text, std::size_t width) {
    const auto used = widthOf(text);
    return used < width ? text.append(width - used, ' ') : text;
}

std::string paddedLeft(const std::string& text, std::size_t width) {
    const auto used = widthOf(text);
    return used < width ? std::string(width - used, ' ') + text : text;
}

/// What is longer stands out by itself instead of moving all that lies to its right.
constexpr std::size_t kWidestAligned = 120;

/// The width of a column with this text in it, too.
std::size_t widened(std::size_t width, std::string_view text) {
    const auto used = widthOf(text);
    return used <= kWidestAligned ? std::max(width, used) : width;
}

/// A row that waits for the widths of all others.
struct Line {
    std::size_t level = 0; ///< 1 for the rows of the first key
    Column column = Column::Process;
    bool hasSiblings = false;
    std::string key;
    std::vector<std::string> cells;
};

/// Keys as a tree. A frame that is an only child stands below its caller without indentation; a fork is marked.
void indent(std::vector<Line>& lines) {
    constexpr std::string_view kFork = "|- ";
    std::vector<std::size_t> starts{0}; // by level: where the text of the current row begins
    std::vector<Column> columns{Column::Process};
    for (auto& line : lines) {
        const auto parent = line.level - 1;
        const bool isNewColumn = line.level > 1 && line.column != columns[parent];
        const auto fork = analysis::isStack(line.column) && line.hasSiblings ? kFork : std::string_view();
        const auto start = starts[parent] + (isNewColumn ? 2 : 0);
        starts.resize(line.level);
        columns.resize(line.level);
        starts.push_back(start + fork.size());
        columns.push_back(line.column);
        line.key = fmt::format("{}{}{}", std::string(start, ' '), fork, line.key);
    }
}

class TextWriter : public TableWriter {
  public:
    TextWriter(TableHead head, TableRows rows, std::ostream& out) : head_(std::move(head)), rows_(rows), out_(out) {}

    void begin() override {}

    void write(const ExportedRow& row) override {
        auto line = rows_ == TableRows::Leaves ? lineOfLeaf(row.path) : lineOfTree(row.path);
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            line.cells.push_back(cellText(head_.columns[i], row.values[i]));
        }
        lines_.push_back(std::move(line));
    }

    [[nodiscard]] bool wantsTotal() const override { return true; }

    void total(const std::vector<analysis::CellValue>& values) override {
        Line line{1, head_.keys.front(), false, "Total", {}};
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            auto text = cellText(head_.columns[i], values[i]);
            line.cells.push_back(text.empty() ? "-" : std::move(text));
        }
        total_ = std::move(line);
    }

    void end(const HealthReport& health) override { // the rest of it is told on stderr
        indent(lines_);
        if (total_) lines_.push_back(*std::move(total_)); // no sibling of the rows above

        const auto title = fmt::format("{}", fmt::join(head_.keyNames, " / "));
        measure(title);
        out_ << fmt::format("{}, {} to {}{}{}\n\n", analysis::tableTitle(head_.table), boundText(head_.interval.start),
                            boundText(head_.interval.end), zoneText(), whatWasRead(health));
        writeLine(title, head_.columnNames);
        for (const auto& line : lines_) {
            writeLine(line.key, line.cells);
        }
    }

  private:
    [[nodiscard]] std::string boundText(TraceTime time) const {
        return isOnClock(Column::BeginTime, time, head_.look) ? head_.look.clock->text(time)
                                                              : fmt::format("{:.9f} s", time.seconds());
    }

    /// Of the times of the head and of all rows.
    [[nodiscard]] std::string zoneText() const {
        return head_.look.clock ? fmt::format(" ({})", head_.look.clock->zone()) : std::string();
    }

    /// Of a trace whose file lacks its end, where that concerns the interval: amounts that begin there may be missing.
    [[nodiscard]] std::string whatWasRead(const HealthReport& health) const {
        const auto* end = health.endZone();
        if (end == nullptr || end->start >= head_.interval.end) return {};
        return fmt::format(", read in full up to {} only: a file lacks its end", boundText(end->start));
    }

    Line lineOfTree(const std::vector<PathStep>& path) {
        return {path.size(), path.back().column, isSibling(path.size()), printable(stepText(head_, path.back())), {}};
    }

    /// Nothing stands above it: it says all.
    Line lineOfLeaf(const std::vector<PathStep>& path) const {
        return {1, head_.keys.front(), false, printable(inOneLine(head_, path)), {}};
    }

    /// Whether the next row, of this level, has a row of the same parent before it; that one then has a sibling, too.
    bool isSibling(std::size_t level) {
        lastOfLevel_.resize(level + 1, kNone);
        const auto before = std::exchange(lastOfLevel_[level], lines_.size());
        if (before == kNone) return false;
        lines_[before].hasSiblings = true;
        return true;
    }

    /// For people: of a source file its name without the folders, which are in the other formats.
    [[nodiscard]] std::string cellText(analysis::ValueColumn column, const analysis::CellValue& value) const {
        const auto text = readableText(column, value, head_.look);
        return printable(column == analysis::ValueColumn{Column::SourceLine} ? fileName(text) : text);
    }

    void measure(std::string_view title) {
        keyWidth_ = widthOf(title);
        for (const auto& name : head_.columnNames) {
            widths_.push_back(widthOf(name));
        }
        for (const auto& line : lines_) {
            keyWidth_ = widened(keyWidth_, line.key);
            for (std::size_t i = 0; i < widths_.size(); ++i) {
                widths_[i] = widened(widths_[i], line.cells[i]);
            }
        }
    }

    void writeLine(const std::string& key, const std::vector<std::string>& values) {
        out_ << paddedRight(key, keyWidth_);
        for (std::size_t i = 0; i < values.size(); ++i) {
            out_ << "  " << paddedLeft(values[i], widths_[i]);
        }
        out_ << '\n';
    }

    static constexpr auto kNone = ~std::size_t{0};

    TableHead head_;
    TableRows rows_;
    std::ostream& out_;
    std::vector<Line> lines_;
    std::optional<Line> total_;
    std::vector<std::size_t> lastOfLevel_; ///< by level: the newest row of it below the current parent, or kNone
    std::size_t keyWidth_ = 0;
    std::vector<std::size_t> widths_;
};

} // namespace

std::unique_ptr<TableWriter> makeTextWriter(TableHead head, TableRows rows, std::ostream& out) {
    return std::make_unique<TextWriter>(std::move(head), rows, out);
}

} // namespace highwater::exports
