#include "core/analysis/tags/glob.h"

#include <cstddef>

namespace highwater::analysis {

/// Linear in practice: on a mismatch, only the last * is retried.
bool globMatches(std::string_view pattern, std::string_view text, QuestionMark questionMark) {
    const bool isAny = questionMark == QuestionMark::AnyCharacter;
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.size() && (pattern[p] == text[t] || (isAny && pattern[p] == '?'))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace highwater::analysis
