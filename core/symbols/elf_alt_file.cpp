#include "core/symbols/elf_alt_file.h"

#include "core/symbols/symbol_identity.h"

#include <array>

namespace highwater::symbols {

namespace fs = std::filesystem;

std::optional<ElfAltFile> openAltFile(const ElfContents::AltLink& link, const fs::path& debugFile) {
    SymbolIdentity identity;
    identity.buildId = link.buildId;
    const auto hex = buildIdHex(identity);
    const auto below = fs::path(hex.substr(0, 2)) / (hex.substr(2) + ".debug");
    const auto folder = debugFile.parent_path();
    const std::array places{folder / link.path, folder.parent_path() / below,
                            fs::path("/usr/lib/debug/.build-id") / below};
    for (const auto& place : places) {
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
