#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 with sanitizers falsely reports this for a std::function in <regex>.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "core/analysis/query/text_condition.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr std::size_t kLongestExpandedPattern = 1000;

/// `needle` is already lowercase.
bool startsWith(std::string_view text, std::string_view needle) {
    return text.size() >= needle.size() &&
           std::equal(needle.begin(), needle.end(), text.begin(), [](char n, char t) { return n == lowered(t); });
}

bool contains(std::string_view text, std::string_view needle) {
    for (std::size_t at = 0; at + needle.size() <= text.size(); ++at) {
        if (startsWith(text.substr(at), needle)) return true;
    }
    return false;
}

/// Backtracking only to the last * is sufficient, so this takes at most |text| * |pattern| steps.
bool fitsWildcard(std::string_view text, std::string_view pattern) {
    std::size_t t = 0, p = 0, afterStar = std::string_view::npos, starText = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            afterStar = ++p;
            starText = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == lowered(text[t]))) {
            ++p;
            ++t;
        } else if (afterStar != std::string_view::npos) {
            p = afterStar;
            t = ++starText;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// The highest count in "{3}", "{2,5}"; moves `at` to the closing brace.
std::size_t highestCount(std::string_view pattern, std::size_t& at) {
    const auto close = std::min(pattern.find('}', at), pattern.size());
    std::size_t highest = 1;
    for (auto i = at + 1; i < close; ++i) {
        std::size_t number = 0;
        const auto end = std::from_chars(pattern.data() + i, pattern.data() + close, number);
        if (end.ec == std::errc::result_out_of_range) number = kLongestExpandedPattern + 1;
        highest = std::max(highest, number);
        i = std::max(i, static_cast<std::size_t>(end.ptr - pattern.data()));
    }
    at = close;
    return highest;
}

/// The length of a pattern with its {n} expanded. Implementations create that many states, and some recurse once per
/// state, so nested counts could exhaust memory or stack.
std::size_t expandedLength(std::string_view pattern) {
    constexpr std::size_t kEnough = kLongestExpandedPattern + 1;
    std::vector<std::size_t> totals{0};
    std::size_t last = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{') {
            last = std::min(kEnough, std::max<std::size_t>(last, 1) * std::min(kEnough, highestCount(pattern, i)));
            continue;
        }
        if (pattern[i] == ')' && totals.size() > 1) {
            last = std::min(kEnough, totals.back() + last + 2);
            totals.pop_back();
            continue;
        }
        totals.back() = std::min(kEnough, totals.back() + last);
        last = 1;
        if (pattern[i] == '(') {
            totals.push_back(0);
            last = 0;
        } else if (pattern[i] == '\\') {
            ++i;
        } else if (pattern[i] == '[') {
            while (++i < pattern.size() && pattern[i] != ']') {
                if (pattern[i] == '\\') ++i;
            }
        }
    }
    for (const auto total : totals)
        last = std::min(kEnough, last + total);
    return last;
}

/// A \ before a number. The library does not support back references in linear time, and reads the number, however
/// long, into an int.
bool hasBackReference(std::string_view pattern) {
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
        if (pattern[i] != '\\') continue;
        ++i;
        if (pattern[i] >= '1' && pattern[i] <= '9') return true;
    }
    return false;
}

Error badPattern(std::string_view why) {
    return {ErrorKind::Usage, "This regular expression " + std::string(why) + "."};
}

Result<std::shared_ptr<const std::regex>> compiled(const std::string& pattern) {
    if (pattern.size() > TextCondition::kLongestPattern || expandedLength(pattern) > kLongestExpandedPattern) {
        return badPattern("is too long or repeats too much");
    }
    if (hasBackReference(pattern)) return badPattern("has a back reference (\\1), which is not supported");
    auto options = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;
#ifdef __GLIBCXX__
    // Time proportional to the text, without recursion along it; other libraries give up with an exception.
    options |= std::regex_constants::__polynomial;
#endif
    try {
        return std::make_shared<const std::regex>(pattern, options);
    } catch (const std::regex_error& error) {
        switch (error.code()) {
        case std::regex_constants::error_paren:
            if (pattern.find_first_of("()") == std::string::npos)
                return badPattern("has a *, + or ? with nothing before it");
            return badPattern("has an unmatched ( or )");
        case std::regex_constants::error_brack:
            return badPattern("has an unmatched [");
        case std::regex_constants::error_brace:
        case std::regex_constants::error_badbrace:
            return badPattern("has an invalid {count}");
        case std::regex_constants::error_badrepeat:
            return badPattern("has a *, + or ? with nothing before it");
        case std::regex_constants::error_escape:
            return badPattern("has an unknown \\ sequence");
        case std::regex_constants::error_range:
            return badPattern("has an invalid range such as [z-a]");
        case std::regex_constants::error_complexity:
        case std::regex_constants::error_backref:
            return badPattern("has a back reference, which is not supported");
        default:
            return badPattern("is not valid");
        }
    } catch (const std::exception&) {
        return badPattern("is not valid");
    }
}

} // namespace

TextCondition::TextCondition(TextOperator op, std::string text, std::size_t index)
    : op_(op), text_(std::move(text)), lowered_(lowered(text_)), index_(index) {}

Result<TextCondition> TextCondition::create(TextOperator op, std::string text, std::size_t index) {
    TextCondition condition(op, std::move(text), index);
    if (op == TextOperator::Regex) {
        condition.regex_ = TRY(compiled(condition.text_));
    }
    return condition;
}

TextCondition TextCondition::alsoOf(OtherReading reading) const {
    auto condition = *this;
    condition.reading_ = reading;
    return condition;
}

bool TextCondition::matches(std::string_view text) const {
    return holdsOf(text) || (reading_ != nullptr && holdsOf(reading_(text)));
}

bool TextCondition::holdsOf(std::string_view text) const {
    switch (op_) {
    case TextOperator::Equals:
        return text.size() == lowered_.size() && startsWith(text, lowered_);
    case TextOperator::Contains:
        return contains(text, lowered_);
    case TextOperator::StartsWith:
        return startsWith(text, lowered_);
    case TextOperator::EndsWith:
        return text.size() >= lowered_.size() && startsWith(text.substr(text.size() - lowered_.size()), lowered_);
    case TextOperator::Wildcard:
        return fitsWildcard(text, lowered_);
    case TextOperator::Regex:
        break;
    }
    text = text.substr(0, kLongestSearchedText);
    try {
        return std::regex_match(text.begin(), text.end(), *regex_);
    } catch (const std::exception&) {
        return false; // the library gave up on this text
    }
}

} // namespace highwater::analysis
