#pragma once

#include "core/source/contract/record_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// What of a program is recorded. A value.
struct CaptureOptions {
    bool heap = true;
    bool virtualAlloc = true;
    bool stacksOnFree = false;
    bool children = false; ///< processes that the program starts, too
    /// What runtimes (of JavaScript, Java, .NET) tell of the functions that they generate. On Linux a launched one is
    /// started so that it does; on Windows it is asked (docs/etw.md 2.7).
    bool managedNames = true;
    /// Nobody looks at what comes while it comes: it may be some seconds late where the program needs all processors
    /// (Linux). Times are those of the events all the same.
    bool mayLag = false;
    std::stop_token skipNames{}; ///< of whoever does not want to wait for names that come at the end
    std::stop_token stop{};      ///< of whoever waits for a start that may take long, and may not want it any more
};

/// A program to be started and recorded from its first instruction on.
struct CaptureLaunch {
    std::string program; ///< a path, or a name to be found where the system looks for programs
    std::vector<std::string> arguments;
    std::filesystem::path folder;         ///< to run in; empty: the current one
    std::vector<std::string> environment; ///< "NAME=value", on top of that of this process
};

/// What can be known of a launch before it is tried: whether there is such a program, which this system can record, and
/// such a folder. Errors are those of startCapture. Reads a few bytes of the program; any thread.
[[nodiscard]] Result<void> checkLaunch(const CaptureLaunch& launch);

/// Starts to record in the way of this system: with its agent on Linux, through ETW on Windows. The program is running
/// when this returns; its records wait for run(). Errors are sentences for the user: what is missing and what to do.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> startCapture(const CaptureLaunch& launch,
                                                                 const CaptureOptions& options);
/// The same for a process that runs already.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> startCapture(std::uint32_t pid, const CaptureOptions& options);

/// Takes back what a recording has left in the system whose program was killed. Sentences: what that was. When a
/// program starts that may record; milliseconds, on a worker.
[[nodiscard]] std::vector<std::string> cleanUpCaptureLeftovers();

} // namespace highwater::source
