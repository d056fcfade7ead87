#pragma once

#include <string_view>

namespace highwater::symbols {

/// Whether a name of Rust ("_R...") may be given to a demangler that writes whatever it comes to. Such a name refers
/// back to parts of itself, and those may again, so that 400 characters can come to more than the memory has. This
/// reads the name as a demangler does, writes nothing, and gives up where too much would come; names that it does not
/// understand are refused, too. Grammar: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html. Any thread.
[[nodiscard]] bool isModestRustName(std::string_view name);

} // namespace highwater::symbols
