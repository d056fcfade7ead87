#pragma once

#include "core/summary/run_summary.h"

#include <span>
#include <string>
#include <string_view>

namespace highwater::summary {

/// The key of a stack, made of SHA-256 alone, so that any language can make it (docs/numbers.md 26.2):
///   of no function                    16 bytes of 0
///   of a stack and one more call      the first 16 bytes of SHA-256(key of the stack, first 16 bytes of SHA-256(name))
/// begun with the outermost function. The first 8 bytes are `high`, big-endian. It never changes: stores keep it.

/// Of a function's normalised name.
[[nodiscard]] StackKey functionKey(std::string_view name);
/// Of the stack in which the function of that functionKey() was called from the stack of `caller`.
[[nodiscard]] StackKey calledFrom(const StackKey& caller, const StackKey& function);
/// Names innermost first, as everywhere here.
[[nodiscard]] StackKey stackKey(std::span<const std::string> names);

/// 32 hexadecimal digits.
[[nodiscard]] std::string text(const StackKey& key);

} // namespace highwater::summary
