#include "core/symbols/demangling/function_name.h"

#include "core/symbols/demangling/demangler.h"
#include "core/symbols/demangling/rust_text.h"

#include <algorithm>
#include <optional>

namespace highwater::symbols {
namespace {

/// Longer names come from damaged files, and demanglers are recursive.
constexpr std::size_t kLongestName = 32 * 1024;

/// NGEN appends the method that a name belongs to, as module and token: "System.String.Concat$#mscorlib#60004F8".
std::string_view withoutNgenMark(std::string_view name) {
    const auto mark = name.rfind("$#");
    const auto token = mark == std::string_view::npos ? mark : name.find('#', mark + 2);
    if (token == std::string_view::npos || token + 1 == name.size()) return name;
    const bool isToken = name.find_first_not_of("0123456789abcdefABCDEF", token + 1) == std::string_view::npos;
    return isToken ? name.substr(0, mark) : name;
}

/// Whether the name contains type arguments in the notation of the CLR: "List`1[[System.__Canon, mscorlib]].Add".
bool hasClrArguments(std::string_view name) {
    const auto tick = name.find('`');
    if (tick == std::string_view::npos || tick == 0) return false;
    const auto behind = name.find_first_not_of("0123456789", tick + 1);
    return behind != std::string_view::npos && behind > tick + 1 && name[behind] == '[';
}

/// Without type arguments and parameters: "List`1.Add".
std::string shortClrName(std::string_view name) {
    std::string out;
    std::size_t depth = 0;
    for (const char c : name) {
        if (c == '[') ++depth;
        if (depth == 0 && c == '(') break;
        if (depth == 0) out += c;
        if (c == ']' && depth > 0) --depth;
    }
    return out;
}

bool isOperatorAt(std::string_view text, std::size_t end) {
    constexpr std::string_view kWord = "operator";
    if (end < kWord.size() || text.substr(end - kWord.size(), kWord.size()) != kWord) return false;
    const auto before = end - kWord.size();
    return before == 0 || !(std::isalnum(static_cast<unsigned char>(text[before - 1])) != 0 || text[before - 1] == '_');
}

/// Length of the operator at `at` ("<<", "()", "->").
std::size_t operatorSign(std::string_view text, std::size_t at) {
    for (const std::string_view sign : {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "<", ">"}) {
        if (text.substr(at).starts_with(sign)) return sign.size();
    }
    return 0;
}

/// Shortens a readable name: template arguments become "<>"; return type, parameters and everything after them are
/// removed.
class NameShortener {
  public:
    enum class Arguments { Keep, Drop };

    NameShortener(std::string_view text, Arguments arguments) : text_(text), arguments_(arguments) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (!step()) break;
        }
        return std::move(out_);
    }

  private:
    bool step() {
        const char c = text_[at_];
        if (isOperatorAt(text_, at_)) {
            if (const auto bytes = operatorSign(text_, at_); bytes != 0) return keep(bytes);
            if (c == ' ') return keepConversion();
        }
        if (c == '<') {
            // "<lambda_1>" and "<impl ...>" are names and not arguments, because nothing precedes them that could have
            // any.
            const bool keepIt = isNameHere() || arguments_ == Arguments::Keep;
            return keepIt ? keep(closing('<', '>')) : drop(closing('<', '>'), "<>");
        }
        if (c == '(') {
            if (isNameHere() || text_.substr(at_ + closing('(', ')')).starts_with("::")) return keepOrSkipScope();
            return false; // parameters end the name
        }
        if (c == '{') return keep(closing('{', '}'));     // "{lambda(int)#2}" of GNU's demangler, "{{closure}}" of Rust
        if (c == '\'' || c == '`') return keep(quoted()); // "'lambda'", "`anonymous namespace'"
        if (c == ' ') return space();
        return keep(1);
    }

    /// Whether the text here is a name: "(anonymous namespace)", "(lambda)", or a receiver in Go as in
    /// "main.(*Cache).Add".
    [[nodiscard]] bool isNameHere() const {
        return out_.empty() || out_.back() == ':' || out_.back() == ' ' || out_.back() == '.';
    }
    bool keepOrSkipScope() {
        const auto bytes = closing('(', ')');
        return isNameHere() ? keep(bytes) : drop(bytes, "");
    }
    /// Part of "operator type", or the end of a return type or of "const" between scope and name.
    bool space() {
        ++at_;
        if (text_.substr(at_).starts_with("const::") || text_.substr(at_).starts_with("&")) return true;
        out_.clear();
        return true;
    }
    bool keepConversion() {
        const auto end = text_.find('(', at_);
        return keep((end == std::string_view::npos ? text_.size() : end) - at_);
    }
    bool keep(std::size_t bytes) {
        out_ += text_.substr(at_, bytes);
        at_ += bytes;
        return true;
    }
    bool drop(std::size_t bytes, std::string_view instead) {
        out_ += instead;
        at_ += bytes;
        return true;
    }
    [[nodiscard]] std::size_t quoted() const {
        const auto end = text_.find('\'', at_ + 1);
        return end == std::string_view::npos ? 1 : end + 1 - at_;
    }
    /// Bytes from the opening sign here to the matching closing sign, inclusive.
    [[nodiscard]] std::size_t closing(char open, char close) const {
        std::size_t depth = 0;
        for (auto i = at_; i < text_.size(); ++i) {
            if (text_[i] == open) ++depth;
            const bool isArrow = close == '>' && i > 0 && text_[i - 1] == '-';
            if (text_[i] == close && !isArrow && --depth == 0) return i + 1 - at_;
        }
        return text_.size() - at_;
    }

    std::string_view text_;
    Arguments arguments_;
    std::size_t at_ = 0;
    std::string out_;
};

/// For both manglings; nullopt: not mangled, or not understood.
std::optional<std::string> rustName(std::string_view linkageName) {
    if (auto older = demangleOlderRust(linkageName)) return older;
    return linkageName.starts_with("_R") ? demangleOther(linkageName) : std::nullopt;
}

} // namespace

std::string readableName(std::string_view linkageName, NameStyle style) {
    if (linkageName.size() > kLongestName) return std::string(linkageName);
    linkageName = withoutNgenMark(linkageName);
    if (hasClrArguments(linkageName))
        return style == NameStyle::Full ? std::string(linkageName) : shortClrName(linkageName);
    if (auto rust = rustName(linkageName)) return style == NameStyle::Full ? *std::move(rust) : shortRustName(*rust);
    auto readable = demangleOther(linkageName);
    if (!readable) readable = demangleMicrosoft(linkageName);
    auto full = readable.value_or(std::string(linkageName));
    if (style == NameStyle::Full) return full;
    const auto name = NameShortener(full, NameShortener::Arguments::Drop).run();
    return name.empty() ? full : name;
}

std::string qualifiedName(std::string_view linkageName) {
    if (linkageName.size() > kLongestName) return std::string(linkageName);
    const auto full = demangleMicrosoft(linkageName).value_or(std::string(linkageName));
    return NameShortener(full, NameShortener::Arguments::Keep).run();
}

std::string_view withoutCallingConvention(std::string_view name) {
    if (name.empty() || name.front() == '?') return name;
    const bool hasPrefix = name.front() == '_' || name.front() == '@';
    auto rest = hasPrefix ? name.substr(1) : name;
    const auto at = rest.rfind('@');
    const bool endsInBytes = at != std::string_view::npos && at + 1 < rest.size() &&
                             std::all_of(rest.begin() + static_cast<std::ptrdiff_t>(at) + 1, rest.end(),
                                         [](char c) { return c >= '0' && c <= '9'; });
    if (!hasPrefix && !endsInBytes) return name;
    if (endsInBytes) rest = rest.substr(0, at);
    if (rest.ends_with('@')) rest.remove_suffix(1);
    return rest.empty() ? name : rest;
}

} // namespace highwater::symbols
