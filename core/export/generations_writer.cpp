#include "core/export/generations_writer.h"

#include "core/base/counted.h"
#include "core/export/csv_text.h"
#include "core/export/cut_list.h"
#include "core/export/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::exports {
namespace {

using analysis::Generation, analysis::GenerationNumbers, analysis::GenerationStack;

std::string signedBytesText(SignedByteCount bytes) {
    return fmt::format("{}{}", bytes < 0 ? "-" : "+", bytesText(magnitude(bytes)));
}

std::string numbersText(const GenerationNumbers& numbers) {
    return fmt::format("{} persistent ({})   growth {}", thousands(numbers.persistentCount),
                       bytesText(numbers.persistentBytes), signedBytesText(numbers.growth));
}

std::string endOf(const Generation& generation) {
    return generation.ticks ? fmt::format("mark {}", printable(generation.mark)) : "the end";
}

void writeStack(const GenerationStack& stack, std::ostream& out) {
    out << fmt::format("\n   {}   {}   {}\n", printable(stack.owner), printable(stack.process),
                       numbersText(stack.numbers));
    for (const auto& frame : stack.stack)
        out << "     " << printable(frame) << '\n';
}

/// Members with the same names in CSV and JSON.
Json numbersJson(const GenerationNumbers& numbers) {
    return {{"growth_bytes", numbers.growth},
            {"persistent_count", numbers.persistentCount},
            {"persistent_bytes", numbers.persistentBytes}};
}

Json stackJson(const GenerationStack& stack) {
    auto json = numbersJson(stack.numbers);
    json["owner"] = stack.owner;
    json["process"] = stack.process;
    json["stack"] = stack.stack;
    return json;
}

Json generationJson(const Generation& generation) {
    auto json = numbersJson(generation.numbers);
    json["generation"] = generation.text;
    json["mark"] = generation.ticks ? Json(generation.mark) : Json();
    json["start_s"] = secondsJson(generation.start);
    json["end_s"] = secondsJson(generation.end);
    json["stack_count"] = generation.stackCount;
    json["stacks"] = Json::array();
    for (const auto& stack : generation.stacks)
        json["stacks"].push_back(stackJson(stack));
    json["others"] = numbersJson(generation.others);
    return json;
}

std::string csvNumbers(const GenerationNumbers& numbers) {
    return fmt::format("{},{},{}", numbers.growth, numbers.persistentCount, numbers.persistentBytes);
}

} // namespace

void writeGenerationsText(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          std::ostream& out) {
    out << fmt::format("{}, {} s to {} s: {}, {}\n", analysis::tableTitle(query.table),
                       allDecimals(report.interval.start), allDecimals(report.interval.end),
                       counted(report.marks, "mark"), numbersText(report.total));
    for (const auto& generation : report.generations) {
        out << fmt::format("\n{}, up to {} at {} s: {}\n", printable(generation.text), endOf(generation),
                           allDecimals(generation.end), numbersText(generation.numbers));
        for (const auto& stack : generation.stacks)
            writeStack(stack, out);
        const auto more = generation.stackCount - generation.stacks.size();
        if (more == 0) continue;
        out << fmt::format("\n   ({})   {}\n", moreOfList(more, "stack"), numbersText(generation.others));
    }
}

void writeGenerationsCsv(const analysis::GenerationsReport& report, std::ostream& out) {
    out << "generation,mark,start_s,end_s,generation_growth_bytes,generation_persistent_count,generation_persistent_"
           "bytes,growth_bytes,persistent_count,persistent_bytes,owner,process,stack\n";
    for (const auto& generation : report.generations) {
        const auto start = fmt::format("{},{},{},{},{},", csvField(generation.text), csvField(generation.mark),
                                       dumped(secondsJson(generation.start)), dumped(secondsJson(generation.end)),
                                       csvNumbers(generation.numbers));
        for (const auto& stack : generation.stacks)
            out << start << csvNumbers(stack.numbers)
                << fmt::format(",{},{},{}\n", csvField(stack.owner), csvField(stack.process),
                               csvField(fmt::format("{}", fmt::join(stack.stack, std::string(1, kFrameSeparator)))));
        if (generation.stackCount == 0) out << start << "0,0,0,,,\n";
    }
}

void writeGenerationsJson(const analysis::GenerationsQuery& query, const analysis::GenerationsReport& report,
                          const HealthReport& health, std::ostream& out) {
    out << "{\"schema_version\":" << kSchemaVersion << ",\"table\":" << dumped(analysis::tableWord(query.table))
        << ",\"interval\":" << dumped(intervalJson(report.interval)) << ",\"marks\":" << report.marks
        << ",\"total\":" << dumped(numbersJson(report.total)) << ",\"generations\":[";
    const char* separator = "\n";
    for (const auto& generation : report.generations) {
        out << separator << dumped(generationJson(generation));
        separator = ",\n";
    }
    out << "],\"health\":" << dumped(healthJson(health)) << "}\n";
}

} // namespace highwater::exports
