#pragma once

#include <cstdint>
#include <string>

namespace highwater::analysis {

/// A note about a difference in addition to its numbers.
struct DifferenceNote {
    std::string id;   ///< for programs: "unnamed_frames_merged"
    std::string name; ///< the counted items: "unnamed frames merged"
    std::uint64_t count = 1;
    std::string sentence;
};

} // namespace highwater::analysis
