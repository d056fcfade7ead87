#include "app/cli/traces/symbol_messages.h"

#include "core/base/counted.h"
#include "core/log/log_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::cli {
namespace {

using symbols::ModuleLoad, symbols::TriedPlace;

constexpr std::size_t kMostReasonLines = 16;
constexpr std::size_t kMostNames = 6;

/// A place and the reason why it failed.
using Reason = std::pair<std::string, std::string>;

/// Modules that were not found for the same reasons.
struct Missing {
    std::vector<std::string> names;
    bool isOtherBuild = false;
    std::vector<Reason> reasons;
};

/// The place without the part for this module: "/symbols" for "/symbols/a.pdb/1B72...1/a.pdb".
std::string rootOf(std::string_view place, const store::Module& module) {
    const auto hex = buildIdOfPdb(module.identity.pdbName);
    const auto isOfModule = [&](std::string_view part) {
        if (part.empty()) return false;
        if (!hex.empty() && (part == ".build-id" || part == "buildid" || part == hex || part == hex.substr(0, 2)))
            return true;
        return equalsIgnoringCase(part, module.name) || equalsIgnoringCase(part, module.name + ".debug") ||
               equalsIgnoringCase(part, fileName(module.identity.pdbName));
    };
    for (std::size_t begin = 0; begin < place.size();) {
        const auto end = std::min(place.find_first_of("/\\", begin), place.size());
        if (begin > 1 && isOfModule(place.substr(begin, end - begin))) return std::string(place.substr(0, begin - 1));
        begin = end + 1;
    }
    return std::string(place);
}

/// Removes details that depend on earlier modules, such as repeated requests and waiting times.
std::string withoutChance(std::string outcome) {
    constexpr std::string_view kRepeated = " (queried before)", kAfter = " after ", kUnit = " ms";
    if (outcome.ends_with(kRepeated)) outcome.resize(outcome.size() - kRepeated.size());
    const auto after = outcome.find(kAfter);
    if (after == std::string::npos) return outcome;
    const auto end = outcome.find_first_not_of("0123456789", after + kAfter.size());
    if (end != std::string::npos && end > after + kAfter.size() && outcome.compare(end, kUnit.size(), kUnit) == 0)
        outcome.erase(after, end + kUnit.size() - after);
    return outcome;
}

Reason reasonOf(const TriedPlace& tried, const store::Module& module, const store::ProcessTable& processes) {
    if (tried.outcome == symbols::kForeignPathOutcome)
        return {"the path in the trace", "skipped because the trace seems to be from another computer"};
    if (tried.place == processes.dosPath(module.path))
        return {"the path in the trace", tried.kind == TriedPlace::Kind::Refused
                                             ? fmt::format("{}: {}", tried.place, tried.outcome)
                                             : withoutChance(tried.outcome)};
    const bool isAbsent = tried.kind == TriedPlace::Kind::NotThere;
    const bool isServer = tried.place.starts_with("http");
    return {isAbsent || isServer ? rootOf(tried.place, module) : tried.place, withoutChance(tried.outcome)};
}

std::vector<Reason> reasonsOf(const ModuleLoad& load, const store::ProcessTable& processes) {
    const auto& module = processes.module(load.module);
    std::vector<Reason> reasons;
    for (const auto& tried : load.tried) {
        if (tried.kind == TriedPlace::Kind::Found || tried.kind == TriedPlace::Kind::Step) continue;
        auto reason = reasonOf(tried, module, processes);
        if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(std::move(reason));
    }
    if (module.identity.pdbName.empty())
        reasons.emplace_back("the trace", "does not identify the debug file");
    else if (load.state == ModuleLoad::State::Cancelled)
        reasons.emplace_back("the search", "was not completed");
    else if (reasons.empty())
        reasons.emplace_back("no place", "was tried");
    return reasons;
}

std::vector<Missing> missingOf(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes) {
    std::vector<Missing> groups;
    for (const auto& load : status.modules) {
        if (load.state == ModuleLoad::State::Found) continue;
        const auto& module = processes.module(load.module);
        const bool isOtherBuild = load.state == ModuleLoad::State::Mismatched;
        auto reasons = reasonsOf(load, processes);
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Missing& group) {
            return group.isOtherBuild == isOtherBuild && group.reasons == reasons;
        });
        if (same != groups.end())
            same->names.push_back(module.name);
        else
            groups.push_back({{module.name}, isOtherBuild, std::move(reasons)});
    }
    return groups;
}

std::string namesText(const Missing& group, bool showsAll) {
    if (showsAll || group.names.size() <= kMostNames) return fmt::format("{}", fmt::join(group.names, ", "));
    return fmt::format("{} and {} more", fmt::join(group.names.begin(), group.names.begin() + kMostNames, ", "),
                       group.names.size() - kMostNames);
}

void printMissingSymbols(const std::vector<Missing>& groups, const Console& console) {
    std::size_t lines = 0, left = 0;
    for (const auto& group : groups) {
        lines += 1 + group.reasons.size();
        // The first group is always shown in full because a path has few places.
        if (!console.showsAll && lines > kMostReasonLines && &group != &groups.front()) {
            left += group.names.size();
            continue;
        }
        const auto names = namesText(group, console.showsAll);
        console.say(group.isOtherBuild ? fmt::format("{}: the symbols belong to another build and are not used.", names)
                                       : fmt::format("No symbols: {}.", names));
        for (const auto& [place, outcome] : group.reasons)
            console.say("  " + loggable(fmt::format("{}: {}", place, outcome))); // without secrets in addresses
    }
    if (left > 0)
        console.say(fmt::format("{} {} no symbols; use -v to show all.", counted(left, "more module"),
                                byNumber(left, "has", "have")));
}

bool namesServer(const symbols::SymbolPath& path) {
    using Kind = symbols::SymbolPathEntry::Kind;
    return std::any_of(path.entries().begin(), path.entries().end(), [](const auto& entry) {
        return entry.isTicked && (entry.kind == Kind::Debuginfod || entry.place.find("://") != std::string::npos);
    });
}

/// Without this, the output would only report that symbols were found although the program's own functions have no
/// names.
void printExportsOnly(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes,
                      const Console& console) {
    Missing group;
    for (const auto& load : status.modules) {
        const auto isOfExports = [](const TriedPlace& tried) {
            return tried.kind == TriedPlace::Kind::Found && tried.outcome.ends_with(symbols::kOnlyExportsRemark);
        };
        const bool isFound = load.state == ModuleLoad::State::Found;
        if (isFound && std::any_of(load.tried.begin(), load.tried.end(), isOfExports))
            group.names.push_back(processes.module(load.module).name);
    }
    if (group.names.empty()) return;
    console.say(
        fmt::format("Only public names (such as exports) were found for {}. Other functions in {} have no names.",
                    namesText(group, console.showsAll), byNumber(group.names.size(), "this module", "these modules")));
}

void printForeignModules(const symbols::SymbolLoadStatus& status, const Console& console) {
    const auto isForeign = [](const TriedPlace& tried) { return tried.outcome == symbols::kForeignPathOutcome; };
    const auto foreign =
        static_cast<std::size_t>(std::count_if(status.modules.begin(), status.modules.end(), [&](const auto& load) {
            return std::any_of(load.tried.begin(), load.tried.end(), isForeign);
        }));
    if (foreign == 0) return;
    console.say(fmt::format("{} {} not searched at the paths in the trace, which seems to be from another computer. "
                            "Use --trust-image-paths to search there.",
                            counted(foreign, "module"), byNumber(foreign, "was", "were")));
}

} // namespace

void sayWhatWasFound(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes,
                     const symbols::SymbolPath& path, const Console& console) {
    console.say(fmt::format("Symbols were found for {} of {}.", status.count(ModuleLoad::State::Found),
                            counted(status.modules.size(), "module")));
    const auto missing = missingOf(status, processes);
    printMissingSymbols(missing, console);
    if (!missing.empty() && !namesServer(path))
        console.say("No symbol server was queried because the symbol path contains none.");
    printExportsOnly(status, processes, console);
    printForeignModules(status, console);
}

void printNgenHint(const symbols::SymbolLoadStatus& status, const store::ProcessTable& processes, bool areLeftOut,
                   const Console& console) {
    const auto isMissing = [&](const ModuleLoad& load) {
        const auto name = lowered(processes.module(load.module).name);
        return load.state != ModuleLoad::State::Found && (name.ends_with(".ni.dll") || name.ends_with(".ni.exe"));
    };
    const auto missing = std::count_if(status.modules.begin(), status.modules.end(), isMissing);
    if (missing == 0) return;
    console.say(fmt::format(
        "{} compiled by NGEN. Symbol servers do not have PDBs of such modules: {}.",
        fmt::format("{} of these modules {}", missing, byNumber(static_cast<std::uint64_t>(missing), "was", "were")),
        areLeftOut ? "--no-ngenpdb excludes the folder that may contain them"
                   : "recorders write them to a folder TRACE.etl.NGENPDB next to the trace, which does not exist"));
}

} // namespace highwater::cli
