#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace highwater::exports {

/// Whether a spreadsheet would evaluate the text or a part of it: one that starts with = + - or @ and is not a number.
/// Parts are separated by semicolons, which separate cells in some countries.
[[nodiscard]] bool isFormula(std::string_view text);

/// Filters CSV (RFC 4180) for files that may be opened in a spreadsheet: formulas get a leading ', which makes
/// spreadsheets treat them as text. Numbers stay numbers. Names in traces are untrusted, because any program chooses
/// its own. Buffered data is written when the stream is destroyed. One thread.
class FormulaQuotingStream : private std::streambuf, public std::ostream {
  public:
    explicit FormulaQuotingStream(std::ostream& to) : std::ostream(static_cast<std::streambuf*>(this)), to_(to) {}
    ~FormulaQuotingStream() override { passField(); }
    FormulaQuotingStream(const FormulaQuotingStream&) = delete;
    FormulaQuotingStream& operator=(const FormulaQuotingStream&) = delete;

  private:
    using int_type = std::streambuf::int_type; // both base classes have them
    using traits_type = std::streambuf::traits_type;

    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    void passField();

    std::ostream& to_;
    std::string field_; ///< as written, including quotes
    bool isInQuotes_ = false;
};

} // namespace highwater::exports
