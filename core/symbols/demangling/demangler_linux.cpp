#include "core/symbols/demangling/demangler.h"

#include "core/symbols/demangling/itanium_name.h"
#include "core/symbols/demangling/microsoft_name.h"
#include "core/symbols/demangling/rust_name.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace highwater::symbols {
namespace {

constexpr auto kMicrosoftFlags = llvm::MSDemangleFlags(llvm::MSDF_NoAccessSpecifier | llvm::MSDF_NoCallingConvention |
                                                       llvm::MSDF_NoMemberType | llvm::MSDF_NoReturnType);

/// LLVM leaves calling conventions in the types of functions ("void (__cdecl *)(int)").
void removeCallingConventions(std::string& text) {
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

/// Debug records spell out LLVM's "`scalar deleting dtor'". Their public names are looked up by the longer name.
void spellOutDestructor(std::string& text) {
    constexpr std::string_view kShort = "deleting dtor'";
    if (const auto at = text.find(kShort); at != std::string::npos)
        text.replace(at, kShort.size(), "deleting destructor'");
}

/// Whether LLVM can demangle a D name within limits. A part of a qualified name may refer to an earlier one ('Q'), but
/// not to the references of that one.
bool isBoundedDName(std::string_view name) {
    constexpr std::size_t kMostCharacters = 256 * 1024;
    if (!name.starts_with("_D")) return false;
    const auto references = static_cast<std::size_t>(std::count(name.begin(), name.end(), 'Q'));
    return (references + 1) * name.size() <= kMostCharacters;
}

} // namespace

std::optional<std::string> demangleMicrosoft(std::string_view name) {
    if (!name.starts_with('?') || !isBoundedMicrosoftName(name)) return std::nullopt;
    const std::unique_ptr<char, decltype(&std::free)> text(
        llvm::microsoftDemangle(name, nullptr, nullptr, kMicrosoftFlags), &std::free);
    if (text == nullptr) return std::nullopt;
    std::string readable(text.get());
    removeCallingConventions(readable);
    spellOutDestructor(readable);
    return readable;
}

std::optional<std::string> demangleOther(std::string_view name) {
    const auto plain = name.substr(name.starts_with('.') ? 1 : 0); // some linkers start names of functions with a dot
    if (plain.starts_with("_Z") || plain.starts_with("___Z")) {
        auto readable = demangleItanium(plain);
        if (readable && plain.size() < name.size()) readable->insert(0, 1, '.');
        return readable;
    }
    std::string readable;
    const bool isModest = plain.starts_with("_R") ? isBoundedRustName(plain) : isBoundedDName(plain);
    if (isModest && llvm::nonMicrosoftDemangle(name, readable)) return readable;
    return std::nullopt;
}

} // namespace highwater::symbols
