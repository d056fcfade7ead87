#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/code_events.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// A file that sums up what a program allocated: how many objects each stack did, not one by one. As it is read, before
/// it becomes records. A value.
struct Profile {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    struct Frame {
        std::string module;                     ///< a path; empty: not known
        Address address = 0;                    ///< to return to
        std::vector<NamedFunction> functions{}; ///< as CodeEvent has them
    };
    /// Some objects of one stack that began together, and ended together.
    struct Sample {
        std::uint32_t firstFrame = 0; ///< of stackFrames
        std::uint32_t frames = 0;
        std::uint64_t objects = 0;
        ByteCount bytes = 0;       ///< of all of them
        std::int64_t begin = 0;    ///< ticks
        std::int64_t end = kNever; ///< kNever: outstanding
    };

    std::string tool; ///< "DHAT"
    std::string commandLine;
    std::uint32_t pid = 1;
    std::vector<Frame> frames;
    std::vector<std::uint32_t> stackFrames; ///< indices of frames, innermost first
    std::vector<Sample> samples;
    std::vector<std::string> notes;   ///< worth knowing
    std::vector<std::string> remarks; ///< something is missing
    std::int64_t endTicks = 2;
    std::int64_t ticksPerSecond = 1'000'000'000;
    bool hasTimes = false;
    bool hasCounts = true; ///< objects are known

    [[nodiscard]] TraceLacks lacks() const {
        return {.addresses = true,
                .threads = true,
                .pages = true,
                .objects = true,
                .times = !hasTimes,
                .counts = !hasCounts};
    }
};

/// No profile says more of one stack: what does is damaged.
inline constexpr std::uint64_t kMostProfileBytes = std::uint64_t{1} << 43;

/// A small packed file may unpack to any number of stacks: no program has more, nor more frames in them together.
inline constexpr std::size_t kMostProfileSamples = std::size_t{1} << 22, kMostProfileFrames = std::size_t{1} << 26;
[[nodiscard]] inline bool isTooMuch(const Profile& profile) {
    return profile.samples.size() > kMostProfileSamples || profile.stackFrames.size() > kMostProfileFrames;
}
/// Of the file that is called so.
[[nodiscard]] Error tooManyStacks(std::string_view name);

} // namespace highwater::source
