#include "core/analysis/columns/trace_lacks.h"

#include "core/analysis/columns/column_specs.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr std::string_view kNoAddresses = "its file tells no addresses of blocks";
constexpr std::string_view kNoThreads = "its file tells no threads";
constexpr std::string_view kNoTimes = "its file tells no times";
constexpr std::string_view kNoObjects = "its file sums up what a stack allocated, and tells no single blocks";
constexpr std::string_view kNoCounts = "its file tells bytes only, not how many blocks there were";

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
        auto sentence = fmt::format("{} says nothing: {}.", valueColumnName(table, asked), why);
        if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
            sentences.push_back(std::move(sentence));
    };
    std::for_each(keys.begin(), keys.end(), add);
    std::for_each(values.begin(), values.end(), add);
    return sentences;
}

std::optional<Error> whyNoAnswer(AnswerKind kind, const TraceLacks& lacks) {
    const auto refused = [](std::string_view what, std::string_view why) {
        return Error{ErrorKind::Unsupported, fmt::format("This trace has no {}: {}.", what, why)};
    };
    switch (kind) {
    case AnswerKind::Timeline:
        if (lacks.times) return refused("timeline", kNoTimes);
        break;
    case AnswerKind::Leaks:
        if (lacks.objects) return refused("evidence of leaks", kNoObjects);
        break;
    case AnswerKind::Generations:
        if (lacks.objects) return refused("generations", kNoObjects);
        break;
    case AnswerKind::Explanation:
        if (lacks.objects) return refused("growth to be explained", kNoObjects);
        break;
    case AnswerKind::Histogram:
        if (lacks.objects) return refused("sizes and lifetimes of blocks", kNoObjects);
        break;
    case AnswerKind::Address:
        if (lacks.addresses) return refused("addresses", kNoAddresses);
        break;
    case AnswerKind::Heaps:
        if (lacks.objects) return refused("list of heaps", kNoObjects);
        break;
    }
    return std::nullopt;
}

/// heaptrack's files alone have single blocks and no addresses.
bool hasRates(const TraceLacks& lacks, TraceTime end) {
    constexpr TraceTime kTick{10'000'000};
    return !lacks.addresses || lacks.objects || end >= kTick;
}

std::optional<Error> whyNoRates(const TraceLacks& lacks, TraceTime end) {
    if (hasRates(lacks, end)) return std::nullopt;
    return Error{ErrorKind::Unsupported,
                 "This trace has no rates of growth: its file ends within the first 10 ms, before its clock ticks. "
                 "Tables, and what may leak, show what is outstanding."};
}

} // namespace highwater::analysis
