#include "core/analysis/balance/trial_text.h"

#include "core/analysis/balance/much_memory.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace highwater::analysis {
namespace {

struct Description {
    std::string_view name;
    std::string_view function;
    std::string_view release; ///< the call that gives back its free memory
    std::string_view advice;  ///< settings with which it gives back memory by itself: a sentence
};

constexpr std::string_view kPurge = "mallctl(\"arena.4096.purge\")";
constexpr std::array<Description, kOtherAllocators> kDescriptions{{
    {"jemalloc", "mallctl", kPurge,
     "With MALLOC_CONF=dirty_decay_ms:0, it returns free pages at once; with "
     "MALLOC_CONF=dirty_decay_ms:1000,background_thread:true, after a second."},
    {"jemalloc", "je_mallctl", "je_mallctl(\"arena.4096.purge\")",
     "With JE_MALLOC_CONF=dirty_decay_ms:0, it returns free pages at once; with "
     "JE_MALLOC_CONF=dirty_decay_ms:1000,background_thread:true, after a second."},
    {"jemalloc", "_rjem_mallctl", "_rjem_mallctl(\"arena.4096.purge\")",
     "With _RJEM_MALLOC_CONF=dirty_decay_ms:0, it returns free pages at once; with "
     "_RJEM_MALLOC_CONF=dirty_decay_ms:1000,background_thread:true, after a second."},
    {"tcmalloc", "MallocExtension_GetNumericProperty", "MallocExtension_ReleaseFreeMemory()",
     "With TCMALLOC_AGGRESSIVE_DECOMMIT=1, it returns free pages at once; with TCMALLOC_RELEASE_RATE=10, sooner."},
    {"mimalloc", "mi_process_info", "mi_collect(true)",
     "With MIMALLOC_PURGE_DELAY=0 (mimalloc 2.0: MIMALLOC_DECOMMIT_DELAY=0), it returns free pages at once."},
}};

const Description& descriptionOf(OtherAllocator allocator) {
    return kDescriptions[static_cast<std::size_t>(allocator)];
}

/// The numbers that a sentence has, in its order.
struct Part {
    AllocatorNumber number;
    std::string_view words;
};
constexpr Part kParts[] = {
    {AllocatorNumber::Allocated, "{} allocated"},
    {AllocatorNumber::Committed, "{} committed"},
    {AllocatorNumber::Active, "{} of pages with allocated blocks"},
    {AllocatorNumber::Caches, "{} of freed blocks in its caches"},
    {AllocatorNumber::FreePages, "{} of free pages"},
    {AllocatorNumber::Resident, "at most {} resident"},
    {AllocatorNumber::Retained, "{} of address space without memory"},
};

std::string reportOf(const AllocatorTrial& trial) {
    std::vector<std::string> parts;
    for (const auto& [number, words] : kParts)
        if (const auto& value = trial[number]) parts.push_back(fmt::format(fmt::runtime(words), bytesText(*value)));
    const auto& [name, function, release, advice] = descriptionOf(trial.allocator);
    if (parts.empty()) return fmt::format("{} reports no numbers.", name);
    const auto last = std::move(parts.back());
    parts.pop_back();
    return fmt::format("{} reports {}{}{}.", name, fmt::join(parts, ", "), parts.empty() ? "" : " and ", last);
}

/// What its call that gives back memory did in the copy; empty: it has none.
std::string releaseOf(const AllocatorTrial& trial, ByteCount resident) {
    const auto& [name, function, release, advice] = descriptionOf(trial.allocator);
    if (!trial.tried) return {};
    auto text = fmt::format(" {} would return {} (tried in the same copy).", release, bytesText(*trial.tried));
    if (isMuch(*trial.tried, resident)) text += fmt::format(" {}", advice);
    return text;
}

std::string meaningOf(const AllocatorTrial& trial, ByteCount resident) {
    using End = AllocatorTrial::End;
    const auto& [name, function, release, advice] = descriptionOf(trial.allocator);
    if (trial.end == End::Answered) return reportOf(trial) + releaseOf(trial, resident);
    const bool isCounted = std::ranges::any_of(trial.numbers, [](const auto& number) { return number.has_value(); });
    const auto known = isCounted ? reportOf(trial) + " " : std::string();
    const auto call = isCounted ? release : function;
    if (trial.end == End::TooLate)
        return fmt::format(
            "{}{} of {} did not return within the copy's limit of 2 seconds. Try again when the machine is less busy.",
            known, call, name);
    return fmt::format("{}{} of {} failed in all copies, perhaps because threads were in the middle of allocations. "
                       "Try again when the process is less busy.",
                       known, call, name);
}

} // namespace

std::string_view allocatorName(OtherAllocator allocator) { return descriptionOf(allocator).name; }
std::string_view allocatorFunction(OtherAllocator allocator) { return descriptionOf(allocator).function; }

std::vector<std::string> meaningOf(const TrimTrial& trial) {
    std::vector<std::string> lines{fmt::format("malloc_trim() would return {} of {} Rss to the system (tried in a "
                                               "forked copy; the process itself is unchanged).",
                                               bytesText(trial.tried), bytesText(trial.resident))};
    for (const auto& allocator : trial.allocators)
        lines.push_back(meaningOf(allocator, trial.resident));
    return lines;
}

} // namespace highwater::analysis
