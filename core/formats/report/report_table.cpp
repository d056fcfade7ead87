#include "core/formats/report/report_table.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/table_look.h"
#include "core/formats/report/report_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::formats {

using analysis::Column;

void ReportTable::write(const exports::ExportedRow& row) {
    if (++seen_ > kMostRows) return;
    const auto& step = row.path.back();
    lines_.push_back({row.path.size(), analysis::isStack(step.column), step.text, cellsOf(row.values)});
}

void ReportTable::total(const std::vector<analysis::CellValue>& values) { total_ = cellsOf(values); }

std::vector<std::string> ReportTable::cellsOf(const std::vector<analysis::CellValue>& values) const {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < query_.columns.size(); ++i) {
        auto text = exports::readableText(query_.columns[i], values[i], {exports::Units::Thousands, std::nullopt});
        if (query_.columns[i] == analysis::ValueColumn{Column::SourceLine}) text = std::string(fileName(text));
        cells.push_back(std::move(text));
    }
    return cells;
}

void ReportTable::countChildren() {
    std::vector<std::size_t> open; // the lines that can contain the next one
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        while (!open.empty() && lines_[open.back()].level >= lines_[i].level)
            open.pop_back();
        if (!open.empty()) ++lines_[open.back()].children;
        open.push_back(i);
    }
}

std::size_t ReportTable::endOfCalls(std::size_t line) const {
    auto next = line + 1;
    while (next < lines_.size() && lines_[next - 1].children == 1 && lines_[next - 1].isFrame && lines_[next].isFrame &&
           lines_[next].cells == lines_[line].cells)
        ++next;
    return next;
}

void ReportTable::writeRow(const char* element, const char* style, const std::string& key,
                           const std::vector<std::string>& cells) {
    out_ << '<' << element << " class=\"row" << style << "\"><span>" << htmlText(key) << "</span>";
    for (const auto& cell : cells)
        out_ << "<span>" << htmlText(cell) << "</span>";
    out_ << "</" << element << ">";
}

void ReportTable::writeHead() {
    std::vector<std::string> keys, columns;
    for (const auto key : query_.keys)
        keys.emplace_back(analysis::columnName(query_.table, key));
    for (const auto& column : query_.columns)
        columns.push_back(analysis::valueColumnName(query_.table, column));
    writeRow("div", " head", fmt::format("{}", fmt::join(keys, " / ")), columns);
    out_ << '\n';
}

void ReportTable::end(const HealthReport& /*health*/) {
    countChildren();
    writeHead();
    std::vector<std::size_t> open; // levels of open parts
    for (std::size_t i = 0; i < lines_.size();) {
        const auto& line = lines_[i];
        for (; !open.empty() && open.back() >= line.level; open.pop_back())
            out_ << "</div></details>\n";
        const auto next = endOfCalls(i);
        const bool hasMore = lines_[next - 1].children > 0 || next > i + 1;
        if (!hasMore) {
            writeRow("div", " leaf", line.key, line.cells);
            out_ << '\n';
            i = next;
            continue;
        }
        out_ << (line.isFrame ? "<details>" : "<details open=\"open\">");
        writeRow("summary", "", line.key, line.cells);
        if (next > i + 1) {
            out_ << "<div class=\"calls\">";
            for (auto call = i + 1; call < next; ++call)
                out_ << (call == i + 1 ? "" : "<br/>") << htmlText(lines_[call].key);
            out_ << "</div>";
        }
        out_ << "<div class=\"below\">\n";
        // Rows below the last call are below the whole part, regardless of its number of calls.
        open.push_back(line.level);
        i = next;
    }
    for (; !open.empty(); open.pop_back())
        out_ << "</div></details>\n";
    if (!total_.empty()) writeRow("div", " leaf total", "Total", total_);
    if (seen_ > kMostRows)
        out_ << fmt::format("\n<p class=\"quiet\">{} {} not shown. Limit the rows with --top and --depth.</p>",
                            counted(seen_ - kMostRows, "more row"), byNumber(seen_ - kMostRows, "is", "are"));
    out_ << '\n';
}

} // namespace highwater::formats
