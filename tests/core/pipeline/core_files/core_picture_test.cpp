#include "core/pipeline/core_files/core_picture.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/core/pipeline/core_files/fake_core.h"
#include "tests/core/references/fake_heap.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include <zlib.h>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

namespace {

/// A process with four blocks: a variable refers to the first, which refers to the second; the others are lost.
struct Stage {
    Stage() {
        process.mapping(0x40'0000, 0x40'4000, kReadOnly | mapping_flag::kFile, "/bin/app");
        process.thread(kCorePid, "app");
        FakeHeap heap(process);
        for (auto& block : blocks)
            block = heap.add(64);
        heap.end();
        process.variable(blocks[0]);
        process.word(blocks[0], blocks[1]);
        app = trace.process("app", kCorePid, TraceTime{0});
    }

    /// A row of 50 bytes.
    std::size_t row(Address address, std::int64_t begin) {
        ModelRow made;
        made.process = app;
        made.heap = 1;
        made.stack = "main";
        made.address = address;
        made.size = 50;
        made.begin = TraceTime{begin};
        return trace.alloc(made);
    }
    void free(std::size_t row, std::int64_t time) {
        ModelRelease release;
        release.time = TraceTime{time};
        release.stack = "main";
        trace.end(row, release);
    }
    std::shared_ptr<const store::PublishedTrace> published(std::int64_t end) {
        auto copy = std::make_shared<store::PublishedTrace>(*trace.publish(TraceTime{end}));
        copy->isOfAgent = true;
        return copy;
    }
    CorePicture picture(std::shared_ptr<const store::PublishedTrace> of, std::optional<TraceTime> last = {}) {
        core = cores.open(process);
        auto made = pictureOfCore(*core, std::move(of), last);
        if (!made.hasValue()) qFatal("%s", made.error().message.c_str());
        return std::move(made).value();
    }

    FakeProcess process;
    std::array<Address, 4> blocks{};
    ColumnsBuilder trace;
    std::uint32_t app = 0;
    FakeCores cores;
    std::unique_ptr<CoreFile> core;
};

/// "50 reachable, 56 unreachable": the bytes of each block.
std::string blocksOf(const CorePicture& made) {
    constexpr std::array<const char*, kReachabilities> kWords{"reachable", "possible", "unreachable", "only leaked"};
    std::string text;
    for (const auto& block : made.trace->pictures->front()->blocks)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", block.bytes,
                            kWords[static_cast<std::size_t>(block.reachability)]);
    return text;
}

bool says(const CorePicture& made, std::string_view part) {
    return std::ranges::any_of(made.remarks,
                               [&](const std::string& remark) { return remark.find(part) != remark.npos; });
}

TraceTime timeOf(const CorePicture& made) { return made.trace->pictures->front()->time; }

} // namespace

class CorePictureTest : public QObject {
    Q_OBJECT

  private slots:
    void withoutATraceAllBlocksAreThoseOfTheHeap() {
        Stage stage;
        const auto made = stage.picture(nullptr);
        QCOMPARE(blocksOf(made), std::string("56 reachable, 56 reachable, 56 unreachable, 56 unreachable"));
        QVERIFY(says(made, "No trace of the process was specified"));
        QCOMPARE(made.trace->processes->key(ProcessIndex{0}), std::string("app (7)"));
        QVERIFY(made.trace->isMeasuredIn(made.trace->wholeRange(), timeOf(made)));
    }
    void blocksOfTheTraceHaveTheirSizes() {
        Stage stage;
        stage.row(stage.blocks[0], 1), stage.row(stage.blocks[2], 2);
        const auto made = stage.picture(stage.published(60));
        QCOMPARE(blocksOf(made), std::string("50 reachable, 56 reachable, 50 unreachable, 56 unreachable"));
        QCOMPARE(timeOf(made), TraceTime{60});
        QVERIFY(!says(made, "trace continues") && !says(made, "left out"));
    }
    /// One block was freed after the core file was written, and another one allocated.
    void theInstantIsWhereTheTraceAgreesBest() {
        Stage stage;
        stage.row(stage.blocks[0], 1);
        const auto freed = stage.row(stage.blocks[1], 10);
        stage.free(freed, 30);
        stage.row(stage.blocks[3] + 16, 40); // in the middle of a block
        const auto trace = stage.published(60);
        const auto made = stage.picture(trace);
        QCOMPARE(timeOf(made), TraceTime{30});
        QCOMPARE(blocksOf(made), std::string("50 reachable, 50 reachable, 56 unreachable, 56 unreachable"));
        QVERIFY(says(made, "The trace continues after the core file was written."));
        QCOMPARE(timeOf(stage.picture(trace, TraceTime{5})), TraceTime{5});
    }
    void blocksThatAreNotInMemoryAreLeftOut_data() {
        QTest::addColumn<quint64>("offset");
        QTest::addColumn<quint64>("bytes");
        QTest::newRow("no block of malloc") << quint64{8} << quint64{50};
        QTest::newRow("smaller than the block") << quint64{0} << quint64{1};
        QTest::newRow("larger than the block") << quint64{0} << quint64{57};
    }
    void blocksThatAreNotInMemoryAreLeftOut() {
        QFETCH(const quint64, offset);
        QFETCH(const quint64, bytes);
        Stage stage;
        stage.row(stage.blocks[0], 1), stage.row(stage.blocks[1], 1);
        ModelRow gone;
        gone.process = stage.app;
        gone.heap = 1;
        gone.stack = "main";
        gone.address = stage.blocks[3] + offset;
        gone.size = bytes;
        gone.begin = TraceTime{1};
        stage.trace.alloc(gone);
        const auto made = stage.picture(stage.published(60));
        QCOMPARE(timeOf(made), TraceTime{60});
        QVERIFY(says(made, "1 block of the trace is not in the core file and is left out."));
        QCOMPARE(blocksOf(made), std::string("50 reachable, 50 reachable, 56 unreachable, 56 unreachable"));
    }
    void theEndOfTheProcessIsNoFree() {
        Stage stage;
        const auto row = stage.row(stage.blocks[0], 1);
        stage.trace.endProcess(stage.app, TraceTime{20});
        ModelRelease exit;
        exit.kind = store::EndKind::ProcessExit;
        exit.time = TraceTime{20};
        stage.trace.end(row, exit);
        const auto made = stage.picture(stage.published(60));
        QCOMPARE(timeOf(made), TraceTime{20});
        QCOMPARE(blocksOf(made), std::string("50 reachable, 56 reachable, 56 unreachable, 56 unreachable"));
    }
    void aDamagedHeapLeavesTheBlocksOfTheTrace() {
        Stage stage;
        stage.row(stage.blocks[0], 1), stage.row(stage.blocks[2], 2);
        stage.process.word(stage.blocks[3] - 8, 3); // the size of a chunk
        const auto made = stage.picture(stage.published(60));
        QCOMPARE(blocksOf(made), std::string("50 reachable, 50 unreachable"));
    }
    void traceAndCoreFileAreOfTheSameProcess() {
        Stage stage;
        stage.core = stage.cores.open(stage.process);
        ColumnsBuilder other;
        other.process("other", 9, TraceTime{0});
        auto trace = std::make_shared<store::PublishedTrace>(*other.publish(TraceTime{60}));
        const auto errorOf = [&] {
            const auto made = pictureOfCore(*stage.core, trace, {});
            return made.hasValue() ? std::string() : made.error().message;
        };
        QVERIFY(errorOf().starts_with("The trace was not made by Highwater on Linux"));
        trace->isOfAgent = true;
        QVERIFY(errorOf().starts_with("The core file is that of app (7), which is not in the trace."));
    }
    void missingMemoryIsCounted() {
        Stage stage;
        const auto core =
            stage.cores.open(stage.process, [](const Mapping& mapping) { return mapping.begin == FakeProcess::kHeap; });
        const auto made = pictureOfCore(*core, nullptr, {});
        QVERIFY(made.hasValue());
        QCOMPARE(made.value().trace->pictures->front()->unreadBytes, FakeProcess::kHeapBytes);
        QVERIFY(says(made.value(), "coredump_filter"));
    }
    /// Searching it page by page would take days.
    void missingMemoryTakesNoTime() {
        Stage stage;
        stage.process.mapping(0x1000'0000'0000, 0x5000'0000'0000, kReadWrite, "");
        stage.process.mapping(0x6000'0000'0000, 0x7000'0000'0000,
                              kReadWrite | mapping_flag::kFile | mapping_flag::kShared, "/dev/shm/x");
        const auto core = stage.cores.open(
            stage.process, [](const Mapping& mapping) { return mapping.end - mapping.begin > (ByteCount{1} << 40); });
        const auto made = pictureOfCore(*core, nullptr, {});
        QVERIFY(made.hasValue());
        QCOMPARE(made.value().trace->pictures->front()->unreadBytes, ByteCount{0x5000'0000'0000});
    }
    void aTruncatedFileHasTheRestOfItsMemory() {
        Stage stage;
        const auto path = stage.cores.write(stage.process);
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - (1 << 20)); // the last mapping
        const auto core = CoreFile::open(path);
        QVERIFY(core.hasValue());
        const auto made = pictureOfCore(*core.value(), nullptr, {});
        QVERIFY(made.hasValue());
        QVERIFY(says(made.value(), "The core file is truncated: 1.0 MB are missing at its end."));
        QVERIFY(made.value().trace->pictures->front()->unreadBytes > 0);
    }
    void variablesOfFilesThatAreMissingHaveNoNames() {
        Stage stage;
        const auto made = stage.picture(nullptr);
        QVERIFY(says(made, "Variables of libapp.so") && says(made, "not exist on this machine"));
    }

    void packedFilesAreUnpacked() {
        Stage stage;
        const auto plain = stage.cores.write(stage.process), packed = stage.cores.path("packed.gz");
        QFile file(QString::fromStdString(plain));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        const auto to = gzopen(packed.c_str(), "wb1");
        QCOMPARE(gzwrite(to, bytes.constData(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
        gzclose(to);
        const auto core = CoreFile::open(packed);
        QVERIFY2(core.hasValue(), core.hasValue() ? "" : core.error().message.c_str());
        QCOMPARE(core.value()->pid(), kCorePid);
        QCOMPARE(core.value()->cutOff(), ByteCount{0});
    }
    void filesThatCannotBeUnpackedAreRefusedWithTheCommand() {
        FakeCores cores;
        const auto path = cores.path("core.lz4");
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x04\x22\x4D\x18rest");
        file.close();
        const auto core = CoreFile::open(path);
        QVERIFY(!core.hasValue());
        QVERIFY2(core.error().message.ends_with("Unpack it first: lz4 -d " + path), core.error().message.c_str());
    }
};

HIGHWATER_TEST(CorePictureTest);
#include "core_picture_test.moc"
