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

// What the Fleet page asks of a store of runs, and what it is told, as plain values.

/// Where the runs lie. Who shows or keeps it shows and keeps `address` alone.
struct FleetPlace {
    std::string address; ///< "/data/fleet.sqlite", "clickhouse://HOST:8123/DATABASE"; never with a password
    std::string user;    ///< empty: as the store has it without
    std::string password;
    friend bool operator==(const FleetPlace&, const FleetPlace&) = default;
};

/// How a table is written into a file.
enum class FleetFormat : std::uint8_t { Csv, Json };

enum class FleetKind : std::uint8_t { Grew, New, Gone, Slope, Health, Runs };
inline constexpr std::array kFleetKinds{FleetKind::Grew,  FleetKind::New,    FleetKind::Gone,
                                        FleetKind::Slope, FleetKind::Health, FleetKind::Runs};
/// Whether it has two sides, and whether its rows are stacks.
[[nodiscard]] constexpr bool comparesBuilds(FleetKind kind) { return kind <= FleetKind::Gone; }
[[nodiscard]] constexpr bool isOfStacks(FleetKind kind) { return kind <= FleetKind::Slope; }

struct FleetQuestion {
    FleetKind kind = FleetKind::Grew;
    std::string fromBuild; ///< where two are compared
    std::string toBuild;   ///< of the others: the build alone; empty: all
    fleet::SampleFilter samples;
    std::optional<std::int64_t> least; ///< growth, of new and gone stacks the median; nothing: leastOf says
};
/// The least that is asked about where two builds are compared.
[[nodiscard]] inline std::int64_t leastOf(const FleetQuestion& question) {
    const auto usual = question.kind == FleetKind::Grew ? fleet::usualLeast(question.samples.measure)
                                                        : fleet::PresenceQuestion().least;
    return question.least.value_or(usual);
}
/// The build whose runs show a stack of the answer: of what is gone, the older one.
[[nodiscard]] inline const std::string& buildWithStacks(const FleetQuestion& question) {
    return question.kind == FleetKind::Gone ? question.fromBuild : question.toBuild;
}

/// Never changes. What holds the rows is the kind's: of Grew, New and Gone the first.
struct FleetAnswer {
    FleetQuestion question;
    std::variant<fleet::GrewAnswer, std::vector<fleet::SlopeRow>, std::vector<fleet::HealthRow>,
                 std::vector<fleet::RunRow>>
        found;
};

/// What there is to be asked about.
struct FleetContents {
    std::size_t runs = 0;
    std::vector<std::string> builds;              ///< in their order (fleet::BuildValue)
    std::vector<std::string> scenarios, machines; ///< by name
    std::vector<std::string> windows;             ///< parts of runs, the whole first, the others as runs have them
};
[[nodiscard]] FleetContents contentsOf(const std::vector<fleet::RunRow>& runs);

/// The runs of one stack, worst first.
struct FleetWorst {
    fleet::WorstQuestion question;
    fleet::FleetStack stack;
    std::vector<fleet::WorstRun> runs;
};

/// What of a run is opened in the window: its trace, at these rows.
struct FleetRun {
    summary::RunFacts facts = {};
    /// Nothing of these: the trace as it is.
    bool hasStack = false;
    fleet::FleetStack stack = {};
    std::string process = {};
    std::int64_t start = 0, end = 0;  ///< of the window in the run
    std::int64_t first = 0, last = 0; ///< begin of the stack's first row, and of its last
    bool isFound = false;             ///< somebody said where its trace lies
};

} // namespace highwater::ui
