#include "core/symbols/demangler.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace highwater::symbols {
namespace {

constexpr auto kMicrosoftFlags = llvm::MSDemangleFlags(llvm::MSDF_NoAccessSpecifier | llvm::MSDF_NoCallingConvention |
                                                       llvm::MSDF_NoMemberType | llvm::MSDF_NoReturnType);

/// LLVM leaves calling conventions in the types of functions ("void (__cdecl *)(int)").
void takeOffConventions(std::string& text) {
    for (const std::string_view word : {"__cdecl", "__stdcall", "__thiscall", "__fastcall", "__vectorcall"}) {
        for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
            const auto end = at + word.size();
            const bool isWord = at > 0 && (text[at - 1] == ' ' || text[at - 1] == '(') && end < text.size() &&
                                (text[end] == ' ' || text[end] == '(');
            if (isWord) {
                text.erase(at, word.size() + (text[end] == ' ' ? 1 : 0));
            } else {
                at = end;
            }
        }
    }
}

/// "`scalar deleting dtor'" of LLVM has a longer name in debug records, whose public names are found by it.
void spellOutDestructor(std::string& text) {
    constexpr std::string_view kShort = "deleting dtor'";
    if (const auto at = text.find(kShort); at != std::string::npos)
        text.replace(at, kShort.size(), "deleting destructor'");
}

} // namespace

std::optional<std::string> demangleMicrosoft(std::string_view name) {
    if (!name.starts_with('?')) return std::nullopt;
    const std::unique_ptr<char, decltype(&std::free)> text(
        llvm::microsoftDemangle(name, nullptr, nullptr, kMicrosoftFlags), &std::free);
    if (text == nullptr) return std::nullopt;
    std::string readable(text.get());
    takeOffConventions(readable);
    spellOutDestructor(readable);
    return readable;
}

std::optional<std::string> demangleOther(std::string_view name) {
    std::string readable;
    if (llvm::nonMicrosoftDemangle(name, readable)) return readable;
    return std::nullopt;
}

} // namespace highwater::symbols
