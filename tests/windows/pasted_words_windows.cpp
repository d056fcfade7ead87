// Writes words as Windows commands, and prints the words that it was started with: for pasted_commands.py.
//     pasted-words.exe --write WORDS COMMANDS   writes a line to COMMANDS for each line of WORDS (hexadecimal UTF-8): a
//                                               command that runs this program with that word, empty if there is none
//     pasted-words.exe WORDS... --to FILE       appends the words to FILE, a line of hexadecimal UTF-8 each
#include "core/base/text.h"
#include "core/export/shell_words.h"

#include <fstream>
#include <memory>
#include <windows.h>
// after windows.h
#include <shellapi.h>

namespace {

using Words = std::vector<std::string>;

Words typed() {
    int count = 0;
    const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(::CommandLineToArgvW(::GetCommandLineW(), &count),
                                                                  &::LocalFree);
    Words typed;
    for (int i = 1; i < count; ++i)
        typed.push_back(highwater::utf8(words.get()[i]));
    return typed;
}

std::string hexadecimal(const std::string& text) {
    std::string digits;
    for (const unsigned char c : text) {
        digits += "0123456789abcdef"[c / 16];
        digits += "0123456789abcdef"[c % 16];
    }
    return digits;
}

std::string fromHexadecimal(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return text;
}

void write(const std::string& words, const std::string& commands) {
    std::ifstream in(words);
    std::ofstream out(commands, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const auto command = highwater::exports::shellLine(
            {"pasted-words", fromHexadecimal(line), "--to", "said.txt"}, highwater::exports::Shell::Windows);
        out << (command.hasValue() ? command.value() : "") << '\n';
    }
}

} // namespace

int main() {
    const auto words = typed();
    if (words.size() == 3 && words[0] == "--write") {
        write(words[1], words[2]);
        return 0;
    }
    if (words.size() < 2) return 1;
    std::ofstream out(words.back(), std::ios::app | std::ios::binary);
    for (std::size_t i = 0; i + 2 < words.size(); ++i)
        out << (i > 0 ? " " : "") << hexadecimal(words[i]);
    out << '\n';
}
