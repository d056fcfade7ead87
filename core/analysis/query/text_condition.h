#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace highwater::analysis {

/// Wildcard: * is any text, ? any byte. Wildcard and Regex must fit the whole text, as in WPA.
enum class TextOperator : std::uint8_t { Equals, Contains, StartsWith, EndsWith, Wildcard, Regex };

/// An alternative reading of a text, such as a function name without the parts that differ between builds.
using OtherReading = std::string (*)(std::string_view text);

/// A case-insensitive (A to Z) condition on a text. Immutable; any thread.
class TextCondition {
  public:
    /// Maximum length of text that a regular expression examines.
    static constexpr std::size_t kLongestSearchedText = 2048;
    static constexpr std::size_t kLongestPattern = 256;

    /// `index` is the position of this condition among the text conditions of its expression. Error: invalid pattern.
    static Result<TextCondition> create(TextOperator op, std::string text, std::size_t index);

    /// The same condition, which a text may also satisfy with its other reading.
    [[nodiscard]] TextCondition alsoOf(OtherReading reading) const;

    [[nodiscard]] bool matches(std::string_view text) const;

    [[nodiscard]] TextOperator op() const { return op_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Results for the same text and index are equal, so the index is a cache key.
    [[nodiscard]] std::size_t index() const { return index_; }
    friend bool operator==(const TextCondition& a, const TextCondition& b) {
        return a.op_ == b.op_ && a.text_ == b.text_ && a.index_ == b.index_ && a.reading_ == b.reading_;
    }

  private:
    TextCondition(TextOperator op, std::string text, std::size_t index);
    [[nodiscard]] bool holdsOf(std::string_view text) const;

    TextOperator op_;
    std::string text_;
    std::string lowered_;
    std::size_t index_;
    std::shared_ptr<const std::regex> regex_;
    OtherReading reading_ = nullptr; ///< null: no other reading
};

} // namespace highwater::analysis
