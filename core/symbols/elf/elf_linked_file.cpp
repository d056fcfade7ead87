#include "core/symbols/elf/elf_linked_file.h"

#include "core/symbols/places/trusted_image_path.h"

#include <algorithm>
#include <utility>

namespace highwater::symbols {

namespace fs = std::filesystem;

namespace {

const fs::path kSystemDebugFolder = "/usr/lib/debug";

bool isInside(const fs::path& path, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return !folder.relative_path().empty() && end == folder.end() && rest != path.end();
}

/// The folder of the debug file, or the folder of its build-id tree: dwz's files are beside the tree.
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
    return path.empty() ? path : fs::absolute(path, error).lexically_normal();
}

} // namespace

ElfLinks::ElfLinks(const fs::path& debugFile, LinkedFiles linked)
    : debugFile_(plainPath(debugFile)), store_(storeOf(debugFile_)), linked_(std::move(linked)) {
    linked_.folder = plainPath(linked_.folder);
}

std::optional<fs::path> ElfLinks::permitted(const fs::path& wanted, const fs::path& store) const {
    using Reach = LinkedFiles::Reach;
    if (debugFile_.empty()) return std::nullopt;
    auto place = (debugFile_.parent_path() / wanted).lexically_normal();
    if (isInside(place, kSystemDebugFolder)) return place;
    const auto& folder = linked_.reach == Reach::Below ? linked_.folder : store.empty() ? store_ : store;
    if (isInside(place, folder) && placeTypeBelow(folder, place) == PlaceBelow::File) return place;
    if (linked_.reach != Reach::Local) return std::nullopt;
    auto trusted = trustedPath(place.string());
    if (!trusted.hasValue()) return std::nullopt;
    return std::move(trusted).value();
}

std::optional<ElfLinkedFile> ElfLinks::open(const fs::path& place) {
    std::error_code error;
    if (!fs::is_regular_file(place, error)) return std::nullopt;
    auto file = MappedFile::open(place);
    if (!file.hasValue()) return std::nullopt;
    auto contents = ElfContents::open(file.value()->bytes());
    if (!contents.hasValue()) return std::nullopt;
    return ElfLinkedFile{std::move(file).value(), std::move(contents).value()};
}

} // namespace highwater::symbols
