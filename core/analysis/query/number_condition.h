#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::analysis {

enum class NumberOperator : std::uint8_t { Equals, Less, LessOrEqual, Greater, GreaterOrEqual };

/// One question to a number, compared exactly as integer: bytes, nanoseconds, counts, addresses (unsigned).
/// Immutable; any thread.
///
/// Literals: `20MB`, `0.5GB`, `-3KB`, `4.5ms`, `0x7ff6`. Without a unit: bytes, seconds. Units are powers of 1024
/// (B KB MB GB TB) or ns us ms s min, in any case. Equality with a decimal point holds for every value that rounds
/// to it (WPA: ":=4.5ms" can find more than ":=4.50ms"); without one it is exact.
class NumberCondition {
  public:
    /// Fails for what is not a number, or has a unit that does not fit `kind`.
    static Result<NumberCondition> create(ValueKind kind, NumberOperator op, std::string_view literal);

    /// Times and durations in nanoseconds.
    [[nodiscard]] bool matches(std::int64_t value) const;
    /// Whether some number of the closed range matches.
    [[nodiscard]] bool matchesAny(std::int64_t first, std::int64_t last) const;

    [[nodiscard]] NumberOperator op() const { return op_; }
    /// The literal with its unit spelled as above.
    [[nodiscard]] const std::string& literal() const { return literal_; }
    friend bool operator==(const NumberCondition&, const NumberCondition&) = default;

  private:
    NumberCondition() = default;

    NumberOperator op_ = NumberOperator::Equals;
    std::string literal_;
    bool unsigned_ = false;
    std::uint64_t low_ = 0; ///< with high_: the closed range of matching values, shifted so that they are unsigned
    std::uint64_t high_ = 0;
};

/// "MB", "ms", ...: any unit of any kind of number.
[[nodiscard]] bool isUnit(std::string_view word);

} // namespace highwater::analysis
