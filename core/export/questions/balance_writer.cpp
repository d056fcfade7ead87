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

using analysis::Balance, analysis::BalancePart, analysis::BalancePoint, analysis::MemoryLayer, analysis::PartsBy;

/// "1,144.0", without the unit.
std::string megabytesOf(ByteCount bytes) {
    auto text = megabytes(bytes);
    return text.substr(0, text.find(' '));
}

double shareOf(ByteCount bytes, ByteCount all) {
    return all == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(all);
}

/// What the parts of a detail are named by.
PartsBy namedBy(BalanceDetail detail) { return detail == BalanceDetail::Modules ? PartsBy::Module : PartsBy::Mapping; }

const std::vector<BalancePart>& partsOf(const Balance& balance, PartsBy by) {
    return by == PartsBy::Module ? balance.modules : balance.parts;
}

ByteCount peakOf(const Balance& balance, const BalancePart& part, PartsBy by) {
    return balance.peaks->of(by, part.name, part.layer);
}

void writeLayers(const Balance& balance, std::ostream& out) {
    const auto& point = balance.point;
    out << fmt::format("{:<28}  {:>11}  {:>12}  {:>9}\n", "Layer", "Resident", "Share of Rss", "Peak");
    const auto line = [&](std::string_view name, ByteCount bytes, ByteCount peak) {
        out << fmt::format("{:<28}  {:>11}  {:>10.1f} %  {:>9}\n", name, megabytesOf(bytes),
                           shareOf(bytes, point.resident), megabytesOf(peak));
    };
    for (const auto layer : analysis::allMemoryLayers()) {
        if (point.layers[layer] > 0) line(analysis::layerName(layer), point.layers[layer], balance.peaks->of(layer));
    }
    line("Rss", point.resident, balance.peaks->ofProcess());
    if (point.swapped > 0) out << fmt::format("{:<28}  {:>11}\n", "Swap", megabytesOf(point.swapped));
}

struct Titled {
    std::string_view title; ///< of the names
    PartsBy by = PartsBy::Mapping;
};

void writeParts(const Balance& balance, const std::vector<BalancePart>& parts, const Titled& names, std::ostream& out) {
    if (parts.empty()) return;
    out << fmt::format("\n{:>11}  {:>9}  {:>13}  {:>9}  {:>11}  {:>9}  {:<27}  {}\n", "Resident", "Pss",
                       "Private dirty", "Swap", "Reserved", "Peak", "Layer", names.title);
    for (const auto& part : parts)
        out << fmt::format("{:>11}  {:>9}  {:>13}  {:>9}  {:>11}  {:>9}  {:<27}  {}\n", megabytesOf(part.resident),
                           megabytesOf(part.proportional), megabytesOf(part.privateDirty), megabytesOf(part.swapped),
                           megabytesOf(part.reserved), megabytesOf(peakOf(balance, part, names.by)),
                           analysis::layerName(part.layer), printable(part.name));
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

/// The member of JSON and the column of CSV with the name of a part.
const char* memberOf(PartsBy by) { return by == PartsBy::Module ? "module" : "mapping"; }

Json partsJson(const Balance& balance, PartsBy by) {
    auto parts = Json::array();
    for (const auto& part : partsOf(balance, by))
        parts.push_back({{"layer", std::string(analysis::layerId(part.layer))},
                         {memberOf(by), part.name},
                         {"rss_bytes", part.resident},
                         {"pss_bytes", part.proportional},
                         {"private_dirty_bytes", part.privateDirty},
                         {"swap_bytes", part.swapped},
                         {"reserved_bytes", part.reserved},
                         {"peak_rss_bytes", peakOf(balance, part, by)}});
    return parts;
}

void addPeaks(const Balance& balance, Json& process) {
    process["peak_rss_bytes"] = balance.peaks->ofProcess();
    for (auto& layer : process["layers"])
        layer["peak_bytes"] = balance.peaks->of(*analysis::layerOfId(layer["layer"].get<std::string>()));
}

/// The time of the answer: that of its newest sample.
Json timeOf(const std::vector<Balance>& balances) {
    if (balances.empty()) return nullptr;
    return secondsJson(
        std::ranges::max_element(balances, {}, [](const Balance& balance) { return balance.point.time; })->point.time);
}

constexpr std::string_view kLayerHead = "at_s,process,rss_bytes,swap_bytes,layer,bytes";

/// `peaks`: a last field of each line; null: none.
void writeLayersCsv(const std::string& process, const BalancePoint& point, const analysis::ResidentPeaks* peaks,
                    std::ostream& out) {
    for (const auto layer : analysis::allMemoryLayers()) {
        if (point.layers[layer] == 0) continue;
        out << fmt::format("{},{},{},{},{},{}", dumped(secondsJson(point.time)), csvField(process), point.resident,
                           point.swapped, analysis::layerId(layer), point.layers[layer]);
        if (peaks != nullptr) out << ',' << peaks->of(layer);
        out << '\n';
    }
}

void writePartsCsv(const Balance& balance, PartsBy by, std::ostream& out) {
    for (const auto& part : partsOf(balance, by))
        out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n", dumped(secondsJson(balance.point.time)),
                           csvField(balance.name), analysis::layerId(part.layer), csvField(part.name), part.resident,
                           part.proportional, part.privateDirty, part.swapped, part.reserved,
                           peakOf(balance, part, by));
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
    if (!balance.isIncomplete()) json["trim"] = {{"returnable_bytes", balance.point.layers[MemoryLayer::Returnable]}};
    return json;
}

void writeBalanceText(const std::vector<Balance>& balances, BalanceDetail detail, std::ostream& out) {
    for (const auto& balance : balances) {
        out << (&balance == balances.data() ? "" : "\n")
            << fmt::format("Resident memory of {} at {} s, in MB\n\n", printable(balance.name),
                           allDecimals(balance.point.time));
        writeLayers(balance, out);
        if (detail == BalanceDetail::Layers) {
            writeParts(balance, largest(balance, true), {"Largest unknown mappings"}, out);
            writeParts(balance, largest(balance, false), {"Largest other mappings"}, out);
        } else {
            const auto by = namedBy(detail);
            writeParts(balance, partsOf(balance, by), {by == PartsBy::Module ? "Module" : "Mapping", by}, out);
        }
        out << '\n' << analysis::meaningOf(balance) << '\n';
    }
}

void writeBalanceCsv(const std::vector<Balance>& balances, BalanceDetail detail, std::ostream& out) {
    const auto by = namedBy(detail);
    if (detail == BalanceDetail::Layers)
        out << kLayerHead << ",peak_bytes\n";
    else
        out << fmt::format("at_s,process,layer,{},rss_bytes,pss_bytes,private_dirty_bytes,swap_bytes,reserved_bytes,"
                           "peak_rss_bytes\n",
                           memberOf(by));
    for (const auto& balance : balances)
        detail == BalanceDetail::Layers ? writeLayersCsv(balance.name, balance.point, balance.peaks.get(), out)
                                        : writePartsCsv(balance, by, out);
}

void writeBalanceJson(const std::vector<Balance>& balances, BalanceDetail detail, const HealthReport& health,
                      std::ostream& out) {
    auto processes = Json::array();
    for (const auto& balance : balances) {
        auto process = balanceJson(balance);
        addPeaks(balance, process);
        const auto by = namedBy(detail);
        if (detail != BalanceDetail::Layers) process[std::string(memberOf(by)) + "s"] = partsJson(balance, by);
        processes.push_back(std::move(process));
    }
    const Json json{{"schema_version", kSchemaVersion},
                    {"at_s", timeOf(balances)},
                    {"processes", processes},
                    {"health", healthJson(health)}};
    out << dumped(json) << '\n';
}

void writeCourseCsv(const std::vector<analysis::BalanceCourse>& courses, std::ostream& out) {
    out << kLayerHead << '\n';
    for (const auto& course : courses) {
        for (const auto& point : course.points)
            writeLayersCsv(course.name, point, nullptr, out);
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
