#pragma once

#include <string>
#include <string_view>

namespace highwater::symbols {

enum class NameStyle {
    Short, ///< qualified, without parameters, return type and template arguments: "std::vector<>::push_back"
    Full,  ///< as the compiler's own tools print it: "std::vector<int>::push_back(int const&)"
};

/// The readable form of a linker's name: C++ in Microsoft and Itanium mangling, Rust (both), D, and managed methods as
/// named by NGEN in its PDBs. Other names are returned unchanged. Any thread.
[[nodiscard]] std::string readableName(std::string_view linkageName, NameStyle style);

/// Namespace, class and function without parameters but with template arguments, as in debug records.
[[nodiscard]] std::string qualifiedName(std::string_view linkageName);

/// The C name in `_name`, `_name@8`, `@name@8` and `name@@8`, as decorated by 32-bit Windows compilers. C++ names are
/// returned unchanged.
[[nodiscard]] std::string_view withoutCallingConvention(std::string_view name);

} // namespace highwater::symbols
