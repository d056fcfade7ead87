#include "core/symbols/elf/elf_alt_file.h"

#include "core/symbols/answers/symbol_identity.h"
#include "core/symbols/places/trusted_image_path.h"

#include <algorithm>
#include <vector>

namespace highwater::symbols {

namespace fs = std::filesystem;

namespace {

const fs::path kSystemDebugFolder = "/usr/lib/debug";

bool isInside(const fs::path& path, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return !folder.relative_path().empty() && end == folder.end() && rest != path.end();
}

/// The folder of the debug file, or what its build-id tree lies in: dwz's files stand beside the tree.
fs::path storeOf(const fs::path& debugFile) {
    fs::path store;
    for (const auto& step : debugFile.parent_path()) {
        if (step == ".build-id") return store;
        store /= step;
    }
    return store;
}

fs::path plainPath(const fs::path& path) {
    std::error_code error;
    return fs::absolute(path, error).lexically_normal();
}

/// The place, if a file is there that may be looked at. `store`: what the debug file lies in, absolute.
std::optional<fs::path> permittedPlace(const fs::path& wanted, const fs::path& store, const LinkedFiles& linked) {
    using Reach = LinkedFiles::Reach;
    const auto place = wanted.lexically_normal();
    if (isInside(place, kSystemDebugFolder)) return place;
    const auto folder = linked.reach == Reach::Below ? plainPath(linked.folder) : store;
    if (isInside(place, folder) && lookBelow(folder, place) == PlaceBelow::File) return place;
    if (linked.reach != Reach::Local) return std::nullopt;
    const auto trusted = trustedPath(place.string());
    if (!trusted.hasValue()) return std::nullopt;
    return trusted.value();
}

std::vector<fs::path> placesOf(const ElfContents::AltLink& link, const fs::path& debugFile, const LinkedFiles& linked) {
    constexpr std::size_t kFolderDigits = 2;
    const auto from = plainPath(debugFile);
    const auto folder = from.parent_path();
    std::vector<fs::path> places;
    const auto add = [&](const fs::path& wanted, const fs::path& store) {
        if (auto place = permittedPlace(wanted, store, linked)) places.push_back(std::move(*place));
    };
    if (!link.path.empty()) add(folder / link.path, storeOf(from));
    SymbolIdentity identity;
    identity.buildId = link.buildId;
    const auto hex = buildIdHex(identity);
    if (hex.size() > kFolderDigits) {
        const auto below = fs::path(hex.substr(0, kFolderDigits)) / (hex.substr(kFolderDigits) + ".debug");
        add(folder.parent_path() / below, folder.parent_path());
        places.push_back(kSystemDebugFolder / ".build-id" / below);
    }
    return places;
}

} // namespace

std::optional<ElfAltFile> openAltFile(const ElfContents::AltLink& link, const fs::path& debugFile,
                                      const LinkedFiles& linked) {
    if (debugFile.empty()) return std::nullopt;
    for (const auto& place : placesOf(link, debugFile, linked)) {
        std::error_code error;
        if (!fs::is_regular_file(place, error)) continue;
        const auto file = MappedFile::open(place);
        if (!file.hasValue()) continue;
        auto contents = ElfContents::open(file.value()->bytes());
        if (contents.hasValue() && contents.value()->buildId() == link.buildId)
            return ElfAltFile{file.value(), std::move(contents).value()};
    }
    return std::nullopt;
}

} // namespace highwater::symbols
