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

/// Where another file may lie that a debug file names (.gnu_debugaltlink): its path is whatever the maker of the debug
/// file wrote. Where the system's packages have theirs, always.
struct LinkedFiles {
    enum class Reach {
        Below,     ///< besides below `folder`, through no link: for what came with a trace
        SameStore, ///< besides in the folder or build-id tree that the debug file lies in, through no link: for what
                   ///< was downloaded
        Local,     ///< besides on this computer (trustedPath): for what the user named
    };
    Reach reach = Reach::SameStore;
    std::filesystem::path folder = {}; ///< Below
};

/// What a stripped file lacks: functions between those that it exports have no names.
inline constexpr const char* kOnlyExportsRemark = "exported names only";

/// A debug file (PDB, ELF with or without DWARF) or an image with an export table, opened to turn addresses into names.
/// Reads only the parts that the asked addresses need. resolve() may be called from any thread, one at a time: a second
/// caller waits. It may use several threads itself. openSymbolFile (core/symbols/store) makes one.
class SymbolFile {
  public:
    virtual ~SymbolFile() = default;
    SymbolFile(const SymbolFile&) = delete;
    SymbolFile& operator=(const SymbolFile&) = delete;

    [[nodiscard]] virtual const SymbolIdentity& identity() const = 0;
    /// Whether it belongs to an image that wants this.
    [[nodiscard]] virtual bool isOf(const SymbolIdentity& wanted) const { return identity() == wanted; }
    /// Answers for places in IL (il_address.h), too.
    [[nodiscard]] virtual bool knowsIl() const { return false; }
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
