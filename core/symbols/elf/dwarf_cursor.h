#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace highwater::symbols {

/// One or several consecutive values of a DWARF section.
struct DwarfStep {
    enum class Kind : std::uint8_t { Fixed, Leb, Text, Block1, Block2, Block4, BlockLeb, Unknown };
    Kind kind = Kind::Fixed;
    std::uint32_t bytes = 0; ///< Fixed
};

[[nodiscard]] DwarfStep stepOfForm(llvm::dwarf::Form form, const llvm::dwarf::FormParams& parameters);

/// Reads a little-endian section with bounds checks. After an access beyond the end, isBroken() stays true.
/// LLVM's own extractor reads outside the section when an earlier length leads it there. So the data is first checked
/// with this class.
class DwarfCursor {
  public:
    DwarfCursor(llvm::StringRef bytes, std::uint64_t at, std::uint64_t end)
        : begin_(bytes.data()), at_(at), end_(std::min<std::uint64_t>(end, bytes.size())), broken_(at > end_) {}

    [[nodiscard]] std::uint64_t offset() const { return at_; }
    [[nodiscard]] bool isBroken() const { return broken_; }
    [[nodiscard]] bool atEnd() const { return broken_ || at_ >= end_; }

    /// Forward only.
    void jump(std::uint64_t to) {
        broken_ = broken_ || to < at_ || to > end_;
        if (!broken_) at_ = to;
    }
    void skip(std::uint64_t bytes) {
        broken_ = broken_ || bytes > end_ - at_;
        if (!broken_) at_ += bytes;
    }
    std::uint64_t leb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !atEnd(); shift += 7) {
            const auto byte = static_cast<std::uint8_t>(begin_[at_++]);
            if (shift < 64) value |= std::uint64_t{byte & 0x7Fu} << shift;
            if ((byte & 0x80u) == 0) return value;
        }
        broken_ = true;
        return 0;
    }
    std::uint64_t number(unsigned bytes) {
        std::uint64_t value = 0;
        if (broken_ || bytes > end_ - at_) {
            broken_ = true;
            return 0;
        }
        std::memcpy(&value, begin_ + at_, bytes);
        at_ += bytes;
        return value;
    }
    void skipText() {
        if (broken_) return;
        const auto* end = static_cast<const char*>(std::memchr(begin_ + at_, 0, end_ - at_));
        broken_ = end == nullptr;
        if (end != nullptr) at_ = static_cast<std::uint64_t>(end - begin_) + 1;
    }
    void skip(const DwarfStep& step) {
        switch (step.kind) {
        case DwarfStep::Kind::Fixed:
            skip(step.bytes);
            break;
        case DwarfStep::Kind::Leb:
            leb();
            break;
        case DwarfStep::Kind::Text:
            skipText();
            break;
        case DwarfStep::Kind::Block1:
            skip(number(1));
            break;
        case DwarfStep::Kind::Block2:
            skip(number(2));
            break;
        case DwarfStep::Kind::Block4:
            skip(number(4));
            break;
        case DwarfStep::Kind::BlockLeb:
            skip(leb());
            break;
        case DwarfStep::Kind::Unknown:
            broken_ = true;
            break;
        }
    }

  private:
    const char* begin_;
    std::uint64_t at_;
    std::uint64_t end_;
    bool broken_;
};

/// Whether the header of a line table can be read: its lists of folders and files end inside the section.
[[nodiscard]] bool isLineHeaderSound(llvm::StringRef section, std::uint64_t offset);

/// Whether the index of a .dwp package (.debug_cu_index, .debug_tu_index) can be read: LLVM does not check its numbers.
[[nodiscard]] bool isUnitIndexSound(llvm::StringRef section);

} // namespace highwater::symbols
