#pragma once

#include "core/base/text.h"

#include <ostream>
#include <string>
#include <string_view>

namespace highwater::cli {

/// What highwater-cli tells its caller.
enum class ExitCode : int {
    Done = 0,
    WrongUsage = 1,
    CannotRead = 2,  ///< the input cannot be read
    DataMissing = 3, ///< done, but totals are bounds; only with --strict
    HasGrown = 4,    ///< done, and more was kept than --fail-above allows
    // Any other, or the same: of the program that was recorded.
};

/// Where a command writes: answers to one stream, messages for people to the other.
struct Console {
    std::ostream& answers;
    std::ostream& messages;
    bool showsAll = false;         ///< --verbose: messages that are cut to some lines are whole
    std::ostream* bytes = nullptr; ///< where answers go that are no text; null: to the same stream

    /// The same for an answer that is no text. Text goes through PrintableStream.
    [[nodiscard]] Console forBytes() const { return {bytes != nullptr ? *bytes : answers, messages, showsAll, bytes}; }

    /// A message of one line, with the program's name before it. Names from traces in it can neither steer the terminal
    /// nor begin a line that looks like a message of its own.
    void say(std::string_view text) const {
        messages << "highwater-cli: " + printable(text) + '\n'; // at once: another thread may show the log there
    }

    /// The same of our own words and those that were typed: its lines stay.
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
