#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// The readable form of an Itanium C++ name; nullopt: not such a name, nested too deeply, or longer than the names of
/// any real program. Any thread.
///
/// A mangled name refers back to parts of itself, so that the readable name can be exponentially longer: 370 characters
/// can expand beyond the available memory. LLVM's own function writes until memory is exhausted, and then terminates
/// the program. So LLVM's parser, which is a template, is used with a bounded allocator, and the tree is measured
/// before it is written. Each node is measured once, however often it is referenced.
[[nodiscard]] std::optional<std::string> demangleItanium(std::string_view name);

} // namespace highwater::symbols
