#include "core/store/code_book.h"

#include "core/base/counted.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace highwater::store {
namespace {

using Kind = CodeEntry::Kind;

constexpr std::size_t kMostNamed = 8; ///< named in one note

Address lastOf(const CodeEvent& event) {
    return event.start + std::min<Address>(event.size - 1u, std::numeric_limits<Address>::max() - event.start);
}

std::uint64_t placeKey(ProcessIndex process, std::uint32_t text) { return std::uint64_t{process.value} << 32 | text; }

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

void CodeBook::apply(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch,
                     std::optional<ModuleIndex> pdb) {
    auto& known = processes_[process.value];
    CodeEntry entry;
    entry.start = event.start;
    entry.size = event.size;
    entry.process = process;
    entry.firstEpoch = epoch;
    entry.isPrecompiled = event.isPrecompiled;
    switch (event.kind) {
    case CodeEvent::Kind::Runtime:
        entry.kind = Kind::Runtime;
        if (!std::exchange(known.hasRuntime, true)) (void)append(entry, {}, {});
        return;
    case CodeEvent::Kind::Complete:
        known.isComplete = true;
        return;
    case CodeEvent::Kind::Module:
        return name(event, entry, pdb);
    case CodeEvent::Kind::EntryPoint:
        return enter(event, entry);
    case CodeEvent::Kind::IlMap:
        return map(event, process);
    case CodeEvent::Kind::Text:
        return keepText(event, process);
    case CodeEvent::Kind::Names:
        return nameAddress(event, process, epoch);
    case CodeEvent::Kind::Range:
        break;
    }
    entry.module = moduleOf(process, event.module).number;
    if (event.occasion == Occasion::Start) return begin(known, event, entry);
    if (event.occasion == Occasion::End) return end(known, event, entry);
    list(known, event, entry);
}

/// Merged sessions repeat events of the other session. A repeated event counts once.
void CodeBook::begin(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    known.hasBegun = true;
    for (auto at = firstOverlap(known.code, event); at != known.code.end() && at->first <= lastOf(event);)
        at = known.code.erase(at);
    known.code[event.start] = {lastOf(event), event.size, !event.name.empty()};
    entry.kind = Kind::Function;
    appendFunction(entry, event);
}

void CodeBook::list(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    if (isSame(known.code, event)) {
        auto& same = known.code[event.start];
        if (same.hasName || event.name.empty()) return;
        same.hasName = true; // the existing entry has no name
        entry.kind = Kind::Function;
        return appendFunction(entry, event);
    }
    entry.kind = Kind::EarlierFunction;
    appendFunction(entry, event);
    if (firstOverlap(known.code, event) == known.code.end())
        known.code[event.start] = {lastOf(event), event.size, !event.name.empty()};
}

void CodeBook::end(OfProcess& known, const CodeEvent& event, CodeEntry entry) {
    if (isSame(known.code, event)) {
        known.code.erase(event.start);
    } else {
        entry.kind = Kind::EarlierFunction;
        appendFunction(entry, event);
    }
    entry.kind = Kind::Nothing;
    (void)append(entry, {}, {});
}

void CodeBook::name(const CodeEvent& event, CodeEntry entry, std::optional<ModuleIndex> pdb) {
    auto& module = moduleOf(entry.process, event.module);
    entry.module = module.number;
    if (module.name != event.name) {
        module.name = event.name;
        entry.kind = Kind::ModuleName;
        (void)append(entry, event.name, {});
    }
    if (pdb && module.pdb != pdb) {
        module.pdb = pdb;
        entry.kind = Kind::ModulePdb;
        entry.size = pdb->value;
        (void)append(entry, {}, {});
    }
}

/// The runtime repeats the event for each thread that enters the code first.
void CodeBook::enter(const CodeEvent& event, CodeEntry entry) {
    auto [known, isNew] = entryPoints_.try_emplace({entry.process.value, event.start}, event.method);
    if (!isNew && std::exchange(known->second, event.method) == event.method) return;
    entry.kind = Kind::EntryPoint;
    (void)append(entry, event.name, event.signature);
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

bool CodeBook::append(CodeEntry entry, std::string_view name, std::string_view arguments) {
    const auto text = keep(name, arguments);
    entry.text = text.value_or(0);
    const bool isKept = text && columns_.entries.append(entry);
    dropped_ += isKept ? 0 : 1;
    return isKept;
}

void CodeBook::appendFunction(CodeEntry entry, const CodeEvent& event) {
    const bool isKept = append(entry, event.name, event.signature);
    if (!isKept || event.method == 0 || event.token == 0) return;
    const auto number = static_cast<std::uint32_t>(columns_.entries.size() - 1);
    if (!columns_.methods.append({number, event.token, bodyOf(event, entry.process), 0})) ++droppedMaps_;
}

std::uint32_t CodeBook::bodyOf(const CodeEvent& event, ProcessIndex process) {
    const auto next = static_cast<std::uint32_t>(mapsOfBody_.size());
    const BodyKey key{process.value, event.part, event.method, event.version};
    const auto [body, isNew] = bodies_.try_emplace(key, next);
    if (isNew) mapsOfBody_.emplace_back();
    return body->second;
}

/// Rundowns repeat earlier maps.
void CodeBook::map(const CodeEvent& event, ProcessIndex process) {
    const auto body = bodyOf(event, process);
    auto& maps = mapsOfBody_[body];
    const auto isSame = [&](std::uint32_t number) {
        const auto& known = columns_.maps[number];
        return known.bytes == event.ilMap.size() && columns_.ilMapAt(known) == event.ilMap;
    };
    if (maps.size() >= CodeColumns::kMostMapsOfBody || std::any_of(maps.begin(), maps.end(), isSame)) return;
    const CodeIlMap map{body, static_cast<std::uint32_t>(event.ilMap.size()), columns_.ilMaps.size()};
    const bool fits =
        map.bytes <= CodeColumns::kMostIlMapBytes - map.at &&
        std::all_of(event.ilMap.begin(), event.ilMap.end(), [&](char c) { return columns_.ilMaps.append(c); }) &&
        columns_.maps.append(map);
    if (!fits) return void(++droppedMaps_);
    maps.push_back(static_cast<std::uint32_t>(columns_.maps.size() - 1));
}

std::optional<std::uint32_t> CodeBook::keepOnce(const std::string& text) {
    const auto known = texts_.find(text);
    if (known != texts_.end()) return known->second;
    const auto at = keep(text, {});
    if (at) texts_.emplace(text, *at);
    return at;
}

void CodeBook::keepText(const CodeEvent& event, ProcessIndex process) {
    if (const auto at = keepOnce(event.name)) places_[placeKey(process, event.text)] = *at;
}

/// Nothing if the place was not recorded or did not fit.
std::optional<std::uint32_t> CodeBook::placeOf(ProcessIndex process, std::uint32_t text) const {
    const auto found = places_.find(placeKey(process, text));
    return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

void CodeBook::nameAddress(const CodeEvent& event, ProcessIndex process, std::uint32_t epoch) {
    const auto first = static_cast<std::uint32_t>(columns_.functions.size());
    for (const auto& function : event.functions) {
        const auto name = function.name == NamedFunction::kNoText ? keepOnce({}) : placeOf(process, function.name);
        const auto file = function.file == NamedFunction::kNoText ? std::optional(NamedFrame::kNoText)
                                                                  : placeOf(process, function.file);
        if (!name || !file || !columns_.functions.append({*name, *file, function.line, 0})) return void(++dropped_);
    }
    const auto count = static_cast<std::uint32_t>(event.functions.size());
    if (count > 0 && !columns_.named.append({event.start, process, epoch, first, count, 0})) ++dropped_;
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
        notes.push_back(
            fmt::format("Names of managed functions may be missing in {} because the recording does not list "
                        "functions compiled before it started (the CLR rundown).",
                        names));
    if (dropped_ > 0)
        notes.push_back(
            fmt::format("Function names are missing for {} of generated code because there is more of it than "
                        "Highwater keeps.",
                        counted(dropped_, "piece")));
    if (droppedMaps_ > 0)
        notes.push_back(fmt::format("Source lines are missing for {} of managed code because there are more than "
                                    "Highwater keeps.",
                                    counted(droppedMaps_, "map")));
    return notes;
}

} // namespace highwater::store
