#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace highwater::exports {

/// Whether a spreadsheet would compute a text, or a part of it: one that begins with = + - or @ and is no number.
/// Parts are those between semicolons, which separate cells in some countries.
[[nodiscard]] bool isFormula(std::string_view text);

/// CSV (RFC 4180) on its way to a file that somebody may open as a spreadsheet: formulas get a ' before them, by which
/// spreadsheets take them for text; numbers stay numbers. Names in traces are whatever somebody called a program. What
/// is held back arrives when the stream goes. One thread.
class FormulaQuotingStream : private std::streambuf, public std::ostream {
  public:
    explicit FormulaQuotingStream(std::ostream& to) : std::ostream(static_cast<std::streambuf*>(this)), to_(to) {}
    ~FormulaQuotingStream() override { passField(); }
    FormulaQuotingStream(const FormulaQuotingStream&) = delete;
    FormulaQuotingStream& operator=(const FormulaQuotingStream&) = delete;

  private:
    using int_type = std::streambuf::int_type; // both bases have them
    using traits_type = std::streambuf::traits_type;

    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    void passField();

    std::ostream& to_;
    std::string field_; ///< as it is written, with its quotes
    bool isInQuotes_ = false;
};

} // namespace highwater::exports
