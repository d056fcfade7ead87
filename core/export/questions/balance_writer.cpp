#include "core/export/questions/balance_writer.h"

#include "core/analysis/balance/trial_text.h"
#include "core/base/text.h"
#include "core/export/csv_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace highwater::exports {
namespace {

using analysis::Balance, analysis::BalancePart, analysis::BalancePoint, analysis::MemoryLayer;

/// "1,144.0", without the unit.
std::string megabytesOf(ByteCount bytes) {
    auto text = megabytes(bytes);
    return text.substr(0, text.find(' '));
}

double shareOf(ByteCount bytes, ByteCount all) {
    return all == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(all);
}

void writeLayers(const BalancePoint& point, std::ostream& out) {
    out << fmt::format("{:<28}  {:>11}  {:>12}\n", "Layer", "Resident MB", "Share of Rss");
    const auto line = [&](std::string_view name, ByteCount bytes) {
        out << fmt::format("{:<28}  {:>11}  {:>10.1f} %\n", name, megabytesOf(bytes), shareOf(bytes, point.resident));
    };
    for (const auto layer : analysis::allMemoryLayers()) {
        if (point.layers[layer] > 0) line(analysis::layerName(layer), point.layers[layer]);
    }
    line("Rss", point.resident);
    if (point.swapped > 0) out << fmt::format("{:<28}  {:>11}\n", "Swap", megabytesOf(point.swapped));
}

void writeParts(std::string_view title, const std::vector<BalancePart>& parts, std::ostream& out) {
    if (parts.empty()) return;
    out << fmt::format("\n{:>11}  {:>9}  {:>13}  {:>9}  {:>11}  {:<27}  {}\n", "Resident MB", "Pss", "Private dirty",
                       "Swap", "Reserved", "Layer", title);
    for (const auto& part : parts)
        out << fmt::format("{:>11}  {:>9}  {:>13}  {:>9}  {:>11}  {:<27}  {}\n", megabytesOf(part.resident),
                           megabytesOf(part.proportional), megabytesOf(part.privateDirty), megabytesOf(part.swapped),
                           megabytesOf(part.reserved), analysis::layerName(part.layer), printable(part.mapping));
}

/// The largest parts of the unknown layer, or of the others.
std::vector<BalancePart> largest(const Balance& balance, bool isUnknown) {
    constexpr std::size_t kMost = 5;
    std::vector<BalancePart> parts;
    for (const auto& part : balance.parts) {
        const bool isMeant = (part.layer == MemoryLayer::Unknown) == isUnknown;
        if (isMeant && part.resident > 0 && parts.size() < kMost) parts.push_back(part);
    }
    return parts;
}

Json layersJson(const BalancePoint& point) {
    auto layers = Json::array();
    for (const auto layer : analysis::allMemoryLayers()) {
        if (point.layers[layer] == 0) continue;
        layers.push_back({{"layer", std::string(analysis::layerId(layer))}, {"bytes", point.layers[layer]}});
    }
    return layers;
}

Json pointJson(const BalancePoint& point) {
    return {{"at_s", secondsJson(point.time)},
            {"rss_bytes", point.resident},
            {"swap_bytes", point.swapped},
            {"layers", layersJson(point)}};
}

Json mappingsJson(const Balance& balance) {
    auto mappings = Json::array();
    for (const auto& part : balance.parts)
        mappings.push_back({{"layer", std::string(analysis::layerId(part.layer))},
                            {"mapping", part.mapping},
                            {"rss_bytes", part.resident},
                            {"pss_bytes", part.proportional},
                            {"private_dirty_bytes", part.privateDirty},
                            {"swap_bytes", part.swapped},
                            {"reserved_bytes", part.reserved}});
    return mappings;
}

/// The time of the answer: that of its newest sample.
Json timeOf(const std::vector<Balance>& balances) {
    if (balances.empty()) return nullptr;
    return secondsJson(
        std::ranges::max_element(balances, {}, [](const Balance& balance) { return balance.point.time; })->point.time);
}

constexpr std::string_view kLayerHead = "at_s,process,rss_bytes,swap_bytes,layer,bytes\n";

void writeLayersCsv(const std::string& process, const BalancePoint& point, std::ostream& out) {
    for (const auto layer : analysis::allMemoryLayers()) {
        if (point.layers[layer] == 0) continue;
        out << fmt::format("{},{},{},{},{},{}\n", dumped(secondsJson(point.time)), csvField(process), point.resident,
                           point.swapped, analysis::layerId(layer), point.layers[layer]);
    }
}

void writePartsCsv(const Balance& balance, std::ostream& out) {
    for (const auto& part : balance.parts)
        out << fmt::format("{},{},{},{},{},{},{},{},{}\n", dumped(secondsJson(balance.point.time)),
                           csvField(balance.name), analysis::layerId(part.layer), csvField(part.mapping), part.resident,
                           part.proportional, part.privateDirty, part.swapped, part.reserved);
}

/// Members of an allocator, by AllocatorNumber.
constexpr std::array<const char*, kAllocatorNumbers> kNumberNames{
    "allocated_bytes", "active_bytes",     "metadata_bytes", "resident_bytes",  "mapped_bytes",
    "retained_bytes",  "free_pages_bytes", "caches_bytes",   "committed_bytes", "arenas"};

Json allocatorsJson(const std::vector<AllocatorTrial>& allocators) {
    using End = AllocatorTrial::End;
    auto json = Json::array();
    for (const auto& trial : allocators) {
        Json allocator{{"allocator", analysis::allocatorName(trial.allocator)},
                       {"function", analysis::allocatorFunction(trial.allocator)}};
        for (std::size_t i = 0; i < kAllocatorNumbers; ++i)
            if (trial.numbers[i]) allocator[kNumberNames[i]] = *trial.numbers[i];
        if (trial.tried) allocator["tried_bytes"] = *trial.tried;
        if (trial.end != End::Answered) allocator["problem"] = trial.end == End::TooLate ? "too_late" : "failed";
        json.push_back(std::move(allocator));
    }
    return json;
}

} // namespace

Json balanceJson(const Balance& balance) {
    Json json{{"process", balance.name}};
    json.update(pointJson(balance.point));
    if (!balance.isIncomplete) json["trim"] = {{"returnable_bytes", balance.point.layers[MemoryLayer::Returnable]}};
    return json;
}

void writeBalanceText(const std::vector<Balance>& balances, BalanceDetail detail, std::ostream& out) {
    for (const auto& balance : balances) {
        out << (&balance == balances.data() ? "" : "\n")
            << fmt::format("Resident memory of {} at {} s\n\n", printable(balance.name),
                           allDecimals(balance.point.time));
        writeLayers(balance.point, out);
        if (detail == BalanceDetail::Mappings) {
            writeParts("Mapping", balance.parts, out);
        } else {
            writeParts("Largest unknown mappings", largest(balance, true), out);
            writeParts("Largest other mappings", largest(balance, false), out);
        }
        out << '\n' << analysis::meaningOf(balance) << '\n';
    }
}

void writeBalanceCsv(const std::vector<Balance>& balances, BalanceDetail detail, std::ostream& out) {
    const bool areMappings = detail == BalanceDetail::Mappings;
    out << (areMappings ? "at_s,process,layer,mapping,rss_bytes,pss_bytes,private_dirty_bytes,swap_bytes,"
                          "reserved_bytes\n"
                        : kLayerHead);
    for (const auto& balance : balances)
        areMappings ? writePartsCsv(balance, out) : writeLayersCsv(balance.name, balance.point, out);
}

void writeBalanceJson(const std::vector<Balance>& balances, BalanceDetail detail, const HealthReport& health,
                      std::ostream& out) {
    auto processes = Json::array();
    for (const auto& balance : balances) {
        auto process = balanceJson(balance);
        if (detail == BalanceDetail::Mappings) process["mappings"] = mappingsJson(balance);
        processes.push_back(std::move(process));
    }
    const Json json{{"schema_version", kSchemaVersion},
                    {"at_s", timeOf(balances)},
                    {"processes", processes},
                    {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

void writeCourseCsv(const std::vector<analysis::BalanceCourse>& courses, std::ostream& out) {
    out << kLayerHead;
    for (const auto& course : courses) {
        for (const auto& point : course.points)
            writeLayersCsv(course.name, point, out);
    }
}

void writeCourseJson(const std::vector<analysis::BalanceCourse>& courses, const HealthReport& health,
                     std::ostream& out) {
    auto processes = Json::array();
    for (const auto& course : courses) {
        auto samples = Json::array();
        for (const auto& point : course.points)
            samples.push_back(pointJson(point));
        processes.push_back({{"process", course.name}, {"samples", samples}});
    }
    const Json json{{"schema_version", kSchemaVersion}, {"processes", processes}, {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

void writeTrialText(const TrimTrial& trial, std::ostream& out) {
    for (const auto& line : analysis::meaningOf(trial))
        out << printable(trial.process) << ": " << line << '\n';
}

void writeTrialJson(const TrimTrial& trial, std::ostream& out) {
    Json process{{"process", trial.process}, {"rss_bytes", trial.resident}, {"trim", {{"tried_bytes", trial.tried}}}};
    if (!trial.allocators.empty()) process["allocators"] = allocatorsJson(trial.allocators);
    const Json json{{"schema_version", kSchemaVersion}, {"processes", Json::array({process})}};
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
