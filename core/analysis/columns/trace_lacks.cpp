#include "core/analysis/columns/trace_lacks.h"

#include "core/analysis/columns/column_specs.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr std::string_view kNoAddresses = "the file does not contain block addresses";
constexpr std::string_view kNoThreads = "the file does not identify threads";
constexpr std::string_view kNoTimes = "the file does not contain times";
constexpr std::string_view kNoObjects = "the file contains totals per stack instead of individual blocks";
constexpr std::string_view kNoSamples = "the file does not contain samples of resident memory";
constexpr std::string_view kNoCounts = "the file contains bytes but no block counts";

} // namespace

std::string_view whyNoColumn(ValueColumn asked, const TraceLacks& lacks) {
    const auto& column = specOf(asked.column).lack;
    const auto isOf = [&](auto... aggregations) { return ((asked.aggregation == aggregations) || ...); };
    if (lacks.addresses && column.addresses) return kNoAddresses;
    if (lacks.threads && column.threads) return kNoThreads;
    if (lacks.times && (column.times || isOf(Aggregation::Peak))) return kNoTimes;
    if (lacks.objects && (column.objects || isOf(Aggregation::Min, Aggregation::Max))) return kNoObjects;
    if (lacks.counts && (column.counts || isOf(Aggregation::Count, Aggregation::Average))) return kNoCounts;
    return {};
}

std::vector<std::string> emptyColumns(Table table, std::span<const Column> keys, std::span<const ValueColumn> values,
                                      const TraceLacks& lacks) {
    std::vector<std::string> sentences;
    const auto add = [&](ValueColumn asked) {
        const auto why = whyNoColumn(asked, lacks);
        if (why.empty()) return;
        auto sentence = fmt::format("{} is not meaningful because {}.", valueColumnName(table, asked), why);
        if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
            sentences.push_back(std::move(sentence));
    };
    std::for_each(keys.begin(), keys.end(), add);
    std::for_each(values.begin(), values.end(), add);
    return sentences;
}

std::optional<Error> whyNoAnswer(AnswerKind kind, const TraceLacks& lacks) {
    const auto refused = [](std::string_view what, std::string_view why) {
        return Error{ErrorKind::Unsupported, fmt::format("This trace has no {} because {}.", what, why)};
    };
    switch (kind) {
    case AnswerKind::Timeline:
        if (lacks.times) return refused("timeline", kNoTimes);
        break;
    case AnswerKind::Leaks:
        if (lacks.objects) return refused("leak evidence", kNoObjects);
        break;
    case AnswerKind::Generations:
        if (lacks.objects) return refused("generations", kNoObjects);
        break;
    case AnswerKind::Explanation:
        if (lacks.objects) return refused("growth to explain", kNoObjects);
        break;
    case AnswerKind::Histogram:
        if (lacks.objects) return refused("block sizes or lifetimes", kNoObjects);
        break;
    case AnswerKind::Address:
        if (lacks.addresses) return refused("addresses", kNoAddresses);
        break;
    case AnswerKind::Heaps:
        if (lacks.objects) return refused("heap list", kNoObjects);
        break;
    case AnswerKind::Balance:
        if (lacks.isAny()) return refused("balance of resident memory", kNoSamples);
        break;
    }
    return std::nullopt;
}

/// Only heaptrack files have single blocks without addresses.
bool hasRates(const TraceLacks& lacks, TraceTime end) {
    constexpr TraceTime kTick{10'000'000};
    return !lacks.addresses || lacks.objects || end >= kTick;
}

std::optional<Error> whyNoRates(const TraceLacks& lacks, TraceTime end) {
    if (hasRates(lacks, end)) return std::nullopt;
    return Error{ErrorKind::Unsupported, "This trace has no growth rates because its file ends within the first 10 ms, "
                                         "before the first tick of its clock. Tables and leak suspects show the "
                                         "outstanding memory."};
}

} // namespace highwater::analysis
