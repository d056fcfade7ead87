#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// A name of Itanium's C++ in readable form; nothing when it is none, or when it is too deep or would come to more than
/// any program's names do. Any thread.
///
/// A mangled name refers back to parts of itself, so that the readable one may be longer by any power: 370 characters
/// come to more than the memory has. LLVM's own function writes until memory ends, and then ends the program. So its
/// parser is used here, which is a template, with an allocator that has an end, and before the tree is written it is
/// measured: each node once, however often it is referred to.
[[nodiscard]] std::optional<std::string> demangleItanium(std::string_view name);

} // namespace highwater::symbols
