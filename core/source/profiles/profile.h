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

/// A file that sums up the allocations of a program by stack, before it is converted to records. Movable, not copyable.
///
/// Names are ids of `names` everywhere, so that a file of a few kilobytes cannot use up all memory.
struct Profile {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    struct Frame {
        Address address = 0; ///< return address
        NameId module = 0;   ///< a path; 0: not known
        std::uint32_t firstFunction = 0;
        std::uint32_t functions = 0;
    };
    /// Objects of one stack with a common start and end.
    struct Sample {
        std::uint32_t firstFrame = 0; ///< index in stackFrames
        std::uint32_t frames = 0;
        std::uint64_t objects = 0;
        ByteCount bytes = 0;       ///< total size
        std::int64_t begin = 0;    ///< ticks
        std::int64_t end = kNever; ///< kNever: outstanding
    };

    std::string tool; ///< "DHAT"
    std::string commandLine;
    std::uint32_t pid = 1;
    NamePool names;
    std::vector<Frame> frames;
    std::vector<NamedFunction> functions;   ///< functions of frames; texts are ids of names
    std::vector<std::uint32_t> stackFrames; ///< indices of frames, innermost first
    std::vector<Sample> samples;
    std::vector<std::string> notes;   ///< worth knowing
    std::vector<std::string> remarks; ///< sentences about missing data
    std::int64_t endTicks = 2;
    std::int64_t ticksPerSecond = 1'000'000'000;
    bool hasTimes = false;
    bool hasCounts = true; ///< object counts are known

    /// Adds a frame and returns its index.
    std::uint32_t addFrame(NameId module, Address address);
    /// Adds a function to the last frame, the innermost inlined function first. Beyond a limit only the outermost ones
    /// are kept.
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

/// Larger amounts for one stack are considered damaged.
inline constexpr std::uint64_t kMostProfileBytes = std::uint64_t{1} << 43;

/// Limits, because a small packed file may unpack to any number of stacks, and their trace has to fit into memory. A
/// reader passes the size of its own data as `others`, in bytes.
inline constexpr std::size_t kMostProfileSamples = std::size_t{1} << 21, kMostProfileFrames = std::size_t{1} << 25;
inline constexpr std::size_t kMostProfileMemory = std::size_t{256} << 20;
[[nodiscard]] bool isTooMuch(const Profile& profile, std::size_t others = 0);
/// "3 damaged parts were skipped in FILE." for the noun "damaged part".
[[nodiscard]] std::string skippedText(std::uint64_t count, std::string_view noun, std::string_view file);
/// The error for the file called `name`.
[[nodiscard]] Error tooManyStacks(std::string_view name);

} // namespace highwater::source
