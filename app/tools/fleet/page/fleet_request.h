#pragma once

#include "core/fleet/contract/fleet_question.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace highwater::ui {

// Queries of the Fleet page to a store of runs, and their answers, as plain values.

/// The location of a store. Only `address` may be displayed or stored.
struct FleetPlace {
    std::string address; ///< "/data/fleet.sqlite", "clickhouse://HOST:8123/DATABASE"; never contains a password
    std::string user;    ///< empty: no credentials
    std::string password;
    friend bool operator==(const FleetPlace&, const FleetPlace&) = default;
};

/// The format of an exported table.
enum class FleetFormat : std::uint8_t { Csv, Json };

enum class FleetKind : std::uint8_t { Grew, New, Gone, Slope, Health, Runs };
inline constexpr std::array kFleetKinds{FleetKind::Grew,  FleetKind::New,    FleetKind::Gone,
                                        FleetKind::Slope, FleetKind::Health, FleetKind::Runs};
/// Whether a query compares two builds, and whether its rows are stacks.
[[nodiscard]] constexpr bool comparesBuilds(FleetKind kind) { return kind <= FleetKind::Gone; }
[[nodiscard]] constexpr bool isOfStacks(FleetKind kind) { return kind <= FleetKind::Slope; }

struct FleetQuestion {
    FleetKind kind = FleetKind::Grew;
    std::string fromBuild; ///< for queries that compare builds
    std::string toBuild;   ///< for other queries: the only build; empty: all
    fleet::SampleFilter samples;
    std::optional<std::int64_t> least; ///< minimum growth, or median for new and gone stacks; empty: use leastOf
};
/// The minimum amount of queries that compare builds.
[[nodiscard]] inline std::int64_t leastOf(const FleetQuestion& question) {
    const auto usual = question.kind == FleetKind::Grew ? fleet::usualLeast(question.samples.measure)
                                                        : fleet::PresenceQuestion().least;
    return question.least.value_or(usual);
}
/// The build whose runs contain a stack of the answer: the older one for gone stacks.
[[nodiscard]] inline const std::string& buildWithStacks(const FleetQuestion& question) {
    return question.kind == FleetKind::Gone ? question.fromBuild : question.toBuild;
}

/// Immutable. The variant alternative depends on the kind: the first for Grew, New and Gone.
struct FleetAnswer {
    FleetQuestion question;
    std::variant<fleet::GrewAnswer, std::vector<fleet::SlopeRow>, std::vector<fleet::HealthRow>,
                 std::vector<fleet::RunRow>>
        found;
};

/// The contents of a store that can be queried.
struct FleetContents {
    std::size_t runs = 0;
    std::vector<std::string> builds;              ///< in build order (fleet::BuildValue)
    std::vector<std::string> scenarios, machines; ///< by name
    std::vector<std::string> windows; ///< parts of runs: the whole run first, the others in the order of the runs
};
[[nodiscard]] FleetContents contentsOf(const std::vector<fleet::RunRow>& runs);

/// The runs of one stack or process, worst first.
struct FleetWorst {
    fleet::WorstQuestion question;
    fleet::FleetStack stack;
    std::vector<fleet::WorstRun> runs;
    std::size_t runsUnknown = 0;
};

/// The part of a run to open in the window: its trace at these rows.
struct FleetRun {
    summary::RunFacts facts = {};
    /// If these are empty, the trace is opened without a selection.
    bool hasStack = false;
    fleet::FleetStack stack = {};
    std::string process = {};
    std::int64_t start = 0, end = 0;  ///< range of the window in the run
    std::int64_t first = 0, last = 0; ///< start of the first and the last row of the stack
    bool isFound = false;             ///< the user located its trace
    bool showsMemory = false;         ///< instead of a stack, the resident memory of its processes is shown
};

} // namespace highwater::ui
