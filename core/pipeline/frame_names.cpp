#include "core/pipeline/frame_names.h"

#include "core/base/text.h"
#include "core/references/mapping_search.h"
#include "core/references/stack_frames.h"
#include "core/symbols/demangling/function_name.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace highwater::pipeline {
namespace {

/// The names of addresses of one file. The last frame of each is the function whose frame is on the stack; the others
/// are inlined into it.
std::vector<std::string> namesIn(const std::string& file, const std::vector<symbols::Rva>& addresses) {
    std::vector<std::string> names(addresses.size());
    const auto opened = symbols::openSymbolFile(file);
    if (!opened.hasValue()) return names;
    const auto resolved = opened.value()->resolve(addresses);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (resolved.firstFrame[i] == resolved.firstFrame[i + 1]) continue;
        const auto& frame = resolved.frames[resolved.firstFrame[i + 1] - 1];
        names[i] = fmt::format(
            "{}!{}", fileName(file),
            symbols::readableName(resolved.functions[frame.function].linkageName, symbols::NameStyle::Short));
        if (frame.file != symbols::kNoFile && frame.line != 0)
            names[i] += fmt::format(", {}:{}", fileName(resolved.files[frame.file]), frame.line);
    }
    return names;
}

/// The file of the code, and the address in it.
std::optional<std::pair<std::string, Address>> placeOf(const ResidentSample& mappings, Address code) {
    const auto* const mapping = references::mappingAt(mappings, code);
    if (mapping == nullptr || (mapping->flags & mapping_flag::kFile) == 0) return std::nullopt;
    return std::pair(mappings.nameOf(*mapping), code - references::moduleBegin(mappings, *mapping));
}

} // namespace

void FrameNames::name(MemoryPicture& picture, const ResidentSample& mappings) {
    std::map<std::string, std::vector<symbols::Rva>> unknown; // by file
    std::vector<std::optional<Place>> places(picture.roots.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (picture.roots[i].code == 0 || picture.names[picture.roots[i].name] == references::kSignalFrame) continue;
        places[i] = placeOf(mappings, picture.roots[i].code);
        if (places[i] && !names_.contains(*places[i])) unknown[places[i]->first].push_back(places[i]->second);
    }
    for (const auto& [file, addresses] : unknown) {
        auto names = namesIn(file, addresses);
        for (std::size_t i = 0; i < addresses.size(); ++i)
            names_[{file, addresses[i]}] = std::move(names[i]);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) continue;
        const auto& name = names_[*places[i]];
        if (!name.empty()) picture.names[picture.roots[i].name] = name;
    }
}

} // namespace highwater::pipeline
