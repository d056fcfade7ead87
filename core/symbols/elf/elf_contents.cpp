#include "core/symbols/elf/elf_contents.h"

#include "core/symbols/answers/shared_names.h"
#include "core/symbols/elf/dwarf_cursor.h"
#include "core/symbols/elf/elf_notes.h"
#include "core/symbols/elf/llvm_results.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/Decompressor.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>

namespace highwater::symbols {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
/// Limit for all compressed sections of a file together; real ones shrink to a third or a fifth. Several sections may
/// share the same bytes, so the ratio of a single section means nothing.
constexpr std::uint64_t kHighestRatio = 32;
constexpr std::uint64_t kAlwaysExpandedBytes = std::uint64_t{64} << 20;
/// LLVM creates objects for all units and abbreviations that are a hundred times as large as their bytes. Sections that
/// unpack to more units than a file of that size can have are not read.
constexpr std::uint64_t kAlwaysUnits = 64 * 1024, kBytesAUnit = 8;
constexpr std::uint64_t kAlwaysAbbreviationBytes = std::uint64_t{4} << 20;

/// Sections that names and lines are read from. Frames, hashes of types and macros are not read.
constexpr std::array<llvm::StringRef, 10> kSections{
    ".debug_info",        ".debug_abbrev", ".debug_line",   ".debug_str",      ".debug_line_str",
    ".debug_str_offsets", ".debug_addr",   ".debug_ranges", ".debug_rnglists", ".debug_aranges"};
/// The same for split files, whose lines and addresses are in the program.
constexpr std::array<llvm::StringRef, 7> kSplitSections{
    ".debug_info.dwo",     ".debug_abbrev.dwo", ".debug_str.dwo", ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo", ".debug_cu_index",   ".debug_tu_index"};

/// Counted by their lengths.
std::uint64_t unitsIn(llvm::StringRef info, std::uint64_t most) {
    DwarfCursor cursor(info, 0, info.size());
    std::uint64_t units = 0;
    for (; units <= most && !cursor.atEnd(); ++units) {
        const auto length = cursor.number(4);
        cursor.skip(length == llvm::dwarf::DW_LENGTH_DWARF64 ? cursor.number(8) : length);
    }
    return units;
}

bool isOf(ElfContents::Kind kind, unsigned type, std::uint64_t bytes) {
    if (kind == ElfContents::Kind::Variable)
        return bytes != 0 && (type == llvm::ELF::STT_OBJECT || type == llvm::ELF::STT_COMMON);
    if (kind == ElfContents::Kind::ThreadLocal) return bytes != 0 && type == llvm::ELF::STT_TLS;
    // Labels such as _end have neither type nor length.
    return type == llvm::ELF::STT_FUNC || type == llvm::ELF::STT_GNU_IFUNC ||
           (type == llvm::ELF::STT_NOTYPE && bytes != 0);
}

template <typename ElfType>
class Contents final : public ElfContents {
  public:
    explicit Contents(llvm::object::ELFFile<ElfType> file) : file_(std::move(file)) {
        isLinked_ = file_.getHeader().e_type != llvm::ELF::ET_REL;
        readProgramHeaders();
        readSections();
        hasDwarf_ = find(".debug_info") != nullptr || find(".zdebug_info") != nullptr;
        mayBeSplit_ = hasDwarf_ && mayHaveSplitUnit();
        readAltLink();
        const auto packed = contentOf(".gnu_debugdata");
        miniDebugInfo_ = {reinterpret_cast<const std::byte*>(packed.data()), packed.size()};
    }

    std::vector<ElfSymbol> symbols(Kind kind) const override {
        auto found = symbolsOf(llvm::ELF::SHT_SYMTAB, kind);
        return found.empty() ? symbolsOf(llvm::ELF::SHT_DYNSYM, kind) : found;
    }

    llvm::DWARFContext* dwarf() override { return hasDwarf_ ? contextOf(kSections) : nullptr; }
    llvm::DWARFContext* splitDwarf() override { return contextOf(kSplitSections); }

  private:
    using Section = typename ElfType::Shdr;

    void readProgramHeaders() {
        const auto headers = valueOf(file_.program_headers());
        if (!headers) return;
        std::optional<std::uint64_t> lowest;
        for (const auto& header : *headers) {
            if (header.p_type == llvm::ELF::PT_LOAD)
                lowest = std::min<std::uint64_t>(lowest.value_or(header.p_vaddr), header.p_vaddr);
            if (header.p_type == llvm::ELF::PT_LOAD && (header.p_flags & llvm::ELF::PF_W) != 0)
                addWritable(header.p_vaddr, header.p_memsz);
            if (header.p_type == llvm::ELF::PT_TLS) setThreadLocal(header.p_memsz, header.p_align);
            if (header.p_type == llvm::ELF::PT_NOTE) readNotes(header.p_offset, header.p_filesz);
        }
        linkedBase_ = lowest.value_or(0) / kPageBytes * kPageBytes;
    }

    void readSections() {
        sections_ = valueOf(file_.sections()).value_or(llvm::ArrayRef<Section>());
        sectionNames_ = valueOf(file_.getSectionStringTable(sections_)).value_or(llvm::StringRef());
        for (const auto& section : sections_) {
            if (section.sh_type == llvm::ELF::SHT_NOTE) readNotes(section.sh_offset, section.sh_size);
            hasSymbolTable_ = hasSymbolTable_ || (section.sh_type == llvm::ELF::SHT_SYMTAB && section.sh_size > 0);
        }
    }

    void readNotes(std::uint64_t offset, std::uint64_t bytes) {
        const ByteSpan all(reinterpret_cast<const std::byte*>(file_.base()), file_.getBufSize());
        if (!buildId_.empty() || offset > all.size() || bytes > all.size() - offset) return;
        buildId_ = buildIdInNotes(all.subspan(offset, bytes));
    }

    [[nodiscard]] const Section* find(llvm::StringRef name) const {
        const auto found = std::find_if(sections_.begin(), sections_.end(),
                                        [&](const auto& section) { return isCalled(section, name); });
        return found != sections_.end() ? &*found : nullptr;
    }
    [[nodiscard]] bool isCalled(const Section& section, llvm::StringRef name) const {
        return isTextAt({sectionNames_.data(), sectionNames_.size()}, section.sh_name, {name.data(), name.size()});
    }

    [[nodiscard]] llvm::StringRef contentOf(llvm::StringRef name) const {
        const auto* section = find(name);
        if (section == nullptr || section->sh_type == llvm::ELF::SHT_NOBITS) return {};
        const auto bytes = valueOf(file_.getSectionContents(*section));
        if (!bytes || (section->sh_flags & llvm::ELF::SHF_COMPRESSED) != 0) return {};
        return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    }

    llvm::DWARFContext* contextOf(llvm::ArrayRef<llvm::StringRef> names) {
        if (context_) return context_.get();
        for (const auto name : names) {
            auto part = debugSection(name, expandedBytes_);
            const bool isIndex = name.ends_with("_index");
            if (part && isTooMuch(name, part->getBuffer())) return nullptr;
            if (part && (!isIndex || isUnitIndexSound(part->getBuffer()))) parts_[name.drop_front()] = std::move(part);
        }
        if (expandedBytes_ > mostExpanded()) return nullptr;
        context_ = llvm::DWARFContext::create(parts_, ElfType::Is64Bits ? 8 : 4, true, ignoreError, ignoreError, true);
        return context_.get();
    }

    [[nodiscard]] bool isTooMuch(llvm::StringRef name, llvm::StringRef bytes) const {
        const auto mostUnits = std::max(kAlwaysUnits, file_.getBufSize() / kBytesAUnit);
        if (name.starts_with(".debug_abbrev"))
            return bytes.size() > std::max<std::uint64_t>(kAlwaysAbbreviationBytes, file_.getBufSize());
        return name.starts_with(".debug_info") && unitsIn(bytes, mostUnits) > mostUnits;
    }

    /// Examines the first units; does not decompress them.
    [[nodiscard]] bool mayHaveSplitUnit() const {
        constexpr int kUnits = 64;
        const bool hasAddresses = find(".debug_addr") != nullptr;
        const auto bytes = contentOf(".debug_info");
        if (bytes.empty()) return hasAddresses;
        DwarfCursor cursor(bytes, 0, bytes.size());
        for (int i = 0; i < kUnits && !cursor.atEnd(); ++i) {
            const auto length = cursor.number(4);
            if (length >= llvm::dwarf::DW_LENGTH_lo_reserved) return false;
            const auto end = cursor.offset() + length;
            const auto version = cursor.number(2);
            const auto type = cursor.number(1);
            if (cursor.isBroken()) return false;
            // Version 4 has addresses in a separate section only for this.
            if (version >= 5 ? type == llvm::dwarf::DW_UT_skeleton : hasAddresses) return true;
            cursor.jump(end);
        }
        return false;
    }

    /// A 0-terminated path, then the build-id.
    void readAltLink() {
        const auto [path, buildId] = contentOf(".gnu_debugaltlink").split('\0');
        if (!path.empty() && !buildId.empty()) altLink_ = AltLink{path.str(), buildId.str()};
    }

    [[nodiscard]] std::uint64_t mostExpanded() const { return mostExpandedBytes(file_.getBufSize()); }

    /// In place or decompressed. Sections of one name are joined: type units are split off into sections of their own.
    std::unique_ptr<llvm::MemoryBuffer> debugSection(llvm::StringRef name, std::uint64_t& expanded) {
        std::vector<std::unique_ptr<llvm::MemoryBuffer>> parts;
        for (const auto& section : sections_) {
            if (!isCalled(section, name)) continue;
            if (auto part = debugSection(section, name, expanded)) parts.push_back(std::move(part));
            // Joined sections are copies, and any number of sections may share the same bytes.
            if (parts.size() > 1) expanded += parts.back()->getBufferSize();
            if (expanded > mostExpanded()) return nullptr;
        }
        if (parts.size() < 2) return parts.empty() ? nullptr : std::move(parts.front());
        std::string joined;
        for (const auto& part : parts)
            joined += part->getBuffer();
        return llvm::MemoryBuffer::getMemBufferCopy(joined, name);
    }

    std::unique_ptr<llvm::MemoryBuffer> debugSection(const Section& section, llvm::StringRef name,
                                                     std::uint64_t& expanded) {
        if (section.sh_type == llvm::ELF::SHT_NOBITS) return nullptr;
        const auto bytes = valueOf(file_.getSectionContents(section));
        if (!bytes) return nullptr;
        const llvm::StringRef text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        if ((section.sh_flags & llvm::ELF::SHF_COMPRESSED) == 0)
            return llvm::MemoryBuffer::getMemBuffer(text, name, false);
        auto unpacker = valueOf(llvm::object::Decompressor::create(name, text, true, ElfType::Is64Bits));
        if (!unpacker) return nullptr;
        const auto claimed = std::min(unpacker->getDecompressedSize(), mostExpanded() + 1);
        expanded = std::min(expanded + claimed, mostExpanded() + 1);
        if (expanded > mostExpanded()) return nullptr;
        auto out = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(unpacker->getDecompressedSize(), name);
        if (!out) return nullptr;
        llvm::MutableArrayRef<std::uint8_t> room(reinterpret_cast<std::uint8_t*>(out->getBufferStart()),
                                                 out->getBufferSize());
        if (auto error = unpacker->decompress(room)) {
            llvm::consumeError(std::move(error));
            return nullptr;
        }
        return out;
    }

    /// Assembler functions often have no length. They end with their section at the latest.
    [[nodiscard]] std::uint64_t bytesOf(const typename ElfType::Sym& symbol) const {
        if (symbol.st_size != 0 || symbol.st_shndx >= sections_.size()) return symbol.st_size;
        const auto& section = sections_[symbol.st_shndx];
        const std::uint64_t end = std::uint64_t{section.sh_addr} + section.sh_size;
        return end > symbol.st_value ? end - symbol.st_value : 0;
    }

    [[nodiscard]] std::vector<ElfSymbol> symbolsOf(unsigned tableType, Kind kind) const {
        std::vector<ElfSymbol> found;
        SharedNames names(file_.getBufSize());
        for (const auto& section : sections_) {
            if (section.sh_type != tableType) continue;
            if (!found.empty()) break; // a linked file has only one
            const auto symbols = valueOf(file_.symbols(&section));
            const auto texts = valueOf(file_.getStringTableForSymtab(section, sections_));
            if (!symbols || !texts) continue;
            for (const auto& symbol : *symbols) {
                if (symbol.st_shndx == llvm::ELF::SHN_UNDEF || !isOf(kind, symbol.getType(), symbol.st_size)) continue;
                const auto name = names.at({texts->data(), texts->size()}, symbol.st_name);
                if (!name.empty()) found.push_back({symbol.st_value, bytesOf(symbol), name});
            }
        }
        return found;
    }

    llvm::object::ELFFile<ElfType> file_;
    llvm::ArrayRef<Section> sections_;
    llvm::StringRef sectionNames_;
    llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> parts_;
    std::unique_ptr<llvm::DWARFContext> context_;
};

template <typename ElfType>
Result<std::unique_ptr<ElfContents>> openAs(llvm::StringRef bytes) {
    auto file = valueOf(llvm::object::ELFFile<ElfType>::create(bytes));
    if (!file) return Error{ErrorKind::Damaged, "The ELF file is damaged."};
    return std::unique_ptr<ElfContents>(std::make_unique<Contents<ElfType>>(std::move(*file)));
}

} // namespace

std::uint64_t ElfContents::mostExpandedBytes(std::uint64_t fileBytes) {
    return std::max(kAlwaysExpandedBytes, fileBytes * kHighestRatio);
}

Result<std::unique_ptr<ElfContents>> ElfContents::open(ByteSpan file) {
    if (file.size() < llvm::ELF::EI_NIDENT) return Error{ErrorKind::Damaged, "The ELF file is truncated."};
    const llvm::StringRef bytes(reinterpret_cast<const char*>(file.data()), file.size());
    if (bytes[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
        return Error{ErrorKind::Unsupported, "Big-endian ELF files are not supported."};
    const bool is64Bit = bytes[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64;
    return is64Bit ? openAs<llvm::object::ELF64LE>(bytes) : openAs<llvm::object::ELF32LE>(bytes);
}

} // namespace highwater::symbols
