#include "core/event/resident_sample.h"

#include <algorithm>
#include <optional>

namespace highwater {
namespace {

void putNumber(std::string& out, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        out.push_back(static_cast<char>(0x80 | (number & 0x7F)));
    out.push_back(static_cast<char>(number));
}

/// Nothing at the end, and for a number that does not fit into 63 bits.
std::optional<std::uint64_t> numberAt(std::string_view coded, std::size_t& at) {
    constexpr unsigned kMostShift = 56;
    std::uint64_t number = 0;
    for (unsigned shift = 0; at < coded.size() && shift <= kMostShift; shift += 7) {
        const auto byte = static_cast<unsigned char>(coded[at++]);
        number |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return number;
    }
    return std::nullopt;
}

bool isValid(const Mapping& mapping, const ResidentSample& sample) {
    if (mapping.begin >= mapping.end || mapping.name >= sample.names.size()) return false;
    if (mapping.begin % kResidentPageBytes != 0 || mapping.end % kResidentPageBytes != 0) return false;
    const auto size = mapping.end - mapping.begin;
    return mapping.resident <= size && mapping.proportional <= size && mapping.privateDirty <= size &&
           mapping.swapped <= size && mapping.flags <= mapping_flag::kAll &&
           mapping.pages.isWithin(size / kResidentPageBytes);
}

} // namespace

void ResidentRuns::append(std::uint64_t skipped, std::uint64_t pages) {
    putNumber(coded_, skipped);
    putNumber(coded_, pages);
}

ResidentRuns ResidentRuns::fromCoded(std::string_view coded) {
    ResidentRuns runs;
    runs.coded_ = coded;
    return runs;
}

bool ResidentRuns::isWithin(std::uint64_t mappingPages) const {
    auto left = mappingPages;
    for (std::size_t at = 0; at < coded_.size();) {
        const auto skipped = numberAt(coded_, at);
        const auto pages = numberAt(coded_, at);
        if (!skipped || !pages || *pages == 0 || *skipped > left || *pages > left - *skipped) return false;
        left -= *skipped + *pages;
    }
    return true;
}

ByteCount ResidentSample::resident() const {
    ByteCount sum = 0;
    for (const auto& mapping : mappings)
        sum += mapping.resident; // cannot overflow: mappings do not overlap
    return sum;
}

ByteCount ResidentSample::swapped() const {
    ByteCount sum = 0;
    for (const auto& mapping : mappings)
        sum += mapping.swapped;
    return sum;
}

std::size_t ResidentSample::bytes() const {
    std::size_t bytes = sizeof(*this) + mappings.capacity() * sizeof(Mapping);
    for (const auto& mapping : mappings)
        bytes += mapping.pages.coded().capacity();
    for (const auto& name : names)
        bytes += sizeof(name) + name.capacity();
    return bytes;
}

bool isValid(const ResidentSample& sample) {
    Address reached = 0;
    return std::ranges::all_of(sample.mappings, [&](const Mapping& mapping) {
        if (mapping.begin < reached || !isValid(mapping, sample)) return false;
        reached = mapping.end;
        return true;
    });
}

} // namespace highwater
