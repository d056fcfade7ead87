#pragma once

#include "core/source/contract/record_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// Kinds of data to record. A value.
struct CaptureOptions {
    bool heap = true;
    bool virtualAlloc = true;
    bool stacksOnFree = false;
    bool children = false; ///< also record processes that the program starts
    /// Record the names of functions that runtimes (JavaScript, Java, .NET) generate. On Linux a program is launched
    /// with the required runtime options; on Windows its runtime is asked (docs/etw.md 2.7).
    bool managedNames = true;
    /// The events are not shown live, so they may arrive some seconds late if the program needs all processors (Linux).
    /// Their time stamps are not affected.
    bool mayLag = false;
    /// A launched program that ends by exit() or by returning from main waits until the recorder has copied its memory
    /// for a picture; see RecordSource::whenProcessWaits (Linux).
    bool waitsAtExit = false;
    std::stop_token skipNames{}; ///< stops waiting for names that arrive at the end
    std::stop_token stop{};      ///< cancels a start that takes long
};

/// A program to start and record from its first instruction.
struct CaptureLaunch {
    std::string program; ///< a path, or a name to look up in the system's search path
    std::vector<std::string> arguments;
    std::filesystem::path folder;         ///< working folder; empty: the current one
    std::vector<std::string> environment; ///< "NAME=value", added to the environment of this process
};

/// Checks before a launch that the program and the folder exist and that this system can record the program. Errors are
/// those of startCapture. Reads a few bytes of the program; any thread.
[[nodiscard]] Result<void> checkLaunch(const CaptureLaunch& launch);

/// Starts recording a new process, with the agent on Linux and with ETW on Windows. The program is running when this
/// returns; its records wait for run(). Errors are sentences for the user about the problem and its solution.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> startCapture(const CaptureLaunch& launch,
                                                                 const CaptureOptions& options);
/// Starts recording a running process.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> startCapture(std::uint32_t pid, const CaptureOptions& options);

/// Undoes changes to the system that a killed recorder left behind, and describes them in sentences. Called when a
/// program starts that may record; takes milliseconds, on a worker.
[[nodiscard]] std::vector<std::string> cleanUpCaptureLeftovers();

} // namespace highwater::source
