#include "core/analysis/query/number_condition.h"

#include "core/analysis/query/text_condition.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace highwater::analysis {
namespace {

enum class Measure : std::uint8_t { None, Bytes, Time };

struct Unit {
    std::string_view name;
    Measure measure = Measure::None;
    std::uint64_t factor = 1;
};
constexpr std::array kUnits{
    Unit{"B", Measure::Bytes, 1},
    Unit{"KB", Measure::Bytes, 1ull << 10},
    Unit{"MB", Measure::Bytes, 1ull << 20},
    Unit{"GB", Measure::Bytes, 1ull << 30},
    Unit{"TB", Measure::Bytes, 1ull << 40},
    Unit{"ns", Measure::Time, 1},
    Unit{"us", Measure::Time, 1'000},
    Unit{"ms", Measure::Time, 1'000'000},
    Unit{"s", Measure::Time, 1'000'000'000},
    Unit{"min", Measure::Time, 60'000'000'000},
};
constexpr std::uint64_t kSignBit = 1ull << 63;
constexpr std::uint64_t kHighestSigned = 1ull << 62;

std::optional<Unit> unitOf(std::string_view word) {
    if (word == "\u00b5s" || word == "\u03bcs") word = "us";
    for (const auto& unit : kUnits) {
        if (equalsIgnoringCase(word, unit.name)) return unit;
    }
    return std::nullopt;
}

Measure measureOf(ValueKind kind) {
    switch (kind) {
    case ValueKind::Bytes:
    case ValueKind::SignedBytes:
        return Measure::Bytes;
    case ValueKind::Time:
    case ValueKind::Duration:
        return Measure::Time;
    default:
        return Measure::None;
    }
}

/// A decimal number as written.
struct Decimal {
    bool negative = false;
    std::string whole;
    std::string fraction;
};

/// The integers next to a number, in the unsigned order of values.
struct Neighbours {
    std::uint64_t below = 0; ///< equal to `above` if the number is an integer
    std::uint64_t above = 0;
};

/// Nothing: the number is larger than any value.
std::optional<Neighbours> neighboursOf(const Decimal& number, std::uint64_t factor, bool isUnsigned) {
    const auto limit = isUnsigned ? std::numeric_limits<std::uint64_t>::max() : kHighestSigned;
    std::uint64_t fraction = 0;
    bool exact = true;
    for (auto digit = number.fraction.rbegin(); digit != number.fraction.rend(); ++digit) {
        fraction += static_cast<std::uint64_t>(*digit - '0') * factor; // < 10 * factor + factor: no overflow
        exact = exact && fraction % 10 == 0;
        fraction /= 10;
    }
    std::uint64_t whole = 0;
    for (const auto digit : number.whole) {
        const auto value = static_cast<std::uint64_t>(digit - '0');
        if (whole > (limit - value) / 10) return std::nullopt;
        whole = whole * 10 + value;
    }
    if (whole > (limit - fraction - 1) / factor) return std::nullopt;
    const auto below = whole * factor + fraction;
    const auto above = below + (exact ? 0 : 1);
    if (isUnsigned) return Neighbours{below, above};
    return number.negative ? Neighbours{kSignBit - above, kSignBit - below}
                           : Neighbours{kSignBit + below, kSignBit + above};
}

/// The numbers half a unit of the last digit below (in magnitude) and above: 4.5 -> 4.45 and 4.55.
Decimal halfDigitBelow(Decimal number) {
    auto digits = number.whole + number.fraction;
    if (digits.find_first_not_of('0') == std::string::npos) {
        number.negative = !number.negative;
        number.fraction += '5';
        return number;
    }
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        if (*digit != '0') {
            --*digit;
            break;
        }
        *digit = '9';
    }
    return {number.negative, digits.substr(0, number.whole.size()), digits.substr(number.whole.size()) + '5'};
}

Decimal halfDigitAbove(Decimal number) {
    number.fraction += '5';
    return number;
}

/// The number before the unit; nothing: not a decimal number.
std::optional<Decimal> parseDecimal(std::string_view text) {
    Decimal number;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const auto point = std::min(text.find('.'), text.size());
    number.whole = text.substr(0, point);
    if (point < text.size()) {
        number.fraction = text.substr(point + 1);
        if (number.fraction.empty()) return std::nullopt;
    }
    if (number.whole.empty() && number.fraction.empty()) return std::nullopt;
    if (number.whole.empty()) number.whole = "0";
    const auto isNumber = [](const std::string& digits) { return std::all_of(digits.begin(), digits.end(), isDigit); };
    return isNumber(number.whole) && isNumber(number.fraction) ? std::optional(number) : std::nullopt;
}

Error usage(std::string message) { return {ErrorKind::Usage, std::move(message)}; }

Error notANumber(std::string_view literal, Measure measure) {
    constexpr std::array<std::string_view, 3> kExamples{"4242 or 0x1d0000", "20MB or 0.5GB", "1.5s or 20ms"};
    return usage("\"" + std::string(literal.substr(0, 40)) + "\" is not a number. Write it like " +
                 std::string(kExamples[static_cast<std::size_t>(measure)]) + ".");
}

Error wrongUnit(std::string_view unit, Measure measure) {
    constexpr std::array<std::string_view, 3> kFitting{"Numbers in this column have no unit.",
                                                       "Use B, KB, MB, GB or TB.", "Use ns, us, ms, s or min."};
    return usage("The unit " + std::string(unit) + " cannot be used in this column. " +
                 std::string(kFitting[static_cast<std::size_t>(measure)]));
}

const Error& tooLarge() {
    static const Error error = usage("This number is too large.");
    return error;
}

std::optional<Neighbours> hexNeighbours(std::string_view digits, bool isUnsigned) {
    std::uint64_t value = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (end.ec != std::errc() || (!isUnsigned && value > kHighestSigned)) return std::nullopt;
    if (!isUnsigned) value += kSignBit;
    return Neighbours{value, value};
}

struct ClosedRange {
    std::uint64_t low = 1; ///< empty
    std::uint64_t high = 0;
};

ClosedRange rangeOf(NumberOperator op, Neighbours number) {
    constexpr auto kLowest = std::numeric_limits<std::uint64_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::uint64_t>::max();
    switch (op) {
    case NumberOperator::Less:
        return number.above == kLowest ? ClosedRange{} : ClosedRange{kLowest, number.above - 1};
    case NumberOperator::LessOrEqual:
        return {kLowest, number.below};
    case NumberOperator::Greater:
        return number.below == kHighest ? ClosedRange{} : ClosedRange{number.below + 1, kHighest};
    case NumberOperator::GreaterOrEqual:
        return {number.above, kHighest};
    case NumberOperator::Equals:
        break;
    }
    return {number.above, number.below}; // empty if it is between two integers
}

} // namespace

bool isUnit(std::string_view word) { return unitOf(word).has_value(); }

Result<NumberCondition> NumberCondition::create(ValueKind kind, NumberOperator op, std::string_view literal) {
    const auto measure = measureOf(kind);
    NumberCondition condition;
    condition.op_ = op;
    condition.unsigned_ = kind == ValueKind::Hex;
    if (measure == Measure::None && literal.size() > 2 && equalsIgnoringCase(literal.substr(0, 2), "0x")) {
        const auto digits = literal.substr(2);
        if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
            return notANumber(literal, measure);
        const auto value = hexNeighbours(digits, condition.unsigned_);
        if (!value) return tooLarge();
        const auto range = rangeOf(op, *value);
        condition.literal_ = "0x" + std::string(digits);
        condition.low_ = range.low;
        condition.high_ = range.high;
        return condition;
    }
    const auto numberEnd = std::min(literal.find_first_not_of("+-.0123456789"), literal.size());
    const auto number = parseDecimal(literal.substr(0, numberEnd));
    auto unitText = literal.substr(numberEnd);
    unitText.remove_prefix(std::min(unitText.find_first_not_of(' '), unitText.size()));
    const auto unit =
        unitText.empty() ? Unit{{}, measure, measure == Measure::Time ? 1'000'000'000ull : 1} : unitOf(unitText);
    if (!number || !unit) return notANumber(literal, measure);
    if (unit->measure != measure) return wrongUnit(unit->name, measure);
    if (condition.unsigned_ && number->negative) return usage("Values in this column are never negative.");

    condition.literal_ = (number->negative ? "-" : "") + number->whole + (number->fraction.empty() ? "" : ".") +
                         number->fraction + std::string(unit->name);
    const auto value = neighboursOf(*number, unit->factor, condition.unsigned_);
    if (!value) return tooLarge();
    auto range = rangeOf(op, *value);
    if (op == NumberOperator::Equals && !number->fraction.empty() && !condition.unsigned_) {
        const auto one = neighboursOf(halfDigitBelow(*number), unit->factor, false);
        const auto other = neighboursOf(halfDigitAbove(*number), unit->factor, false);
        if (!one || !other) return tooLarge();
        range = {std::min(one->above, other->above), std::max(one->below, other->below)};
    }
    condition.low_ = range.low;
    condition.high_ = range.high;
    return condition;
}

bool NumberCondition::matches(std::int64_t value) const {
    const auto ordered = static_cast<std::uint64_t>(value) ^ (unsigned_ ? 0 : kSignBit);
    return low_ <= ordered && ordered <= high_;
}

bool NumberCondition::matchesAny(std::int64_t first, std::int64_t last) const {
    const auto shift = unsigned_ ? 0 : kSignBit;
    const auto lowest = std::max(low_, static_cast<std::uint64_t>(first) ^ shift);
    return lowest <= std::min(high_, static_cast<std::uint64_t>(last) ^ shift);
}

} // namespace highwater::analysis
