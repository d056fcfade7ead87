#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// Demangles Rust's older mangling, which looks like Itanium C++ with a hash as the last part and escaped signs within
/// the parts: "_ZN12Vec$LT$T$GT$4push17h0123456789abcdefE" is "Vec<T>::push::h0123456789abcdef", like in rustc's own
/// demangler. Also accepts the output of C++ demanglers for such names ("Vec$LT$T$GT$::push::h0123456789abcdef").
/// nullopt for other names. Takes time in proportion to the length of the name. Any thread.
[[nodiscard]] std::optional<std::string> demangleOlderRust(std::string_view name);

/// A readable Rust name without its hash, type arguments and the suffix that LLVM added: "<Vec<u8>>::map::<i32>"
/// becomes "Vec<>::map", "<Set<u8> as Keep<u8>>::keep" becomes "<Set<> as Keep<>>::keep". Where possible, both
/// manglings have the same result. Any thread.
[[nodiscard]] std::string shortRustName(std::string_view readable);

} // namespace highwater::symbols
