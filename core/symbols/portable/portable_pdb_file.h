#pragma once

#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/portable/portable_metadata.h"

#include <memory>
#include <mutex>

namespace highwater::symbols {

/// Source lines of managed methods, by place in their IL (il_address.h). Has no names, and nothing about native code.
class PortablePdbFile final : public SymbolFile {
  public:
    /// `bytes` of a portable PDB, kept alive by `owner`.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(ByteSpan bytes, std::shared_ptr<const void> owner);

    [[nodiscard]] const SymbolIdentity& identity() const override { return identity_; }
    /// Ignores the age, because portable PDBs have none: modules use 1, servers -1.
    [[nodiscard]] bool isOf(const SymbolIdentity& wanted) const override { return wanted.pdbGuid == identity_.pdbGuid; }
    [[nodiscard]] bool hasPrivateSymbols() const override { return metadata_.methodCount() > 0; }
    [[nodiscard]] bool knowsIl() const override { return true; }
    [[nodiscard]] ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop) override;

  private:
    PortablePdbFile(PortableMetadata metadata, std::uint64_t bytes, std::shared_ptr<const void> owner);

    std::shared_ptr<const void> owner_;
    PortableMetadata metadata_;
    std::uint64_t bytes_;
    SymbolIdentity identity_;
};

} // namespace highwater::symbols
