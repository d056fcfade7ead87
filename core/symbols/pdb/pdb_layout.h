#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/symbols/answers/resolved_addresses.h"
#include "core/symbols/answers/symbol_identity.h"
#include "core/symbols/pdb/msf_file.h"

#include <optional>
#include <string>
#include <vector>

namespace highwater::symbols {

/// One object file of the image, from the DBI stream.
struct PdbModuleEntry {
    std::uint16_t stream = 0xFFFF; ///< 0xFFFF: no symbols
    std::uint32_t symbolBytes = 0;
    std::uint32_t oldLineBytes = 0;
    std::uint32_t lineBytes = 0;
    std::string name; ///< the object file
};

/// Consecutive bytes of the image that came from one module.
struct PdbContribution {
    Rva begin = 0;
    Rva end = 0;
    std::uint16_t module = 0;
};

/// The layout of a PDB: identity, sections, modules, and the bytes of each module. All addresses are the linker's;
/// toLinked() converts addresses of an image that was rearranged afterwards (OMAP). Immutable after read: any thread.
/// Layout: https://llvm.org/docs/PDB/DbiStream.html
class PdbLayout {
  public:
    [[nodiscard]] static Result<PdbLayout> read(const MsfFile& msf);

    [[nodiscard]] const SymbolIdentity& identity() const { return identity_; }
    [[nodiscard]] const std::vector<PdbModuleEntry>& modules() const { return modules_; }
    [[nodiscard]] std::uint16_t symbolRecordStream() const { return symbolRecordStream_; }
    /// The stream of all file names; 0: none.
    [[nodiscard]] std::uint32_t namesStream() const { return namesStream_; }
    [[nodiscard]] bool is32Bit() const { return is32Bit_; }

    /// `segment` counts from 1. nullopt: there is no such section.
    [[nodiscard]] std::optional<Rva> toRva(std::uint16_t segment, std::uint32_t offset) const;
    /// The section of an address, counting from 1; 0: none.
    [[nodiscard]] std::uint16_t segmentOf(Rva linked) const;
    /// nullopt: the address is code that the rearranging tool added.
    [[nodiscard]] std::optional<Rva> toLinked(Rva mapped) const;
    [[nodiscard]] const PdbContribution* contributionAt(Rva linked) const;

  private:
    struct Section {
        Rva begin = 0;
        Rva end = 0;
    };
    struct Moved {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };

    void readNamedStreams(ByteReader reader);
    void readModules(ByteSpan part);
    void readSections(const MsfFile& msf, ByteSpan debugHeader);
    void readContributions(ByteSpan part);

    SymbolIdentity identity_;
    std::vector<PdbModuleEntry> modules_;
    std::vector<Section> sections_;
    std::vector<Moved> moves_; ///< sorted by `from`; empty: nothing was rearranged
    std::vector<PdbContribution> contributions_;
    std::uint16_t symbolRecordStream_ = 0xFFFF;
    std::uint32_t namesStream_ = 0;
    bool is32Bit_ = false;
};

} // namespace highwater::symbols
