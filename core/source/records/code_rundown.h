#pragma once

#include "core/etl/raw_record.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace highwater::source {

/// What the runtimes of the CLR still have to tell at the end of a recording: all of their modules, then all code that
/// they have generated or loaded (docs/etw.md 2.7). Knows who has a runtime, and when there is nothing more to wait
/// for: no runtime says that it was the last one. One thread.
class CodeRundown {
  public:
    using Time = std::chrono::steady_clock::time_point;

    /// A record of a recorded process; of others than runtimes nothing is taken.
    void note(const etl::RawRecord& record, Time now);
    /// An image that a recorded process has loaded, by its path.
    void noteImage(std::uint32_t pid, std::string_view path);

    /// The runtimes of those who still run are asked for their modules, now. False: none of them has one.
    [[nodiscard]] bool begin(const std::set<std::uint32_t>& running, Time now);
    /// They were asked for their methods.
    void beginMethods(Time now);
    /// Whether the step that was begun last is over, by then.
    [[nodiscard]] bool isStepOver(Time now) const;
    /// Every runtime said that it has told all.
    [[nodiscard]] bool isComplete() const;

  private:
    using Runtime = std::pair<std::uint32_t, std::uint16_t>; ///< of a pid its ClrInstanceID

    [[nodiscard]] bool haveAllCompleted(unsigned times) const;

    std::set<std::uint32_t> processes_; ///< that have a runtime
    std::map<Runtime, unsigned> completed_;
    bool hasBegun_ = false;
    bool areMethodsAsked_ = false;
    Time begunAt_, heardAt_;
};

} // namespace highwater::source
