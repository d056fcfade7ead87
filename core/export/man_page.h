#pragma once

#include <string>
#include <vector>

namespace highwater::exports {

/// An option, variable or exit code with its meaning.
struct ManEntry {
    std::string term;
    std::string meaning;
};

/// A user's question, and the command that answers it.
struct ManExample {
    std::string question;
    std::string command; ///< a shell command line
};

struct ManSection {
    std::string title;
    std::string text = {}; ///< before the entries
    std::vector<ManEntry> entries = {};
    std::vector<ManExample> examples = {};
    bool isBelow = false; ///< a subsection of the previous section
};

/// A Linux manual page (section 1). All texts are unescaped.
struct ManPage {
    std::string name;
    std::string version;
    std::string summary;               ///< one line, without a full stop
    std::vector<std::string> synopsis; ///< one line each
    std::vector<ManSection> sections;
};

/// The page in the man(7) format, for programs such as man and groff.
[[nodiscard]] std::string manSource(const ManPage& page);

} // namespace highwater::exports
