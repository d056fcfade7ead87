#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DWARFContext;
}

namespace highwater::symbols {

/// A symbol of an ELF file.
struct ElfSymbol {
    std::uint64_t begin = 0; ///< linked virtual address; of thread-local data: offset from its start
    std::uint64_t bytes = 0; ///< without a length: up to the end of its section
    std::string_view name;
};

/// The parts of an ELF file that contain names, read through LLVM's checked interface, because the convenient one ends
/// the program when a file is damaged. Supports only little-endian, linked files: in an object file, such as a kernel
/// module, every section starts at address 0. Immutable after open, except for `dwarf()`: any thread.
class ElfContents {
  public:
    /// `file` must outlive the object.
    [[nodiscard]] static Result<std::unique_ptr<ElfContents>> open(ByteSpan file);

    virtual ~ElfContents() = default;
    ElfContents(const ElfContents&) = delete;
    ElfContents& operator=(const ElfContents&) = delete;

    /// Bytes; "": none.
    [[nodiscard]] const std::string& buildId() const { return buildId_; }
    /// The lowest loaded address: the image's base, as linked.
    [[nodiscard]] std::uint64_t linkedBase() const { return linkedBase_; }
    /// The end of the last writable segment in memory, as linked; 0: none.
    [[nodiscard]] std::uint64_t writableEnd() const { return writableEnd_; }
    /// False if every section starts at address 0: object files, kernel modules, and files made by dwz.
    [[nodiscard]] bool isLinked() const { return isLinked_; }
    [[nodiscard]] bool hasDwarf() const { return hasDwarf_; }
    /// Whether it was probably compiled with -gsplit-dwarf, found without reading it. Then functions, lines and ranges
    /// are here, and inlined calls are in .dwo files.
    [[nodiscard]] bool mayBeSplit() const { return mayBeSplit_; }
    /// The file with the parts that dwz moved out, as in debug packages of Debian and Fedora.
    struct AltLink {
        std::string path;    ///< absolute, or relative to the folder of this file
        std::string buildId; ///< bytes
    };
    [[nodiscard]] const std::optional<AltLink>& altLink() const { return altLink_; }
    /// Stripped: functions that are not exported have no names here.
    [[nodiscard]] bool hasOnlyExports() const { return !hasDwarf_ && !hasSymbolTable_; }
    /// .gnu_debugdata as stored in the file, compressed; empty: none.
    [[nodiscard]] ByteSpan miniDebugInfo() const { return miniDebugInfo_; }
    enum class Kind : std::uint8_t { Code, Variable, ThreadLocal };
    /// Symbols of .symtab, or of .dynsym if there is no .symtab. Unsorted.
    [[nodiscard]] virtual std::vector<ElfSymbol> symbols(Kind kind = Kind::Code) const = 0;
    /// Size of the thread-local data.
    [[nodiscard]] std::uint64_t threadLocalSize() const { return threadLocalSize_; }
    /// Bytes that it needs before the thread pointer, if it is that of the program (x86-64).
    [[nodiscard]] std::uint64_t threadLocalBytes() const { return threadLocalBytes_; }
    /// Decompressed units, lines and their references; nullptr: there are none, or they cannot be decompressed. Valid
    /// as long as this object.
    [[nodiscard]] virtual llvm::DWARFContext* dwarf() = 0;
    /// The same for split parts (.debug_info.dwo and the like): a .dwo file, an object file with both, or a .dwp
    /// package. Only one of the two functions is called for an object.
    [[nodiscard]] virtual llvm::DWARFContext* splitDwarf() = 0;
    /// Total size of the sections that were decompressed so far.
    [[nodiscard]] std::uint64_t expandedBytes() const { return expandedBytes_; }
    /// Limit for the decompressed size of parts of a file of that size; real ones shrink to a third or a fifth.
    [[nodiscard]] static std::uint64_t mostExpandedBytes(std::uint64_t fileBytes);

  protected:
    ElfContents() = default;
    /// Notes the segment of thread-local data. Nothing if it is damaged.
    void setThreadLocal(std::uint64_t bytes, std::uint64_t alignment) {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
        if (bytes > kMost || alignment > kMost) return;
        threadLocalSize_ = bytes;
        threadLocalBytes_ = alignment <= 1 ? bytes : (bytes + alignment - 1) / alignment * alignment;
    }
    /// Notes a writable segment, of a file that may be damaged.
    void addWritable(std::uint64_t address, std::uint64_t bytes) {
        std::uint64_t end = 0;
        if (!__builtin_add_overflow(address, bytes, &end)) writableEnd_ = std::max(writableEnd_, end);
    }
    std::string buildId_;
    std::uint64_t linkedBase_ = 0;
    std::uint64_t writableEnd_ = 0;
    std::uint64_t threadLocalSize_ = 0;
    std::uint64_t threadLocalBytes_ = 0;
    bool isLinked_ = true;
    bool hasDwarf_ = false;
    bool mayBeSplit_ = false;
    bool hasSymbolTable_ = false; ///< .symtab, not empty
    std::uint64_t expandedBytes_ = 0;
    std::optional<AltLink> altLink_;
    ByteSpan miniDebugInfo_;
};

} // namespace highwater::symbols
