#pragma once

#include "core/analysis/columns/columns.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::summary {

// What is kept of a trace when the trace is not at hand: plain values, made where the trace lies. Times are nanoseconds
// from the begin of the trace, sizes bytes.

/// Names a stack on every machine and in every build: 128 bits over its normalised functions (stack_key.h). 0: rows
/// without a stack.
struct StackKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend auto operator<=>(const StackKey&, const StackKey&) = default;
};

/// A function of stacks, each once.
struct Frame {
    std::string name;       ///< normalised: "module!function" without path, version, address and parameters
    std::string module;     ///< "libapp.so"; empty: its code is in no module
    std::string buildId;    ///< of its debug file: a build-id, or of a PDB its GUID and age; empty: nothing names it
    std::uint64_t rva = 0;  ///< of a call in the module
    bool isNamed = false;   ///< false: the name is made of the module and the RVA
    std::string file;       ///< empty: not known
    std::uint32_t line = 0; ///< 0: not known
};

struct Stack {
    StackKey key;
    std::vector<std::uint32_t> frames; ///< of RunSummary::frames, innermost first; empty: rows without a stack
    /// Which of RunSummary::frames: the first that is no allocator or runtime; of rows without a stack "(no stack)".
    std::uint32_t owner = 0;
};

enum class WindowKind : std::uint8_t { Whole, BetweenMarks, Slice };

/// A part of the time of a run.
struct Window {
    WindowKind kind = WindowKind::Whole;
    std::string name; ///< "whole", "Warm to Full", "60 s to 120 s"
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// What the rows of one table, process and stack come to in one window (docs/numbers.md, Fleet).
struct Sample {
    std::uint32_t window = 0;  ///< of RunSummary::windows
    std::uint32_t process = 0; ///< of RunSummary::processes
    std::uint32_t stack = 0;   ///< of RunSummary::stacks
    analysis::Table table = analysis::Table::Heap;
    std::int64_t allocSpace = 0;
    std::int64_t allocObjects = 0;
    std::int64_t inuseSpace = 0; ///< outstanding when the window ends
    std::int64_t inuseObjects = 0;
    std::int64_t freed = 0;     ///< bytes released inside
    std::int64_t peak = 0;      ///< bytes; of this stack alone; of managed objects 0, as the next
    std::int64_t impacting = 0; ///< what the window added to what is outstanding
    std::int64_t slope = 0;     ///< bytes an hour, of what is outstanding
    std::int64_t first = 0;     ///< begin of the first row that was allocated inside; without any, that of the window
    std::int64_t last = 0;      ///< of the last one
};

/// What is said of a run beside its samples.
struct RunFacts {
    std::string run;   ///< 32 hexadecimal digits, from the trace's own header and size: the same wherever it lies
    std::string trace; ///< where it lies, an absolute path; several files: with a ';' between
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> recordedAt; ///< nanoseconds since 1970, UTC
    std::int64_t duration = 0;
    std::string recorder; ///< who wrote it; empty: not said
    std::string system;   ///< "Windows build 19045"; empty: not said
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0;
    std::uint64_t stacksUnresolved = 0;
    bool isWhole = true;                                     ///< false: its totals are bounds
    std::vector<std::string> health;                         ///< what is missing, a sentence each
    std::string build, machine, scenario;                    ///< as the user labels it; empty: not said
    std::vector<std::pair<std::string, std::string>> labels; ///< other ones, by name
};

struct RunSummary {
    RunFacts facts;
    std::vector<std::string> processes; ///< names, without ids; each once
    std::vector<Window> windows;        ///< the whole first
    std::vector<Frame> frames;
    std::vector<Stack> stacks;
    std::vector<Sample> samples;
};

} // namespace highwater::summary
