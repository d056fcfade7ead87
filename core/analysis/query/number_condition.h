#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::analysis {

enum class NumberOperator : std::uint8_t { Equals, Less, LessOrEqual, Greater, GreaterOrEqual };

/// A condition on a number, compared exactly as an integer: bytes, nanoseconds, counts, addresses (unsigned).
/// Immutable; any thread.
///
/// Literals: `20MB`, `0.5GB`, `-3KB`, `4.5ms`, `0x7ff6`. Without a unit: bytes or seconds. Units are powers of 1024 (B
/// KB MB GB TB) or ns us ms s min, case-insensitive. Equality with a decimal point matches every value that rounds to
/// it (WPA: ":=4.5ms" can match more than ":=4.50ms"); without one it is exact.
class NumberCondition {
  public:
    /// Error: the literal is not a number, or its unit does not fit `kind`.
    static Result<NumberCondition> create(ValueKind kind, NumberOperator op, std::string_view literal);

    /// Times and durations in nanoseconds.
    [[nodiscard]] bool matches(std::int64_t value) const;
    /// Whether any number in the closed range matches.
    [[nodiscard]] bool matchesAny(std::int64_t first, std::int64_t last) const;

    [[nodiscard]] NumberOperator op() const { return op_; }
    /// The literal with its unit in the spelling above.
    [[nodiscard]] const std::string& literal() const { return literal_; }
    friend bool operator==(const NumberCondition&, const NumberCondition&) = default;

  private:
    NumberCondition() = default;

    NumberOperator op_ = NumberOperator::Equals;
    std::string literal_;
    bool unsigned_ = false;
    std::uint64_t low_ = 0; ///< with high_: the closed range of matching values, shifted to be unsigned
    std::uint64_t high_ = 0;
};

/// "MB", "ms", ...: whether it is a unit of any kind of number.
[[nodiscard]] bool isUnit(std::string_view word);

} // namespace highwater::analysis
