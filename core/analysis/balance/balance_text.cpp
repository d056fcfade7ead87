#include "core/analysis/balance/balance.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

/// A share worth a sentence.
bool isMuch(ByteCount bytes, ByteCount of) { return bytes >= (ByteCount{1} << 20) && bytes >= of / 20; }

} // namespace

std::string meaningOf(const Balance& balance) {
    const auto& [time, resident, swapped, layers] = balance.point;
    auto text = fmt::format("{}{} of {} in RAM are live blocks", balance.isIncomplete ? "At least " : "",
                            megabytes(layers[MemoryLayer::Live]), megabytes(resident));
    const auto add = [&](std::string_view sentence, ByteCount bytes) {
        text += fmt::format(fmt::runtime(sentence), megabytes(bytes));
    };
    const auto returnable = layers[MemoryLayer::Returnable], held = layers[MemoryLayer::HeldFree];
    const auto unknown = layers[MemoryLayer::Unknown];
    if (isMuch(returnable, resident))
        add("; {} are free and on pages without a live block: malloc_trim() of glibc can return them", returnable);
    if (isMuch(held, resident)) add("; {} are free but on pages that also have live blocks, which hold them", held);
    text += '.';
    if (balance.isIncomplete)
        text +=
            " Free heap memory is unknown because some blocks were not recorded: they are from before the recording "
            "or from the parent process, or the recording has no heap events.";
    else if (isMuch(unknown, resident))
        add(" {} are unknown.", unknown);
    if (swapped > 0) add(" In addition, {} are in swap.", swapped);
    return text;
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
            ended.push_back(fmt::format("{} at {} s", printable(process.name), secondsText(end)));
    }
    if (count == 0) return {};
    if (count > kMostNamed) ended.push_back(fmt::format("and {} more", count - kMostNamed));
    return fmt::format("Processes that had ended before {} s are not listed: {}.", secondsText(*query.runningAt),
                       fmt::join(ended, ", "));
}

} // namespace highwater::analysis
