#include "core/symbols/elf/elf_alt_file.h"

#include "core/symbols/answers/symbol_identity.h"

#include <vector>

namespace highwater::symbols {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> placesOf(const ElfContents::AltLink& link, const ElfLinks& links) {
    constexpr std::size_t kFolderDigits = 2;
    std::vector<fs::path> places;
    const auto add = [&](const fs::path& wanted, const fs::path& store = {}) {
        if (auto place = links.permitted(wanted, store)) places.push_back(std::move(*place));
    };
    if (!link.path.empty()) add(link.path);
    SymbolIdentity identity;
    identity.buildId = link.buildId;
    const auto hex = buildIdHex(identity);
    if (hex.size() > kFolderDigits) {
        const auto below = fs::path(hex.substr(0, kFolderDigits)) / (hex.substr(kFolderDigits) + ".debug");
        const auto tree = links.debugFile().parent_path().parent_path();
        add(tree / below, tree);
        add(fs::path("/usr/lib/debug/.build-id") / below);
    }
    return places;
}

} // namespace

std::optional<ElfLinkedFile> openAltFile(const ElfContents::AltLink& link, const ElfLinks& links) {
    for (const auto& place : placesOf(link, links)) {
        auto file = ElfLinks::open(place);
        if (file && file->contents->buildId() == link.buildId) return file;
    }
    return std::nullopt;
}

} // namespace highwater::symbols
