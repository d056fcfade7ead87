#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace highwater::tests {

/// A profile as protobuf's own code reads it, with texts instead of their numbers.
struct ReadProfile {
    struct Line {
        std::string function;
        std::string systemName;
        std::string file;
        std::int64_t line = 0;
    };
    struct Mapping {
        std::uint64_t start = 0;
        std::uint64_t limit = 0;
        std::string file;
        std::string buildId;
        bool hasFunctions = false;
        bool hasInlineFrames = false;
    };
    struct Location {
        std::uint64_t address = 0;
        std::string mapping; ///< its file; "": none
        std::vector<Line> lines;
        bool isFolded = false;
    };
    struct Sample {
        std::vector<Location> stack; ///< innermost first
        std::map<std::string, std::int64_t> values;
        std::map<std::string, std::string> labels;
        /// "outer;inner", with inlined functions as calls of their own.
        [[nodiscard]] std::string path() const;
    };
    std::string problem;            ///< "": it is a complete profile without dangling references
    std::vector<std::string> types; ///< "inuse_space/bytes"
    std::string defaultType;
    std::vector<Sample> samples;
    std::vector<Mapping> mappings;
    std::vector<std::string> comments;
    std::int64_t timeNanos = 0;
    std::int64_t durationNanos = 0;
    std::int64_t period = 0;

    [[nodiscard]] std::int64_t sum(const std::string& type) const;
};

/// `bytes`: gzip-compressed.
[[nodiscard]] ReadProfile readProfile(const std::string& bytes);

} // namespace highwater::tests
