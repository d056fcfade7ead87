// Without LLVM: identity, base and symbol table. Does not read units and lines.
#include "core/symbols/answers/shared_names.h"
#include "core/symbols/elf/elf_contents.h"
#include "core/symbols/elf/elf_notes.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

constexpr std::uint64_t kSegmentPage = 4096;
constexpr std::size_t kIdentBytes = 16;
constexpr std::size_t kClassAt = 4;
constexpr std::size_t kDataAt = 5;
constexpr auto kClass64 = std::byte{2};
constexpr auto kLittleEndian = std::byte{1};
constexpr std::uint16_t kObjectFile = 1; ///< ET_REL
constexpr std::uint16_t kUndefined = 0;  ///< SHN_UNDEF
constexpr std::uint32_t kWritable = 2;   ///< PF_W

enum SegmentType : std::uint32_t { kLoad = 1, kNoteSegment = 4, kThreadLocalSegment = 7 };
enum SectionType : std::uint32_t { kSymbols = 2, kNotes = 7, kNoBits = 8, kDynamicSymbols = 11 };
enum SymbolType : unsigned {
    kNoType = 0,
    kObject = 1,
    kFunction = 2,
    kCommon = 5,
    kThreadLocalData = 6,
    kIndirectFunction = 10
};

struct Section {
    std::uint32_t name = 0;
    std::uint32_t type = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint32_t link = 0;
    std::uint64_t entryBytes = 0;
};

struct Symbol {
    std::uint32_t name = 0;
    unsigned type = 0;
    std::uint16_t section = 0;
    std::uint64_t value = 0;
    std::uint64_t bytes = 0;
};

/// Reads consecutive fields. After the first missing field, all later ones are 0.
class Fields {
  public:
    Fields(ByteSpan bytes, bool is64Bit) : reader_(bytes), is64Bit_(is64Bit) {}

    template <typename T>
    T take() {
        const auto value = reader_.take<T>();
        isBroken_ = isBroken_ || !value;
        return isBroken_ ? T{} : *value;
    }
    /// 8 bytes in a 64-bit file, otherwise 4.
    std::uint64_t takeWide() { return is64Bit_ ? take<std::uint64_t>() : take<std::uint32_t>(); }
    [[nodiscard]] bool isBroken() const { return isBroken_; }

  private:
    ByteReader reader_;
    bool is64Bit_;
    bool isBroken_ = false;
};

bool isOf(ElfContents::Kind kind, const Symbol& symbol) {
    if (kind == ElfContents::Kind::Variable)
        return symbol.bytes != 0 && (symbol.type == kObject || symbol.type == kCommon);
    if (kind == ElfContents::Kind::ThreadLocal) return symbol.bytes != 0 && symbol.type == kThreadLocalData;
    return symbol.type == kFunction || symbol.type == kIndirectFunction ||
           (symbol.type == kNoType && symbol.bytes != 0);
}

class PlainContents final : public ElfContents {
  public:
    explicit PlainContents(ByteSpan file) : file_(file), is64Bit_(file[kClassAt] == kClass64) {}

    /// False: the file is damaged.
    bool read() {
        Fields header(file_.subspan(kIdentBytes), is64Bit_);
        isLinked_ = header.take<std::uint16_t>() != kObjectFile;
        (void)header.take<std::uint16_t>(); // machine
        (void)header.take<std::uint32_t>(); // version
        (void)header.takeWide();            // entry point
        const auto segments = header.takeWide();
        const auto sections = header.takeWide();
        (void)header.take<std::uint32_t>(); // flags
        (void)header.take<std::uint16_t>(); // bytes of this header
        const auto segmentBytes = header.take<std::uint16_t>();
        const auto segmentCount = header.take<std::uint16_t>();
        const auto sectionBytes = header.take<std::uint16_t>();
        const auto sectionCount = header.take<std::uint16_t>();
        const auto nameSection = header.take<std::uint16_t>();
        if (header.isBroken()) return false;
        readSegments(segments, segmentBytes, segmentCount);
        readSections(sections, sectionBytes, sectionCount);
        readNames(nameSection);
        return true;
    }

    [[nodiscard]] std::vector<ElfSymbol> symbols(Kind kind) const override {
        auto found = symbolsOf(kSymbols, kind);
        return found.empty() ? symbolsOf(kDynamicSymbols, kind) : found;
    }
    llvm::DWARFContext* dwarf() override { return nullptr; }
    llvm::DWARFContext* splitDwarf() override { return nullptr; }

  private:
    [[nodiscard]] ByteSpan part(std::uint64_t offset, std::uint64_t bytes) const {
        if (offset > file_.size() || bytes > file_.size() - offset) return {};
        return file_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
    }
    [[nodiscard]] ByteSpan contentOf(const Section& section) const {
        return section.type == kNoBits ? ByteSpan() : part(section.offset, section.bytes);
    }

    void readSegments(std::uint64_t offset, std::size_t each, std::size_t count) {
        const auto table = part(offset, std::uint64_t{each} * count);
        std::optional<std::uint64_t> lowest;
        for (std::size_t i = 0; i < count && !table.empty(); ++i) {
            Fields fields(table.subspan(i * each, each), is64Bit_);
            const auto type = fields.take<std::uint32_t>();
            std::uint32_t flags = is64Bit_ ? fields.take<std::uint32_t>() : 0;
            const auto at = fields.takeWide();
            const auto address = fields.takeWide();
            (void)fields.takeWide(); // physical address
            const auto bytes = fields.takeWide();
            const auto bytesInMemory = fields.takeWide();
            if (!is64Bit_) flags = fields.take<std::uint32_t>();
            const auto alignment = fields.takeWide();
            if (fields.isBroken()) return;
            if (type == kThreadLocalSegment) setThreadLocal(bytesInMemory, alignment);
            if (type == kLoad) lowest = std::min(lowest.value_or(address), address);
            if (type == kLoad && (flags & kWritable) != 0) addWritable(address, bytesInMemory);
            if (type == kNoteSegment && buildId_.empty()) buildId_ = buildIdInNotes(part(at, bytes));
        }
        linkedBase_ = lowest.value_or(0) / kSegmentPage * kSegmentPage;
    }

    void readSections(std::uint64_t offset, std::size_t each, std::size_t count) {
        const auto table = part(offset, std::uint64_t{each} * count);
        for (std::size_t i = 0; i < count && !table.empty(); ++i) {
            Fields fields(table.subspan(i * each, each), is64Bit_);
            Section section;
            section.name = fields.take<std::uint32_t>();
            section.type = fields.take<std::uint32_t>();
            (void)fields.takeWide(); // flags
            section.address = fields.takeWide();
            section.offset = fields.takeWide();
            section.bytes = fields.takeWide();
            section.link = fields.take<std::uint32_t>();
            (void)fields.take<std::uint32_t>(); // info
            (void)fields.takeWide();            // alignment
            section.entryBytes = fields.takeWide();
            if (fields.isBroken()) return;
            sections_.push_back(section);
            hasSymbolTable_ = hasSymbolTable_ || (section.type == kSymbols && section.bytes > 0);
            if (section.type == kNotes && buildId_.empty()) buildId_ = buildIdInNotes(contentOf(section));
        }
    }

    void readNames(std::size_t nameSection) {
        if (nameSection >= sections_.size()) return;
        const auto texts = contentOf(sections_[nameSection]);
        const std::string_view names{reinterpret_cast<const char*>(texts.data()), texts.size()};
        hasDwarf_ = std::any_of(sections_.begin(), sections_.end(), [names](const Section& section) {
            return isTextAt(names, section.name, ".debug_info") || isTextAt(names, section.name, ".zdebug_info");
        });
        const auto mini = std::find_if(sections_.begin(), sections_.end(), [names](const Section& section) {
            return isTextAt(names, section.name, ".gnu_debugdata");
        });
        if (mini != sections_.end()) miniDebugInfo_ = contentOf(*mini);
    }

    [[nodiscard]] Symbol symbolIn(ByteSpan entry) const {
        Fields fields(entry, is64Bit_);
        Symbol symbol;
        symbol.name = fields.take<std::uint32_t>();
        if (!is64Bit_) symbol.value = fields.takeWide();
        if (!is64Bit_) symbol.bytes = fields.takeWide();
        symbol.type = fields.take<std::uint8_t>() & 0xFu;
        (void)fields.take<std::uint8_t>(); // visibility
        symbol.section = fields.take<std::uint16_t>();
        if (is64Bit_) symbol.value = fields.takeWide();
        if (is64Bit_) symbol.bytes = fields.takeWide();
        return fields.isBroken() ? Symbol{} : symbol;
    }

    /// Assembler functions often have no length. They end with their section at the latest.
    [[nodiscard]] std::uint64_t bytesOf(const Symbol& symbol) const {
        if (symbol.bytes != 0 || symbol.section >= sections_.size()) return symbol.bytes;
        const auto& section = sections_[symbol.section];
        const auto end = section.address + section.bytes;
        return end > symbol.value ? end - symbol.value : 0;
    }

    [[nodiscard]] std::vector<ElfSymbol> symbolsOf(std::uint32_t tableType, Kind kind) const {
        const std::size_t each = is64Bit_ ? 24 : 16;
        std::vector<ElfSymbol> found;
        SharedNames names(file_.size());
        for (const auto& section : sections_) {
            if (!found.empty()) break; // a linked file has only one
            if (section.type != tableType || section.entryBytes != each || section.link >= sections_.size()) continue;
            const auto texts = contentOf(sections_[section.link]);
            const auto table = contentOf(section);
            for (std::size_t at = 0; table.size() - at >= each; at += each) {
                const auto symbol = symbolIn(table.subspan(at, each));
                if (symbol.section == kUndefined || !isOf(kind, symbol)) continue;
                const auto name = names.at({reinterpret_cast<const char*>(texts.data()), texts.size()}, symbol.name);
                if (!name.empty()) found.push_back({symbol.value, bytesOf(symbol), name});
            }
        }
        return found;
    }

    ByteSpan file_;
    bool is64Bit_;
    std::vector<Section> sections_;
};

} // namespace

std::uint64_t ElfContents::mostExpandedBytes(std::uint64_t /*fileBytes*/) { return 0; }

Result<std::unique_ptr<ElfContents>> ElfContents::open(ByteSpan file) {
    if (file.size() < kIdentBytes) return Error{ErrorKind::Damaged, "The ELF file is truncated."};
    if (file[kDataAt] != kLittleEndian) return Error{ErrorKind::Unsupported, "Big-endian ELF files are not supported."};
    auto contents = std::make_unique<PlainContents>(file);
    if (!contents->read()) return Error{ErrorKind::Damaged, "The ELF file is damaged."};
    return std::unique_ptr<ElfContents>(std::move(contents));
}

} // namespace highwater::symbols
