#pragma once

#include "core/base/text.h"

#include <ostream>
#include <string>
#include <string_view>

namespace highwater::cli {

/// Exit codes of highwater-cli.
enum class ExitCode : int {
    Done = 0,
    WrongUsage = 1,
    CannotRead = 2,  ///< the input cannot be read
    DataMissing = 3, ///< success, but totals are bounds; only with --strict
    HasGrown = 4,    ///< success, but more was kept than --fail-above allows
    // Any exit code can also be that of the recorded program.
};

/// Output of a command: answers go to one stream, messages for people to the other.
struct Console {
    std::ostream& answers;
    std::ostream& messages;
    bool showsAll = false;         ///< --verbose: do not shorten messages
    std::ostream* bytes = nullptr; ///< for binary answers; null: the same stream

    /// The stream for binary answers. Text goes through PrintableStream.
    [[nodiscard]] Console forBytes() const { return {bytes != nullptr ? *bytes : answers, messages, showsAll, bytes}; }

    /// Prints a one-line message with the program's name. Names from traces in it cannot control the terminal or start
    /// a line that looks like a separate message.
    void say(std::string_view text) const {
        messages << "highwater-cli: " + printable(text) +
                        '\n'; // written in one call because another thread may print the log
    }

    /// The same for messages from the program or typed text, which may have several lines.
    void sayLines(std::string_view text) const {
        std::string lines = "highwater-cli: ";
        for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            lines += printable(text.substr(0, end)) + '\n';
            text.remove_prefix(end + 1);
        }
        lines += printable(text) + '\n';
        messages << lines;
    }
};

} // namespace highwater::cli
