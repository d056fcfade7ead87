#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// Lines of a page of plain text, none wider than kWidth characters. What comes from traces goes through printable().
class PageLines {
  public:
    static constexpr std::size_t kWidth = 100;

    /// As it is, but for what does not fit: the middle of it is left out.
    void add(std::string_view line);
    void addBlank() { text_ += '\n'; }
    /// Wrapped between words; lines behind the first are `indent` blanks further in than the first.
    void addParagraph(std::size_t first, std::size_t indent, std::string_view text);
    /// `name` in a column of its own, then a paragraph.
    void addEntry(std::string_view name, std::string_view text);
    /// Whole: commands are made to fit.
    void addCommand(const std::vector<std::string>& lines);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// At most so many characters: what is too much is left out of the middle, where "..." stands.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

} // namespace highwater::exports
