#include "core/symbols/demangling/rust_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace highwater::symbols {
namespace {

constexpr int kDeepestRustText = 64; ///< nested parts that are examined

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isPartOfRustName(char c) {
    return isDecimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '}';
}

bool isRustHash(std::string_view part) {
    return part.size() == 17 && part.starts_with('h') &&
           part.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

void appendUtf8(std::string& out, std::uint32_t c) {
    const auto byte = [&](std::uint32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
    const auto rest = [&](int shift) { byte(0x80U | ((c >> shift) & 0x3FU)); };
    if (c < 0x80) return byte(c);
    if (c < 0x800) {
        byte(0xC0U | (c >> 6));
        return rest(0);
    }
    if (c < 0x10000) {
        byte(0xE0U | (c >> 12));
        rest(6);
        return rest(0);
    }
    byte(0xF0U | (c >> 18));
    rest(12);
    rest(6);
    rest(0);
}

/// "u7b": a character by its number. Invalid numbers and control characters are not escapes.
bool appendNumbered(std::string& out, std::string_view code) {
    if (code.size() < 2 || code.size() > 7 || code.front() != 'u') return false;
    std::uint32_t c = 0;
    for (const char digit : code.substr(1)) {
        const bool isLetter = digit >= 'a' && digit <= 'f';
        if (!isDecimal(digit) && !isLetter) return false;
        c = c * 16 + static_cast<std::uint32_t>(isLetter ? digit - 'a' + 10 : digit - '0');
    }
    const bool isCharacter = c >= 0x20 && !(c >= 0x7F && c < 0xA0) && !(c >= 0xD800 && c < 0xE000) && c <= 0x10FFFF;
    if (isCharacter) appendUtf8(out, c);
    return isCharacter;
}

bool appendEscaped(std::string& out, std::string_view code) {
    constexpr std::array<std::pair<std::string_view, char>, 8> kSigns{
        {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}}};
    for (const auto& [word, sign] : kSigns) {
        if (code != word) continue;
        out += sign;
        return true;
    }
    return appendNumbered(out, code);
}

/// Leaves an unknown escape and everything after it unchanged.
void appendPart(std::string& out, std::string_view part) {
    if (part.starts_with("_$")) part.remove_prefix(1); // names must not start with a sign
    while (!part.empty()) {
        if (part.starts_with("..")) {
            out += "::";
            part.remove_prefix(2);
        } else if (part.front() == '$') {
            const auto end = part.find('$', 1);
            if (end == std::string_view::npos || !appendEscaped(out, part.substr(1, end - 1))) break;
            part.remove_prefix(end + 1);
        } else {
            const auto end = std::max<std::size_t>(std::min(part.find_first_of("$.", 1), part.size()), 1);
            out += part.substr(0, end);
            part.remove_prefix(end);
        }
    }
    out += part;
}

struct OlderRustParts {
    std::vector<std::string_view> parts; ///< the last one is the hash
    std::string_view suffix;             ///< ".llvm.123", which LLVM appends to names of copies
};

/// "_ZN3foo3bar17h0123456789abcdefE"
std::optional<OlderRustParts> mangledParts(std::string_view name) {
    const auto start = name.find("ZN");
    if (start > 2 || name.substr(0, start).find_first_not_of('_') != std::string_view::npos) return std::nullopt;
    name.remove_prefix(start + 2);
    OlderRustParts found;
    while (!name.empty() && isDecimal(name.front())) {
        std::size_t bytes = 0;
        while (!name.empty() && isDecimal(name.front()) && bytes <= name.size()) {
            bytes = bytes * 10 + static_cast<std::size_t>(name.front() - '0');
            name.remove_prefix(1);
        }
        if (bytes == 0 || bytes > name.size()) return std::nullopt;
        found.parts.push_back(name.substr(0, bytes));
        name.remove_prefix(bytes);
    }
    if (!name.starts_with('E')) return std::nullopt;
    found.suffix = name.substr(1);
    if (!found.suffix.empty() && found.suffix.front() != '.') return std::nullopt;
    return found;
}

/// "foo::bar::h0123456789abcdef"
OlderRustParts readableParts(std::string_view name) {
    OlderRustParts found;
    for (auto end = name.find("::"); end != std::string_view::npos; end = name.find("::")) {
        found.parts.push_back(name.substr(0, end));
        name.remove_prefix(end + 2);
    }
    found.parts.push_back(name);
    return found;
}

/// Shortens a readable name. Each part in brackets is shortened as a name of its own.
class RustShortener {
  public:
    explicit RustShortener(std::string_view text, int depth) : text_(text), depth_(depth) {}

    std::string run() {
        if (depth_ > kDeepestRustText) return std::string(text_);
        while (at_ < text_.size()) {
            if (text_[at_] == '<')
                brackets();
            else
                out_ += text_[at_++];
        }
        return std::move(out_);
    }

  private:
    void brackets() {
        const auto length = closing();
        const auto inside = text_.substr(at_ + 1, length - std::min<std::size_t>(length, 2));
        at_ += length;
        if (!out_.empty() && isPartOfRustName(out_.back())) {
            out_ += "<>";
        } else if (inside.starts_with("impl ")) {
            out_ += '<' + RustShortener(inside, depth_ + 1).run() + '>';
        } else if (out_.ends_with("::")) {
            out_.resize(out_.size() - 2); // "collect::<Vec<u8>>"
        } else {
            const bool isType = inside.find("::") != std::string_view::npos && isPartOfRustName(inside.front()) &&
                                !inside.starts_with("dyn ") && !hasBlankOutside(inside);
            const auto brief = RustShortener(inside, depth_ + 1).run();
            out_ += isType ? brief : '<' + brief + '>';
        }
    }
    /// Bytes up to the matching closing bracket, inclusive.
    [[nodiscard]] std::size_t closing() const {
        std::size_t depth = 0;
        for (auto i = at_; i < text_.size(); ++i) {
            if (text_[i] == '<') ++depth;
            const bool isArrow = i > 0 && text_[i - 1] == '-';
            if (text_[i] == '>' && !isArrow && --depth == 0) return i + 1 - at_;
        }
        return text_.size() - at_;
    }
    /// "A as B", not "A<dyn B + C>".
    static bool hasBlankOutside(std::string_view text) {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '<') ++depth;
            if (text[i] == '>' && depth > 0 && text[i - 1] != '-') --depth;
            if (text[i] == ' ' && depth == 0) return true;
        }
        return false;
    }

    std::string_view text_;
    int depth_;
    std::size_t at_ = 0;
    std::string out_;
};

} // namespace

std::optional<std::string> demangleOlderRust(std::string_view name) {
    if (name.find("17h") == std::string_view::npos && name.find("::h") == std::string_view::npos) return std::nullopt;
    const auto mangled = mangledParts(name);
    const auto [parts, suffix] = mangled ? *mangled : readableParts(name);
    if (parts.size() < 2 || !isRustHash(parts.back())) return std::nullopt;
    std::string out;
    for (const auto part : parts) {
        if (!out.empty()) out += "::";
        appendPart(out, part);
    }
    if (!suffix.empty()) out.append(" (").append(suffix).append(")");
    return out;
}

std::string shortRustName(std::string_view readable) {
    if (const auto suffix = readable.rfind(" (."); suffix != std::string_view::npos && readable.ends_with(')'))
        readable = readable.substr(0, suffix);
    if (const auto last = readable.rfind("::"); last != std::string_view::npos && isRustHash(readable.substr(last + 2)))
        readable = readable.substr(0, last);
    return RustShortener(readable, 0).run();
}

} // namespace highwater::symbols
