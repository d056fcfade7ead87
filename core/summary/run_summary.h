#pragma once

#include "core/analysis/columns/columns.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::summary {

// The data kept about a trace when the trace itself is not available: plain values, created where the trace is. Times
// are nanoseconds from the start of the trace, sizes bytes.

/// Identifies a stack on every machine and in every build: 128 bits over its normalised functions (stack_key.h). 0:
/// rows without a stack.
struct StackKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend auto operator<=>(const StackKey&, const StackKey&) = default;
};

/// A function of stacks. Each exists once.
struct Frame {
    std::string name;       ///< normalised: "module!function" without path, version, address and parameters
    std::string module;     ///< "libapp.so"; empty if its code is not in a module
    std::string buildId;    ///< id of its debug file: a build-id, or GUID and age of a PDB; empty if unknown
    std::uint64_t rva = 0;  ///< address of a call in the module
    bool isNamed = false;   ///< false: the name consists of the module and the RVA
    std::string file;       ///< empty if unknown
    std::uint32_t line = 0; ///< 0 if unknown
};

struct Stack {
    StackKey key;
    std::vector<std::uint32_t> frames; ///< into RunSummary::frames, innermost first; empty for rows without a stack
    /// Index into RunSummary::frames: the first frame outside allocators and runtimes; for rows without a stack "(no
    /// stack)".
    std::uint32_t owner = 0;
};

enum class WindowKind : std::uint8_t { Whole, BetweenMarks, Slice };

/// A time range of a run.
struct Window {
    WindowKind kind = WindowKind::Whole;
    std::string name; ///< "whole", "Warm to Full", "60 s to 120 s"
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// Sums of the rows of one table, process and stack in one window (docs/numbers.md, Fleet).
struct Sample {
    std::uint32_t window = 0;  ///< index into RunSummary::windows
    std::uint32_t process = 0; ///< index into RunSummary::processes
    std::uint32_t stack = 0;   ///< index into RunSummary::stacks
    analysis::Table table = analysis::Table::Heap;
    std::int64_t allocSpace = 0;
    std::int64_t allocObjects = 0;
    std::int64_t inuseSpace = 0; ///< outstanding at the end of the window
    std::int64_t inuseObjects = 0;
    std::int64_t freed = 0;     ///< bytes released inside the window
    std::int64_t peak = 0;      ///< bytes; for this stack alone; 0 for managed objects, like the next field
    std::int64_t impacting = 0; ///< change of the outstanding bytes in the window
    std::int64_t slope = 0;     ///< bytes per hour, of outstanding allocations
    std::int64_t first = 0;     ///< start of the first row allocated inside; otherwise start of the window
    std::int64_t last = 0;      ///< start of the last one
};

/// Resident memory of the processes with one name in a run, in bytes (docs/numbers.md 24.2).
struct ResidentFacts {
    std::string process;                ///< name without id
    std::int64_t rssPeak = 0;           ///< the highest Rss of one of them, without the memory of Highwater
    std::optional<std::int64_t> held{}; ///< Held Pages of all their heap blocks; nothing: no heap block was recorded
    friend bool operator==(const ResidentFacts&, const ResidentFacts&) = default;
};

/// Data about a run beside its samples.
struct RunFacts {
    std::string run;   ///< 32 hexadecimal digits, derived from the trace's own header and size, and independent of its
                       ///< path
    std::string trace; ///< absolute path; several files are separated by ';'
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> recordedAt; ///< nanoseconds since 1970, UTC
    std::int64_t duration = 0;
    std::string recorder; ///< the recording program; empty if unknown
    std::string system;   ///< "Windows build 19045"; empty if unknown
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0;
    std::uint64_t stacksUnresolved = 0;
    bool isWhole = true;                                     ///< false: its totals are bounds
    std::vector<std::string> health;                         ///< missing data, one sentence each
    std::string build, machine, scenario;                    ///< labels set by the user; empty if not set
    std::vector<std::pair<std::string, std::string>> labels; ///< other labels, by name
    std::vector<ResidentFacts> resident{};                   ///< in the order of names; empty: unknown
};

struct RunSummary {
    RunFacts facts;
    std::vector<std::string> processes; ///< names without ids; each once
    std::vector<Window> windows;        ///< the whole run first
    std::vector<Frame> frames;
    std::vector<Stack> stacks;
    std::vector<Sample> samples;
};

} // namespace highwater::summary
