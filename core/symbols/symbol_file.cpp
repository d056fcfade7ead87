#include "core/symbols/symbol_file.h"

#include "core/base/mapped_file.h"
#include "core/symbols/msf_file.h"
#include "core/symbols/pdb_symbol_file.h"

#include <fmt/format.h>

namespace highwater::symbols {

Result<std::unique_ptr<SymbolFile>> SymbolFile::open(const std::filesystem::path& path) {
    auto file = MappedFile::open(path);
    if (!file.hasValue()) return file.error();
    const auto bytes = file.value()->bytes();
    if (MsfFile::isMsf(bytes)) return PdbSymbolFile::open(bytes, file.value());
    return Error{ErrorKind::Unsupported, "not known"};
}

} // namespace highwater::symbols
