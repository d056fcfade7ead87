#include "core/analysis/balance/balance.h"

#include "core/analysis/balance/much_memory.h"
#include "core/analysis/balance/sample_sweep.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string_view>

namespace highwater::analysis {
namespace {

constexpr int kDecimals = 2; ///< decimals of times

std::string whenText(TraceTime time) { return betweenText(time, time, kDecimals); }

/// The time of the sample nearest to the interval.
TraceTime nearestSample(const std::vector<SharedResidentSample>& samples, TimeRange interval) {
    const auto distance = [&](const SharedResidentSample& sample) {
        const auto time = sample->time;
        // Unsigned, because distant times may be further apart than a signed number reaches.
        const auto from = static_cast<std::uint64_t>(std::min(time, interval.start).ns);
        const auto to = static_cast<std::uint64_t>(std::max(time, interval.end).ns);
        return time < interval.start ? static_cast<std::uint64_t>(interval.start.ns) - from
                                     : to - static_cast<std::uint64_t>(interval.end.ns);
    };
    return (*std::ranges::min_element(samples, {}, distance))->time;
}

/// With M_ARENA_MAX=2, one arena for threads remains, and they find the free memory of each other.
bool haveTooManyHeaps(const BalancePoint& point) {
    constexpr std::uint64_t kMany = 4;
    const auto& [count, free] = point.threadHeaps;
    const auto all = point.layers[MemoryLayer::HeldFree] + point.layers[MemoryLayer::Returnable];
    return count >= kMany && isMuch(free, point.resident) && free >= all / 2;
}

/// Other uses of memory that can be most of it. In the order of this list if they have the same size.
std::string otherUses(const BalancePoint& point) {
    struct Use {
        MemoryLayer layer;
        std::string_view sentence;
    };
    std::array<Use, 3> uses{{{MemoryLayer::Rounding, "; {} is overhead of small blocks (headers and rounding)"},
                             {MemoryLayer::Mapped, "; {} was mapped by the program"},
                             {MemoryLayer::Highwater, "; {} belongs to Highwater's recorder"}}};
    const auto bytesOf = [&](const Use& use) { return point.layers[use.layer]; };
    std::ranges::stable_sort(uses, std::ranges::greater(), bytesOf);
    constexpr std::size_t kMostNamed = 2;
    std::string text;
    for (const auto& use : uses | std::views::take(kMostNamed)) {
        if (isMuch(bytesOf(use), point.resident))
            text += fmt::format(fmt::runtime(use.sentence), bytesText(bytesOf(use)));
    }
    return text;
}

/// What can be done about free pages.
std::string_view trimText(const Balance& balance) {
    if (balance.hasOtherAllocator) return {};
    return balance.point.threadHeaps.count > 0
               ? " (malloc_trim() may return these pages to the system, except at the ends of thread arenas)"
               : " (malloc_trim() may return these pages to the system)";
}

} // namespace

std::string sampleNote(const store::PublishedTrace& trace, Table table, TimeRange interval,
                       std::uint64_t rowsOnUnknownPages) {
    constexpr std::string_view kNoValues = "Resident and Held Pages have no values because";
    if (!trace.residentSamples || trace.residentSamples->empty())
        return fmt::format("{} the trace contains no samples of resident memory.", kNoValues);
    const auto processes = samplesIn(trace, interval);
    if (processes.empty())
        return fmt::format(
            "{} no sample of resident memory was taken in the interval. The nearest sample was taken {}.", kNoValues,
            whenText(nearestSample(*trace.residentSamples, interval)));
    const auto times =
        std::ranges::minmax(processes, {}, [](const auto& process) { return process.samples.back()->time; });
    const auto when = betweenText(times.min.samples.back()->time, times.max.samples.back()->time, kDecimals);
    const bool isIncomplete = table == Table::Heap && std::ranges::any_of(processes, [&](const auto& of) {
                                  return hasUnrecordedBlocks(trace, of.process);
                              });
    auto note = fmt::format("Resident and Held Pages are from {}, taken {}.{}{}",
                            processes.size() == 1 ? "a sample of resident memory" : "the newest sample of each process",
                            when, isIncomplete ? " " : "", isIncomplete ? kUnrecordedOnPages : "");
    if (rowsOnUnknownPages > 0)
        note += fmt::format(" They leave out {} because it is unknown which of {} pages are in RAM.",
                            counted(rowsOnUnknownPages, "row"), byNumber(rowsOnUnknownPages, "its", "their"));
    return note;
}

std::string meaningOf(const Balance& balance) {
    const auto& [time, resident, swapped, layers, threadHeaps] = balance.point;
    auto text = fmt::format("Live blocks use {}{} of {} in RAM", balance.isIncomplete() ? "at least " : "",
                            bytesText(layers[MemoryLayer::Live]), bytesText(resident));
    const auto add = [&](std::string_view sentence, ByteCount bytes) {
        text += fmt::format(fmt::runtime(sentence), bytesText(bytes));
    };
    const auto returnable = layers[MemoryLayer::Returnable], held = layers[MemoryLayer::HeldFree];
    const auto unknown = layers[MemoryLayer::Unknown];
    if (isMuch(returnable, resident))
        text += fmt::format("; {} is free, on pages without live blocks{}", bytesText(returnable), trimText(balance));
    if (isMuch(held, resident)) add("; {} is free, but on pages held by live blocks", held);
    text += otherUses(balance.point) + '.';
    if (haveTooManyHeaps(balance.point))
        text += fmt::format(" {} thread arenas of glibc keep {} of this free memory. Setting M_ARENA_MAX to 2 "
                            "(environment variable MALLOC_ARENA_MAX) avoids most of them.",
                            threadHeaps.count, bytesText(threadHeaps.free));
    if (balance.isIncomplete())
        text += fmt::format(" Free heap memory is unknown because {}.", balance.whyIncomplete);
    else if (isMuch(unknown, resident))
        add(" {} is unknown.", unknown);
    if (swapped > 0) add(" In addition, {} is in swap.", swapped);
    return text;
}

std::string whyNoSample(const store::PublishedTrace& trace) {
    const auto& samples = *trace.residentSamples;
    return fmt::format("This part of the trace contains no samples of resident memory. The first sample is at {:.2f} "
                       "s, the last one at {:.2f} s.",
                       samples.front()->time.seconds(), samples.back()->time.seconds());
}

std::string endedProcesses(const store::PublishedTrace& trace, const BalanceQuery& query) {
    constexpr std::size_t kMostNamed = 5;
    if (!query.runningAt) return {};
    std::vector<std::string> ended;
    std::size_t count = 0;
    for (const auto& process : sampledProcesses(trace, query.interval)) {
        const auto end = (*trace.processes)[process.process].end;
        const bool isAsked = !query.only || std::ranges::count(*query.only, process.process) > 0;
        if (!isAsked || end >= *query.runningAt) continue;
        if (++count <= kMostNamed)
            ended.push_back(fmt::format("{} at {:.2f} s", printable(process.name), end.seconds()));
    }
    if (count == 0) return {};
    if (count > kMostNamed) ended.push_back(fmt::format("and {} more", count - kMostNamed));
    return fmt::format("Processes that had ended before {:.2f} s are not listed: {}.", query.runningAt->seconds(),
                       fmt::join(ended, ", "));
}

} // namespace highwater::analysis
