#pragma once

#include "core/summary/run_summary.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace highwater::tests {

/// Runs as they could come from traces, with random stacks, machines and builds.
class MadeFleet {
  public:
    explicit MadeFleet(unsigned seed) : random_(seed) {}

    [[nodiscard]] unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
    /// A run of a build and machine, with some of `stacks` stacks.
    summary::RunSummary run(const std::string& build, const std::string& machine, unsigned stacks);
    [[nodiscard]] std::mt19937& random() { return random_; }

    static summary::StackKey key(unsigned stack);
    /// The stack of this number: three frames, with its own function innermost except for an allocator.
    static void addStack(summary::RunSummary& run, unsigned stack);
    static std::string function(unsigned stack) { return "app!work_" + std::to_string(stack); }
    /// 32 digits, different each time.
    std::string name();

  private:
    std::mt19937 random_;
    std::uint64_t count_ = 0;
};

/// Texts that labels may contain as well.
inline const std::vector<std::string> kNastyTexts{"o'clock",
                                                  "a\"b",
                                                  "x\ny\tz\r",
                                                  "back\\slash\\",
                                                  "'; DROP TABLE runs; --",
                                                  "{build:String}",
                                                  "%s%n",
                                                  "\xE2\x82\xAC ?:build",
                                                  ""};

} // namespace highwater::tests
