#include "core/agent_linux/call_frame_program.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace highwater::agent;

namespace {

using FrameInstructions = std::vector<std::uint8_t>;
constexpr std::uint64_t kFunction = 0x1000;

FrameBytes bytesOf(const FrameInstructions& bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }

/// The row of `program` at this many bytes into the function; false: it was not understood.
bool rowAt(const FrameInstructions& program, std::uint64_t offset, FrameRow& row, const FrameRow& initial = {}) {
    row = initial;
    return runFrameProgram(bytesOf(program), FrameCommon{}, kFunction, kFunction + offset, initial, row);
}

// push %rbp; mov %rsp, %rbp
const FrameInstructions kUsualBegin{0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6};

} // namespace

/// The interpreter of call frame instructions (DWARF 5, 6.4.2) and the reader of their operands.
class CallFrameProgramTest : public QObject {
    Q_OBJECT

  private slots:
    void readsNumbers() {
        const FrameInstructions bytes{0x34, 0x12, 0xE5, 0x8E, 0x26, 0x7F, 0x80, 0x7F};
        auto reader = bytesOf(bytes);
        QCOMPARE(reader.take(2), std::uint64_t{0x1234});
        QCOMPARE(reader.takeUleb(), std::uint64_t{624485});
        QCOMPARE(reader.takeSleb(), std::int64_t{-1});
        QCOMPARE(reader.takeSleb(), std::int64_t{-128});
        QVERIFY(reader.isAtEnd());
    }
    void readsNothingBeyondTheEnd() {
        const FrameInstructions bytes{0x80, 0x80};
        auto reader = bytesOf(bytes);
        QCOMPARE(reader.take(8), std::uint64_t{0});
        QVERIFY(reader.isAtEnd());
        QCOMPARE(reader.takeUleb(), std::uint64_t{0});
        auto unfinished = bytesOf(bytes);
        QCOMPARE(unfinished.takeSleb(), std::int64_t{0});
        QVERIFY(unfinished.isAtEnd());
        auto skipped = bytesOf(bytes);
        skipped.skip(~std::uint64_t{0});
        QVERIFY(skipped.at() == skipped.end());
    }
    void readsPointersAsTheyAreEncoded() {
        const FrameInstructions bytes{0xFC, 0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0x10, 0, 0, 0};
        const auto here = reinterpret_cast<std::uint64_t>(bytes.data());
        auto reader = bytesOf(bytes);
        QCOMPARE(reader.takePointer(0x1B, 0), here - 4); // relative to its own position, 4 signed bytes
        QCOMPARE(reader.takePointer(0x0A, 0), ~std::uint64_t{0} - 1);
        QCOMPARE(reader.takePointer(0x33, 0x2000), std::uint64_t{0x2010}); // relative to the data
        QCOMPARE(reader.takePointer(0xFF, 0x2000), std::uint64_t{0});      // omitted
    }

    void aRowHoldsUntilTheCodeMovesOn() {
        FrameRow row;
        QVERIFY(rowAt(kUsualBegin, 0, row));
        QCOMPARE(row.frameRegister, std::uint64_t{7});
        QCOMPARE(row.frameOffset, std::int64_t{8});
        QVERIFY(row.framePointer == FrameRow::Place::Same);
        QVERIFY(rowAt(kUsualBegin, 1, row));
        QCOMPARE(row.frameRegister, std::uint64_t{7});
        QCOMPARE(row.frameOffset, std::int64_t{16});
        QVERIFY(row.framePointer == FrameRow::Place::Offset);
        QCOMPARE(row.framePointerOffset, std::int64_t{-16});
        QVERIFY(rowAt(kUsualBegin, 3, row));
        QCOMPARE(row.frameRegister, std::uint64_t{7});
        QVERIFY(rowAt(kUsualBegin, 4, row));
        QCOMPARE(row.frameRegister, std::uint64_t{6});
    }
    void movesOnByAnyWidth() {
        for (const auto& move : {FrameInstructions{0x02, 9}, {0x03, 9, 0}, {0x04, 9, 0, 0, 0}, {0x49}}) {
            auto program = move;
            program.insert(program.end(), {0x0e, 32});
            FrameRow row;
            QVERIFY(rowAt(program, 8, row));
            QCOMPARE(row.frameOffset, std::int64_t{8});
            QVERIFY(rowAt(program, 9, row));
            QCOMPARE(row.frameOffset, std::int64_t{32});
        }
    }
    void goesBackToRowsThatWereRemembered() {
        const FrameInstructions program{0x0e, 16, 0x0a, 0x0e, 64, 0x42, 0x0b};
        FrameRow row;
        QVERIFY(rowAt(program, 1, row));
        QCOMPARE(row.frameOffset, std::int64_t{64});
        QVERIFY(rowAt(program, 2, row));
        QCOMPARE(row.frameOffset, std::int64_t{16});
    }
    void restoresWhatTheCommonEntrySays() {
        FrameRow initial;
        initial.framePointer = FrameRow::Place::Offset;
        initial.framePointerOffset = -24;
        FrameRow row;
        for (const auto& restore : {FrameInstructions{0x86, 2, 0xC6}, {0x08, 6, 0x06, 6}}) {
            QVERIFY(rowAt(restore, 0, row, initial));
            QVERIFY(row.framePointer == FrameRow::Place::Offset);
            QCOMPARE(row.framePointerOffset, std::int64_t{-24});
        }
    }
    void tellsWherePreservedRegistersAre() {
        FrameRow row;
        QVERIFY(rowAt({0x83, 2, 0x8F, 3}, 0, row)); // rbx, r15
        QCOMPARE(row.preservedOffsets[0], std::int64_t{-16});
        QCOMPARE(row.preservedOffsets[4], std::int64_t{-24});
        QCOMPARE(row.preservedOffsets[1], std::int64_t{0});
        QVERIFY(rowAt({0x83, 2, 0xC3}, 0, row)); // restored
        QCOMPARE(row.preservedOffsets[0], std::int64_t{0});
        QVERIFY(rowAt({0x09, 3, 1}, 0, row)); // in another register
        QCOMPARE(row.preservedOffsets[0], FrameRow::kElsewhere);
    }
    void tellsWhereTheReturnAddressIs() {
        FrameRow row;
        QVERIFY(rowAt({0x07, 16}, 0, row));
        QVERIFY(row.returnAddress == FrameRow::Place::Undefined); // the outermost frame
        QVERIFY(rowAt({0x05, 16, 3}, 0, row));
        QVERIFY(row.returnAddress == FrameRow::Place::Offset);
        QCOMPARE(row.returnAddressOffset, std::int64_t{-24});
        QVERIFY(rowAt({0x09, 16, 1}, 0, row));
        QVERIFY(row.returnAddress == FrameRow::Place::Other);
    }
    void keepsExpressionsForWhoCanReadThem() {
        const FrameInstructions program{0x0f, 2, 0x76, 0x78, 0x10, 6, 1, 0x76, 0x0e, 40};
        FrameRow row;
        QVERIFY(rowAt(program, 0, row));
        QVERIFY(row.frameExpression == program.data() + 1);
        QVERIFY(row.framePointer == FrameRow::Place::Expression);
        QVERIFY(row.framePointerExpression == program.data() + 6);
        QCOMPARE(row.frameOffset, std::int64_t{40}); // the instructions behind them are read as well
        QVERIFY(!row.frameIsExpression);
    }
    void passesOverOtherRegisters() {
        FrameRow row;
        QVERIFY(rowAt({0x83, 4, 0x05, 12, 1, 0x11, 13, 2, 0x16, 3, 1, 0, 0x2e, 8, 0x00}, 0, row));
        QVERIFY(row.framePointer == FrameRow::Place::Same);
        QCOMPARE(row.returnAddressOffset, std::int64_t{-8});
        QCOMPARE(row.frameOffset, std::int64_t{8});
    }
    void refusesWhatItDoesNotUnderstand() {
        FrameRow row;
        QVERIFY(!rowAt({0x3F, 0}, 0, row));                  // no such instruction
        QVERIFY(!rowAt({0x0b}, 0, row));                     // nothing was remembered
        QVERIFY(!rowAt(FrameInstructions(9, 0x0a), 0, row)); // more than the limit
        QVERIFY(rowAt(FrameInstructions(8, 0x0a), 0, row));
    }
};
HIGHWATER_TEST(CallFrameProgramTest);

#include "call_frame_program_test.moc"
