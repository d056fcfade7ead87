#include "core/export/csv_formulas.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace highwater::exports {
namespace {

/// Separator of cells, and units that may follow a number.
constexpr char kCellSeparator = ';';

constexpr std::array<std::string_view, 9> kUnits{" B", " KB", " MB", " GB", " TB", " PB", " EB", " s", " %"};

std::string_view afterDigits(std::string_view text) {
    const auto* end = std::ranges::find_if_not(text, isDigit);
    return text.substr(static_cast<std::size_t>(end - text.begin()));
}

/// "-5", "+1.25", "-1e+20", "-5 MB".
bool isNumber(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || !isDigit(text.front())) return false;
    text = afterDigits(text);
    if (text.starts_with('.')) text = afterDigits(text.substr(1));
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
        if (text.empty() || !isDigit(text.front())) return false;
        text = afterDigits(text);
    }
    return text.empty() || std::ranges::find(kUnits, text) != kUnits.end();
}

/// Leading blanks do not prevent a formula. Full-width signs mean the same to some localized spreadsheets.
bool isFormulaCell(std::string_view cell) {
    constexpr std::array<std::string_view, 8> kSigns{"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    const auto text = trimmed(cell);
    const auto isBegun = [text](std::string_view sign) { return text.starts_with(sign); };
    return std::ranges::any_of(kSigns, isBegun) && !isNumber(text);
}

/// The text with a ' before each formula.
std::string quotedCells(std::string_view text) {
    std::string quoted;
    for (;;) {
        const auto cell = text.substr(0, text.find(kCellSeparator));
        if (isFormulaCell(cell)) quoted += '\'';
        quoted += cell;
        if (cell.size() == text.size()) return quoted;
        quoted += kCellSeparator;
        text.remove_prefix(cell.size() + 1);
    }
}

} // namespace

bool isFormula(std::string_view text) { return quotedCells(text) != text; }

void FormulaQuotingStream::passField() {
    const bool isQuoted = field_.starts_with('"');
    if (isQuoted) to_ << '"';
    to_ << quotedCells(std::string_view(field_).substr(isQuoted ? 1 : 0));
    field_.clear();
}

std::streamsize FormulaQuotingStream::xsputn(const char* text, std::streamsize count) {
    for (const char c : std::string_view(text, static_cast<std::size_t>(count))) {
        if (c == '"') isInQuotes_ = !isInQuotes_; // also at both quotes of an escaped quote
        if (isInQuotes_ || (c != ',' && c != '\n')) {
            field_ += c;
            continue;
        }
        passField();
        to_ << c;
    }
    return to_ ? count : 0;
}

FormulaQuotingStream::int_type FormulaQuotingStream::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const auto one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

} // namespace highwater::exports
