#include "core/formats/report/report_balance.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/formats/report/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

namespace highwater::formats {
namespace {

constexpr std::size_t kMostOwners = 10;

void writeAmounts(const char* cell, std::initializer_list<std::string> texts, std::ostream& out) {
    out << "<tr>";
    for (const auto& text : texts)
        out << '<' << cell << '>' << htmlText(text) << "</" << cell << '>';
    out << "</tr>\n";
}

void writeLayers(const analysis::BalancePoint& point, std::ostream& out) {
    out << "<table class=\"amounts\">\n";
    writeAmounts("th", {"Layer", "Resident", "Share of Rss"}, out);
    const auto line = [&](std::string_view name, ByteCount bytes) {
        const auto share = point.resident == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(point.resident);
        writeAmounts("td", {std::string(name), bytesText(bytes), fmt::format("{:.1f} %", 100 * share)}, out);
    };
    for (const auto layer : analysis::allMemoryLayers())
        if (point.layers[layer] > 0) line(analysis::layerName(layer), point.layers[layer]);
    line("Rss", point.resident);
    if (point.swapped > 0) writeAmounts("td", {"Swap", bytesText(point.swapped), ""}, out);
    out << "</table>\n";
}

void writeOwners(const analysis::ProcessHolders& found, std::ostream& out) {
    if (found.holders.empty() && found.isKnown()) return;
    out << "<table class=\"amounts\">\n";
    writeAmounts("th", {"Owner of heap blocks", "Held Pages", "Resident", "Blocks"}, out);
    const auto line = [&](const analysis::HeldMemory& memory, const std::string& owner) {
        writeAmounts("td", {owner, bytesText(memory.heldPages), bytesText(memory.resident), thousands(memory.rows)},
                     out);
    };
    const auto shown = std::min(found.holders.size(), kMostOwners);
    for (std::size_t i = 0; i < shown; ++i)
        line(found.holders[i], found.holders[i].owner);
    line(found.all, "All owners together");
    out << "</table>\n";
    if (const auto more = found.holders.size() - shown; more > 0)
        out << fmt::format("<p class=\"quiet\">{} {} not shown.</p>\n", counted(more, "more owner"),
                           byNumber(more, "is", "are"));
    if (const auto meaning = analysis::meaningOf(found); !meaning.empty())
        out << "<p>" << htmlText(meaning) << "</p>\n";
}

} // namespace

Result<ReportBalances> findReportBalances(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                                          const analysis::Query& query, const std::stop_token& stop) {
    ReportBalances found;
    if (analysis::whyNoBalance(trace)) return found;
    const auto sampled = analysis::sampledProcesses(trace, query.interval);
    found.sampled = sampled.size();
    analysis::BalanceQuery highest{query.interval, std::vector<ProcessIndex>()};
    for (std::size_t i = 0; i < std::min(sampled.size(), ReportBalances::kMostProcesses); ++i)
        highest.only->push_back(sampled[i].process);
    auto balances = TRY(analysis::balanceAtPeak(trace, highest, stop));
    for (auto& balance : balances) {
        analysis::HolderQuery holders;
        holders.samples = {analysis::upTo(balance.point.time), std::vector{balance.process}};
        holders.allocatorFrames = query.allocatorFrames;
        auto owners = TRY(analysis::findHolders(trace, labels, holders, stop));
        found.processes.push_back({std::move(balance), std::move(owners)});
    }
    return found;
}

void writeReportBalances(const ReportBalances& balances, std::ostream& out) {
    if (balances.processes.empty()) return;
    out << "<h2>Resident memory at its highest</h2>\n";
    for (const auto& [balance, holders] : balances.processes) {
        out << "<h3>" << htmlText(fmt::format("{} at {} s", balance.name, secondsText(balance.point.time)))
            << "</h3>\n<p>" << htmlText(analysis::meaningOf(balance)) << "</p>\n";
        writeLayers(balance.point, out);
        for (const auto& found : holders)
            writeOwners(found, out);
    }
    if (const auto more = balances.sampled - balances.processes.size(); more > 0)
        out << fmt::format("<p class=\"quiet\">{} more {} not shown; highwater-cli balance lists all.</p>\n",
                           thousands(more), byNumber(more, "process is", "processes are"));
}

} // namespace highwater::formats
