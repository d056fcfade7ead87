#include "core/symbols/store/symbol_file_opener.h"

#include "core/files/mapped_file.h"
#include "core/symbols/elf/elf_symbol_file.h"
#include "core/symbols/pdb/msf_file.h"
#include "core/symbols/pdb/pdb_symbol_file.h"
#include "core/symbols/pe/export_symbol_file.h"
#include "core/symbols/portable/embedded_pdb.h"
#include "core/symbols/portable/portable_pdb_file.h"

#include <fmt/format.h>

namespace highwater::symbols {
namespace {

Result<std::unique_ptr<SymbolFile>> openBytes(ByteSpan bytes, std::shared_ptr<const void> owner,
                                              const std::filesystem::path& path, const LinkedFiles& linked) {
    if (MsfFile::isMsf(bytes)) return PdbSymbolFile::open(bytes, std::move(owner));
    if (ElfSymbolFile::isElf(bytes)) return ElfSymbolFile::open(bytes, std::move(owner), path, linked);
    if (PortableMetadata::isPortable(bytes)) return PortablePdbFile::open(bytes, std::move(owner));
    if (PeImage::isPe(bytes)) {
        // Managed modules have no exports.
        if (auto embedded = openEmbeddedPdb(bytes)) return std::move(*embedded);
        return ExportSymbolFile::open(bytes, std::move(owner));
    }
    return Error{ErrorKind::Unsupported, "The file is not a PDB, an ELF file or a Windows image."};
}

} // namespace

Result<std::unique_ptr<SymbolFile>> openSymbolFile(const std::filesystem::path& path, const LinkedFiles& linked) {
    auto file = TRY(MappedFile::open(path));
    auto opened = openBytes(file->bytes(), file, path, linked);
    if (opened.hasValue()) return opened;
    return Error{opened.error().kind, fmt::format("{}: {}", path.string(), opened.error().message)};
}

Result<std::unique_ptr<SymbolFile>> openSymbolFileInMemory(std::vector<std::byte> bytes) {
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return openBytes(*owner, owner, {}, {});
}

Result<std::unique_ptr<SymbolFile>> openMatchingSymbolFile(const std::filesystem::path& path,
                                                           const SymbolIdentity& wanted, const LinkedFiles& linked) {
    return refuseOtherBuild(openSymbolFile(path, linked), path, wanted);
}

Result<std::unique_ptr<SymbolFile>> refuseOtherBuild(Result<std::unique_ptr<SymbolFile>> opened,
                                                     const std::filesystem::path& path, const SymbolIdentity& wanted) {
    if (!opened.hasValue() || !wanted.isKnown() || opened.value()->isOf(wanted)) return opened;
    return Error{ErrorKind::NotFound,
                 fmt::format("{} belongs to another build: it has {}, but the image requires {}.", path.string(),
                             toString(opened.value()->identity()), toString(wanted))};
}

} // namespace highwater::symbols
