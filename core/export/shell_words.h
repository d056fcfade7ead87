#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// The shell that a command is written for.
enum class Shell : std::uint8_t {
    Posix,   ///< sh, bash and the like
    Windows, ///< cmd with default settings, and PowerShell: one text works in both
};
/// The shell of the system for which the program was built.
[[nodiscard]] Shell ownShell();

// Commands that a user can paste. Each word arrives unchanged, whatever its characters, or the command is not written:
// then the error (Unsupported) is a sentence to show instead. It does not quote the word.

/// One word, quoted if necessary.
[[nodiscard]] Result<std::string> shellWord(std::string_view word, Shell shell);
/// All words on one line.
[[nodiscard]] Result<std::string> shellLine(const std::vector<std::string>& words, Shell shell);
/// The same on several lines of at most `width` bytes, which form one command when pasted. For Windows always one line,
/// because cmd and PowerShell have different continuation marks.
[[nodiscard]] Result<std::vector<std::string>> shellLines(const std::vector<std::string>& words, std::size_t width,
                                                          Shell shell);
/// The line, or why there is none.
[[nodiscard]] std::string lineOrReason(const std::vector<std::string>& words, Shell shell);

/// The end of a sentence: the option with its value, or the file that can contain the value, and why.
[[nodiscard]] std::string renameHint(const std::string& line);

using CommandLine = std::vector<std::string>;

/// Appends an option with its value, so that a value with a leading - is not parsed as an option: --mark=-x.
void addOption(CommandLine& words, std::string_view option, const std::string& value);
/// Appends files, so that a leading - is not parsed as an option: ./-x.
void addFiles(CommandLine& words, const std::vector<std::string>& files);
[[nodiscard]] std::string fileWord(const std::string& file);

} // namespace highwater::exports
