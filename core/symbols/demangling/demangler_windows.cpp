#include "core/symbols/demangling/demangler.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <mutex>
#include <windows.h>
// after windows.h
#include <dbghelp.h>

/// From the compiler's library, like __cxa_demangle, which writes until memory is exhausted. This function returns the
/// text in pieces, uses only the stack, and can be stopped at any time.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled, void (*take)(const char*, std::size_t, void*),
                                             void* out);

namespace highwater::symbols {
namespace {

constexpr DWORD kFlags = UNDNAME_NO_ACCESS_SPECIFIERS | UNDNAME_NO_MS_KEYWORDS | UNDNAME_NO_ALLOCATION_LANGUAGE |
                         UNDNAME_NO_MEMBER_TYPE | UNDNAME_NO_FUNCTION_RETURNS;

/// DbgHelp and the compiler's library write "a<b,c<d> >", "e * const", "operator<< <f>" and "g(void)const " where LLVM
/// writes "a<b, c<d>>", "e *const", "operator<<<f>" and "g(void) const".
std::string respaced(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isSpaceBeforeEnd =
            text[i] == ' ' && i + 1 < text.size() && text[i + 1] == '>' && !out.empty() && out.back() == '>';
        const bool isSpaceBehindPointer =
            text[i] == ' ' && i > 0 && i + 1 < text.size() && (text[i - 1] == '*' || text[i - 1] == '&') &&
            (text[i + 1] == '*' || text[i + 1] == '&' || text.substr(i + 1).starts_with("const"));
        const bool isSpaceBehindOperator = text.substr(i).starts_with(" <") && out.ends_with('<');
        const bool isSpaceAtEnd = text[i] == ' ' && i + 1 == text.size();
        if (isSpaceBeforeEnd || isSpaceBehindPointer || isSpaceBehindOperator || isSpaceAtEnd) continue;
        out += text[i];
        const auto rest = text.substr(i + 1);
        const bool needsSpace =
            (text[i] == ',' && !rest.empty() && rest[0] != ' ') || (text[i] == ')' && rest.starts_with("const"));
        if (needsSpace) out += ' ';
    }
    return out;
}

/// Turns "{lambda(int)#2}" of the compiler's library into LLVM's "'lambda0'(int)"; the first is "'lambda'(int)".
std::string withLambdasAsQuotes(std::string text) {
    constexpr std::string_view kBegin = "{lambda";
    for (auto begin = text.find(kBegin); begin != std::string::npos; begin = text.find(kBegin, begin)) {
        const auto end = text.find('}', begin);
        const auto mark = text.rfind('#', end);
        if (end == std::string::npos || mark == std::string::npos || mark < begin) break;
        unsigned number = 0;
        std::from_chars(text.data() + mark + 1, text.data() + end, number);
        const auto parameters = text.substr(begin + kBegin.size(), mark - begin - kBegin.size());
        const auto which = number > 1 ? std::to_string(number - 2) : std::string();
        text.replace(begin, end + 1 - begin, "'lambda" + which + "'" + parameters);
    }
    return text;
}

struct NameTooLarge {};

/// A mangled name refers back to parts of itself. A few hundred characters may expand beyond the available memory.
void appendDemangled(const char* piece, std::size_t bytes, void* out) {
    constexpr std::size_t kMostPrintedBytes = 256 * 1024;
    auto& text = *static_cast<std::string*>(out);
    if (text.size() + bytes > kMostPrintedBytes) throw NameTooLarge();
    text.append(piece, bytes);
}

} // namespace

std::optional<std::string> demangleMicrosoft(std::string_view name) {
    if (!name.starts_with('?')) return std::nullopt;
    constexpr DWORD kMostCharacters = 64 * 1024; // the caller does not pass longer names
    static std::mutex oneAtATime;                // DbgHelp is not thread-safe
    static std::array<char, kMostCharacters> room;
    const std::string mangled(name);
    const std::lock_guard lock(oneAtATime);
    const auto length = ::UnDecorateSymbolName(mangled.c_str(), room.data(), kMostCharacters, kFlags);
    if (length == 0) return std::nullopt;
    const std::string_view readable(room.data());
    // It returns names that it cannot demangle unchanged.
    if (readable == name) return std::nullopt;
    return respaced(readable);
}

std::optional<std::string> demangleOther(std::string_view name) {
    if (!name.starts_with("_Z") && !name.starts_with("__Z")) return std::nullopt;
    const std::string mangled(name.starts_with("__") ? name.substr(1) : name);
    std::string text;
    try {
        if (__gcclibcxx_demangle_callback(mangled.c_str(), &appendDemangled, &text) != 0) return std::nullopt;
    } catch (const NameTooLarge&) {
        return std::nullopt;
    }
    return withLambdasAsQuotes(respaced(text));
}

} // namespace highwater::symbols
