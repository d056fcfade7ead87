#include "core/analysis/difference/place_texts.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNotAsked = std::numeric_limits<std::uint32_t>::max();

bool isHex(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Start of the offset in a frame without a name: at the "!" of "module!+0x1234", or of the address "module!0x1234".
/// Nothing: the frame has a name.
std::size_t offsetMark(std::string_view label) {
    for (const std::string_view offset : {"!+0x", "!0x"}) {
        const auto mark = label.rfind(offset);
        if (mark != std::string_view::npos && isHex(label.substr(mark + offset.size()))) return mark;
    }
    return std::string_view::npos;
}

bool isAddress(std::string_view label) { return label.starts_with("0x") && isHex(label.substr(2)); }

/// The identity of a module's debug file: the GUID and age of its PDB, or its build-id, or else the time stamp and size
/// of the image. Empty: unknown.
std::string identityText(const ModuleIdentity& identity) {
    if (!identity.pdbName.empty())
        return fmt::format("{} {} {}", toString(identity.pdbGuid), identity.pdbAge, buildIdOfPdb(identity.pdbName));
    if (identity.timeDateStamp == 0) return {};
    return fmt::format("{} {}", identity.timeDateStamp, identity.imageSize);
}

bool isOneTrace(const DifferenceQuery& query) {
    const auto isSame = [&](const ComparedTrace& compared) { return compared.trace == query.before.front().trace; };
    return std::all_of(query.before.begin(), query.before.end(), isSame) &&
           std::all_of(query.after.begin(), query.after.end(), isSame);
}

} // namespace

PlaceTexts::PlaceTexts(const DifferenceQuery& query)
    : query_(query),
      isOneTrace_(isOneTrace(query)),
      ofLabels_(query.before.size() + query.after.size()),
      usedRenames_(query.renames ? query.renames->lines().size() : 0) {}

const ComparedTrace& PlaceTexts::traceOf(std::size_t trace) const {
    const auto first = query_.before.size();
    return trace < first ? query_.before[trace] : query_.after[trace - first];
}

bool PlaceTexts::isRenamed(std::size_t trace) const {
    return query_.renames && !query_.renames->isEmpty() && trace < query_.before.size();
}

void PlaceTexts::noteUse(std::optional<std::size_t> line) {
    if (line) usedRenames_[*line] = true;
}

void PlaceTexts::addModulesOf(std::size_t trace, const std::set<std::uint32_t>& processes) {
    const auto& table = *traceOf(trace).trace->processes;
    const auto add = [&](ProcessIndex process) {
        for (const auto& image : table[process].images) {
            const auto& module = table.module(image.module);
            const auto name = isRenamed(trace) ? query_.renames->moduleName(module.name) : module.name;
            identities_[lowered(name)][trace].insert(identityText(module.identity));
        }
    };
    for (const auto process : processes)
        add(ProcessIndex{process});
    if (const auto kernel = table.kernel()) add(*kernel);
}

bool PlaceTexts::isSameEverywhere(const std::string& module) {
    const auto [entry, isNew] = isSame_.try_emplace(module, false);
    if (!isNew) return entry->second;
    const auto known = identities_.find(module);
    if (known == identities_.end()) return false;
    const auto& first = known->second.begin()->second;
    entry->second =
        !first.contains(std::string()) && std::all_of(known->second.begin(), known->second.end(),
                                                      [&](const auto& ofTrace) { return ofTrace.second == first; });
    return entry->second;
}

std::string PlaceTexts::comparable(std::string label) {
    if (isOneTrace_) return label;
    if (isAddress(label)) {
        ++merged_.outside;
        return "(outside any module)";
    }
    const auto mark = offsetMark(label);
    if (mark == std::string::npos) return label;
    const auto module = label.substr(0, mark);
    if (isSameEverywhere(lowered(module))) return label;
    ++merged_.frames;
    merged_.modules.insert(module);
    return module + "!(unnamed)";
}

std::uint32_t PlaceTexts::find(std::size_t trace, std::string label) {
    const bool isInlined = label.ends_with(kInlinedMark);
    if (isInlined) label.resize(label.size() - kInlinedMark.size());
    if (isRenamed(trace)) {
        noteUse(query_.renames->lineOfFunction(label));
        label = query_.renames->functionName(label);
    }
    label = comparable(std::move(label));
    auto key = placeKey(label);
    return intern(std::move(key), std::move(label), isInlined);
}

std::uint32_t PlaceTexts::frame(std::size_t trace, LabelId label) {
    auto& known = ofLabels_[trace];
    if (known.size() <= label.value) known.resize(label.value + std::size_t{1}, kNotAsked);
    if (known[label.value] == kNotAsked)
        known[label.value] = find(trace, std::string(traceOf(trace).labels->text(label)));
    return known[label.value];
}

std::uint32_t PlaceTexts::process(std::size_t trace, std::string_view name) {
    if (isRenamed(trace)) noteUse(query_.renames->lineOfModule(name));
    auto text = isRenamed(trace) ? query_.renames->moduleName(name) : std::string(name);
    auto key = placeKey(text);
    return intern(std::move(key), std::move(text), false);
}

std::uint32_t PlaceTexts::other(std::string_view text) { return intern(std::string(text), std::string(text), false); }

std::uint32_t PlaceTexts::intern(std::string key, std::string text, bool isInlined) {
    const auto [entry, isNew] = ids_.try_emplace(std::move(key), static_cast<std::uint32_t>(places_.size()));
    if (isNew) places_.push_back({std::move(text), isInlined});
    auto& place = places_[entry->second];
    place.isInlined = place.isInlined && isInlined;
    return entry->second;
}

std::string PlaceTexts::text(std::uint32_t place) const {
    const auto& known = places_[place];
    return known.isInlined ? known.text + std::string(kInlinedMark) : known.text;
}

} // namespace highwater::analysis
