#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// A cell of a list, formatted for people and for programs.
struct AnswerCell {
    std::string text;
    std::string plain;
    bool isNumber = false;
};
[[nodiscard]] AnswerCell textCell(std::string text);
[[nodiscard]] AnswerCell numberCell(std::int64_t number);
[[nodiscard]] AnswerCell numberCell(std::uint64_t number);
/// Bytes with a unit.
[[nodiscard]] AnswerCell bytesCell(std::int64_t bytes);
/// In ns since 1970, UTC.
[[nodiscard]] AnswerCell timeCell(std::int64_t unixNanos);

/// Titles for people and for programs.
struct AnswerTitle {
    std::string text;
    std::string plain;
};
struct AnswerLines {
    std::vector<AnswerTitle> titles;
    std::vector<std::vector<AnswerCell>> rows; ///< one cell per title
};

/// Prints aligned columns, numbers right-aligned; only titles if there are no rows.
void writeText(const AnswerLines& lines, std::ostream& out);
void writeCsv(const AnswerLines& lines, std::ostream& out);

} // namespace highwater::cli
