#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::tests {

using Functions = std::vector<std::string>;

/// The contents of the offsets of two builds of a program, innermost first: functions, some of them inlined into
/// others, allocators of the program's own, and names that look like statements and have several lines.
extern const std::map<std::string, std::map<std::string, Functions>> kPlaces;

/// A stack as a run without names contains it, innermost first, and the bytes that it keeps.
struct MadeStack {
    Functions calls;
    std::int64_t size = 0;
};
extern const std::vector<MadeStack> kStacksOfA, kStacksOfB;

/// Makes runs as summaries contain them, with or without names for places; stacks with equal names are one stack.
class RunMaker {
  public:
    RunMaker(const std::string& build, const std::string& machine, std::string buildId, bool hasNames);
    /// window, process: 0 or 1.
    void add(const MadeStack& made, std::int64_t more, std::uint32_t window = 0, std::uint32_t process = 0,
             analysis::Table table = analysis::Table::Heap);
    [[nodiscard]] summary::RunSummary take(const std::string& id);

  private:
    std::uint32_t numberOf(const std::string& name);
    std::uint32_t stackOf(const Functions& names);

    summary::RunSummary run_;
    std::string buildId_;
    bool hasNames_;
    std::map<std::string, std::uint32_t> frames_;
};

/// The names of the places of a build.
[[nodiscard]] std::vector<fleet::NamedFrame> namesOf(const std::string& buildId);
[[nodiscard]] bool isPlumbing(std::string_view function);

/// A run of one of the builds "1" and "2" in turn, with the stacks above.
[[nodiscard]] summary::RunSummary fewStacksRun(int number, bool hasNames);
/// The same with random stacks, in two windows, processes and tables.
[[nodiscard]] summary::RunSummary manyStacksRun(int number, bool hasNames);

/// A store's answers to every question about these builds, by every measure.
[[nodiscard]] std::vector<std::string> answersOf(fleet::FleetStore& store);

} // namespace highwater::tests
