#include "core/summary/normalised_name.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace highwater::summary {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kUnknown = "[unknown]";

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "libfoo-1.2" becomes "libfoo". A version starts with a digit after a hyphen and consists of numbers separated by
/// points. mustHavePoint: a single number is not a version.
std::string_view withoutVersion(std::string_view name, bool mustHavePoint) {
    const auto hyphen = name.rfind('-');
    if (hyphen == std::string_view::npos || hyphen == 0) return name;
    const auto version = name.substr(hyphen + 1);
    const bool isVersion = !version.empty() && isDigit(version.front()) && isDigit(version.back()) &&
                           version.find_first_not_of("0123456789.") == std::string_view::npos;
    if (!isVersion || (mustHavePoint && version.find('.') == std::string_view::npos)) return name;
    return name.substr(0, hyphen);
}

/// The position of ".so" if followed by nothing or ".digits..."; npos if there is none.
std::size_t endOfSharedObject(std::string_view name) {
    constexpr std::string_view kSuffix = ".so";
    const auto at = name.rfind(kSuffix);
    if (at == std::string_view::npos || at == 0) return std::string_view::npos;
    const auto behind = name.substr(at + kSuffix.size());
    const bool isVersion = behind.empty() || (behind.size() > 1 && behind[0] == '.' && isDigit(behind[1]) &&
                                              behind.find_first_not_of("0123456789.") == std::string_view::npos);
    return isVersion ? at : std::string_view::npos;
}

/// For Windows file names, which are case-insensitive.
bool hasWindowsSuffix(std::string_view lower) {
    constexpr std::array<std::string_view, 9> kSuffixes{".exe", ".dll", ".sys", ".drv", ".ocx",
                                                        ".cpl", ".scr", ".efi", ".pyd"};
    return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                       [&](auto suffix) { return lower.size() > suffix.size() && lower.ends_with(suffix); });
}

/// Removes suffixes of GCC and Clang for copies of a function: "f.part.0", "f.isra.0.cold", "f [clone .cold]".
std::string_view withoutCloneMarks(std::string_view name) {
    constexpr std::array<std::string_view, 9> kMarks{".part", ".isra",  ".constprop",  ".cold", ".lto_priv",
                                                     ".llvm", ".clone", ".localalias", ".warm"};
    for (bool isCut = true; isCut;) {
        isCut = false;
        if (const auto clone = name.rfind(" [clone "); clone != std::string_view::npos && name.ends_with(']')) {
            name = name.substr(0, clone);
            isCut = true;
        }
        auto base = name;
        if (const auto end = base.find_last_not_of(kDigits);
            end != std::string_view::npos && end + 1 < base.size() && base[end] == '.')
            base = base.substr(0, end);
        for (const auto mark : kMarks) {
            if (base.size() <= mark.size() || !base.ends_with(mark)) continue;
            name = base.substr(0, base.size() - mark.size());
            isCut = true;
            break;
        }
    }
    return name;
}

/// Removes ":12" or ":12:7", the position in a script, which the next edit changes.
std::string_view withoutLines(std::string_view name) {
    for (int i = 0; i < 2; ++i) {
        const auto end = name.find_last_not_of(kDigits);
        if (end == std::string_view::npos || end == 0 || end + 1 == name.size()) return name;
        if (name[end] != ':' || name[end - 1] == ':') return name;
        name = name.substr(0, end);
    }
    return name;
}

/// Whether the word "operator" is directly before `at`.
bool isBehindOperator(std::string_view text, std::size_t at) {
    constexpr std::string_view kWord = "operator";
    if (at < kWord.size() || text.substr(at - kWord.size(), kWord.size()) != kWord) return false;
    return at == kWord.size() || !isWordCharacter(text[at - kWord.size() - 1]);
}

/// The position of the parenthesis that the last character closes; npos if there is none.
std::size_t openingOfLast(std::string_view text) {
    std::size_t depth = 0;
    for (auto i = text.size(); i-- > 0;) {
        if (text[i] == ')') ++depth;
        if (text[i] == '(' && --depth == 0) return i;
    }
    return std::string_view::npos;
}

/// "void f<int>(int) const" becomes "f<int>". Names that consist of parentheses, "(anonymous)" and "operator()", stay.
std::string_view withoutParameters(std::string_view name) {
    auto head = name;
    for (const std::string_view behind : {" const", " volatile", " &&", " &", " noexcept"})
        if (head.ends_with(behind)) head.remove_suffix(behind.size());
    if (!head.ends_with(')')) return name;
    const auto open = openingOfLast(head);
    if (open == std::string_view::npos || open == 0 || isBehindOperator(head, open)) return name;
    const char before = head[open - 1];
    if (before == ':' || before == '.' || before == ' ') return name;
    head = head.substr(0, open);
    // The return type: everything before the last blank outside brackets, but not that of "operator new".
    std::size_t depth = 0;
    for (auto i = head.size(); i-- > 0;) {
        const char c = head[i];
        if ((c == '>' && (i == 0 || head[i - 1] != '-')) || c == ')' || c == ']' || c == '}') ++depth;
        if ((c == '<' || c == '(' || c == '[' || c == '{') && depth > 0) --depth;
        if (c != ' ' || depth > 0) continue;
        if (isBehindOperator(head, i)) continue;
        return head.substr(i + 1);
    }
    return head;
}

/// The number of characters of an operator's own sign at `at`.
std::size_t signOfOperator(std::string_view text, std::size_t at) {
    for (const std::string_view sign : {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"})
        if (text.substr(at).starts_with(sign)) return sign.size();
    return 0;
}

/// From the opening bracket here to the position after its closing one; the rest if there is none.
std::size_t lengthOfBrackets(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (auto i = at; i < text.size(); ++i) {
        if (text[i] == '<') ++depth;
        const bool isArrow = i > 0 && text[i - 1] == '-';
        if (text[i] == '>' && !isArrow && --depth == 0) return i + 1 - at;
    }
    return text.size() - at;
}

/// "<lambda_0123456789abcdef>": Microsoft's compiler derives the number from all preceding code.
bool isNumberedLambda(std::string_view brackets) {
    constexpr std::string_view kStart = "<lambda_";
    return brackets.starts_with(kStart) && brackets.size() > kStart.size() + 16 &&
           brackets.find_first_not_of("0123456789abcdef", kStart.size()) == brackets.size() - 1;
}

/// "std::vector<int>::push_back" becomes "std::vector<>::push_back".
std::string withoutTemplateArguments(std::string_view name) {
    std::string out;
    for (std::size_t at = 0; at < name.size();) {
        if (isBehindOperator(name, at)) {
            const auto sign = signOfOperator(name, at);
            out += name.substr(at, sign);
            at += sign;
            // "operator< <int>": the template arguments follow
            if (sign > 0 && name.substr(at).starts_with(" <")) {
                out += " <>";
                at += 1 + lengthOfBrackets(name, at + 1);
            }
            if (sign > 0) continue;
        }
        if (name[at] != '<') {
            out += name[at++];
            continue;
        }
        const auto length = lengthOfBrackets(name, at);
        const auto brackets = name.substr(at, length);
        // "<impl ...>" and "<lambda_1>" are names because they do not follow anything that could have arguments.
        const bool isName = out.empty() || out.back() == ':' || out.back() == ' ' || out.back() == '.';
        if (isNumberedLambda(brackets))
            out += "<lambda>";
        else if (isName)
            out += brackets;
        else
            out += "<>";
        at += length;
    }
    return out;
}

} // namespace

std::string normalisedModule(std::string_view module) {
    const auto name = fileName(module);
    if (const auto end = endOfSharedObject(name); end != std::string_view::npos)
        return std::string(withoutVersion(name.substr(0, end), false)) + ".so";
    const auto lower = lowered(name);
    if (!hasWindowsSuffix(lower)) return std::string(withoutVersion(name, true));
    const auto point = lower.rfind('.');
    return std::string(withoutVersion(std::string_view(lower).substr(0, point), false)) + lower.substr(point);
}

std::string normalisedFunction(std::string_view function) {
    const auto bare = withoutLines(withoutParameters(withoutCloneMarks(analysis::withoutInlinedMark(function))));
    return withoutTemplateArguments(bare);
}

NormalisedName normalised(std::string_view label) {
    label = analysis::withoutInlinedMark(label);
    const auto mark = label.find('!');
    if (mark == std::string_view::npos) {
        if (label.starts_with("0x") || label.empty()) return {std::string(kUnknown), {}, false};
        if (label.starts_with("(stack cut")) return {"(stack cut)", {}, true};
        return {normalisedFunction(label), {}, true};
    }
    const auto module = normalisedModule(label.substr(0, mark));
    const auto function = label.substr(mark + 1);
    if (analysis::isOffset(function)) return {module + '!' + std::string(function), module, false};
    return {module + '!' + normalisedFunction(function), module, true};
}

} // namespace highwater::summary
