#include "core/symbols/demangler.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>

namespace highwater::symbols {
namespace {

constexpr auto kMicrosoftFlags = llvm::MSDemangleFlags(llvm::MSDF_NoAccessSpecifier | llvm::MSDF_NoCallingConvention |
                                                       llvm::MSDF_NoMemberType | llvm::MSDF_NoReturnType);

} // namespace

std::optional<std::string> demangleMicrosoft(std::string_view name) {
    if (!name.starts_with('?')) return std::nullopt;
    const std::unique_ptr<char, decltype(&std::free)> text(
        llvm::microsoftDemangle(name, nullptr, nullptr, kMicrosoftFlags), &std::free);
    if (text == nullptr) return std::nullopt;
    return std::string(text.get());
}

std::optional<std::string> demangleOther(std::string_view name) {
    std::string readable;
    if (llvm::nonMicrosoftDemangle(name, readable)) return readable;
    return std::nullopt;
}

} // namespace highwater::symbols
