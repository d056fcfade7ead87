#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DWARFContext;
}

namespace highwater::symbols {

/// A symbol of an ELF file that names code.
struct ElfSymbol {
    std::uint64_t begin = 0; ///< virtual address as linked
    std::uint64_t bytes = 0; ///< of a symbol without length: up to the end of its section
    std::string_view name;
};

/// The parts of an ELF file that give names, read through LLVM's checked interface: its convenient one ends the program
/// when a file is damaged. Little-endian files only, and linked ones: in an object file (kernel modules are such) every
/// section begins at address 0. Immutable after open, `dwarf()` apart: any thread.
class ElfContents {
  public:
    /// `file` must outlive the object.
    [[nodiscard]] static Result<std::unique_ptr<ElfContents>> open(ByteSpan file);

    virtual ~ElfContents() = default;
    ElfContents(const ElfContents&) = delete;
    ElfContents& operator=(const ElfContents&) = delete;

    /// Bytes, "" when the file has none.
    [[nodiscard]] const std::string& buildId() const { return buildId_; }
    /// The lowest address of what is loaded: the image's base, as linked.
    [[nodiscard]] std::uint64_t linkedBase() const { return linkedBase_; }
    /// Otherwise every section begins at address 0: object files, kernel modules, and what dwz makes.
    [[nodiscard]] bool isLinked() const { return isLinked_; }
    [[nodiscard]] bool hasDwarf() const { return hasDwarf_; }
    /// Whether it was compiled with -gsplit-dwarf, as far as can be told without reading it: then functions, lines and
    /// ranges are here, and inlined calls in .dwo files.
    [[nodiscard]] bool mayBeSplit() const { return mayBeSplit_; }
    /// What dwz moved out, as Debian's and Fedora's debug packages have it: another file, with names of this one.
    struct AltLink {
        std::string path;    ///< absolute, or from the folder of this file
        std::string buildId; ///< bytes
    };
    [[nodiscard]] const std::optional<AltLink>& altLink() const { return altLink_; }
    /// Stripped: its functions that are not exported have no names here.
    [[nodiscard]] bool hasOnlyExports() const { return !hasDwarf_ && !hasSymbolTable_; }
    /// .gnu_debugdata as it is in the file, packed; empty: there is none.
    [[nodiscard]] ByteSpan miniDebugInfo() const { return miniDebugInfo_; }
    /// Symbols of .symtab, or of .dynsym where there is no .symtab. In no order.
    [[nodiscard]] virtual std::vector<ElfSymbol> symbols() const = 0;
    /// Units, lines and what they refer to, unpacked; nullptr when there are none or they cannot be unpacked. Lives as
    /// long as this object.
    [[nodiscard]] virtual llvm::DWARFContext* dwarf() = 0;
    /// The same of what the compiler split off (.debug_info.dwo and the like): a .dwo file, an object file that holds
    /// both, or a .dwp package. Of one object only one of the two is asked.
    [[nodiscard]] virtual llvm::DWARFContext* splitDwarf() = 0;
    /// What the compressed sections that were unpacked until now came to.
    [[nodiscard]] std::uint64_t expandedBytes() const { return expandedBytes_; }
    /// What something compressed in a file of so many bytes may come to: real ones shrink to a third or a fifth.
    [[nodiscard]] static std::uint64_t mostExpandedBytes(std::uint64_t fileBytes);

  protected:
    ElfContents() = default;
    std::string buildId_;
    std::uint64_t linkedBase_ = 0;
    bool isLinked_ = true;
    bool hasDwarf_ = false;
    bool mayBeSplit_ = false;
    bool hasSymbolTable_ = false; ///< .symtab, with anything in it
    std::uint64_t expandedBytes_ = 0;
    std::optional<AltLink> altLink_;
    ByteSpan miniDebugInfo_;
};

} // namespace highwater::symbols
