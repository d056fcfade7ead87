#include "app/cli/table_output.h"

#include "app/cli/csv_text.h"
#include "app/cli/json_text.h"
#include "core/analysis/columns/cell_text.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace highwater::cli {
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

/// Keys as a tree. A frame that is an only child stands below its caller without indentation; a fork is marked.
std::vector<std::string> treeTexts(const std::vector<TreeRow>& rows) {
    constexpr std::string_view kFork = "|- ";
    std::vector<std::string> texts;
    std::vector<std::size_t> starts{0}; // by level: where the text of the current row begins
    std::vector<Column> columns{Column::Process};
    for (const auto& row : rows) {
        const auto parent = row.level - 1;
        const bool isNewColumn = row.level > 1 && row.column != columns[parent];
        const auto fork = analysis::isStack(row.column) && row.hasSiblings ? kFork : std::string_view();
        const auto start = starts[parent] + (isNewColumn ? 2 : 0);
        starts.resize(row.level);
        columns.resize(row.level);
        starts.push_back(start + fork.size());
        columns.push_back(row.column);
        texts.push_back(fmt::format("{}{}{}", std::string(start, ' '), fork, printable(row.key)));
    }
    return texts;
}

std::vector<std::string> valueTexts(const TableAnswer& answer, const TreeRow& row) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < answer.columns.size(); ++i) {
        texts.push_back(analysis::plainText(answer.columns[i], row.values[i]));
    }
    return texts;
}

/// For people: of a source file its name without the folders, which are in the other formats.
std::vector<std::string> readableTexts(const TableAnswer& answer, const TreeRow& row) {
    auto texts = valueTexts(answer, row);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (answer.columns[i] == analysis::ValueColumn{Column::SourceLine}) texts[i] = std::string(fileName(texts[i]));
        texts[i] = printable(texts[i]);
    }
    return texts;
}

std::string keysTitle(const TableAnswer& answer) {
    std::string title;
    for (const auto key : answer.keys) {
        if (!title.empty()) title += " / ";
        title += analysis::columnName(answer.table, key);
    }
    return title;
}

/// The keys of the path to the current row, one text per key column.
class PathTexts {
  public:
    explicit PathTexts(const std::vector<Column>& keys) : keys_(keys) {}

    const std::vector<std::string>& enter(const TreeRow& row) {
        path_.resize(row.level - 1);
        path_.push_back({row.column, row.key});
        texts_.assign(keys_.size(), {});
        std::size_t key = 0;
        for (const auto& step : path_) {
            while (key + 1 < keys_.size() && keys_[key] != step.column) {
                ++key;
            }
            if (!texts_[key].empty()) texts_[key] += ';';
            texts_[key] += step.text;
        }
        return texts_;
    }

  private:
    struct Step {
        Column column;
        std::string text;
    };
    const std::vector<Column>& keys_;
    std::vector<Step> path_;
    std::vector<std::string> texts_;
};

void writeCsvLine(std::ostream& out, const std::vector<std::string>& first, const std::vector<std::string>& second) {
    bool isFirst = true;
    for (const auto* fields : {&first, &second}) {
        for (const auto& field : *fields) {
            if (!isFirst) out << ',';
            isFirst = false;
            out << csvField(field);
        }
    }
    out << '\n';
}

template <typename AnyColumn>
std::vector<std::string> names(analysis::Table table, const std::vector<AnyColumn>& columns) {
    std::vector<std::string> names;
    for (const auto column : columns) {
        names.push_back(analysis::valueColumnName(table, column));
    }
    return names;
}

} // namespace

void printTableText(const TableAnswer& answer, std::ostream& out) {
    const auto keys = treeTexts(answer.rows);
    auto keyWidth = widthOf(keysTitle(answer));
    for (const auto& key : keys) {
        keyWidth = std::max(keyWidth, widthOf(key));
    }
    const auto titles = names(answer.table, answer.columns);
    std::vector<std::size_t> widths;
    std::transform(titles.begin(), titles.end(), std::back_inserter(widths), [](const auto& t) { return widthOf(t); });
    std::vector<std::vector<std::string>> cells;
    for (const auto& row : answer.rows) {
        cells.push_back(readableTexts(answer, row));
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], widthOf(cells.back()[i]));
        }
    }
    const auto writeLine = [&](const std::string& key, const std::vector<std::string>& values) {
        out << paddedRight(key, keyWidth);
        for (std::size_t i = 0; i < values.size(); ++i) {
            out << "  " << paddedLeft(values[i], widths[i]);
        }
        out << '\n';
    };
    out << fmt::format("{}, {:.9f} s to {:.9f} s\n\n", analysis::tableTitle(answer.table),
                       answer.interval.start.seconds(), answer.interval.end.seconds());
    writeLine(keysTitle(answer), titles);
    for (std::size_t i = 0; i < answer.rows.size(); ++i) {
        writeLine(keys[i], cells[i]);
    }
}

void printTableCsv(const TableAnswer& answer, std::ostream& out) {
    writeCsvLine(out, names(answer.table, answer.keys), names(answer.table, answer.columns));
    PathTexts path(answer.keys);
    for (const auto& row : answer.rows) {
        writeCsvLine(out, path.enter(row), valueTexts(answer, row));
    }
}

void printTableJson(const TableAnswer& answer, std::ostream& out) {
    // Written row by row: the tree may be deep and large, and its rows are already in the order of the text.
    out << "{\"table\":" << dumped(analysis::tableWord(answer.table))
        << ",\"interval\":" << dumped(intervalJson(answer.interval))
        << ",\"columns\":" << dumped(names(answer.table, answer.columns)) << ",\"rows\":[";
    std::uint32_t level = 0;
    for (const auto& row : answer.rows) {
        const bool isSibling = row.level <= level;
        for (; level >= row.level; --level) {
            out << "]}";
        }
        out << (isSibling ? ",\n" : "\n");
        auto values = Json::object();
        for (std::size_t i = 0; i < answer.columns.size(); ++i) {
            values[analysis::valueColumnName(answer.table, answer.columns[i])] =
                cellJson(answer.columns[i], row.values[i]);
        }
        out << "{\"column\":" << dumped(analysis::columnName(answer.table, row.column))
            << ",\"key\":" << dumped(row.key) << ",\"values\":" << dumped(values) << ",\"rows\":[";
        level = row.level;
    }
    for (; level > 0; --level) {
        out << "]}";
    }
    out << "],\"health\":" << dumped(healthJson(answer.health)) << "}\n";
}

} // namespace highwater::cli
