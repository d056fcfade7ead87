#include "app/tools/fleet/command/answer_lines.h"

#include "core/base/text.h"
#include "core/export/csv_text.h"
#include "core/export/wall_clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::cli {
namespace {

std::uint64_t magnitudeOf(std::int64_t number) {
    return number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

/// The width in terminal columns: counts characters, not bytes.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Newlines in labels are preserved in quotes.
std::string fieldWithLines(std::string_view text) {
    if (text.find('\n') == std::string_view::npos) return exports::csvField(text);
    std::string quoted = "\"";
    while (true) {
        const auto end = std::min(text.find('\n'), text.size());
        for (const char c : printable(text.substr(0, end))) {
            if (c == '"') quoted += '"';
            quoted += c;
        }
        if (end == text.size()) return quoted + '"';
        quoted += '\n';
        text.remove_prefix(end + 1);
    }
}

} // namespace

AnswerCell textCell(std::string text) {
    AnswerCell cell{text, std::move(text)};
    return cell;
}

AnswerCell numberCell(std::int64_t number) {
    return {(number < 0 ? "-" : "") + thousands(magnitudeOf(number)), fmt::format("{}", number), true};
}

AnswerCell numberCell(std::uint64_t number) { return {thousands(number), fmt::format("{}", number), true}; }

AnswerCell bytesCell(std::int64_t bytes) {
    return {(bytes < 0 ? "-" : "") + bytesText(magnitudeOf(bytes)), fmt::format("{}", bytes), true};
}

AnswerCell timeCell(std::int64_t unixNanos) {
    constexpr std::int64_t kUnixEpoch = 116'444'736'000'000'000; // in 100 ns since 1601
    const auto text = exports::calendarText(kUnixEpoch + unixNanos / 100, ' ', 1).substr(0, 19);
    return textCell(text);
}

void writeText(const AnswerLines& lines, std::ostream& out) {
    std::vector<std::size_t> widths;
    for (const auto& title : lines.titles)
        widths.push_back(widthOf(title.text));
    for (const auto& row : lines.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(printable(row[i].text)));
    const auto writeLine = [&](const auto& textAt, const auto& isNumberAt) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string text = textAt(i);
            const std::string blanks(widths[i] - widthOf(text), ' ');
            line += (i == 0 ? "" : "  ") + (isNumberAt(i) ? blanks + text : text + blanks);
        }
        line.resize(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    };
    const auto isNumber = [&](std::size_t i) { return !lines.rows.empty() && lines.rows.front()[i].isNumber; };
    writeLine([&](std::size_t i) { return lines.titles[i].text; }, isNumber);
    for (const auto& row : lines.rows)
        writeLine([&](std::size_t i) { return printable(row[i].text); }, isNumber);
}

void writeCsv(const AnswerLines& lines, std::ostream& out) {
    const auto writeLine = [&](std::size_t count, const auto& textAt) {
        for (std::size_t i = 0; i < count; ++i)
            out << (i == 0 ? "" : ",") << fieldWithLines(textAt(i));
        out << '\n';
    };
    writeLine(lines.titles.size(), [&](std::size_t i) { return lines.titles[i].plain; });
    for (const auto& row : lines.rows)
        writeLine(row.size(), [&](std::size_t i) { return row[i].plain; });
}

} // namespace highwater::cli
