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

/// What else a text reads as, such as a function's name without what differs from build to build.
using OtherReading = std::string (*)(std::string_view text);

/// One question to a text, asked without regard to case (of A to Z). Immutable; any thread.
class TextCondition {
  public:
    /// A regular expression sees no more of a text than this.
    static constexpr std::size_t kLongestSearchedText = 2048;
    static constexpr std::size_t kLongestPattern = 256;

    /// `index` is the place of this condition among the text conditions of its expression. Fails for a bad pattern
    /// only.
    static Result<TextCondition> create(TextOperator op, std::string text, std::size_t index);

    /// The same question, which a text satisfies in its other reading, too.
    [[nodiscard]] TextCondition alsoOf(OtherReading reading) const;

    [[nodiscard]] bool matches(std::string_view text) const;

    [[nodiscard]] TextOperator op() const { return op_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Answers for the same text and the same index are the same: what to remember them by.
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
    OtherReading reading_ = nullptr; ///< null: there is one only
};

} // namespace highwater::analysis
