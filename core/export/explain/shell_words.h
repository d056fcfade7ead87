#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::exports {

/// Who is to read a command.
enum class Shell : std::uint8_t {
    Posix,   ///< sh, bash and the like
    Windows, ///< cmd, and the way in which programs of Windows read their arguments
};
/// Of the system that the program was built for.
[[nodiscard]] Shell ownShell();

/// The word as it must be typed to arrive as it is: in quotes where it needs them. A variable of cmd, %NAME%, is
/// replaced in any case.
[[nodiscard]] std::string shellWord(std::string_view word, Shell shell);
/// All of them on one line.
[[nodiscard]] std::string shellLine(const std::vector<std::string>& words, Shell shell);
/// The same on as many lines as it takes for none to be wider than so many bytes; pasted together they are one command.
/// Of Windows only between words.
[[nodiscard]] std::vector<std::string> shellLines(const std::vector<std::string>& words, std::size_t width,
                                                  Shell shell);

} // namespace highwater::exports
