#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <memory>

namespace highwater::symbols {

/// Names from an ELF file: from DWARF if it has some, otherwise from its symbol table. Also for separate debug files
/// (objcopy --only-keep-debug, build-id folders, debuginfod). LLVM reads containers, unit descriptions, forms, ranges
/// and line programs; the entries of a unit are read once per request, units in parallel.
class ElfSymbolFile final : public SymbolFile {
  public:
    /// `bytes` of an ELF file, kept alive by `owner`. `path`: base for related files, as far as `linked` permits; "":
    /// none.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(ByteSpan bytes, std::shared_ptr<const void> owner,
                                                                  const std::filesystem::path& path,
                                                                  const LinkedFiles& linked);
    [[nodiscard]] static bool isElf(ByteSpan bytes);

    ~ElfSymbolFile() override;

    [[nodiscard]] const SymbolIdentity& identity() const override;
    [[nodiscard]] bool hasPrivateSymbols() const override;
    [[nodiscard]] std::string remark() const override;
    [[nodiscard]] ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop) override;

  private:
    class Impl;
    explicit ElfSymbolFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::symbols
