#include "core/export/shell_words.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace highwater::exports {
namespace {

constexpr std::string_view kContinuedBy = "    ";
constexpr std::size_t kLongestOfCmd = 8000; // bytes; cmd reads 8,191 characters

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the word consists of letters, digits and `others`.
bool isMadeOf(std::string_view word, std::string_view others) {
    return std::all_of(word.begin(), word.end(), [others](char c) {
        return isLetter(c) || isDigit(c) || others.find(c) != std::string_view::npos;
    });
}

/// A character inside single quotes. A single quote closes them and opens them again.
std::string_view inQuotes(const char& c) { return c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1); }

/// zsh replaces =x at the start of a word by the path of a program.
std::string posixWord(std::string_view word) {
    if (!word.empty() && word.front() != '=' && isMadeOf(word, "_./:=,+@-")) return std::string(word);
    std::string text = "'";
    for (const char& c : word)
        text += inQuotes(c);
    return text + '\'';
}

/// PowerShell interprets numbers, options with a value, lists and a leading @.
bool isPlainForWindows(std::string_view word) {
    if (word.starts_with("--")) return isMadeOf(word.substr(2), "-") && word.size() > 2;
    if (word.empty() || word.front() == '0') return false;
    return std::all_of(word.begin(), word.end(), isDigit) || (isLetter(word.front()) && isMadeOf(word, "_./:\\-"));
}

/// Between double quotes, cmd and PowerShell keep all characters except those that reasonNotForWindows() rejects. So
/// does the started program, whose command line PowerShell reassembles.
std::string windowsWord(std::string_view word) {
    return isPlainForWindows(word) ? std::string(word) : fmt::format("\"{}\"", word);
}

/// PowerShell treats these as ".
bool hasCurvedQuotes(std::string_view word) {
    return std::ranges::any_of(std::array{"\u201C", "\u201D", "\u201E"},
                               [word](const char* quote) { return word.find(quote) != std::string_view::npos; });
}

/// Why a word cannot be written for both cmd and PowerShell; empty: it can.
std::string_view reasonNotForWindows(std::string_view word) {
    const auto has = [word](std::string_view some) { return word.find_first_of(some) != std::string_view::npos; };
    if (word.empty()) return "is empty, and PowerShell drops empty words";
    if (has("\"") || hasCurvedQuotes(word)) return "contains a quotation mark, which cannot be quoted";
    if (has("%")) return "contains a percent sign, which cmd treats as a variable";
    if (has("$`")) return "contains a dollar sign or backtick, which PowerShell replaces";
    if (word.back() == '\\' && !isPlainForWindows(word)) return "needs quotes and ends with a backslash";
    return {};
}

/// For any shell. A pasted command goes through a terminal.
std::string_view whyNot(std::string_view word, Shell shell) {
    if (printable(word) != word) return "contains a character that terminals hide or interpret";
    return shell == Shell::Windows ? reasonNotForWindows(word) : std::string_view();
}

Error notWritten(std::string_view why) {
    return {ErrorKind::Unsupported, fmt::format("Command not shown because a word {}.", why)};
}

std::optional<Error> refusalOf(const std::vector<std::string>& words, Shell shell) {
    for (const auto& word : words)
        if (const auto why = whyNot(word, shell); !why.empty()) return notWritten(why);
    return std::nullopt;
}

std::string writtenWord(std::string_view word, Shell shell) {
    return shell == Shell::Posix ? posixWord(word) : windowsWord(word);
}

std::string writtenLine(const std::vector<std::string>& words, Shell shell) {
    std::string line;
    for (const auto& word : words)
        line += (line.empty() ? "" : " ") + writtenWord(word, shell);
    return line;
}

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Splits a word into pieces of at most `width` bytes, each in its own quotes. Adjacent pieces form one word.
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

/// The lines of one command for POSIX shells.
class PosixLines {
  public:
    explicit PosixLines(std::size_t width) : width_(width) {}

    /// `behind`: bytes of the next word, which should be on the same line if they fit.
    void add(const std::string& word, std::size_t behind) {
        const auto text = posixWord(word);
        if (lines_.back().empty()) {
            lines_.back() = text;
            return;
        }
        const bool fitsTogether = fits(kContinuedBy.size(), text.size() + behind);
        if (fits(lines_.back().size() + 1, text.size() + (fitsTogether ? behind : 0))) {
            lines_.back() += ' ' + text;
            return;
        }
        lines_.back() += " \\";
        lines_.emplace_back(kContinuedBy);
        if (fits(kContinuedBy.size(), text.size()))
            lines_.back() += text;
        else
            addInPieces(word);
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

  private:
    static constexpr std::size_t kMark = 2; ///< bytes of the continuation mark

    [[nodiscard]] bool fits(std::size_t before, std::size_t more) const { return before + more + kMark <= width_; }
    void addInPieces(const std::string& word) {
        const auto pieces = piecesOf(word, width_ - kContinuedBy.size() - kMark);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            lines_.back() += pieces[i];
            if (i + 1 == pieces.size()) break;
            lines_.back() += '\\'; // the next piece starts its line, because a blank before it would end the word
            lines_.emplace_back();
        }
    }

    std::size_t width_;
    std::vector<std::string> lines_{""};
};

} // namespace

Result<std::string> shellWord(std::string_view word, Shell shell) {
    if (const auto why = whyNot(word, shell); !why.empty()) return notWritten(why);
    return writtenWord(word, shell);
}

Result<std::string> shellLine(const std::vector<std::string>& words, Shell shell) {
    if (auto refusal = refusalOf(words, shell)) return *std::move(refusal);
    auto line = writtenLine(words, shell);
    if (shell == Shell::Windows && line.size() > kLongestOfCmd)
        return Error{ErrorKind::Unsupported, "Command not shown because it is too long for cmd."};
    return line;
}

Result<std::vector<std::string>> shellLines(const std::vector<std::string>& words, std::size_t width, Shell shell) {
    if (shell == Shell::Windows) {
        auto line = TRY(shellLine(words, shell));
        return std::vector{std::move(line)};
    }
    if (auto refusal = refusalOf(words, shell)) return *std::move(refusal);
    PosixLines lines(width);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool hasValue = words[i].starts_with("--") && i + 1 < words.size() && !words[i + 1].starts_with("--");
        lines.add(words[i], hasValue ? posixWord(words[i + 1]).size() + 1 : 0);
    }
    return lines.take();
}

std::string lineOrReason(const std::vector<std::string>& words, Shell shell) {
    const auto line = shellLine(words, shell);
    return line.hasValue() ? line.value() : line.error().message;
}

std::string renameHint(const std::string& line) {
    CommandLine words;
    addOption(words, "--rename", line);
    const auto hint = shellLine(words, ownShell());
    return hint.hasValue() ? hint.value() : fmt::format("a line in the file of --renames. {}", hint.error().message);
}

void addOption(CommandLine& words, std::string_view option, const std::string& value) {
    if (value.starts_with('-'))
        words.push_back(fmt::format("{}={}", option, value));
    else
        words.insert(words.end(), {std::string(option), value});
}

std::string fileWord(const std::string& file) { return file.starts_with('-') ? "./" + file : file; }

void addFiles(CommandLine& words, const std::vector<std::string>& files) {
    std::ranges::transform(files, std::back_inserter(words), fileWord);
}

} // namespace highwater::exports
