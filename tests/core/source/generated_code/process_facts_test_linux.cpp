#include "core/source/generated_code/process_facts_linux.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>
#include <fmt/format.h>

#include <string>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

/// Facts about a process: the location of its files, and its mappings.
class ProcessFactsTest : public QObject {
    Q_OBJECT
  private slots:
    void thisProcess() {
        const auto facts = askProcess(static_cast<std::uint32_t>(::getpid()));
        QVERIFY(facts.has_value());
        QCOMPARE(facts->owner, ::geteuid());
        QCOMPARE(facts->ownPid, static_cast<std::uint32_t>(::getpid()));
        QVERIFY(!askProcess(0x7FFFFFFF));
    }

    void aJitdumpFileIsFoundAmongMappings() {
        const std::string other = "7f0000000000-7f0000001000 r--p 00000000 08:01 1 /srv/jit-x.dump\n"
                                  "7f0000001000-7f0000002000 r-xp 00000000 08:01 1 /srv/not-jit-1.dumps\n"
                                  "7f0000001000-7f0000002000 rw-p 00000000 00:00 0 [heap]\n"
                                  "7f0000001000-7f0000002000 r-xp 00000000 08:01 1 /srv/jit-.dump\n";
        QVERIFY(!jitdumpIn(other));
        QVERIFY(!jitdumpIn(""));
        QCOMPARE(jitdumpIn(other + "7f0-8f0 r-xp 00000000 08:01 1       /srv/a b/jit-42.dump\nmore"),
                 std::optional<std::string>("/srv/a b/jit-42.dump"));
    }

    /// As in node 20.
    void aSecondMappingOfAProgramsCodeIsFound() {
        const std::string maps = "00400000-00b6f000 r--p 00000000 fe:00 247823 /usr/bin/node\n"
                                 "00b6f000-00b71000 r-xp 0076f000 fe:00 247823 /usr/bin/node\n"
                                 "00b72000-025fe000 r-xp 00772000 fe:00 247823 /usr/bin/node\n"
                                 "7f36c0003000-7f36c003f000 rwxp 00000000 00:00 0 \n";
        QVERIFY(!secondMappingIn(maps));
        const auto found =
            secondMappingIn(maps + "7f36dfe40000-7f36dffd2000 r-xp 014c4000 fe:00 247823 /usr/bin/node\n"
                                   "7f36e7644000-7f36e779a000 r-xp 00026000 fe:00 332835 /lib/libc.so.6\n");
        QVERIFY(found.has_value());
        QCOMPARE(found->begin, Address{0x18C4000}); // 0x14c4000 - 0x772000 after 0xb72000
        QCOMPARE(found->end, Address{0x18C4000 + 0x192000});
        QCOMPARE(found->begin + found->moved, Address{0x7f36dfe40000});
        // A mapping that reaches beyond the first does not belong to it.
        QVERIFY(!secondMappingIn(maps + "7f36dfe40000-7f3adffd2000 r-xp 014c4000 fe:00 247823 /usr/bin/node\n"));
        // Nor does one that two of them contain; of three that overlap, any may contain it.
        const std::string three =
            "1000-3000 r-xp 0 8:1 1 /a\n5000-8000 r-xp 1000 8:1 1 /a\n9000-9800 r-xp 0 8:1 1 /b\n";
        QVERIFY(!secondMappingIn(three + "20000-24000 r-xp 0 8:1 1 /a\n30000-31000 r-xp 800 8:1 1 /b\n"));
        QCOMPARE(secondMappingIn(three + "20000-21000 r-xp 3000 8:1 1 /a\n")->begin, Address{0x7000});
        QVERIFY(!secondMappingIn("x\n-\n1-2 r-xp\n7-1 r-xp 0 0 0 /a\nzz-zz r-xp 0 0 0 /a\n1-2 r-xp zz 0 0 /a"));
    }
    void asManyMappingsAsAProcessMayHaveCostNoMoreEach() {
        std::string maps;
        const auto ratio = workRatio(2'000, [&](std::size_t count) {
            maps.clear();
            for (std::size_t i = 0; i < count; ++i)
                maps += fmt::format("{:x}-{:x} r-xp {:x} 08:01 7 /app\n", i * 64, i * 64 + 32, i * 64);
            QVERIFY(!secondMappingIn(maps));
        });
        QVERIFY2(ratio < kMostWorkRatio, fmt::format("{}", ratio).c_str());
    }
};
HIGHWATER_TEST(ProcessFactsTest);
#include "process_facts_test_linux.moc"
