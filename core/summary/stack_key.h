#pragma once

#include "core/summary/run_summary.h"

#include <span>
#include <string>
#include <string_view>

namespace highwater::summary {

/// The key of a stack only uses SHA-256, so that any language can compute it (docs/numbers.md, Fleet): the first 16
/// bytes of SHA-256 over the first 16 bytes of SHA-256(name) of each function, innermost first. Its first 8 bytes are
/// `high`, big-endian. Without functions it is 0. It must never change because stores contain it.

/// For a function's normalised name: the first 16 bytes of its SHA-256.
[[nodiscard]] StackKey functionKey(std::string_view name);
/// For a function without a name: its module and RVA refer to another function in each build, so a NUL and the build id
/// of its module are appended to the name.
[[nodiscard]] StackKey unnamedFunctionKey(std::string_view name, std::string_view buildId);
/// functionKey() of each, innermost first.
[[nodiscard]] StackKey stackKey(std::span<const StackKey> functions);

/// 32 hexadecimal digits.
[[nodiscard]] std::string text(const StackKey& key);

} // namespace highwater::summary
