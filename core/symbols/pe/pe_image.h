#pragma once

#include "core/base/byte_reader.h"
#include "core/base/pe_layout.h"
#include "core/base/result.h"
#include "core/symbols/answers/resolved_addresses.h"
#include "core/symbols/answers/symbol_identity.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// A Windows program or library file: its PDB reference, exports and function starts. Everything is checked against the
/// file; damaged parts are empty. Immutable after open: any thread.
/// Layout: https://learn.microsoft.com/windows/win32/debug/pe-format
class PeImage {
  public:
    struct Export {
        Rva begin = 0;
        std::string_view name;
    };

    /// `file` must outlive the object.
    [[nodiscard]] static Result<PeImage> open(ByteSpan file);
    [[nodiscard]] static bool isPe(ByteSpan file);

    /// From the RSDS record. Unknown if the image has no PDB reference.
    [[nodiscard]] const SymbolIdentity& identity() const { return identity_; }
    /// The PDB's file name, without the folder on the machine that linked the image.
    [[nodiscard]] const std::string& pdbName() const { return pdbName_; }
    /// The compressed portable PDB that is embedded in a managed module; empty: none.
    [[nodiscard]] ByteSpan embeddedPdb() const { return embeddedPdb_; }
    [[nodiscard]] std::uint32_t timeDateStamp() const { return timeDateStamp_; }
    [[nodiscard]] std::uint32_t imageBytes() const { return imageBytes_; }
    /// Named functions, by address. Forwarders ("NTDLL.RtlAllocateHeap") have no code and are omitted.
    [[nodiscard]] std::vector<Export> exports() const;
    /// Starts of functions, sorted, from the unwind tables (x64 and ARM64 only).
    [[nodiscard]] std::vector<Rva> functionBegins() const;

  private:
    bool readHeaders();
    void readDebugDirectory();
    /// The bytes of the image from an address to the end of its section.
    [[nodiscard]] ByteSpan bytesAt(std::uint32_t address) const;
    [[nodiscard]] pe::Directory directory(std::size_t which) const;

    ByteSpan file_;
    std::vector<pe::Section> sections_;
    std::vector<pe::Directory> directories_;
    SymbolIdentity identity_;
    std::string pdbName_;
    ByteSpan embeddedPdb_;
    std::uint16_t machine_ = 0;
    std::uint32_t timeDateStamp_ = 0;
    std::uint32_t imageBytes_ = 0;
};

} // namespace highwater::symbols
