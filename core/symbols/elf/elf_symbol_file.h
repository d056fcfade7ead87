#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <memory>

namespace highwater::symbols {

/// Names from an ELF file: DWARF where it has some, else its symbol table. A debug file that was split off (objcopy
/// --only-keep-debug, build-id folders, debuginfod) is one too. Through LLVM: containers, unit descriptions, forms,
/// ranges and line programs; the entries of a unit are gone over once per question list, units in parallel.
class ElfSymbolFile final : public SymbolFile {
  public:
    /// `bytes` of an ELF file; `owner` keeps them. `path`: where a file that belongs to it is looked for, as far as
    /// `linked` permits; "": nowhere.
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
