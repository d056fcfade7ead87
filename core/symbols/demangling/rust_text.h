#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// A name in Rust's older mangling, which has the shape of Itanium's C++ with a hash as the last part, and signs
/// within the parts: "_ZN12Vec$LT$T$GT$4push17h0123456789abcdefE" is "Vec<T>::push::h0123456789abcdef", as rustc's own
/// demangler has it. Also what demanglers of C++ made of such a name ("Vec$LT$T$GT$::push::h0123456789abcdef").
/// Nothing when it is none. Takes time in proportion to the name's length. Any thread.
[[nodiscard]] std::optional<std::string> demangleOlderRust(std::string_view name);

/// A readable name of Rust without its hash, type arguments and what LLVM put behind it: "<Vec<u8>>::map::<i32>" is
/// "Vec<>::map", "<Set<u8> as Keep<u8>>::keep" is "<Set<> as Keep<>>::keep". Both manglings come to the same where they
/// can. Any thread.
[[nodiscard]] std::string shortRustName(std::string_view readable);

} // namespace highwater::symbols
