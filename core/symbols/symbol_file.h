#pragma once

#include "core/base/result.h"
#include "core/symbols/resolved_addresses.h"
#include "core/symbols/symbol_identity.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::symbols {

/// A debug file (PDB, ELF with or without DWARF) or an image with an export table, opened to turn addresses into names.
/// Reads only the parts that the asked addresses need. resolve() may be called from any thread, one at a time: a second
/// caller waits. It may use several threads itself.
class SymbolFile {
  public:
    /// The kind is told by the content. Damaged content never fails later than here: resolve() then knows less.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(const std::filesystem::path& path);
    /// The same for bytes in memory.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> fromMemory(std::vector<std::byte> bytes);
    /// As open(), but refuses (ErrorKind::NotFound, with both identities in the sentence) a file that does not belong
    /// to the wanted identity. A wanted identity that is not known refuses nothing.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> openMatching(const std::filesystem::path& path,
                                                                          const SymbolIdentity& wanted);

    virtual ~SymbolFile() = default;
    SymbolFile(const SymbolFile&) = delete;
    SymbolFile& operator=(const SymbolFile&) = delete;

    [[nodiscard]] virtual const SymbolIdentity& identity() const = 0;
    /// Has functions with lengths, lines and inline frames; otherwise public, ELF or export names only.
    [[nodiscard]] virtual bool hasPrivateSymbols() const = 0;
    /// What it lacks although one would expect it, for the list of places tried; "" nothing.
    [[nodiscard]] virtual std::string remark() const { return {}; }
    /// Names for the addresses, which may come in any order but are fastest sorted. Stopped: the rest has no frames.
    [[nodiscard]] virtual ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop = {}) = 0;

  protected:
    SymbolFile() = default;
};

} // namespace highwater::symbols
