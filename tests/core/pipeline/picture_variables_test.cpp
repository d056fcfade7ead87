#include "core/pipeline/picture_variables.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstring>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

constexpr Address kEnvironment = 0x7FF0'0000, kSelf = 0x30;

} // namespace

/// Processes of Windows; those of Linux are tested with real ones.
class PictureVariablesOfWindowsTest : public QObject {
    Q_OBJECT

  private slots:
    void threadsHaveTheirBlocks() {
        const auto found = find(kEnvironment);
        QVERIFY(found.isOfWindows);
        QCOMPARE(found.threadLocals.size(), std::size_t{1});
        QCOMPARE(found.threadLocals.front().begin, kEnvironment);
        QCOMPARE(found.threadLocals.front().name, references::ThreadLocalBlock::kOfThread);
        QVERIFY(found.variables.empty());
    }
    void aBlockThatDoesNotReferToItselfIsNone() {
        const auto found = find(kEnvironment + 8);
        QVERIFY(!found.isOfWindows);
        QVERIFY(found.threadLocals.empty());
    }

  private:
    /// In a process with a thread whose block contains this address as its own.
    static PictureVariables::Found find(std::uint64_t self) {
        std::vector<CopiedThread> threads(1);
        threads.front().environmentBlock = kEnvironment;
        const auto read = [self](Address from, std::span<std::byte> to) -> std::size_t {
            std::ranges::fill(to, std::byte{0});
            if (from == kEnvironment + kSelf) std::memcpy(to.data(), &self, std::min(to.size(), sizeof self));
            return to.size();
        };
        PictureVariables variables([](const std::string&, Address) { return symbols::ElfVariables(); });
        return variables.find({}, threads, read);
    }
};

HIGHWATER_TEST(PictureVariablesOfWindowsTest);
#include "picture_variables_test.moc"
