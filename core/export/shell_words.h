#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// Who is to read a command.
enum class Shell : std::uint8_t {
    Posix,   ///< sh, bash and the like
    Windows, ///< cmd as it is set up by default and PowerShell: whatever is written for one is pasted into the other,
             ///< too
};
/// Of the system that the program was built for.
[[nodiscard]] Shell ownShell();

// Commands that a user pastes. Each word arrives as it is, whatever is in it, or the command is not written: then the
// error (Unsupported) is a sentence for the place where the command would be. It cites nothing.

/// One word: in quotes where it needs them.
[[nodiscard]] Result<std::string> shellWord(std::string_view word, Shell shell);
/// All of them on one line.
[[nodiscard]] Result<std::string> shellLine(const std::vector<std::string>& words, Shell shell);
/// The same on as many lines as it takes for none to be wider than so many bytes; pasted together they are one command.
/// Of Windows always one line: cmd and PowerShell continue lines in different ways.
[[nodiscard]] Result<std::vector<std::string>> shellLines(const std::vector<std::string>& words, std::size_t width,
                                                          Shell shell);
/// The line, or why there is none.
[[nodiscard]] std::string lineOrReason(const std::vector<std::string>& words, Shell shell);

/// For a sentence that ends with it: the option with its value, or in which file the value does the same, and why.
[[nodiscard]] std::string renameHint(const std::string& line);

using CommandLine = std::vector<std::string>;

/// An option with its value, which no program takes for an option of its own: --mark=-x of one that begins with -.
void addOption(CommandLine& words, std::string_view option, const std::string& value);
/// Files, which no program takes for options: ./-x of one that begins with -.
void addFiles(CommandLine& words, const std::vector<std::string>& files);
[[nodiscard]] std::string fileWord(const std::string& file);

} // namespace highwater::exports
