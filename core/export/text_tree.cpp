#include "core/export/text_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace highwater::exports {
namespace {

using analysis::Column;

constexpr auto kNone = ~std::size_t{0};

/// Approximate width of UTF-8 text in a terminal: its number of code points.
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

/// Longer texts are not aligned, so that they do not move everything to their right.
constexpr std::size_t kWidestAligned = 120;

/// The column width extended for this text.
std::size_t widened(std::size_t width, std::string_view text) {
    const auto used = widthOf(text);
    return used <= kWidestAligned ? std::max(width, used) : width;
}

void writeLine(const TextLine& line, std::size_t keyWidth, const std::vector<std::size_t>& widths, std::ostream& out) {
    out << paddedRight(line.key, keyWidth);
    for (std::size_t i = 0; i < line.cells.size(); ++i)
        out << "  " << paddedLeft(line.cells[i], widths[i]);
    out << '\n';
}

} // namespace

void TextTree::add(TextLine line) {
    lastOfLevel_.resize(line.level + 1, kNone);
    const auto before = std::exchange(lastOfLevel_[line.level], lines_.size());
    line.hasSiblings = before != kNone;
    if (before != kNone) lines_[before].hasSiblings = true;
    lines_.push_back(std::move(line));
}

void TextTree::indent() {
    constexpr std::string_view kFork = "|- ";
    std::vector<std::size_t> starts{0}; // by level: where the text of the current row starts
    std::vector<Column> columns{Column::Process};
    for (auto& line : lines_) {
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

void TextTree::write(const std::string& keyTitle, const std::vector<std::string>& titles, std::ostream& out) {
    indent();
    std::move(total_.begin(), total_.end(), std::back_inserter(lines_));
    const TextLine head{1, Column::Process, false, keyTitle, titles};
    auto keyWidth = widthOf(keyTitle);
    std::vector<std::size_t> widths;
    for (const auto& title : titles)
        widths.push_back(widthOf(title));
    for (const auto& line : lines_) {
        keyWidth = widened(keyWidth, line.key);
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = widened(widths[i], line.cells[i]);
    }
    writeLine(head, keyWidth, widths, out);
    for (const auto& line : lines_)
        writeLine(line, keyWidth, widths, out);
}

} // namespace highwater::exports
