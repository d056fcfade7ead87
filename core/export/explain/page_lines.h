#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// Lines of a plain-text page, at most kWidth characters wide. Texts from traces are made printable.
class PageLines {
  public:
    static constexpr std::size_t kWidth = 100;

    /// Shortens a line that is too long in its middle.
    void add(std::string_view line);
    void addBlank() { text_ += '\n'; }
    /// Wraps between words. Lines after the first are indented by `indent` more than the first.
    void addParagraph(std::size_t first, std::size_t indent, std::string_view text);
    /// `name` in its own column, followed by a paragraph.
    void addEntry(std::string_view name, std::string_view text);
    /// Not shortened: commands already fit.
    void addCommand(const std::vector<std::string>& lines);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// Limits the text to `most` characters by replacing its middle with "...".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

} // namespace highwater::exports
