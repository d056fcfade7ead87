#include "core/agent_linux/executable_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <sys/mman.h>

using namespace highwater::agent;

namespace {

struct Text {
    std::string left;
    unsigned long most; ///< bytes of one read
};

long readText(void* context, char* bytes, unsigned long most) {
    auto& text = *static_cast<Text*>(context);
    const auto count = std::min({most, text.most, static_cast<unsigned long>(text.left.size())});
    std::memcpy(bytes, text.left.data(), count);
    text.left.erase(0, count);
    return static_cast<long>(count);
}

void take(ExecutableMemory& memory, const std::string& lines, unsigned long most = 1024) {
    Text text{lines, most};
    memory.take(readText, &text);
}

} // namespace

/// The executable memory outside of modules.
class ExecutableMemoryTest : public QObject {
    Q_OBJECT

  private slots:
    void onlyExecutableMappingsAreCode_data() {
        QTest::addColumn<int>("most");
        QTest::newRow("in one piece") << 1024;
        QTest::newRow("byte by byte") << 1;
        QTest::newRow("in pieces that end anywhere") << 7;
    }
    void onlyExecutableMappingsAreCode() {
        QFETCH(int, most);
        const auto memory = std::make_unique<ExecutableMemory>();
        take(*memory,
             "10000-12000 r-xp 00000000 08:01 1 /usr/lib/xenial x.so\n"
             "12000-14000 rwxp 00000000 00:00 0 \n"
             "14000-16000 rw-p 00000000 00:00 0 [heap]\n"
             "7f00deadb000-7f00deadc000 --xs 00000000 00:01 7 /memfd:doublemapper (deleted)\n",
             static_cast<unsigned long>(most));
        QVERIFY(memory->contains(0x10000));
        QVERIFY(memory->contains(0x13FFF)); // neighbours
        QVERIFY(memory->contains(0x7f00deadbfff));
    }

    void whatIsNotListedIsAskedForAndIsNone() {
        const auto memory = std::make_unique<ExecutableMemory>(); // asks the system
        static int data = 0;
        void* const page = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(memory->contains(reinterpret_cast<std::uint64_t>(page)));
        QVERIFY(memory->contains(reinterpret_cast<std::uint64_t>(&readText)));
        QVERIFY(!memory->contains(reinterpret_cast<std::uint64_t>(&data)));
        QVERIFY(!memory->contains(0x12345678));
        munmap(page, 4096);
    }

    void codeThatCameLaterIsFound() {
        const auto memory = std::make_unique<ExecutableMemory>();
        QVERIFY(!memory->contains(0x12345678));
        void* const page = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QTRY_VERIFY(memory->contains(reinterpret_cast<std::uint64_t>(page))); // not asked for on every call
        munmap(page, 4096);
    }

    void withMorePartsThanAreKeptEverythingMayBeCode() {
        std::string lines;
        for (int i = 0; i < 1024; ++i)
            lines += QString::asprintf("%x-%x r-xp 0 0 0\n", 0x100000 + i * 0x2000, 0x100000 + i * 0x2000 + 0x1000)
                         .toStdString();
        const auto memory = std::make_unique<ExecutableMemory>();
        take(*memory, lines);
        QVERIFY(!memory->contains(0x101000));
        take(*memory, lines + "ff000000-ff001000 r-xp 0 0 0\n");
        QVERIFY(memory->contains(0x101000));
    }

    void aMangledListIsNoHarm() {
        const auto memory = std::make_unique<ExecutableMemory>();
        take(*memory, "garbage x x\n-\n\n - x\n123456789abcdef0123456789-1 r-xp\n10000-12000 r-xp 0");
        QVERIFY(!memory->contains(0x500000));
    }
};
HIGHWATER_TEST(ExecutableMemoryTest);

#include "executable_memory_test.moc"
