#include "core/source/contract/resident_memory.h"

#include "core/source/systems/address_space_windows.h"
#include "core/source/systems/region_sample.h"
#include "core/source/systems/sampling_error.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

using Answer = std::optional<ResidentSample>;

/// Windows refuses numbers that are not of a process as a wrong parameter.
Result<Answer> notOpened(const AddressSpace& process) {
    if (process.error() == ERROR_INVALID_PARAMETER) return Answer();
    if (process.error() == ERROR_ACCESS_DENIED)
        return notSampled(process.described(),
                          "Windows denied access to it. The process belongs to another user, has more rights, or is "
                          "protected");
    return notSampled(process.described(), fmt::format("Windows did not open it (error {})", process.error()));
}

} // namespace

Result<Answer> residentMemoryOf(std::uint32_t pid) {
    AddressSpace process(pid, 0);
    if (!process.isOpen()) return notOpened(process);
    auto sample = sampleOf(process);
    if (process.hasEnded() || (sample && sample->mappings.empty())) return Answer();
    if (!sample)
        return notSampled(process.described(),
                          fmt::format("Windows did not list its resident pages (error {})", process.error()));
    sample->pid = pid;
    if (!isValid(*sample)) return notSampled(process.described(), "the system reported contradictory mappings");
    return Answer(std::move(*sample));
}

} // namespace highwater::source
