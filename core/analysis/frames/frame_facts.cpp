#include "core/analysis/frames/frame_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace highwater::analysis {
namespace {

SourceRange sourceOf(const symbols::ModuleNames& names, const symbols::ResolvedFrame& frame) {
    return {std::string(names.file(frame)), frame.line, frame.line, false};
}

std::vector<FrameFacts::Host> hostsOf(const RowCode& code) {
    std::vector<FrameFacts::Host> hosts;
    for (const auto& frame : code.chain.subspan(code.index + 1)) {
        const auto& function = code.names->function(frame);
        hosts.push_back(
            {symbols::readableName(function.linkageName, symbols::NameStyle::Full), sourceOf(*code.names, frame)});
    }
    return hosts;
}

/// The first named code represents all because they share a label.
void addName(FrameFacts& facts, const RowCode& code) {
    const auto& frame = code.chain[code.index];
    const auto& function = code.names->function(frame);
    facts.name = symbols::readableName(function.linkageName, symbols::NameStyle::Full);
    facts.origin = function.origin;
    facts.isInlined = code.index + 1 < code.chain.size();
    facts.kind =
        facts.isInlined || isNamedBy(function, frame) ? FrameFacts::Kind::Function : FrameFacts::Kind::Nameless;
}

void addAddresses(FrameFacts& facts, std::span<const RowCode> code) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> different; // a module has other base addresses in other processes
    facts.lowestAddress = ~Address{0};
    for (const auto& one : code) {
        const auto& place = one.place;
        different.emplace(place.module.value, place.isInModule() ? place.offset : place.address);
        facts.lowestAddress = std::min(facts.lowestAddress, place.address);
        facts.highestAddress = std::max(facts.highestAddress, place.address);
        if (one.chain.empty()) continue;
        const auto& frame = one.chain[one.index];
        facts.bytesBehindName = std::max<std::uint64_t>(facts.bytesBehindName, frame.offset);
        facts.foldedWith = std::max(facts.foldedWith, one.names->function(frame).foldedWith);
    }
    facts.addresses = different.size();
}

void addHosts(FrameFacts& facts, std::span<const RowCode> code) {
    std::vector<std::vector<FrameFacts::Host>> different;
    for (const auto& one : code) {
        if (one.chain.empty()) continue;
        auto hosts = hostsOf(one);
        if (std::find(different.begin(), different.end(), hosts) == different.end())
            different.push_back(std::move(hosts));
    }
    facts.hosts = different.size();
    if (different.size() == 1) facts.inlinedInto = std::move(different.front());
}

} // namespace

std::string SourceRange::text() const {
    if (firstLine == 0) return file;
    const auto* about = isUncertain ? "~" : "";
    return firstLine == lastLine ? fmt::format("{}:{}{}", file, about, firstLine)
                                 : fmt::format("{}:{}{}-{}", file, about, firstLine, lastLine);
}

std::vector<SourceRange> sourcesOf(std::span<const RowCode> code) {
    std::map<std::string_view, SourceRange> byFile;
    for (const auto& one : code) {
        if (one.chain.empty() || one.chain[one.index].file == symbols::kNoFile) continue;
        const auto& frame = one.chain[one.index];
        const auto [entry, isNew] = byFile.try_emplace(one.names->file(frame), sourceOf(*one.names, frame));
        auto& range = entry->second;
        range.isUncertain = range.isUncertain || one.place.isLineUncertain;
        if (isNew || frame.line == 0) continue;
        range.firstLine = range.firstLine == 0 ? frame.line : std::min(range.firstLine, frame.line);
        range.lastLine = std::max(range.lastLine, frame.line);
    }
    std::vector<SourceRange> sources;
    for (auto& [file, range] : byFile)
        sources.push_back(std::move(range));
    return sources;
}

FrameFacts factsOf(const store::ProcessTable& processes, std::span<const RowCode> code) {
    FrameFacts facts;
    if (code.empty()) return facts;
    const auto& place = code.front().place;
    if (place.address == store::kStackCut) {
        facts.kind = FrameFacts::Kind::Cut;
        return facts;
    }
    facts.kind = place.isInModule() ? FrameFacts::Kind::Nameless : FrameFacts::Kind::Unknown;
    if (place.isInModule()) facts.module = processes.module(place.module).name;
    if (place.isGenerated()) {
        facts.kind = FrameFacts::Kind::Function;
        facts.module = code.front().generatedModule;
        facts.name = code.front().generatedName;
        facts.isFromEntryPoint = place.isBehindEntry;
        for (const auto& one : code)
            if (one.place.isBehindEntry)
                facts.bytesBehindName = std::max(facts.bytesBehindName, one.place.address - one.generatedStart);
    }
    const auto named = std::find_if(code.begin(), code.end(), [](const RowCode& one) { return !one.chain.empty(); });
    if (named != code.end() && !place.isGenerated()) addName(facts, *named);
    addAddresses(facts, code);
    if (facts.isInlined) addHosts(facts, code);
    facts.sources = sourcesOf(code);
    return facts;
}

} // namespace highwater::analysis
