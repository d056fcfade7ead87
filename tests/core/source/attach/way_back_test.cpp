#include "core/source/attach/way_back_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <sys/syscall.h>
#include <ucontext.h>

using namespace highwater;
using namespace highwater::source;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr Address kCodeAt = 0x7F0000001000;
const Bytes kResume{0x48, 0xC7, 0xC0, 0x0F, 0x00, 0x00, 0x00, 0x0F, 0x05};

/// Code with these instructions somewhere in it, followed by the way out of a signal handler.
Bytes codeWith(const Bytes& instructions) {
    Bytes code(100, 0x90);
    code.insert(code.end(), instructions.begin(), instructions.end());
    code.insert(code.end(), 50, 0xCC);
    code.insert(code.end(), kResume.begin(), kResume.end());
    code.insert(code.end(), 50, 0x90);
    return code;
}

std::uint64_t wordAt(const ReturnFrame& frame, Address at) {
    std::uint64_t word = 0;
    std::memcpy(&word, frame.bytes.data() + (at - frame.stack), sizeof word);
    return word;
}

ThreadContext aThread() {
    ThreadContext thread;
    thread.registers.rip = 0x401234;
    thread.registers.rsp = 0x7FFD00001238;
    thread.registers.cs = 0x33;
    thread.registers.ss = 0x2B;
    thread.registers.rbx = 77;
    thread.registers.orig_rax = ~0ull;
    thread.blockedSignals = 0x1234;
    thread.state.resize(832);
    return thread;
}

} // namespace

/// A thread that calls a function for us has everything on its stack that it needs to return.
class WayBackTest : public QObject {
    Q_OBJECT

  private slots:
    void instructionsAreFound_data() {
        QTest::addColumn<QByteArray>("instructions");
        QTest::addColumn<int>("words"); // -1: not found
        QTest::newRow("rbx, one word") << QByteArray::fromHex("4889035bc3") << 1;
        QTest::newRow("rbx, room given back") << QByteArray::fromHex("4889034883c4105b5dc3") << 4;
        QTest::newRow("rbp") << QByteArray::fromHex("488945005b5dc3") << 2;
        QTest::newRow("r12") << QByteArray::fromHex("49890424415c415dc3") << 2;
        QTest::newRow("nothing taken") << QByteArray::fromHex("498906c3") << 0;
        QTest::newRow("the stack is another one afterwards") << QByteArray::fromHex("4889035cc3") << -1;
        QTest::newRow("something else is done") << QByteArray::fromHex("48890331c05bc3") << -1;
        QTest::newRow("no such instruction") << QByteArray::fromHex("5bc3") << -1;
    }
    void instructionsAreFound() {
        QFETCH(QByteArray, instructions);
        QFETCH(int, words);
        const auto code = codeWith(Bytes(instructions.begin(), instructions.end()));
        const auto back = WayBack::find(code, kCodeAt);
        QCOMPARE(back.has_value(), words >= 0);
        if (!back) return;
        QCOMPARE(back->store, kCodeAt + 100);
        QCOMPARE(back->wordsTaken, static_cast<unsigned>(words));
        QCOMPARE(back->resume, kCodeAt + 150 + static_cast<Address>(instructions.size()));
    }

    void codeWithoutAnEndHasNone() {
        QVERIFY(!WayBack::find({}, kCodeAt));
        const Bytes cut{0x48, 0x89, 0x03, 0x5B};
        QVERIFY(!WayBack::find(cut, kCodeAt));
    }

    void theStackLeadsBack_data() {
        QTest::addColumn<unsigned>("words");
        for (unsigned words = 0; words < 5; ++words)
            QTest::addRow("%u words", words) << words;
    }
    void theStackLeadsBack() {
        QFETCH(unsigned, words);
        const WayBack back{kCodeAt + 16, &user_regs_struct::rbx, words, kCodeAt + 32};
        const auto thread = aThread();
        for (Address end = thread.registers.rsp - 256; end > thread.registers.rsp - 356; --end) {
            const auto frame = ReturnFrame::lay(back, thread, end);
            QCOMPARE(frame.stack % 16, Address{8});
            QVERIFY(frame.result + 8 <= end && frame.stack + frame.bytes.size() <= end);
            QCOMPARE(frame.context, frame.stack + (words + 2) * 8);
            QCOMPARE(wordAt(frame, frame.stack), back.store);
            QCOMPARE(wordAt(frame, frame.context - 8), back.resume);
            const auto registers = frame.context + offsetof(ucontext_t, uc_mcontext.gregs);
            QCOMPARE(wordAt(frame, registers + 8 * REG_RIP), thread.registers.rip);
            QCOMPARE(wordAt(frame, registers + 8 * REG_RSP), thread.registers.rsp);
            QCOMPARE(wordAt(frame, registers + 8 * REG_RBX), thread.registers.rbx);
            QCOMPARE(wordAt(frame, registers + 8 * REG_CSGSFS), 0x002B'0000'0000'0033u);
            QCOMPARE(wordAt(frame, frame.context + offsetof(ucontext_t, uc_sigmask)), thread.blockedSignals);
            const auto state = wordAt(frame, frame.context + offsetof(ucontext_t, uc_mcontext.fpregs));
            QCOMPARE(state % 64, Address{0});
            QVERIFY(state > frame.context && state + 576 < frame.stack + frame.bytes.size());
        }
    }

    void aCallThatWasInterruptedIsMadeAgain() {
        const WayBack back{kCodeAt, &user_regs_struct::rbx, 1, kCodeAt};
        auto thread = aThread();
        thread.registers.orig_rax = SYS_nanosleep;
        thread.registers.rax = static_cast<unsigned long long>(-516);
        const auto frame = ReturnFrame::lay(back, thread, thread.registers.rsp - 256);
        const auto registers = frame.context + offsetof(ucontext_t, uc_mcontext.gregs);
        QCOMPARE(wordAt(frame, registers + 8 * REG_RIP), thread.registers.rip - 2);
        QCOMPARE(wordAt(frame, registers + 8 * REG_RAX), static_cast<std::uint64_t>(SYS_nanosleep));
        thread.registers.rax = static_cast<unsigned long long>(-ENOENT); // it had finished
        QVERIFY(!isInterruptedCall(thread.registers));
    }
};
HIGHWATER_TEST(WayBackTest);

#include "way_back_test.moc"
