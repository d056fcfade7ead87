#include "core/source/systems/excluded_memory_linux.h"

#include "core/files/owned_file_linux.h"
#include "core/source/systems/smaps_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <vector>

namespace highwater::source {
namespace {

bool isWritable(const Mapping& mapping) { return (mapping.flags & mapping_flag::kWrite) != 0; }

/// False if the file cannot be read to its end.
bool readInto(SmapsReader& reader, std::uint32_t pid, const char* file) {
    const OwnedFile map(::open(fmt::format("/proc/{}/{}", pid, file).c_str(), O_RDONLY | O_CLOEXEC));
    return map.isOpen() && reader.takeFile(map.number()) == 0;
}

/// Whether the mappings contain any address of [begin, end).
bool overlap(const std::vector<Mapping>& mappings, Address begin, Address end) {
    const auto next = std::ranges::upper_bound(mappings, begin, {}, &Mapping::end);
    return next != mappings.end() && next->begin < end;
}

bool isLacking(const std::vector<Mapping>& copy, const ResidentSample& before) {
    return std::ranges::any_of(before.mappings, [&](const Mapping& mapping) {
        return isWritable(mapping) && !overlap(copy, mapping.begin, mapping.end);
    });
}

} // namespace

ResidentSample mappingsNow(std::uint32_t pid) {
    SmapsReader reader;
    return readInto(reader, pid, "maps") ? reader.finish() : ResidentSample();
}

void addExcludedMappings(ResidentSample& copy, const ResidentSample& before, std::uint32_t pid) {
    if (!isLacking(copy.mappings, before)) return; // the smaps of a large process take a second
    SmapsReader reader;
    if (!readInto(reader, pid, "smaps")) return;
    auto excluded = reader.notForked();
    std::ranges::sort(excluded);
    const auto now = reader.finish();
    std::vector<Mapping> added;
    for (const auto& mapping : now.mappings) {
        const bool isExcluded = std::ranges::binary_search(excluded, mapping.begin);
        // The program may have mapped it after it was copied.
        const bool wasThere = overlap(before.mappings, mapping.begin, mapping.end);
        if (!isExcluded || !wasThere || !isWritable(mapping) || overlap(copy.mappings, mapping.begin, mapping.end))
            continue;
        auto& one = added.emplace_back();
        one.begin = mapping.begin, one.end = mapping.end, one.flags = mapping.flags;
        one.name = static_cast<std::uint32_t>(copy.names.size());
        copy.names.push_back(now.nameOf(mapping));
    }
    copy.mappings.insert(copy.mappings.end(), added.begin(), added.end());
    std::ranges::sort(copy.mappings, {}, &Mapping::begin);
}

} // namespace highwater::source
