#pragma once

#include <string_view>

namespace highwater::symbols {

/// Whether a Rust name ("_R...") is safe for a demangler without limits. Such a name refers back to parts of itself,
/// which may do the same, so that 400 characters can expand beyond the available memory. This function reads the name
/// like a demangler, writes nothing, and stops when the result would be too long. Names that it does not understand are
/// rejected as well. Grammar: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html. Any thread.
[[nodiscard]] bool isBoundedRustName(std::string_view name);

} // namespace highwater::symbols
