#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// A cell of an answer that is a list: as people read it, and as programs do.
struct AnswerCell {
    std::string text;
    std::string plain;
    bool isNumber = false;
};
[[nodiscard]] AnswerCell textCell(std::string text);
[[nodiscard]] AnswerCell numberCell(std::int64_t number);
[[nodiscard]] AnswerCell numberCell(std::uint64_t number);
/// Bytes with their unit.
[[nodiscard]] AnswerCell bytesCell(std::int64_t bytes);
/// In ns since 1970, UTC.
[[nodiscard]] AnswerCell timeCell(std::int64_t unixNanos);

/// Titles for people, and for programs.
struct AnswerTitle {
    std::string text;
    std::string plain;
};
struct AnswerLines {
    std::vector<AnswerTitle> titles;
    std::vector<std::vector<AnswerCell>> rows; ///< as many cells as titles
};

/// Columns that line up, numbers to the right; nothing but the titles where there are no rows.
void writeText(const AnswerLines& lines, std::ostream& out);
void writeCsv(const AnswerLines& lines, std::ostream& out);

} // namespace highwater::cli
