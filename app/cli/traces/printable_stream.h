#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace highwater::cli {

/// Text on its way to a stream, which may be a terminal: printable() of each part between line ends and tabs. Whoever
/// writes there makes columns and fields of names as they want; what a terminal obeys, hides or turns round comes from
/// nobody. What is held back arrives with the next line end, with flush(), or when the stream goes. One thread.
class PrintableStream : private std::streambuf, public std::ostream {
  public:
    explicit PrintableStream(std::ostream& to) : std::ostream(static_cast<std::streambuf*>(this)), to_(to) {}
    ~PrintableStream() override { (void)pass(held_.size()); }
    PrintableStream(const PrintableStream&) = delete;
    PrintableStream& operator=(const PrintableStream&) = delete;

  private:
    using int_type = std::streambuf::int_type; // both bases have them
    using traits_type = std::streambuf::traits_type;

    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;
    /// The first bytes of what is held back go on.
    bool pass(std::size_t bytes);

    std::ostream& to_;
    std::string held_;
};

} // namespace highwater::cli
