#pragma once

#include <cstdint>

namespace highwater::agent {

/// Reads a module's call frame information field by field. Trusts the module (its code runs anyway) but never reads
/// beyond `end`.
class FrameBytes {
  public:
    /// `shift`: the distance to where the bytes are in the memory of their process, if these are a copy.
    FrameBytes(const std::uint8_t* begin, const std::uint8_t* end, std::uint64_t shift = 0)
        : at_(begin), end_(end), shift_(shift) {}

    [[nodiscard]] const std::uint8_t* at() const { return at_; }
    [[nodiscard]] const std::uint8_t* end() const { return end_; }
    [[nodiscard]] bool isAtEnd() const { return at_ >= end_; }
    void skip(std::uint64_t bytes) { at_ = bytes > left() ? end_ : at_ + bytes; }
    /// The next bytes, which are skipped.
    [[nodiscard]] FrameBytes takePart(std::uint64_t bytes) {
        const std::uint8_t* const begin = at_;
        skip(bytes);
        return {begin, at_, shift_};
    }
    [[nodiscard]] std::uint64_t take(unsigned bytes);
    [[nodiscard]] std::uint64_t takeUleb();
    [[nodiscard]] std::int64_t takeSleb();
    /// Reads a pointer with the encoding `encoding` (DW_EH_PE_*); `dataBase` is the base of data-relative pointers.
    [[nodiscard]] std::uint64_t takePointer(std::uint8_t encoding, std::uint64_t dataBase);

  private:
    [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - at_); }
    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint64_t shift_;
};

/// Registers other than rbp that functions must preserve: rbx and r12 to r15, in this order.
inline constexpr unsigned kPreserved = 5;

/// One row of the table that call frame instructions describe, with the columns used here.
struct FrameRow {
    enum class Place : std::uint8_t { Same, Offset, Expression, Undefined, Other };
    bool frameIsExpression = false;
    std::uint64_t frameRegister = 7;
    std::int64_t frameOffset = 8;
    const std::uint8_t* frameExpression = nullptr;
    Place framePointer = Place::Same; ///< location of the caller's rbp
    std::int64_t framePointerOffset = 0;
    const std::uint8_t* framePointerExpression = nullptr;
    Place returnAddress = Place::Offset;
    std::int64_t returnAddressOffset = -8;
    /// Where the caller's values are saved; 0: still in the registers.
    std::int64_t preservedOffsets[kPreserved] = {};
    static constexpr std::int64_t kElsewhere = 1; ///< not at an offset from the frame address, or lost
};

/// The contents of a common information entry, shared by its functions.
struct FrameCommon {
    std::uint64_t codeAlignment = 1;
    std::int64_t dataAlignment = -8;
    std::uint8_t pointerEncoding = 0;
    bool isSignalFrame = false;
    bool hasAugmentation = false;
};

/// Runs instructions until the row for `place` is complete. `initial` is the row that "restore" returns to. False: an
/// unsupported instruction.
[[nodiscard]] bool runFrameProgram(FrameBytes program, const FrameCommon& common, std::uint64_t start,
                                   std::uint64_t place, const FrameRow& initial, FrameRow& row);

} // namespace highwater::agent
