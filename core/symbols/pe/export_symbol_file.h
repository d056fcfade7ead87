#pragma once

#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/pe/pe_image.h"

namespace highwater::symbols {

/// Names from the export table of a Windows image, the last resort without a PDB. Exports have no length. An export
/// names an address only if no other known function starts in between.
class ExportSymbolFile final : public SymbolFile {
  public:
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(ByteSpan bytes, std::shared_ptr<const void> owner);

    [[nodiscard]] const SymbolIdentity& identity() const override { return image_.identity(); }
    [[nodiscard]] bool hasPrivateSymbols() const override { return false; }
    [[nodiscard]] std::string remark() const override { return kOnlyExportsRemark; }
    [[nodiscard]] ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop) override;

  private:
    ExportSymbolFile(PeImage image, std::shared_ptr<const void> owner);

    std::shared_ptr<const void> owner_;
    PeImage image_;
    std::vector<PeImage::Export> exports_;
    std::vector<Rva> functionBegins_;
};

} // namespace highwater::symbols
