#pragma once

#include "core/event/code_events.h"
#include "core/event/trace_health.h"
#include "core/source/generated_code/code_names.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// An event about generated code, as found in a file of its runtime.
struct FoundCode {
    CodeEvent event;         ///< time not set
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC; 0: not known
};

/// Reads files that the runtimes of recorded processes write about generated code: perf maps in their /tmp and jitdump
/// files that they have mapped. Asks HotSpot for its perf map. Runs on its own thread, which pauses while its results
/// are not taken, so that files of any size use limited time and memory. The owner's thread only.
class CodeWatch {
  public:
    /// The runtime that this program made write files, which are removed at the end; Unknown: none.
    explicit CodeWatch(Runtime ours);
    ~CodeWatch(); ///< waits for the end of its thread
    CodeWatch(const CodeWatch&) = delete;
    CodeWatch& operator=(const CodeWatch&) = delete;

    /// Starts watching a process. Call it as soon as possible, because an ended process cannot be examined. A known pid
    /// is restarted.
    void begin(std::uint32_t pid);
    void noteModule(std::uint32_t pid, std::string path, bool isProgram);
    void end(std::uint32_t pid);

    /// The results since the last call; modules are named before their functions.
    [[nodiscard]] std::vector<FoundCode> take();

    /// Ends the recording: queries processes that are still running once more, and reads the rest, for some seconds at
    /// most. Continues until isOver(); call take() meanwhile.
    void finish();
    [[nodiscard]] bool isOver() const;
    /// Sentences about data that could not be read; call it when isOver().
    [[nodiscard]] std::vector<std::pair<Severity, std::string>> remarks() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::source
