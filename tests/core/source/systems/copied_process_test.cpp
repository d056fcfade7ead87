#include "core/source/systems/copied_process.h"

#include "core/event/mapping_names.h"
#include "tests/core/source/systems/made_up_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

using Kind = MemoryRegion::Kind;
namespace flag = mapping_flag;

constexpr auto kReadWrite = flag::kRead | flag::kWrite;

/// What a test does with the process, and what was done with it, which outlives it.
struct MadeUpProcess {
    MadeUpMemory memory;
    std::map<Address, std::uint64_t> words;
    std::set<Address> unreadable; ///< pages
    std::vector<std::vector<std::uint32_t>> threads{
        {1, 2}}; ///< that it has at each question, the last one at further ones
    std::set<std::uint32_t> ended, refused, silent;
    bool canBeCloned = true;

    std::vector<std::uint32_t> stopped;
    std::size_t asked = 0, resumed = 0, clones = 0, clonesEnded = 0;
    bool wasReadWhileRunning = false;

    MadeUpProcess& word(Address address, std::uint64_t value) {
        words[address] = value;
        return *this;
    }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const {
        const auto isUnreadable = [this](Address page) {
            if (unreadable.contains(page)) return true;
            return std::ranges::none_of(memory.regions(), [page](const MemoryRegion& region) {
                return region.isCommitted && !region.isGuard && region.begin <= page && page < region.end;
            });
        };
        for (std::size_t i = 0; i < to.size(); ++i) {
            const auto at = from + i;
            if (isUnreadable(at / kPage * kPage)) return i;
            const auto known = words.find(at / 8 * 8);
            const auto value = known == words.end() ? 0 : known->second;
            to[i] = static_cast<std::byte>(value >> at % 8 * 8);
        }
        return to.size();
    }
};

class StoppedMadeUpProcess final : public StoppableProcess {
  public:
    explicit StoppedMadeUpProcess(MadeUpProcess& made) : made_(made) {}

    [[nodiscard]] std::uint32_t pid() const override { return 12; }
    [[nodiscard]] std::string title() const override { return "app.exe (12)"; }
    [[nodiscard]] MemoryRegions& regions() override { return made_.memory; }
    [[nodiscard]] std::vector<std::uint32_t> threads() override {
        return made_.threads[std::min(made_.asked++, made_.threads.size() - 1)];
    }
    [[nodiscard]] Stop stop(std::uint32_t tid) override {
        if (made_.ended.contains(tid)) return Stop::Ended;
        if (made_.refused.contains(tid)) return Stop::Refused;
        made_.stopped.push_back(tid);
        return Stop::Stopped;
    }
    [[nodiscard]] std::optional<CopiedThread> stateOf(std::uint32_t tid) override {
        if (made_.silent.contains(tid)) return std::nullopt;
        CopiedThread state;
        state.tid = tid;
        return state;
    }
    void resume() override { ++made_.resumed; }
    [[nodiscard]] Result<Read> clone() override {
        if (!made_.canBeCloned) return Error{ErrorKind::Unsupported, "error 5"};
        ++made_.clones;
        const std::shared_ptr<const MadeUpProcess> then(new MadeUpProcess(made_),
                                                        [&made = made_](const MadeUpProcess* clone) {
                                                            delete clone;
                                                            ++made.clonesEnded;
                                                        });
        return Read([then](Address from, std::span<std::byte> to) { return then->read(from, to); });
    }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const override {
        return made_.read(from, to);
    }

  private:
    MadeUpProcess& made_;
};

Result<std::unique_ptr<ProcessCopy>> tryCopy(MadeUpProcess& made, ByteCount mostCopied = kMostCopiedBytes) {
    return copyStopped(
        std::make_unique<StoppedMadeUpProcess>(made), [] { return std::int64_t{77}; }, {}, mostCopied);
}

std::unique_ptr<ProcessCopy> copyOf(MadeUpProcess& made) {
    auto copy = tryCopy(made);
    if (!copy.hasValue()) qFatal("%s", copy.error().message.c_str());
    return std::move(copy).value();
}

std::string refusalOf(MadeUpProcess& made, ByteCount mostCopied = kMostCopiedBytes) {
    const auto copy = tryCopy(made, mostCopied);
    return copy.hasValue() ? "" : copy.error().message;
}

/// Nothing: it is not readable.
std::optional<std::uint64_t> wordAt(const ProcessCopy& copy, Address address) {
    std::uint64_t word = 0;
    const auto bytes = std::as_writable_bytes(std::span(&word, 1));
    return copy.read(address, bytes) == bytes.size() ? std::optional(word) : std::nullopt;
}

/// "[private] 10000-13000 rw 0,2": the name, the addresses, the access, and the pages of each mapping.
std::string textOf(const ResidentSample& sample) {
    std::string text;
    for (const auto& mapping : sample.mappings) {
        text +=
            sample.nameOf(mapping) + QString(" %1-%2 ").arg(mapping.begin, 0, 16).arg(mapping.end, 0, 16).toStdString();
        for (const auto& [bit, letter] :
             {std::pair(flag::kRead, 'r'), std::pair(flag::kWrite, 'w'), std::pair(flag::kExecute, 'x'),
              std::pair(flag::kShared, 's'), std::pair(flag::kFile, 'f')})
            if ((mapping.flags & bit) != 0) text += letter;
        mapping.pages.each([&](std::uint64_t first, std::uint64_t pages) {
            for (auto page = first; page < first + pages; ++page)
                text += (page == first && text.back() != ',' && !std::isdigit(text.back()) ? " " : ",") +
                        std::to_string(page);
        });
        text += "\n";
    }
    return text;
}

} // namespace

class CopiedProcessTest : public QObject {
    Q_OBJECT

  private slots:
    void allThreadsAreStoppedAndContinue() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 1, kReadWrite);
        made.threads = {{1, 2}, {1, 2, 3}, {1, 2, 3}}; // one is started meanwhile
        made.ended = {2};
        const auto copy = copyOf(made);
        QCOMPARE(made.stopped, (std::vector<std::uint32_t>{1, 3}));
        QCOMPARE(made.resumed, std::size_t{1});
        QCOMPARE(copy->threads().size(), std::size_t{2});
        QCOMPARE(copy->unreadThreads(), 0u);
        QCOMPARE(copy->ticks(), std::optional<std::int64_t>(77));
    }
    void threadsThatCannotBeStoppedOrReadAreCounted() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 1, kReadWrite);
        made.threads = {{1, 2, 3}};
        made.refused = {2};
        made.silent = {3};
        QCOMPARE(copyOf(made)->unreadThreads(), 2u);
        made.refused = {1, 2, 3};
        QCOMPARE(refusalOf(made), std::string("app.exe (12) was not copied because Windows did not stop its threads."));
        QCOMPARE(made.resumed, std::size_t{2});
    }
    void aProgramThatNeverStopsStartingThreadsIsNotWaitedFor() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 1, kReadWrite);
        made.threads.clear();
        for (std::uint32_t tid = 1; tid <= 1000; ++tid)
            made.threads.push_back({tid});
        QCOMPARE(copyOf(made)->unreadThreads(), 1u);
        QVERIFY(made.asked < 1000);
    }
    void aCloneDoesNotChange() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 2, kReadWrite);
        made.word(kStart + 8, 5);
        auto copy = copyOf(made);
        made.word(kStart + 8, 6);
        QCOMPARE(wordAt(*copy, kStart + 8), std::optional<std::uint64_t>(5));
        QCOMPARE(made.clonesEnded, std::size_t{0});
        copy.reset();
        QCOMPARE(made.clonesEnded, std::size_t{1});
    }
    /// Memory that cannot be written to is read when it is asked for.
    void withoutACloneWritableMemoryIsCopied() {
        MadeUpProcess made;
        made.canBeCloned = false;
        made.memory.add(Kind::Private, 2, kReadWrite).allocate(0x100000).setFile("C:\\app.exe");
        made.memory.add(Kind::Image, 1, flag::kRead);
        made.word(kStart + kPage, 5).word(0x100000, 8);
        const auto copy = copyOf(made);
        QCOMPARE(made.resumed, std::size_t{1});
        made.word(kStart + kPage, 6);
        QCOMPARE(wordAt(*copy, kStart + kPage), std::optional<std::uint64_t>(5));
        QCOMPARE(wordAt(*copy, 0x100000), std::optional<std::uint64_t>(8));
    }
    void withoutACloneTooMuchMemoryIsRefused() {
        MadeUpProcess made;
        made.canBeCloned = false;
        made.memory.add(Kind::Private, 3, kReadWrite).add(Kind::Private, 9, flag::kRead);
        QCOMPARE(refusalOf(made, 2 * kPage),
                 std::string("app.exe (12) was not copied because Windows did not clone it (error 5). Without a clone, "
                             "Highwater only copies programs with at most 8.0 KB of writable memory, and this one has "
                             "12.0 KB. Take the picture while the program uses less memory."));
        QCOMPARE(made.resumed, std::size_t{1});
        QVERIFY(refusalOf(made, 3 * kPage).empty());
    }
    void pagesThatCannotBeCopiedAreNotReadable() {
        MadeUpProcess made;
        made.canBeCloned = false;
        made.memory.add(Kind::Private, 4, kReadWrite);
        made.unreadable = {kStart + kPage};
        made.word(kStart + 2 * kPage, 5);
        const auto copy = copyOf(made);
        std::vector<std::byte> bytes(4 * kPage);
        QCOMPARE(copy->read(kStart, bytes), std::size_t{kPage});
        QVERIFY(!wordAt(*copy, kStart + kPage));
        QCOMPARE(wordAt(*copy, kStart + 2 * kPage), std::optional<std::uint64_t>(5));
    }
    void anAllocationIsOneMappingWithItsCommittedPages() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 1, kReadWrite).addReserved(1).add(Kind::Private, 1, flag::kRead);
        made.memory.allocate(kStart + 3 * kPage).add(Kind::Private, 1, kReadWrite); // directly above, but another one
        made.memory.allocate(0x100000).addReserved(2).addGuard(1).add(Kind::Private, 1, kReadWrite);
        made.memory.allocate(0x200000).addReserved(1);
        made.memory.allocate(0x300000).setFile("C:\\app.exe");
        made.memory.add(Kind::Image, 1, flag::kRead).add(Kind::Image, 2, kReadWrite);
        made.memory.allocate(0x400000).setFile("C:\\app.db").add(Kind::Mapped, 1, kReadWrite);
        made.memory.allocate(0x500000).add(Kind::Mapped, 1, kReadWrite).setFile("C:\\view").setCopiedOnWrite();
        made.memory.allocate(0x600000).add(Kind::Mapped, 1, kReadWrite).setFile("");
        const auto copy = copyOf(made);
        QVERIFY(isValid(copy->mappings()));
        QCOMPARE(textOf(copy->mappings()), std::string("[private] 10000-13000 rw 0,2\n"
                                                       "[private] 13000-14000 rw 0\n"
                                                       "[stack] 100000-104000 rw 3\n"
                                                       "[private] 200000-201000 \n"
                                                       "C:\\app.exe 300000-301000 rf\n"
                                                       "C:\\app.exe 301000-303000 rwf\n"
                                                       "C:\\app.db 400000-401000 rwsf\n"
                                                       "C:\\view 500000-501000 rwf\n"
                                                       " 600000-601000 rws\n"));
    }
    void memoryOfAnAllocationThatIsNotCommittedIsZero() {
        MadeUpProcess made;
        made.memory.add(Kind::Private, 1, kReadWrite).addReserved(1).add(Kind::Private, 1, kReadWrite);
        made.word(kStart, 5).word(kStart + 2 * kPage, 6);
        const auto copy = copyOf(made);
        QCOMPARE(wordAt(*copy, kStart + kPage), std::optional<std::uint64_t>(0));
        std::vector<std::uint64_t> words(5 * kPage / 8, 1);
        QCOMPARE(copy->read(kStart, std::as_writable_bytes(std::span(words))), std::size_t{3 * kPage});
        QCOMPARE(words[0], std::uint64_t{5});
        QCOMPARE(words[kPage / 8], std::uint64_t{0});
        QCOMPARE(words[2 * kPage / 8], std::uint64_t{6});
        QVERIFY(!wordAt(*copy, kStart + 3 * kPage));
        QVERIFY(!wordAt(*copy, 0xFFFF'FFFF'FFFF'FFFC));
    }
    void heapsAreRecognisedByTheirSegments() {
        MadeUpProcess made;
        for (const Address begin : {0x100000, 0x200000, 0x300000})
            made.memory.allocate(begin).add(Kind::Private, 1, kReadWrite).addReserved(3);
        made.word(0x100010, 0x2'FFEE'FFEE).word(0x200010, 0x1'DDEE'DDEE).word(0x300018, 0xFFEE'FFEE);
        QCOMPARE(textOf(copyOf(made)->mappings()),
                 std::string("[heap] 100000-104000 rw 0\n[heap] 200000-204000 rw 0\n[private] 300000-304000 rw 0\n"));
    }
    void processesThatEndOrThatWereStoppedAreRefused() {
        MadeUpProcess made;
        QCOMPARE(refusalOf(made), std::string("app.exe (12) was not copied because it has ended."));
        made.memory.isEndless = true;
        QCOMPARE(refusalOf(made),
                 std::string("app.exe (12) was not copied because its memory has 200000 regions or more."));
        made.memory.isEndless = false;
        made.memory.add(Kind::Private, 1, kReadWrite);
        std::stop_source stop;
        stop.request_stop();
        const auto copy = copyStopped(std::make_unique<StoppedMadeUpProcess>(made), nullptr, stop.get_token());
        QVERIFY(!copy.hasValue());
        QCOMPARE(copy.error().kind, ErrorKind::Cancelled);
        QCOMPARE(made.resumed, std::size_t{3});
    }
};

HIGHWATER_TEST(CopiedProcessTest);
#include "copied_process_test.moc"
