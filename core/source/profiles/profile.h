#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/code_events.h"
#include "core/event/trace_properties.h"
#include "core/source/profiles/name_pool.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// A file that sums up what a program allocated: how many objects each stack did, not one by one. As it is read, before
/// it becomes records. It can be moved, not copied.
///
/// A name is an id of `names` wherever something refers to it, so that a file of some kilobytes cannot take all memory.
struct Profile {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    struct Frame {
        Address address = 0; ///< to return to
        NameId module = 0;   ///< a path; 0: not known
        std::uint32_t firstFunction = 0;
        std::uint32_t functions = 0;
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
    NamePool names;
    std::vector<Frame> frames;
    std::vector<NamedFunction> functions;   ///< of frames; texts are ids of names
    std::vector<std::uint32_t> stackFrames; ///< indices of frames, innermost first
    std::vector<Sample> samples;
    std::vector<std::string> notes;   ///< worth knowing
    std::vector<std::string> remarks; ///< something is missing
    std::int64_t endTicks = 2;
    std::int64_t ticksPerSecond = 1'000'000'000;
    bool hasTimes = false;
    bool hasCounts = true; ///< objects are known

    /// Adds a frame, and returns its index.
    std::uint32_t addFrame(NameId module, Address address);
    /// Adds a function to the frame that was added last: what was inlined first comes first. Of very many only the
    /// outermost ones are kept.
    void addFunction(NameId name, NameId file, std::uint32_t line);
    [[nodiscard]] std::span<const NamedFunction> functionsOf(const Frame& frame) const {
        return std::span(functions).subspan(frame.firstFunction, frame.functions);
    }

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

/// A small packed file may unpack to any number of stacks, and a trace of them has to fit into memory: of more nothing
/// is read. A reader counts what it keeps beside the profile in `others`, in bytes.
inline constexpr std::size_t kMostProfileSamples = std::size_t{1} << 21, kMostProfileFrames = std::size_t{1} << 25;
inline constexpr std::size_t kMostProfileMemory = std::size_t{256} << 20;
[[nodiscard]] bool isTooMuch(const Profile& profile, std::size_t others = 0);
/// Of the file that is called so.
[[nodiscard]] Error tooManyStacks(std::string_view name);

} // namespace highwater::source
