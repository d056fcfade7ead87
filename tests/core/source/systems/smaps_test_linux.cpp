#include "core/source/systems/smaps_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::source;

namespace {

constexpr std::string_view kMapText =
    R"(55d0c4a00000-55d0c4a21000 r-xp 00002000 fd:01 1234                       /opt/a b/my app (deleted)
Size:                132 kB
KernelPageSize:        4 kB
MMUPageSize:           4 kB
Rss:                 100 kB
Pss:                  33 kB
Pss_Dirty:             1 kB
Shared_Clean:        100 kB
Shared_Dirty:          0 kB
Private_Clean:         0 kB
Private_Dirty:         0 kB
Referenced:          100 kB
Anonymous:             0 kB
KSM:                   0 kB
LazyFree:              0 kB
AnonHugePages:         0 kB
ShmemPmdMapped:        0 kB
FilePmdMapped:         0 kB
Shared_Hugetlb:        0 kB
Private_Hugetlb:       0 kB
Swap:                  0 kB
SwapPss:               0 kB
Locked:                0 kB
THPeligible:           0
ProtectionKey:         0
VmFlags: rd ex mr mw me
55d0c5000000-55d0c5400000 rw-p 00000000 00:00 0                          [heap]
Size:               4096 kB
Rss:                2048 kB
Pss:                2048 kB
Private_Dirty:      2040 kB
AnonHugePages:      2048 kB
Swap:                 64 kB
SwapPss:              64 kB
THPeligible:           1
VmFlags: rd wr mr mw me ac
7f0000000000-7f0000021000 rw-p 00000000 00:00 0 
Rss:                  12 kB
Pss:                  12 kB
Private_Dirty:        12 kB
Swap:                  0 kB
7f0000021000-7f0004000000 ---p 00000000 00:00 0 
Rss:                   0 kB
7f1000000000-7f1000100000 rw-p 00000000 00:00 0                          [anon:my arena]
Rss:                   4 kB
7f2000000000-7f2000100000 rw-s 00000000 00:01 7                          /memfd:frames (deleted)
Rss:                   8 kB
Pss:                   4 kB
7f2100000000-7f2100100000 rw-s 00000000 00:01 8                          [anon_shmem:pool]
Rss:                   8 kB
7f2200000000-7f2200001000 rw-s 00000000 00:0e 9                          anon_inode:[perf_event]
7f2300000000-7f2300001000 rw-p 00000000 00:05 5                          /dev/zero
Rss:                   4 kB
7f2400000000-7f2400001000 rw-s 00000000 00:01 6                          /dev/zero (deleted)
Rss:                   4 kB
7f3000000000-7f3000001000 r--p 00000000 fd:01 99                         /tmp/two\012lines
Rss:                   4 kB
7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0                          [stack]
Rss:                  16 kB
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
Size:                  4 kB
Rss:                   0 kB
VmFlags: ex
)";

ResidentSample readInPieces(std::string_view text, std::size_t bytes) {
    SmapsReader reader;
    for (; !text.empty(); text.remove_prefix(std::min(bytes, text.size())))
        reader.take(text.substr(0, bytes));
    return reader.finish();
}

} // namespace

class SmapsTest : public QObject {
    Q_OBJECT
  private slots:
    void mappingsThatForksDoNotGetAreListed() {
        SmapsReader reader;
        reader.take("1000-2000 rw-p 00000000 00:00 0 \nVmFlags: rd wr mr mw me dc sd\n"
                    "2000-3000 rw-p 00000000 00:00 0 \nVmFlags: rd wr mr mw me ac sd\n"
                    "3000-4000 rw-p 00000000 00:00 0 \nVmFlags: rd wr dc\nVmFlags:\n");
        QCOMPARE(reader.notForked(), (std::vector<Address>{0x1000, 0x3000}));
        QCOMPARE(reader.finish().mappings.size(), std::size_t{3});
        QVERIFY(reader.notForked().empty());
    }
    void mappingsHaveTheirSizesAndNames() {
        const auto sample = readInPieces(kMapText, kMapText.size());
        QVERIFY(isValid(sample));
        QCOMPARE(sample.mappings.size(), std::size_t{13});
        const auto& program = sample.mappings[0];
        QCOMPARE(program.begin, Address{0x55d0c4a00000});
        QCOMPARE(program.end, Address{0x55d0c4a21000});
        QCOMPARE(program.resident, ByteCount{100 * 1024});
        QCOMPARE(program.proportional, ByteCount{33 * 1024});
        QCOMPARE(program.privateDirty, ByteCount{0});
        QCOMPARE(program.flags, mapping_flag::kRead | mapping_flag::kExecute | mapping_flag::kFile);
        QCOMPARE(sample.nameOf(program), std::string("/opt/a b/my app (deleted)"));
        const auto& heap = sample.mappings[1];
        QCOMPARE(heap.resident, ByteCount{2048 * 1024});
        QCOMPARE(heap.privateDirty, ByteCount{2040 * 1024});
        QCOMPARE(heap.swapped, ByteCount{64 * 1024});
        QCOMPARE(sample.nameOf(heap), std::string("[heap]"));
        QCOMPARE(sample.resident(), ByteCount{(100 + 2048 + 12 + 4 + 8 + 8 + 4 + 4 + 4 + 16) * 1024});
        QCOMPARE(sample.swapped(), ByteCount{64 * 1024});
    }
    void namesOfFilesAreFiles() {
        const auto sample = readInPieces(kMapText, kMapText.size());
        std::string files;
        for (const auto& mapping : sample.mappings)
            files += (mapping.flags & mapping_flag::kFile) != 0 ? 'f' : '-';
        QCOMPARE(files, std::string("f----f-f-ff--"));
        QCOMPARE(sample.nameOf(sample.mappings[2]), std::string());
        QCOMPARE(sample.mappings[2].name, sample.mappings[3].name); // each name once
        QCOMPARE(sample.nameOf(sample.mappings[5]), std::string("/memfd:frames (deleted)"));
        QCOMPARE(sample.nameOf(sample.mappings[10]), std::string("/tmp/two\nlines"));
        QCOMPARE(sample.nameOf(sample.mappings[12]), std::string("[vsyscall]"));
    }
    void privateAnonymousMappingsAreKnown() {
        const auto sample = readInPieces(kMapText, kMapText.size());
        std::string anonymous;
        for (const auto& mapping : sample.mappings)
            anonymous += isPrivateAnonymous(mapping) ? 'a' : '-';
        QCOMPARE(anonymous, std::string("-aa-a---a--a-"));
    }
    /// The kernel continues at 0x5000, and the mapping that is there now includes two that it listed before.
    void aMappingThatHasGrownReplacesItsParts() {
        const auto sample = readInPieces("1000-2000 rw-p 0 0:0 0\nRss: 4 kB\n3000-4000 rw-p 0 0:0 0\nRss: 4 kB\n"
                                         "4000-5000 r--p 0 0:0 0\nRss: 4 kB\n3000-8000 rw-p 0 0:0 0\nRss: 16 kB\n",
                                         1000);
        QVERIFY(isValid(sample));
        QCOMPARE(sample.mappings.size(), std::size_t{2});
        QCOMPARE(sample.resident(), ByteCount{20 * 1024});
        QVERIFY(!isValid(readInPieces("1000-4000 rw-p 0 0:0 0\n3000-8000 rw-p 0 0:0 0\n", 1000)));
    }
    void piecesMayEndAnywhere() {
        const auto whole = readInPieces(kMapText, kMapText.size());
        for (const std::size_t bytes : {1, 2, 3, 7, 31, 100, 1000})
            QVERIFY(readInPieces(kMapText, bytes) == whole);
    }
    void aReaderIsUsedAgain() {
        SmapsReader reader;
        reader.take(kMapText.substr(0, 500)); // ends within a line
        (void)reader.finish();
        reader.take(kMapText);
        QVERIFY(reader.finish() == readInPieces(kMapText, kMapText.size()));
    }
    void otherTextIsSkipped() {
        for (const std::string_view text :
             {"", "\n\n", "Rss: 4 kB\n", "1000\n", "1000-2000\n", "x-y rw-p 0 0 0 a\n", "1000-2000 rw-p 0 0:0 x name\n",
              "ffffffffffffffffff-1 rw-p 0 0:0 0\n", "1000-2000 rw-p 00000000 00:00 0"})
            QCOMPARE(readInPieces(text, 1000).mappings.size(), std::size_t{0});
        const auto odd =
            readInPieces("1000-2000 rw-p 00000000 00:00 0\nRss:\nPss: x kB\nSwap: -4 kB\nRss: 4 kB\n", 1000);
        QCOMPARE(odd.mappings.size(), std::size_t{1});
        QCOMPARE(odd.mappings[0].resident, ByteCount{4096});
        QCOMPARE(odd.mappings[0].swapped, ByteCount{0});
    }
};

HIGHWATER_TEST(SmapsTest);
#include "smaps_test_linux.moc"
