#include "core/event/resident_sample.h"

#include "core/event/mapping_names.h"

#include <algorithm>
#include <iterator>

namespace highwater {
namespace {

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
    putVarint(coded_, skipped);
    putVarint(coded_, pages);
}

ResidentRuns ResidentRuns::fromCoded(std::string_view coded) {
    ResidentRuns runs;
    runs.coded_ = coded;
    return runs;
}

bool ResidentRuns::isWithin(std::uint64_t mappingPages) const {
    auto left = mappingPages;
    for (std::string_view coded = coded_; !coded.empty();) {
        const auto skipped = takeVarint(coded);
        const auto pages = takeVarint(coded);
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

ByteCount ResidentSample::residentOfProgram() const {
    std::vector<bool> isOfAgent; // mappings share few names
    std::ranges::transform(names, std::back_inserter(isOfAgent), isAgentMapping);
    ByteCount sum = 0;
    for (const auto& mapping : mappings)
        if (!isOfAgent[mapping.name]) sum += mapping.resident;
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
