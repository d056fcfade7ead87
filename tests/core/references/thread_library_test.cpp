#include "core/references/thread_library.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <string>
#include <utility>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::references;

namespace {

constexpr Address kDescriptions = 0x7D00'0000'0000, kState = kDescriptions + 0x10000, kLists = kState + 0x10000,
                  kStackBytes = 0x10000;
/// Offsets as in glibc 2.36.
constexpr Address kModules = 4208, kStacks = 4280, kNumber = 1152, kOffset = 1144, kList = 704, kThreadNumber = 720,
                  kStart = 1592, kBounds = kStart + 64, kControlBlock = 2368;

/// A process with a C library like glibc.
class LibraryProcess {
  public:
    LibraryProcess() {
        process.mapping(kDescriptions, kLists + 0x10000, kReadWrite, "");
        field("rtld_global__dl_tls_dtv_slotinfo_list", 64, kModules);
        field("rtld_global__dl_stack_user", 128, kStacks);
        field("dtv_slotinfo_list_len", 64, 0);
        field("dtv_slotinfo_list_next", 64, 8);
        field("dtv_slotinfo_list_slotinfo", 128, 16);
        field("dtv_slotinfo_gen", 64, 0);
        field("dtv_slotinfo_map", 64, 8);
        field("link_map_l_tls_modid", 64, kNumber);
        field("link_map_l_tls_offset", 64, kOffset);
        field("pthread_dtvp", 64, 8);
        field("pthread_list", 128, kList);
        field("pthread_tid", 32, kThreadNumber);
        field("pthread_start_routine", 64, kStart);
        process.word(next_, kControlBlock);
        symbols["_thread_db_sizeof_pthread"] = next_;
        symbols["_rtld_global"] = kState;
        process.word(kState + kModules, kLists).word(kLists, 4);
        process.word(kUnused, kUnused).word(kUnused + 8, kUnused);
    }
    /// A module with this number; `offset`: of its data below control blocks.
    void module(std::uint64_t number, std::uint64_t offset, std::uint64_t generation = 0) {
        const auto description = kLists + 0x1000 * number;
        process.word(kLists + 16 + 16 * number, generation).word(kLists + 24 + 16 * number, description);
        process.word(description + kNumber, number).word(description + kOffset, offset);
        process.word(description + 16, 0x1000 * number);
    }
    /// A control block in a stack of its own.
    Address controlBlock() {
        const auto begin = nextStack_;
        const auto pointer = begin + kStackBytes - kControlBlock;
        process.mapping(begin, begin + kStackBytes, kReadWrite, "");
        nextStack_ += 2 * kStackBytes;
        process.word(pointer, pointer).word(pointer + 8, begin + 0x100).word(pointer + 16, pointer);
        process.word(pointer + kBounds, begin).word(pointer + kBounds + 8, kStackBytes);
        vector(pointer, 0, 3);
        return pointer;
    }
    void vector(Address pointer, std::uint64_t generation, std::uint64_t entries) {
        process.word(vectorOf(pointer) - 16, entries).word(vectorOf(pointer), generation);
    }
    void entry(Address pointer, std::uint64_t number, std::uint64_t value) {
        process.word(vectorOf(pointer) + 16 * number, value);
    }
    Address thread() {
        auto& added = process.threads().emplace_back();
        added.threadPointer = controlBlock();
        return added.threadPointer;
    }
    /// A stack in the list of unused ones.
    Address unused() {
        const auto pointer = controlBlock(), at = pointer + kList;
        process.word(at, kUnused).word(at + 8, last_);
        process.word(last_, at).word(kUnused + 8, at);
        last_ = at;
        return pointer;
    }
    [[nodiscard]] ThreadLibrary found() const {
        const auto memory = process.memory();
        return readThreadLibrary(symbols, memory.threads, memory.read);
    }
    /// "1000: 7c00, 0; " for each module: its dynamic section, and its data in each thread.
    [[nodiscard]] std::string modules() const {
        std::string text;
        for (const auto& [section, blocks] : found().modules) {
            text += fmt::format("{:x}:", section);
            for (const auto block : blocks)
                text += fmt::format(" {:x}", block);
            text += "; ";
        }
        return text;
    }

    FakeProcess process = FakeProcess::withoutMappings();
    LibrarySymbols symbols;

  private:
    static constexpr Address kUnused = kState + kStacks + 16;
    static Address vectorOf(Address pointer) { return pointer + kControlBlock - kStackBytes + 0x100; }
    void field(const std::string& name, std::uint64_t bits, std::uint64_t offset) {
        process.word(next_, bits | std::uint64_t{1} << 32).word(next_ + 8, offset);
        symbols["_thread_db_" + name] = next_;
        next_ += 16;
    }
    Address next_ = kDescriptions, nextStack_ = 0x7E00'0000'0000, last_ = kUnused;
};

} // namespace

/// The layout is also that of the C library of this system: picture_variables_test_linux.cpp.
class ThreadLibraryTest : public QObject {
    Q_OBJECT

  private slots:
    void dataOfTheProgramAndItsLibrariesIsBelowTheControlBlock() {
        LibraryProcess library;
        const auto first = library.thread(), second = library.thread();
        library.module(1, 0x40);
        library.module(2, 0x60);
        library.entry(first, 1, first - 0x40);
        QCOMPARE(library.modules(), fmt::format("1000: {:x} {:x}; 2000: {:x} {:x}; ", first - 0x40, second - 0x40,
                                                first - 0x60, second - 0x60));
    }
    void dataOfLibrariesThatWereLoadedLaterIsInTheListOfTheThread() {
        LibraryProcess library;
        const auto first = library.thread(), second = library.thread();
        library.module(3, 0, 1);
        library.vector(first, 1, 3);
        library.entry(first, 3, 0x5000);
        library.vector(second, 1, 3);
        library.entry(second, 3, ~std::uint64_t{0}); // not used yet
        QCOMPARE(library.modules(), "3000: 5000 0; ");
        library.vector(first, 0, 3); // from before the module was loaded
        QCOMPARE(library.modules(), "3000: 0 0; ");
        library.vector(first, 1, 2);
        QCOMPARE(library.modules(), "3000: 0 0; ");
    }
    void aModuleThatForbidsDataBelowTheControlBlockHasItInTheList() {
        LibraryProcess library;
        library.entry(library.thread(), 1, 0x5000);
        library.module(1, ~std::uint64_t{0});
        QCOMPARE(library.modules(), "1000: 5000; ");
    }
    void whatContradictsItselfIsLeftOut() {
        LibraryProcess library;
        const auto thread = library.thread();
        library.module(1, 0x40);
        library.entry(thread, 1, 0x5000); // not where the module says
        QCOMPARE(library.modules(), "1000: 0; ");
        library.entry(thread, 1, thread - 0x40);
        library.process.word(thread + 16, 0); // no control block
        QCOMPARE(library.modules(), "1000: 0; ");
        library.process.word(kLists + 0x1000 + kNumber, 2);
        QCOMPARE(library.modules(), "");
    }
    void anotherLayoutIsNotRead() {
        LibraryProcess library;
        library.thread();
        library.module(1, 0x40);
        auto symbols = std::exchange(library.symbols, {});
        QCOMPARE(library.modules(), "");
        library.symbols = symbols;
        library.symbols.erase("_thread_db_pthread_dtvp");
        QCOMPARE(library.modules(), "");
        library.symbols = symbols;
        library.process.word(symbols["_thread_db_dtv_slotinfo_map"], 32); // bits
        QCOMPARE(library.modules(), "");
    }
    void aListOfModulesThatDoesNotEndIsBounded() {
        LibraryProcess library;
        library.process.word(kLists + 8, kLists);
        library.module(1, 0x40);
        QCOMPARE(library.found().modules.size(), std::size_t{1}); // later rounds have other numbers
    }
    void stacksOfEndedThreadsAreInTheListOfUnusedOnes() {
        LibraryProcess library;
        QVERIFY(library.found().ended.empty());
        const auto first = library.unused(), second = library.unused();
        library.entry(first, 1, first - 0x40);
        library.entry(first, 2, 0x5000);
        library.entry(first, 3, ~std::uint64_t{0});
        const auto ended = library.found().ended;
        QCOMPARE(ended.size(), std::size_t{2});
        QCOMPARE(ended[0].memory.begin, first + kControlBlock - kStackBytes);
        QCOMPARE(ended[0].memory.end, first + kControlBlock);
        QCOMPARE(ended[0].vector, first + 8);
        QCOMPARE(ended[0].threadLocals, std::vector<Address>{0x5000}); // the other is in the stack
        QCOMPARE(ended[1].vector, second + 8);
    }
    void aStackIsInUseUntilItsThreadHasEnded() {
        LibraryProcess library;
        const auto at = library.unused() + kThreadNumber;
        library.process.word(at, 7);
        QVERIFY(library.found().ended.empty());
        library.process.word(at, 0xFFFF'FFFF); // as after pthread_join
        QCOMPARE(library.found().ended.size(), std::size_t{1});
    }
    void aStackWithoutKnownBoundsIsNotLeftOut() {
        LibraryProcess library;
        library.process.word(library.unused() + kBounds + 8, kStackBytes - 0x1000);
        QVERIFY(library.found().ended.empty());
    }
    void aListThatIsBeingChangedIsNotRead() {
        LibraryProcess library;
        library.unused();
        library.process.word(library.unused() + kList + 8, 0);
        QVERIFY(library.found().ended.empty());
    }
};

HIGHWATER_TEST(ThreadLibraryTest);
#include "thread_library_test.moc"
