#pragma once

#include "core/etl/raw_record.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace highwater::source {

/// Tracks the rundown of CLR runtimes at the end of a recording: first all modules, then all generated or loaded code
/// (docs/etw.md 2.7). Keeps track of processes with a runtime and of their progress, because no runtime marks the end
/// for all of them. One thread.
class CodeRundown {
  public:
    using Time = std::chrono::steady_clock::time_point;

    /// A record of a recorded process. Records of other providers are ignored.
    void note(const etl::RawRecord& record, Time now);
    /// An image that a recorded process has loaded.
    void noteImage(std::uint32_t pid, std::string_view path);

    /// Modules are now requested from the runtimes of running processes. False: no process has a runtime.
    [[nodiscard]] bool begin(const std::set<std::uint32_t>& running, Time now);
    /// Methods are now requested.
    void beginMethods(Time now);
    /// Whether the current step has ended at this time.
    [[nodiscard]] bool isStepOver(Time now) const;
    /// Every runtime has reported its completion.
    [[nodiscard]] bool isComplete() const;

  private:
    using Runtime = std::pair<std::uint32_t, std::uint16_t>; ///< a pid and its ClrInstanceID

    [[nodiscard]] bool haveAllCompleted(unsigned times) const;

    std::set<std::uint32_t> processes_; ///< processes with a runtime
    std::map<Runtime, unsigned> completed_;
    bool hasBegun_ = false;
    bool areMethodsAsked_ = false;
    Time begunAt_, heardAt_;
};

} // namespace highwater::source
