#pragma once

#include "core/symbols/answers/resolved_addresses.h"
#include "core/symbols/answers/symbol_identity.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::symbols {

/// The places in which to search for another file that a debug file refers to (.gnu_debugaltlink). The path was chosen
/// by the creator of the debug file. The places of the system's packages are always permitted.
struct LinkedFiles {
    enum class Reach {
        Below,     ///< also below `folder`, but not through links; for files that came with a trace
        SameStore, ///< also in the folder or build-id tree of the debug file, but not through links; for downloaded
                   ///< files
        Local,     ///< also on this computer (trustedPath); for files that the user specified
    };
    Reach reach = Reach::SameStore;
    std::filesystem::path folder = {}; ///< Below
};

/// Remark for a stripped file: functions that it does not export have no names.
inline constexpr const char* kOnlyExportsRemark = "public names only";

/// A debug file (PDB, ELF with or without DWARF) or an image with an export table, opened to turn addresses into names.
/// Reads only the parts that the requested addresses need. resolve() may be called from any thread, one at a time; a
/// second caller waits. It may use several threads itself. Created by openSymbolFile (core/symbols/store).
class SymbolFile {
  public:
    virtual ~SymbolFile() = default;
    SymbolFile(const SymbolFile&) = delete;
    SymbolFile& operator=(const SymbolFile&) = delete;

    [[nodiscard]] virtual const SymbolIdentity& identity() const = 0;
    /// Whether it belongs to an image with this identity.
    [[nodiscard]] virtual bool isOf(const SymbolIdentity& wanted) const { return identity() == wanted; }
    /// Also answers places in IL (il_address.h).
    [[nodiscard]] virtual bool knowsIl() const { return false; }
    /// Has functions with lengths, lines and inlined frames. Otherwise only public, ELF or export names.
    [[nodiscard]] virtual bool hasPrivateSymbols() const = 0;
    /// Remark on expected parts that the file lacks, for the list of tried places; "": none.
    [[nodiscard]] virtual std::string remark() const { return {}; }
    /// Names for the addresses, in any order; sorted addresses are fastest. When stopped, the rest has no frames.
    [[nodiscard]] virtual ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop = {}) = 0;

  protected:
    SymbolFile() = default;
};

} // namespace highwater::symbols
