#include "core/analysis/balance/resident_peaks.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr std::string_view kAnonymousName = "(anonymous)";

void raise(ByteCount& highest, ByteCount bytes) { highest = std::max(highest, bytes); }

} // namespace

PartNames::PartNames(std::string_view mapping, std::string_view module)
    : mapping_(mapping.empty() ? kAnonymousName : mapping), module_(module.empty() ? mapping_ : module) {}

ResidentPeaks::Named& ResidentPeaks::named(PartsBy by, std::string_view name) {
    auto& names = byName_[static_cast<std::size_t>(by)];
    auto found = names.find(name);
    if (found == names.end()) found = names.emplace(name, Named()).first;
    auto& named = found->second;
    if (named.sample != sample_) {
        named.sample = sample_;
        named.bytes = 0;
        named.layers = {};
    }
    return named;
}

void ResidentPeaks::add(const PartNames& names, const LayerBytes& bytes) {
    for (const auto by : {PartsBy::Mapping, PartsBy::Module}) {
        Named* last = nullptr;
        std::string_view nameOfLast;
        for (const auto layer : allMemoryLayers()) {
            if (bytes[layer] == 0) continue;
            const auto name = names.of(by, layer);
            if (last == nullptr || name != nameOfLast) last = &named(by, name);
            nameOfLast = name;
            // Sums of a sample only grow while it is added.
            raise(last->highest, last->bytes += bytes[layer]);
            raise(last->highestLayers[layer], last->layers[layer] += bytes[layer]);
        }
    }
}

void ResidentPeaks::endSample(const BalancePoint& point) {
    ++sample_;
    raise(process_, point.resident);
    for (const auto layer : allMemoryLayers())
        raise(layers_[layer], point.layers[layer]);
}

ByteCount ResidentPeaks::of(PartsBy by, std::string_view name, std::optional<MemoryLayer> layer) const {
    const auto& names = byName_[static_cast<std::size_t>(by)];
    const auto found = names.find(name);
    if (found == names.end()) return 0;
    return layer ? found->second.highestLayers[*layer] : found->second.highest;
}

std::vector<ResidentPeaks::Part> ResidentPeaks::parts(PartsBy by) const {
    std::vector<Part> parts;
    for (const auto& [name, named] : byName_[static_cast<std::size_t>(by)]) {
        for (const auto layer : allMemoryLayers())
            if (named.highestLayers[layer] > 0) parts.push_back({name, layer, named.highestLayers[layer]});
    }
    return parts;
}

} // namespace highwater::analysis
