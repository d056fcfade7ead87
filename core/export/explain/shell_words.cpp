#include "core/export/explain/shell_words.h"

#include <algorithm>
#include <utility>

namespace highwater::exports {
namespace {

constexpr std::string_view kContinuedBy = "    ";

bool isPlain(char c) {
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return isLetter || std::string_view("_./:=,+@-").find(c) != std::string_view::npos;
}

bool needsQuotes(std::string_view word) { return word.empty() || !std::all_of(word.begin(), word.end(), isPlain); }

/// A character inside of single quotes: a single quote itself ends them and begins them again.
std::string_view inQuotes(const char& c) { return c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1); }

std::string posixWord(std::string_view word) {
    if (!needsQuotes(word)) return std::string(word);
    std::string text = "'";
    for (const char& c : word)
        text += inQuotes(c);
    return text + '\'';
}

/// Programs take \" for a quote, and backslashes before one by pairs.
std::string windowsWord(std::string_view word) {
    if (!needsQuotes(word) && word.find('\\') == std::string_view::npos) return std::string(word);
    std::string text = "\"";
    std::size_t backslashes = 0;
    for (const char c : word) {
        if (c == '"') text.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, '\\') + '"';
}

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// A word in pieces of so many bytes, each in quotes of its own: side by side they are one word.
std::vector<std::string> piecesOf(std::string_view word, std::size_t width) {
    std::vector<std::string> pieces{"'"};
    for (const char& c : word) {
        if (pieces.back().size() + inQuotes(c).size() + 1 > width && !continuesCharacter(c)) {
            pieces.back() += '\'';
            pieces.emplace_back("'");
        }
        pieces.back() += inQuotes(c);
    }
    pieces.back() += '\'';
    return pieces;
}

/// The lines of one command.
class CommandLines {
  public:
    CommandLines(std::size_t width, Shell shell) : width_(width), shell_(shell) {}

    /// `behind`: what had better stand on the same line, if any line has room for it.
    void add(const std::string& word, std::size_t behind) {
        const auto text = shellWord(word, shell_);
        if (lines_.back().empty()) {
            lines_.back() = text;
            return;
        }
        const bool fitsTogether = fits(kContinuedBy.size(), text.size() + behind);
        if (fits(lines_.back().size() + 1, text.size() + (fitsTogether ? behind : 0))) {
            lines_.back() += ' ' + text;
            return;
        }
        lines_.back() += shell_ == Shell::Posix ? " \\" : " ^";
        lines_.emplace_back(kContinuedBy);
        if (shell_ == Shell::Windows || fits(kContinuedBy.size(), text.size()))
            lines_.back() += text;
        else
            addInPieces(word);
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

  private:
    static constexpr std::size_t kMark = 2; ///< what says that a line goes on

    [[nodiscard]] bool fits(std::size_t before, std::size_t more) const { return before + more + kMark <= width_; }
    void addInPieces(const std::string& word) {
        const auto pieces = piecesOf(word, width_ - kContinuedBy.size() - kMark);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            lines_.back() += pieces[i];
            if (i + 1 == pieces.size()) break;
            lines_.back() += '\\'; // the next piece begins its line: a blank before it would end the word
            lines_.emplace_back();
        }
    }

    std::size_t width_;
    Shell shell_;
    std::vector<std::string> lines_{""};
};

} // namespace

std::string shellWord(std::string_view word, Shell shell) {
    return shell == Shell::Posix ? posixWord(word) : windowsWord(word);
}

std::string shellLine(const std::vector<std::string>& words, Shell shell) {
    std::string line;
    for (const auto& word : words)
        line += (line.empty() ? "" : " ") + shellWord(word, shell);
    return line;
}

std::vector<std::string> shellLines(const std::vector<std::string>& words, std::size_t width, Shell shell) {
    CommandLines lines(width, shell);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool hasValue = words[i].starts_with("--") && i + 1 < words.size() && !words[i + 1].starts_with("--");
        lines.add(words[i], hasValue ? shellWord(words[i + 1], shell).size() + 1 : 0);
    }
    return lines.take();
}

} // namespace highwater::exports
