#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// Demangles a name of Microsoft's C++ ("?pad@@YAXH@Z"), without access, calling convention and return type; nullopt
/// for other names. Uses LLVM, on Windows DbgHelp, with the same spelling. Any thread.
[[nodiscard]] std::optional<std::string> demangleMicrosoft(std::string_view name);

/// Demangles a name of Itanium C++ (GCC, Clang, older Rust), on Linux also of Rust and D; nullopt for other names. Any
/// thread.
[[nodiscard]] std::optional<std::string> demangleOther(std::string_view name);

} // namespace highwater::symbols
