#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace highwater::cli {

/// A text stream filter for output that may go to a terminal: applies printable() to the text between line ends and
/// tabs. Writers may align columns with tabs, but no name can control the terminal, hide text or change its direction.
/// Buffered text is written at the next line end, with flush(), or on destruction. One thread.
class PrintableStream : private std::streambuf, public std::ostream {
  public:
    explicit PrintableStream(std::ostream& to) : std::ostream(static_cast<std::streambuf*>(this)), to_(to) {}
    ~PrintableStream() override { (void)pass(held_.size()); }
    PrintableStream(const PrintableStream&) = delete;
    PrintableStream& operator=(const PrintableStream&) = delete;

  private:
    using int_type = std::streambuf::int_type; // ambiguous in the base classes
    using traits_type = std::streambuf::traits_type;

    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;
    /// Writes the first bytes of the buffer.
    bool pass(std::size_t bytes);

    std::ostream& to_;
    std::string held_;
};

} // namespace highwater::cli
