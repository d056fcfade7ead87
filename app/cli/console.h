#pragma once

#include <ostream>

namespace highwater::cli {

/// What highwater-cli tells its caller.
enum class ExitCode : int {
    Done = 0,
    WrongUsage = 1,
    CannotRead = 2,  ///< the input cannot be read
    DataMissing = 3, ///< done, but totals are bounds; only with --strict
};

/// Where a command writes: answers to one stream, messages for people to the other.
struct Console {
    std::ostream& answers;
    std::ostream& messages;

    /// A message of one line, with the program's name before it.
    template <typename Text>
    void say(const Text& text) const {
        messages << "highwater-cli: " << text << '\n';
    }
};

} // namespace highwater::cli
