#include "app/cli/traces/printable_stream.h"

#include "core/base/text.h"

#include <algorithm>

namespace highwater::cli {
namespace {

/// Fast path for plain characters.
bool isPlainAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7F'; });
}

} // namespace

bool PrintableStream::pass(std::size_t bytes) {
    constexpr std::string_view kKept = "\n\t";
    auto rest = std::string_view(held_).substr(0, bytes);
    while (!rest.empty()) {
        const auto part = rest.substr(0, rest.find_first_of(kKept));
        const auto stop = rest.substr(part.size(), 1);
        if (isPlainAscii(part))
            to_ << part << stop;
        else
            to_ << printable(part) << stop;
        rest.remove_prefix(part.size() + stop.size());
    }
    held_.erase(0, bytes);
    return static_cast<bool>(to_);
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize count) {
    held_.append(text, static_cast<std::size_t>(count));
    const auto lineEnd = held_.rfind('\n');
    return lineEnd == std::string::npos || pass(lineEnd + 1) ? count : 0;
}

PrintableStream::int_type PrintableStream::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const auto one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

int PrintableStream::sync() { return pass(held_.size()) && to_.flush() ? 0 : -1; }

} // namespace highwater::cli
