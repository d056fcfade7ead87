#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// A name of Microsoft's C++ ("?pad@@YAXH@Z"), without access, calling convention and return type; nothing when it is
/// none. Through LLVM, on Windows through DbgHelp, and spelled in the same way. Any thread.
[[nodiscard]] std::optional<std::string> demangleMicrosoft(std::string_view name);

/// A name of Itanium's C++ (GCC, Clang, older Rust), and on Linux of Rust and D; nothing when it is none. Any thread.
[[nodiscard]] std::optional<std::string> demangleOther(std::string_view name);

} // namespace highwater::symbols
