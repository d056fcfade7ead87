#include "core/decode/records/image_id_record.h"
#include "core/decode/records/image_record.h"
#include "core/decode/records/process_record.h"
#include "core/decode/records/system_config_record.h"
#include "core/event/opcodes.h"
#include "core/source/etw/etw_error.h"
#include "core/source/etw/etw_losses.h"
#include "core/source/etw/heap_session_extension.h"
#include "core/source/records/batch_builder.h"
#include "core/source/records/image_identity.h"
#include "core/source/records/live_merge.h"
#include "core/source/records/live_ring.h"
#include "core/source/records/machine_id.h"
#include "core/source/records/recorded_processes.h"
#include "core/source/records/system_records.h"
#include "tests/core/source/records/timed_record.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// All due records, in the order in which they are delivered.
std::vector<std::int64_t> takeDue(LiveMerge& merge) {
    std::vector<std::int64_t> ticks;
    while (auto* ring = merge.next()) {
        ticks.push_back(ring->head().ticks);
        ring->pop();
    }
    return ticks;
}

/// A payload that begins with these words.
class Payload {
  public:
    template <typename... Values>
    explicit Payload(const Values&... values) {
        (append(&values, sizeof(values)), ...);
    }
    [[nodiscard]] etl::RawRecord record(std::uint8_t group, std::uint8_t opcode, std::uint16_t version = 2) const {
        etl::RawRecord record;
        record.group = group;
        record.opcode = opcode;
        record.version = version;
        record.payload = bytes_.data();
        record.payloadBytes = static_cast<std::uint32_t>(bytes_.size());
        return record;
    }

  private:
    void append(const void* from, std::size_t count) {
        const auto* bytes = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), bytes, bytes + count);
    }
    std::vector<std::byte> bytes_;
};

etl::RawRecord virtualAlloc(std::uint32_t pid) {
    static Payload payload{std::uint64_t{0x1000}, std::uint64_t{0x2000}, pid, std::uint32_t{0x1000}};
    payload = Payload{std::uint64_t{0x1000}, std::uint64_t{0x2000}, pid, std::uint32_t{0x1000}};
    return payload.record(group::kMemory, virtual_opcode::kAlloc);
}

etl::RawRecord processRecord(std::uint8_t opcode, std::uint32_t pid, std::uint32_t parent) {
    static Payload payload;
    payload = Payload{std::uint64_t{0}, pid, parent};
    return payload.record(group::kProcess, opcode, 4);
}

/// The parts of an image that identify it, for 32-bit and 64-bit programs.
struct ImageFile {
    explicit ImageFile(bool is32Bit, std::string pdb) : bytes(4096) {
        const std::size_t optional = 0x80 + 4 + 20, directories = optional + (is32Bit ? 96 : 112);
        const std::size_t section = optional + 240;
        set<std::uint16_t>(0, 0x5A4D);
        set<std::uint32_t>(0x3C, 0x80);
        set<std::uint32_t>(0x80, 0x4550);
        set<std::uint16_t>(0x84 + 2, 1);         // sections
        set<std::uint32_t>(0x84 + 4, 0x5F00BA4); // time stamp
        set<std::uint16_t>(0x84 + 16, 240);
        set<std::uint16_t>(optional, is32Bit ? 0x10B : 0x20B);
        set<std::uint32_t>(optional + 56, 0x9000); // size in memory
        set<std::uint32_t>(directories - 4, 16);
        set<std::uint32_t>(directories + 48, 0x5010); // debug directory: address, bytes
        set<std::uint32_t>(directories + 52, 28);
        set<std::uint32_t>(section + 12, 0x5000);
        set<std::uint32_t>(section + 16, 0x400);
        set<std::uint32_t>(section + 20, 0x800); // 0x5010 is at 0x810
        set<std::uint32_t>(0x810 + 12, 2);       // CodeView
        set<std::uint32_t>(0x810 + 16, static_cast<std::uint32_t>(24 + pdb.size() + 1));
        set<std::uint32_t>(0x810 + 20, 0x5100);
        set<std::uint32_t>(0x810 + 24, 0x900);
        set<std::uint32_t>(0x900, 0x53445352);
        set<Guid>(0x904, guid);
        set<std::uint32_t>(0x914, 7);
        std::memcpy(bytes.data() + 0x918, pdb.c_str(), pdb.size() + 1);
    }
    template <typename T>
    void set(std::size_t at, T value) {
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        std::copy(from, from + sizeof(value), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
    Guid guid{1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    std::vector<std::byte> bytes;
};

} // namespace

class LiveRecordingTest : public QObject {
    Q_OBJECT
  private slots:

    void saysOfTheMachineOnlyWhatNobodyCanGuess() {
        QVERIFY(machineIdOf("") == Guid{});
        QVERIFY(machineIdOf("a") != machineIdOf("b") && machineIdOf("a") != Guid{});
        if (systemIdentity().empty()) QSKIP("this system has no identity");
        QVERIFY(machineId() != Guid{} && machineId() == machineIdOf(systemIdentity()));
        BatchBuilder builder;
        addMachine(builder, 1, machineId());
        const auto batch = batchOf(builder);
        const auto& record = batch.records.at(0);
        QVERIFY(record.providerGuid() == kHighwaterProvider && record.opcode == highwater_opcode::kMachine);
        QCOMPARE(record.payloadBytes, std::uint32_t{sizeof(Guid)});
        QVERIFY(std::memcmp(record.payload, &machineId(), sizeof(Guid)) == 0);
        std::string digits;
        for (const char c : systemIdentity())
            if (c != '-') digits += c;
        QVERIFY(toString(machineId()).substr(0, 8) != digits.substr(0, 8));
    }

    // ---- the merge ----

    void twoStreamsBecomeOneInTheOrderOfTime() {
        LiveRing a(kRing), b(kRing);
        LiveMerge merge({&a, &b}, 500, 0);
        for (const auto ticks : {10, 30, 50})
            put(a, ticks);
        for (const auto ticks : {20, 40, 60})
            put(b, ticks);
        merge.look(100);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{10, 20, 30, 40, 50}));
        QCOMPARE(merge.reached(), 50);
        merge.finish();
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{60}));
        QCOMPARE(merge.late(), std::uint64_t{0});
    }

    void aStreamWithoutRecordsIsWaitedForNoLongerThanThePatience() {
        LiveRing a(kRing), b(kRing);
        LiveMerge merge({&a, &b}, 500, 1000);
        put(a, 1010);
        put(a, 1200);
        merge.look(1400);
        QVERIFY(takeDue(merge).empty()); // b may still have an older record
        merge.look(1600);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{1010}));
        merge.look(1701);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{1200}));
    }

    void whoComesLateGoesOutAndIsCounted() {
        LiveRing a(kRing), b(kRing);
        LiveMerge merge({&a, &b}, 500, 0);
        put(a, 100);
        merge.look(10);
        merge.look(1000);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{100}));
        put(b, 50);
        merge.look(1001);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{50}));
        QCOMPARE(merge.late(), std::uint64_t{1});
    }

    void aSeldomRingIsWaitedForFromItsFirstRecordOn() {
        LiveRing often(kRing), seldom(kRing);
        LiveMerge merge({&often}, 500, 0);
        merge.addSeldom(seldom);
        put(often, 10);
        merge.look(10);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{10})); // nothing ever came from it
        put(seldom, 20);
        put(often, 15);
        put(often, 30);
        merge.look(30);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{15, 20}));
        merge.look(900); // it is silent again
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{30}));
        put(seldom, 25);
        merge.look(900);
        QCOMPARE(takeDue(merge), (std::vector<std::int64_t>{25}));
        QCOMPARE(merge.late(), 0U); // a name may come after its first use
    }

    void nobodyWaitsWhileARingIsHalfFull() {
        LiveRing a(kRing), b(kRing);
        LiveMerge merge({&a, &b}, 500, 0);
        std::int64_t ticks = 0;
        while (a.bytesUsed() < kRing / 2)
            put(a, ++ticks);
        merge.look(10);
        QCOMPARE(takeDue(merge).size(), static_cast<std::size_t>(ticks));
    }

    void timeGoesOnWhileNothingHappens() {
        LiveRing a(kRing);
        LiveMerge merge({&a}, 500, 1000);
        merge.look(1100);
        QCOMPARE(merge.reached(), 1000);
        merge.look(3000);
        QCOMPARE(merge.reached(), 2500);
    }

    // ---- records of the state before ----

    void aRunningProcessIsToldAsTheKernelDoes() {
        BatchBuilder builder;
        addRunningProcess(builder, 5, 44, 4, "notepad.exe", "notepad \xC3\xA4.txt");
        const auto batch = batchOf(builder);
        const auto event = decode::decodeProcess(batch.records.at(0));
        QVERIFY(event.has_value());
        QCOMPARE(event->pid, 44u);
        QCOMPARE(event->parentPid, 4u);
        QCOMPARE(event->name, std::string("notepad.exe"));
        QCOMPARE(event->commandLine, std::string("notepad \xC3\xA4.txt"));
        QCOMPARE(batch.records[0].ticks, 5);
    }

    void aModuleIsToldWithWhatNamesItsPdb() {
        BatchBuilder builder;
        const SystemImage image{44, 0x7FF600000000, 0x9000, 123, "C:\\Programs\\a.dll"};
        ModuleIdentity identity;
        identity.pdbName = "a.pdb";
        identity.pdbAge = 3;
        identity.pdbGuid = {1, 2, 3, {4}};
        identity.imageSize = 0x9000;
        identity.timeDateStamp = 123;
        addLoadedImage(builder, 5, image);
        addImageIdentity(builder, 5, image, identity);
        const auto batch = batchOf(builder);
        QCOMPARE(batch.records.size(), std::size_t{3});
        const auto load = decode::decodeImage(batch.records[0]);
        QCOMPARE(load->path, image.path);
        QCOMPARE(load->base, image.base);
        QCOMPARE(load->timeDateStamp, 123u);
        QCOMPARE(imageOfRecord(batch.records[0])->path, image.path);
        const auto version = decode::decodeImageIdImage(batch.records[1]);
        QCOMPARE(version->identity.imageSize, 0x9000u);
        const auto rsds = decode::decodeImageIdRsds(batch.records[2]);
        QCOMPARE(rsds->pid, 44u);
        QCOMPARE(rsds->identity.pdbName, std::string("a.pdb"));
        QVERIFY(rsds->identity.pdbGuid == identity.pdbGuid);
    }

    void aVolumeIsTold() {
        BatchBuilder builder;
        addVolume(builder, 5, "\\Device\\HarddiskVolume3\\", "C:\\");
        const auto batch = batchOf(builder);
        const auto volume = decode::decodeVolumeMapping(batch.records.at(0));
        QCOMPARE(volume->ntPath, std::string("\\Device\\HarddiskVolume3\\"));
        QCOMPARE(volume->dosPath, std::string("C:\\"));
    }

    // ---- images ----

    void thePdbIsReadFromFileAndFromMemory_data() {
        QTest::addColumn<bool>("is32Bit");
        QTest::newRow("32-bit") << true;
        QTest::newRow("64-bit") << false;
    }
    void thePdbIsReadFromFileAndFromMemory() {
        QFETCH(bool, is32Bit);
        const ImageFile file(is32Bit, "D:\\build\\tool.pdb");
        const auto identity = readImageIdentity(file.bytes);
        QVERIFY(identity.has_value());
        QCOMPARE(identity->pdbName, std::string("tool.pdb"));
        QCOMPARE(identity->pdbAge, 7u);
        QVERIFY(identity->pdbGuid == file.guid);
        QCOMPARE(identity->timeDateStamp, 0x5F00BA4u);
        QCOMPARE(identity->imageSize, 0x9000u);
        QCOMPARE(isImage32Bit(file.bytes), is32Bit);

        std::vector<std::byte> memory(0x9000);
        std::copy(file.bytes.begin(), file.bytes.begin() + 0x800, memory.begin());
        std::copy(file.bytes.begin() + 0x800, file.bytes.begin() + 0xC00, memory.begin() + 0x5000);
        const auto read = [&](std::uint64_t offset, std::size_t bytes) -> ByteSpan {
            if (offset >= memory.size()) return {};
            return ByteSpan(memory).subspan(offset, std::min<std::size_t>(bytes, memory.size() - offset));
        };
        QVERIFY(readImageIdentity(read, ImageLayout::Memory) == identity);
    }

    void aDamagedImageIsNoHarm() {
        const ImageFile file(false, "tool.pdb");
        for (std::size_t bytes = 0; bytes < file.bytes.size(); bytes += 3)
            (void)readImageIdentity(ByteSpan(file.bytes).first(bytes));
        for (std::size_t at = 0; at < 0x930; ++at) {
            auto damaged = file;
            damaged.bytes[at] = std::byte{0xFF};
            (void)readImageIdentity(damaged.bytes);
        }
        QVERIFY(!readImageIdentity(ByteSpan()));
    }

    // ---- whose records ----

    void onlyRecordsOfItsProcessesAreTaken() {
        RecordedProcesses processes(false);
        processes.add(10);
        QVERIFY(processes.takes(virtualAlloc(10)));
        QVERIFY(!processes.takes(virtualAlloc(11)));
        const Payload ours{std::uint64_t{99}, std::uint32_t{10}, std::uint32_t{1}, std::uint64_t{0x1234}};
        QVERIFY(processes.takes(ours.record(group::kStackWalk, stack_opcode::kStackWalk)));
        const Payload others{std::uint64_t{99}, std::uint32_t{11}, std::uint32_t{1}, std::uint64_t{0x1234}};
        QVERIFY(!processes.takes(others.record(group::kStackWalk, stack_opcode::kStackWalk)));
        QVERIFY(!processes.takes(Payload{}.record(group::kMemory, virtual_opcode::kAlloc))); // cut off
        TimedRecord heap(1);
        heap.record.pid = 10;
        QVERIFY(processes.takes(heap.record));
        heap.record.pid = 11;
        QVERIFY(!processes.takes(heap.record));
    }

    void childrenAreTakenWhenTheyAreWanted() {
        RecordedProcesses alone(false), family(true);
        alone.add(10);
        family.add(10);
        QVERIFY(!alone.takes(processRecord(lifetime_opcode::kStart, 20, 10)));
        QVERIFY(family.takes(processRecord(lifetime_opcode::kStart, 20, 10)));
        QVERIFY(family.takes(processRecord(lifetime_opcode::kStart, 30, 20))); // and theirs
        QVERIFY(!family.takes(processRecord(lifetime_opcode::kStart, 40, 5)));
        QCOMPARE(family.takeNewChildren(), (std::vector<std::uint32_t>{20, 30}));
        QVERIFY(family.takeNewChildren().empty());
        QVERIFY(family.takes(virtualAlloc(30)));
        QVERIFY(family.takes(processRecord(lifetime_opcode::kEnd, 20, 10)));
        QVERIFY(!family.running().contains(20));
        QVERIFY(family.takes(virtualAlloc(20)));                               // still on the way
        QVERIFY(!family.takes(processRecord(lifetime_opcode::kStart, 20, 5))); // another process with its number
        QVERIFY(!family.takes(virtualAlloc(20)));
    }

    void aModuleThatWasToldIsNotToldAgain() {
        RecordedProcesses processes(false);
        processes.add(10);
        processes.addImage(10, 0x1000);
        const Payload known{std::uint64_t{0x1000}, std::uint64_t{0x100}, std::uint32_t{10}};
        const Payload fresh{std::uint64_t{0x2000}, std::uint64_t{0x100}, std::uint32_t{10}};
        const Payload kernel{std::uint64_t{0x3000}, std::uint64_t{0x100}, std::uint32_t{0}};
        const Payload others{std::uint64_t{0x4000}, std::uint64_t{0x100}, std::uint32_t{11}};
        const auto rundown = [&](const Payload& payload) {
            return processes.takes(payload.record(group::kImage, image_opcode::kRundownStart));
        };
        QVERIFY(!rundown(known));
        QVERIFY(rundown(fresh));
        QVERIFY(!rundown(fresh));
        QVERIFY(rundown(kernel)); // its frames are in all stacks
        QVERIFY(!rundown(others));
        QVERIFY(processes.takes(known.record(group::kImage, image_opcode::kUnload)));
        QVERIFY(processes.takes(known.record(group::kImage, image_opcode::kLoad)));
    }

    // ---- losses, sessions, sentences ----

    void theHighestOfThreeCountersCounts() {
        TraceHealth health;
        EtwLossCounter counter;
        counter.note({5, 1});
        counter.note({3, 2});
        counter.tell(health);
        counter.note({7, 0});
        counter.tell(health);
        counter.tell(health);
        QCOMPARE(health.report()[Loss::EventsLost], std::uint64_t{7});
        QCOMPARE(health.report()[Loss::BuffersLost], std::uint64_t{2});
    }

    /// The example in docs/etw.md 2.2.
    void theExtensionOfAHeapSessionHasItsLayout() {
        const std::vector<std::uint32_t> pids{1234, 5678};
        QCOMPARE(heapSessionExtension(pids, heapHooks(false)),
                 (std::vector<std::uint32_t>{0x00020007, 0x00020003, 1234, 5678, 0x00030003, 0x1021, 0x1022}));
        QCOMPARE(heapSessionExtension({}, heapHooks(true)),
                 (std::vector<std::uint32_t>{0x00020007, 0x00020002, 0, 0x00030004, 0x1021, 0x1022, 0x1024}));
        QCOMPARE(extensionFlags(0x90), 0x80FF0090u);
    }

    void everyCodeHasASentenceThatSaysWhatToDo_data() {
        QTest::addColumn<unsigned>("code");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("words");
        const auto row = [](unsigned code, ErrorKind kind, const char* words) {
            QTest::addRow("%u", code) << code << static_cast<int>(kind) << QString(words);
        };
        row(5, ErrorKind::AccessDenied, "Restart Highwater as administrator");
        row(1314, ErrorKind::AccessDenied, "Profile system performance");
        row(24, ErrorKind::Unsupported, "does not support the settings");
        row(87, ErrorKind::Unsupported, "does not support the settings");
        row(112, ErrorKind::Io, "200 MB");
        row(120, ErrorKind::Unsupported, "Wine");
        row(161, ErrorKind::Io, "in use");
        row(183, ErrorKind::Usage, "already running");
        row(1450, ErrorKind::Usage, "logman query");
        row(4201, ErrorKind::NotFound, "another program has stopped it");
        row(9999, ErrorKind::Io, "error 9999");
    }
    void everyCodeHasASentenceThatSaysWhatToDo() {
        QFETCH(unsigned, code);
        QFETCH(int, kind);
        QFETCH(QString, words);
        const auto error = etwError(code, "start the recording");
        const auto sentence = QString::fromStdString(error.message);
        QCOMPARE(static_cast<int>(error.kind), kind);
        QVERIFY2(sentence.contains(words), qPrintable(sentence));
        QVERIFY(sentence.startsWith(QString("Windows did not start the recording (error %1). ").arg(code)));
    }
};

HIGHWATER_TEST(LiveRecordingTest);
#include "live_recording_test.moc"
