#pragma once

#include <string>
#include <vector>

namespace highwater::exports {

/// An option, a variable or an exit code, and what it means.
struct ManEntry {
    std::string term;
    std::string meaning;
};

/// What a user asks, and the command that answers it.
struct ManExample {
    std::string question;
    std::string command; ///< a line of a shell
};

struct ManSection {
    std::string title;
    std::string text = {}; ///< before the entries
    std::vector<ManEntry> entries = {};
    std::vector<ManExample> examples = {};
    bool isBelow = false; ///< a part of the section before it
};

/// A page of the manual of Linux (section 1). All texts are plain.
struct ManPage {
    std::string name;
    std::string version;
    std::string summary;               ///< one line, without a full stop
    std::vector<std::string> synopsis; ///< a line each
    std::vector<ManSection> sections;
};

/// The page as man(7) has it, for programs such as man and groff.
[[nodiscard]] std::string manSource(const ManPage& page);

} // namespace highwater::exports
