#include "core/store/code_book.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace highwater::store {
namespace {

using Kind = CodeEntry::Kind;

constexpr std::size_t kMostNamed = 8; ///< processes of one note

Address lastOf(const CodeEvent& event) {
    return event.start + std::min<Address>(event.size - 1u, std::numeric_limits<Address>::max() - event.start);
}

} // namespace

CodeBook::CodeByStart::const_iterator CodeBook::firstOverlap(const CodeByStart& code, const CodeEvent& event) {
    auto next = code.upper_bound(event.start);
    if (next != code.begin() && std::prev(next)->second.last >= event.start) --next;
    return next != code.end() && next->first <= lastOf(event) ? next : code.end();
}

bool CodeBook::isSame(const CodeByStart& code, const CodeEvent& event) {
    const auto found = code.find(event.start);
    return found != code.end() && found->second.size == event.size;
}

bool CodeBook::changesAddresses(const CodeEvent& event, ProcessIndex process) const {
    if (event.kind != CodeEvent::Kind::Range) return false;
    if (event.occasion == Occasion::End) return true;
    const auto known = processes_.find(process.value);
    if (event.occasion != Occasion::Start || known == processes_.end()) return false;
    const auto& code = known->second.code;
    return firstOverlap(code, event) != code.end();
}

void CodeBook::apply(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch) {
    auto& known = processes_[process.value];
    CodeEntry entry;
    entry.start = event.start;
    entry.size = event.size;
    entry.process = process;
    entry.firstEpoch = epoch;
    switch (event.kind) {
    case CodeEvent::Kind::Runtime:
        entry.kind = Kind::Runtime;
        if (!std::exchange(known.hasRuntime, true)) append(entry, {}, {});
        return;
    case CodeEvent::Kind::Complete:
        known.isComplete = true;
        return;
    case CodeEvent::Kind::Module:
        return name(event, entry);
    case CodeEvent::Kind::Range:
        break;
    }
    entry.module = moduleOf(process, event.module).number;
    if (event.occasion == Occasion::Start) return begin(known, event, entry);
    if (event.occasion == Occasion::End) return end(known, event, entry);
    list(known, event, entry);
}

/// Sessions that were merged repeat what the other one has: told twice, it is once.
void CodeBook::begin(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    known.hasBegun = true;
    for (auto at = firstOverlap(known.code, event); at != known.code.end() && at->first <= lastOf(event);)
        at = known.code.erase(at);
    known.code[event.start] = {lastOf(event), event.size, !event.name.empty()};
    entry.kind = Kind::Function;
    append(entry, event.name, event.signature);
}

void CodeBook::list(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    if (isSame(known.code, event)) {
        auto& same = known.code[event.start];
        if (same.hasName || event.name.empty()) return;
        same.hasName = true; // it began without one
        entry.kind = Kind::Function;
        return append(entry, event.name, event.signature);
    }
    entry.kind = Kind::EarlierFunction;
    append(entry, event.name, event.signature);
    if (firstOverlap(known.code, event) == known.code.end())
        known.code[event.start] = {lastOf(event), event.size, !event.name.empty()};
}

void CodeBook::end(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    if (isSame(known.code, event)) {
        known.code.erase(event.start);
    } else {
        entry.kind = Kind::EarlierFunction;
        append(entry, event.name, event.signature);
    }
    entry.kind = Kind::Nothing;
    append(entry, {}, {});
}

void CodeBook::name(const CodeEvent& event, CodeEntry entry) {
    auto& module = moduleOf(entry.process, event.module);
    if (module.name == event.name) return;
    module.name = event.name;
    entry.kind = Kind::ModuleName;
    entry.module = module.number;
    append(entry, event.name, {});
}

CodeBook::ModuleName& CodeBook::moduleOf(ProcessIndex process, std::uint64_t id) {
    const auto [entry, isNew] = modules_.try_emplace({process.value, id});
    if (isNew) entry->second.number = static_cast<std::uint32_t>(modules_.size() - 1);
    return entry->second;
}

std::optional<std::uint32_t> CodeBook::keep(std::string_view name, std::string_view arguments) {
    auto& text = columns_.text;
    const auto at = text.size();
    if (name.size() + arguments.size() + 2 > CodeColumns::kMostText - at) return std::nullopt;
    const auto put = [&](std::string_view part) {
        return std::all_of(part.begin(), part.end(), [&](char c) { return text.append(c == '\0' ? ' ' : c); }) &&
               text.append('\0');
    };
    return put(name) && put(arguments) ? std::optional(static_cast<std::uint32_t>(at)) : std::nullopt;
}

void CodeBook::append(CodeEntry entry, std::string_view name, std::string_view arguments) {
    const auto text = keep(name, arguments);
    entry.text = text.value_or(0);
    if (!text || !columns_.entries.append(entry)) ++dropped_;
}

std::vector<std::string> CodeBook::notes(const ProcessTable& processes) const {
    std::vector<std::string> notes;
    std::vector<std::uint32_t> nameless;
    for (const auto& [index, known] : processes_) {
        const auto& process = processes[ProcessIndex{index}];
        const bool sawAll = known.isComplete || (known.hasBegun && process.start != kBeforeTrace);
        if (known.hasRuntime && !sawAll) nameless.push_back(index);
    }
    std::sort(nameless.begin(), nameless.end());
    std::string names;
    for (std::size_t i = 0; i < std::min(nameless.size(), kMostNamed); ++i)
        names += (names.empty() ? "" : ", ") + processes.key(ProcessIndex{nameless[i]});
    if (nameless.size() > kMostNamed) names += fmt::format(" and {} more", nameless.size() - kMostNamed);
    if (!names.empty())
        notes.push_back(fmt::format("Names of managed functions may be missing in {}: the recording does not list what "
                                    "was compiled before it began (the CLR's rundown).",
                                    names));
    if (dropped_ > 0)
        notes.push_back(fmt::format("{} pieces of generated code were more than are kept: their frames have no names.",
                                    thousands(dropped_)));
    return notes;
}

} // namespace highwater::store
