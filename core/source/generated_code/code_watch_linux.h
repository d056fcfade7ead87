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

/// What a runtime said of its code, as it was found in its files.
struct FoundCode {
    CodeEvent event;         ///< without its time
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC; 0: it is not told when that was
};

/// Reads, while processes are recorded, what their runtimes write of the code that they generate: perf maps in their
/// /tmp, jitdump files that they have mapped. Asks HotSpot for its perf map. On a thread of its own, which waits as
/// long as what it has found is not taken: files of any size cost a bounded share of time and memory. The owner's
/// thread only.
class CodeWatch {
  public:
    /// The runtime whose files are there because this program had them written, which are removed in the end; Unknown:
    /// none.
    explicit CodeWatch(Runtime ours);
    ~CodeWatch(); ///< waits for the end of its thread
    CodeWatch(const CodeWatch&) = delete;
    CodeWatch& operator=(const CodeWatch&) = delete;

    /// A process that has begun: soon, as of one that has ended nothing can be asked. A pid that is known begins anew.
    void begin(std::uint32_t pid);
    void noteModule(std::uint32_t pid, std::string path, bool isProgram);
    void end(std::uint32_t pid);

    /// What was found since the last call; modules are named before their functions.
    [[nodiscard]] std::vector<FoundCode> take();

    /// The recording is over: asks those that are still there once more, and reads what is left, for some seconds at
    /// most. Goes on until isOver(); meanwhile take().
    void finish();
    [[nodiscard]] bool isOver() const;
    /// What could not be read, as sentences; when it is over.
    [[nodiscard]] std::vector<std::pair<Severity, std::string>> remarks() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::source
