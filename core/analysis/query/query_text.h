#pragma once

#include <cstddef>
#include <string>

namespace highwater::analysis {

inline constexpr std::size_t kLongestQuery = 65536; ///< bytes
inline constexpr unsigned kDeepestNesting = 100;

/// Why a text is not a query: a sentence for the user and the bytes of the text to mark (length 0: a caret).
struct QueryError {
    std::string sentence;
    std::size_t position = 0;
    std::size_t length = 0;
};

} // namespace highwater::analysis
