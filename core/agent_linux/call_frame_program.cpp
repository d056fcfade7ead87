#include "core/agent_linux/call_frame_program.h"

#include <cstring>

namespace highwater::agent {

namespace {

constexpr std::uint64_t kFramePointer = 6; // register numbers of DWARF for x86-64
constexpr std::uint64_t kReturnAddress = 16;

/// Damaged information may overflow.
std::int64_t scaled(std::uint64_t value, std::int64_t unit) {
    return static_cast<std::int64_t>(value * static_cast<std::uint64_t>(unit));
}

/// kPreserved: another register.
unsigned preservedNumber(std::uint64_t number) {
    if (number == 3) return 0;
    return number >= 12 && number <= 15 ? static_cast<unsigned>(number - 11) : kPreserved;
}

/// The caller's value of a register is stored at frame address + offset.
void setOffset(FrameRow& row, std::uint64_t number, std::int64_t offset) {
    if (number == kFramePointer) {
        row.framePointer = FrameRow::Place::Offset;
        row.framePointerOffset = offset;
    } else if (number == kReturnAddress) {
        row.returnAddress = FrameRow::Place::Offset;
        row.returnAddressOffset = offset;
    } else if (const unsigned preserved = preservedNumber(number); preserved < kPreserved) {
        row.preservedOffsets[preserved] = offset;
    }
}

void setPlace(FrameRow& row, std::uint64_t number, FrameRow::Place place, const std::uint8_t* expression = nullptr) {
    if (number == kFramePointer) {
        row.framePointer = place;
        row.framePointerExpression = expression;
    } else if (number == kReturnAddress) {
        row.returnAddress = place;
    } else if (const unsigned preserved = preservedNumber(number); preserved < kPreserved) {
        row.preservedOffsets[preserved] = place == FrameRow::Place::Same ? 0 : FrameRow::kElsewhere;
    }
}

void restore(FrameRow& row, std::uint64_t number, const FrameRow& initial) {
    if (number == kFramePointer) {
        row.framePointer = initial.framePointer;
        row.framePointerOffset = initial.framePointerOffset;
    } else if (number == kReturnAddress) {
        row.returnAddress = initial.returnAddress;
        row.returnAddressOffset = initial.returnAddressOffset;
    } else if (const unsigned preserved = preservedNumber(number); preserved < kPreserved) {
        row.preservedOffsets[preserved] = initial.preservedOffsets[preserved];
    }
}

/// The state of the interpreter: the position, and the remembered rows.
class FrameInterpreter {
  public:
    FrameInterpreter(FrameBytes program, const FrameCommon& common, const FrameRow& initial, FrameRow& row)
        : program_(program), common_(common), initial_(initial), row_(row) {}

    bool run(std::uint64_t start, std::uint64_t place) {
        location_ = start;
        while (!program_.isAtEnd()) {
            const auto instruction = static_cast<std::uint8_t>(program_.take(1));
            const std::uint64_t low = instruction & 0x3F;
            switch (instruction >> 6) {
            case 1:
                location_ += low * common_.codeAlignment;
                break;
            case 2:
                setOffset(row_, low, scaled(program_.takeUleb(), common_.dataAlignment));
                break;
            case 3:
                restore(row_, low, initial_);
                break;
            default:
                if (!runExtended(instruction)) return false;
            }
            if (location_ > place) return true;
        }
        return true;
    }

  private:
    bool runExtended(std::uint8_t instruction) {
        switch (instruction) {
        case 0x00:
            return true; // nop
        case 0x01:
            location_ = program_.takePointer(common_.pointerEncoding, 0);
            return true;
        case 0x02:
            location_ += program_.take(1) * common_.codeAlignment;
            return true;
        case 0x03:
            location_ += program_.take(2) * common_.codeAlignment;
            return true;
        case 0x04:
            location_ += program_.take(4) * common_.codeAlignment;
            return true;
        case 0x0a:
            return remember();
        case 0x0b:
            return recall();
        case 0x2e:
            static_cast<void>(program_.takeUleb());
            return true; // GNU_args_size
        default:
            return instruction >= 0x0c && instruction <= 0x0f   ? runFrame(instruction)
                   : instruction == 0x12 || instruction == 0x13 ? runFrame(instruction)
                                                                : runRegister(instruction);
        }
    }

    bool runFrame(std::uint8_t instruction) { // computation of the frame address
        row_.frameIsExpression = instruction == 0x0f;
        switch (instruction) {
        case 0x0c: // def_cfa
            row_.frameRegister = program_.takeUleb();
            row_.frameOffset = static_cast<std::int64_t>(program_.takeUleb());
            return true;
        case 0x12: // def_cfa_sf
            row_.frameRegister = program_.takeUleb();
            row_.frameOffset = scaled(static_cast<std::uint64_t>(program_.takeSleb()), common_.dataAlignment);
            return true;
        case 0x0d:
            row_.frameRegister = program_.takeUleb();
            return true;
        case 0x0e:
            row_.frameOffset = static_cast<std::int64_t>(program_.takeUleb());
            return true;
        case 0x13:
            row_.frameOffset = scaled(static_cast<std::uint64_t>(program_.takeSleb()), common_.dataAlignment);
            return true;
        default:
            row_.frameExpression = program_.at();
            program_.skip(program_.takeUleb());
            return true;
        }
    }

    bool runRegister(std::uint8_t instruction) { // locations of the caller's registers
        const std::uint64_t number = program_.takeUleb();
        switch (instruction) {
        case 0x05:
            setOffset(row_, number, scaled(program_.takeUleb(), common_.dataAlignment));
            return true;
        case 0x06:
            restore(row_, number, initial_);
            return true;
        case 0x07:
            setPlace(row_, number, FrameRow::Place::Undefined);
            return true;
        case 0x08:
            setPlace(row_, number, FrameRow::Place::Same);
            return true;
        case 0x09:
            setPlace(row_, number, FrameRow::Place::Other);
            static_cast<void>(program_.takeUleb());
            return true;
        case 0x10: // expression: the address
            setPlace(row_, number, FrameRow::Place::Expression, program_.at());
            program_.skip(program_.takeUleb());
            return true;
        case 0x11:
            setOffset(row_, number, scaled(static_cast<std::uint64_t>(program_.takeSleb()), common_.dataAlignment));
            return true;
        case 0x14:
        case 0x15: // val_offset
            setPlace(row_, number, FrameRow::Place::Other);
            static_cast<void>(program_.takeUleb());
            return true;
        case 0x16: // val_expression
            setPlace(row_, number, FrameRow::Place::Other);
            program_.skip(program_.takeUleb());
            return true;
        case 0x2f:
            setOffset(row_, number, scaled(0 - program_.takeUleb(), common_.dataAlignment));
            return true;
        default:
            return false;
        }
    }

    bool remember() {
        if (remembered_ == kMostRemembered) return false;
        rows_[remembered_++] = row_;
        return true;
    }
    bool recall() {
        if (remembered_ == 0) return false;
        row_ = rows_[--remembered_];
        return true;
    }

    static constexpr unsigned kMostRemembered = 8;
    FrameBytes program_;
    const FrameCommon& common_;
    const FrameRow& initial_;
    FrameRow& row_;
    std::uint64_t location_ = 0;
    FrameRow rows_[kMostRemembered];
    unsigned remembered_ = 0;
};

} // namespace

std::uint64_t FrameBytes::take(unsigned bytes) {
    std::uint64_t value = 0;
    if (left() >= bytes) std::memcpy(&value, at_, bytes);
    skip(bytes);
    return value;
}

std::uint64_t FrameBytes::takeUleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !isAtEnd(); shift += 7) {
        const std::uint8_t byte = *at_++;
        if (shift < 64) value |= std::uint64_t{byte & 0x7Fu} << shift;
        if ((byte & 0x80) == 0) break;
    }
    return value;
}

std::int64_t FrameBytes::takeSleb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
        if (isAtEnd()) break;
        byte = *at_++;
        if (shift < 64) value |= std::uint64_t{byte & 0x7Fu} << shift;
        shift += 7;
    } while ((byte & 0x80) != 0);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
}

std::uint64_t FrameBytes::takePointer(std::uint8_t encoding, std::uint64_t dataBase) {
    if (encoding == 0xFF) return 0; // omitted
    const auto here = reinterpret_cast<std::uint64_t>(at_) + shift_;
    std::uint64_t value = 0;
    switch (encoding & 0x0F) {
    case 0x00:
    case 0x04:
    case 0x0C:
        value = take(8);
        break;
    case 0x01:
        value = takeUleb();
        break;
    case 0x02:
        value = take(2);
        break;
    case 0x03:
        value = take(4);
        break;
    case 0x09:
        value = static_cast<std::uint64_t>(takeSleb());
        break;
    case 0x0A:
        value = static_cast<std::uint64_t>(static_cast<std::int16_t>(take(2)));
        break;
    case 0x0B:
        value = static_cast<std::uint64_t>(static_cast<std::int32_t>(take(4)));
        break;
    default:
        break;
    }
    if ((encoding & 0x70) == 0x10) value += here;
    if ((encoding & 0x70) == 0x30) value += dataBase;
    return value;
}

bool runFrameProgram(FrameBytes program, const FrameCommon& common, std::uint64_t start, std::uint64_t place,
                     const FrameRow& initial, FrameRow& row) {
    return FrameInterpreter(program, common, initial, row).run(start, place);
}

} // namespace highwater::agent
