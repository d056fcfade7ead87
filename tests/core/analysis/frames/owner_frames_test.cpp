#include "core/analysis/frames/owner_frames.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

/// A process with its modules, the program first.
struct Program {
    store::ProcessTable processes;
    FrameLabels labels;
    ProcessIndex process;

    Program(const std::string& name, const std::vector<std::string>& paths) {
        std::optional<ProcessIndex> ended;
        ProcessEvent start;
        start.pid = 7;
        start.time = TraceTime{0};
        start.name = name;
        process = processes.apply(start, ended);
        Address base = 0x10000;
        for (const auto& path : paths) {
            ImageEvent image;
            image.pid = 7;
            image.base = base;
            image.size = 0x1000;
            image.path = path;
            processes.apply(image);
            base += 0x10000;
        }
    }
    /// The owner of a stack with these frames, innermost first.
    std::string ownerOf(const std::vector<std::string>& frames, const AllocatorFrames* allocators = nullptr) {
        std::vector<std::uint32_t> ids;
        for (const auto& frame : frames)
            ids.push_back(labels.textId(frame).value);
        OwnerFrames owners(processes, labels, allocators);
        return frames[owners.ownerOf(process, ids)];
    }
};

Program linuxProgram() {
    return {"shop",
            {"/home/me/shop/shop", "/home/me/shop/lib/libcart.so", "/usr/lib/x86_64-linux-gnu/libxml2.so.2",
             "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"}};
}

Program windowsProgram() {
    return {"shop.exe",
            {"C:\\Program Files\\Shop\\shop.exe", "C:\\Program Files\\Shop\\cart.dll",
             "C:\\Windows\\System32\\ntdll.dll", "C:\\Windows\\System32\\xmllite.dll"}};
}

} // namespace

class OwnerFramesTest : public QObject {
    Q_OBJECT
  private slots:
    void foldersOfTheSystemAreKnown_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("isSystem");
        for (const auto* path : {"/lib/libc.so.6", "/usr/lib/x86_64-linux-gnu/libQt6Core.so.6", "/usr/lib64/libm.so",
                                 "[vdso]", "C:\\Windows\\System32\\ntdll.dll", "c:\\WINDOWS\\WinSxS\\a\\comctl32.dll",
                                 "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll",
                                 "\\SystemRoot\\System32\\win32k.sys", "\\Windows\\System32\\ntdll.dll"})
            QTest::newRow(path) << path << true;
        for (const auto* path : {"/home/me/lib/libc.so.6", "/opt/shop/shop", "C:\\Program Files\\Shop\\shop.exe", "",
                                 "D:\\Windows.old\\shop.exe", "\\Device\\HarddiskVolume3\\Shop\\Windows\\a.dll", "C:"})
            QTest::newRow(path) << path << false;
    }
    void foldersOfTheSystemAreKnown() {
        QFETCH(QString, path);
        QFETCH(bool, isSystem);
        QCOMPARE(isSystemPath(path.toStdString()), isSystem);
    }
    void isTheProgramBehindLibrariesOfTheSystem() {
        QCOMPARE(linuxProgram().ownerOf({"libc.so.6!malloc", "libxml2.so.2!xmlNewDoc", "shop!readOrder", "shop!main"}),
                 std::string("shop!readOrder"));
        QCOMPARE(windowsProgram().ownerOf({"ntdll.dll!RtlAllocateHeap", "xmllite.dll!+0x123", "shop.exe!readOrder"}),
                 std::string("shop.exe!readOrder"));
    }
    void librariesOfTheProgramAreOfTheProgram() {
        QCOMPARE(linuxProgram().ownerOf({"libc.so.6!malloc", "libcart.so!add", "shop!main"}),
                 std::string("libcart.so!add"));
        QCOMPARE(windowsProgram().ownerOf({"ntdll.dll!RtlAllocateHeap", "CART.dll!+0x10", "shop.exe!main"}),
                 std::string("CART.dll!+0x10"));
    }
    /// The runtime loads them, so the system has no image events for them.
    void managedFunctionsAreOfTheProgram() {
        QCOMPARE(windowsProgram().ownerOf({"ntdll.dll!RtlAllocateHeap", "clr.dll!+0x10", "[stub]",
                                           "mscorlib.dll!System.IO.File.Open", "Orders.dll!Shop.Orders.Read",
                                           "shop.exe!main"}),
                 std::string("Orders.dll!Shop.Orders.Read"));
    }
    void containersHoldMemoryForOthers() {
        QCOMPARE(linuxProgram().ownerOf({"libstdc++.so.6!operator new", "shop!std::_Rb_tree<int>::_M_insert",
                                         "shop!std::map<int>::operator[] [inlined]", "shop!remember [inlined]",
                                         "shop!main"}),
                 std::string("shop!remember [inlined]"));
    }
    void soDoTheInsidesOfTheLibraryThatLackTheirScope() {
        QCOMPARE(linuxProgram().ownerOf({"shop!thread<> [inlined]", "shop!_M_invoke<> [inlined]", "shop!start"}),
                 std::string("shop!start"));
    }
    /// Frames as rustc 1.95 generates them, in both manglings.
    void whatRustsLibraryDoesItDoesForOthers() {
        Program program("lk", {"/home/me/lk/lk"});
        const auto* const allocators = AllocatorFrames::builtIn().get();
        QCOMPARE(program.ownerOf({"lk!__rustc::__rust_alloc", "lk!alloc::alloc::alloc [inlined]",
                                  "lk!alloc::alloc::Global::alloc_impl [inlined]",
                                  "lk!<alloc::alloc::Global as core::alloc::Allocator>::allocate [inlined]",
                                  "lk!alloc::raw_vec::RawVecInner<>::try_allocate_in",
                                  "lk!alloc::vec::Vec<>::with_capacity [inlined]", "lk!lk::keep", "lk!lk::main"},
                                 allocators),
                 std::string("lk!lk::keep"));
        QCOMPARE(program.ownerOf({"lk!<u64 as alloc::vec::spec_from_elem::SpecFromElem>::from_elem",
                                  "lk!alloc::vec::from_elem", "lk!lk::generic"}),
                 std::string("lk!lk::generic"));
        QCOMPARE(program.ownerOf({"lk!<&mut alloc::string::String as core::fmt::Write::write_fmt::SpecWriteFmt>::"
                                  "spec_write_fmt [inlined]",
                                  "lk!alloc::fmt::format::format_inner", "lk!lk::audit"}),
                 std::string("lk!lk::audit"));
        QCOMPARE(program.ownerOf({"lk!<T as alloc::slice::hack::ConvertVec>::to_vec",
                                  "lk!<T as core::convert::Into<>>::into", "lk!<lk::Cache<> as lk::Keep<>>::keep_it"}),
                 std::string("lk!<lk::Cache<> as lk::Keep<>>::keep_it"));
    }
    void theWayToRustsMemoryIsAnAllocator() {
        for (const auto* frame : {"lk!__rustc::__rust_alloc", "lk!alloc::raw_vec::RawVecInner::grow_amortized",
                                  "lk!<alloc::raw_vec::RawVec<lk::Order>>::grow_one",
                                  "lk!<alloc::alloc::Global as core::alloc::Allocator>::allocate",
                                  "lk!<std::alloc::System as core::alloc::global::GlobalAlloc>::alloc"})
            QVERIFY2(AllocatorFrames::builtIn()->matches(frame), frame);
        QVERIFY(!AllocatorFrames::builtIn()->matches("lk!alloc::vec::Vec<>::push"));
    }
    void allocatorsAreThoseOfTheReader() {
        const AllocatorFrames own("shop!Pool::*\n");
        const std::vector<std::string> frames{"libc.so.6!malloc", "shop!Pool::take", "shop!readOrder"};
        QCOMPARE(linuxProgram().ownerOf(frames, &own), std::string("shop!readOrder"));
        QCOMPARE(linuxProgram().ownerOf(frames), std::string("shop!Pool::take"));
    }
    void allocatorsOfLanguagesHoldMemoryForOthers() {
        Program python("python3.11", {"/opt/python/bin/python3.11", "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(python.ownerOf({"libc.so.6!malloc", "python3.11!_PyMem_RawMalloc", "python3.11!PyObject_Malloc",
                                 "python3.11!allocate_from_new_pool", "python3.11!list_resize"}),
                 std::string("python3.11!list_resize"));
        Program viewer("viewer", {"/home/me/viewer/viewer", "/home/me/viewer/libglib-2.0.so.0"});
        QCOMPARE(viewer.ownerOf({"libglib-2.0.so.0!g_malloc0", "libglib-2.0.so.0!g_slice_alloc", "viewer!open"}),
                 std::string("viewer!open"));
    }
    void interpretersHoldMemoryForTheProgramThatTheyExecute() {
        Program node("node", {"/opt/node/bin/node", "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(node.ownerOf({"libc.so.6!malloc", "node!node::zlib::Init", "[stub]", "node:zlib!ZlibBase:120",
                               "node:internal/streams!push:3", "gateway.js!compress:12", "node!node::Start"}),
                 std::string("gateway.js!compress:12"));
        Program python("python3.11", {"/opt/python/bin/python3.11", "/opt/python/lib/libpython3.11.so.1.0",
                                      "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(python.ownerOf({"libc.so.6!mmap", "libpython3.11.so.1.0!_PyObject_ArenaMmap",
                                 "libpython3.11.so.1.0!list_resize", "<frozen runpy>!_run_code", "app.py!leak",
                                 "python3.11!main"}),
                 std::string("app.py!leak"));
        // A program of its own that contains an interpreter.
        Program game("game", {"/home/me/game/game", "/home/me/game/libpython3.11.so.1.0"});
        QCOMPARE(game.ownerOf({"libpython3.11.so.1.0!list_resize", "game!loadScripts", "game!main"}),
                 std::string("game!loadScripts"));
    }
    /// In a stack without the program's own functions, the owner is one of theirs.
    void interpretersAreOwnersOfWhatTheyKeepForThemselves() {
        Program node("node", {"/opt/node/bin/node", "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(node.ownerOf({"libc.so.6!malloc", "[stub]", "node:zlib!ZlibBase:120", "node!node::Start",
                               "(stack cut at 192 frames)"}),
                 std::string("node:zlib!ZlibBase:120"));
        Program python("python3.11", {"/usr/bin/python3.11", "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(python.ownerOf(
                     {"libc.so.6!mmap", "python3.11!_PyObject_ArenaMmap", "python3.11!list_resize", "python3.11!main"}),
                 std::string("python3.11!list_resize"));
    }
    void aProgramInASystemFolderIsStillTheProgram() {
        Program sort("sort",
                     {"/usr/bin/sort", "/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "/lib/x86_64-linux-gnu/libc.so.6"});
        QCOMPARE(sort.ownerOf({"libc.so.6!malloc", "libcrypto.so.3!EVP_new", "sort!main"}), std::string("sort!main"));
        Program notepad("notepad.exe", {"C:\\Windows\\System32\\notepad.exe", "C:\\Windows\\System32\\edit.dll"});
        QCOMPARE(notepad.ownerOf({"edit.dll!open", "notepad.exe!WinMain"}), std::string("notepad.exe!WinMain"));
    }
    void codeOfAJitCompilerIsOfTheProgram() {
        QCOMPARE(linuxProgram().ownerOf({"libc.so.6!malloc", "0x7f1234567890", "shop!main"}),
                 std::string("0x7f1234567890"));
    }
    void whereNothingIsOfTheProgramItIsTheFirstThatIsNoPlumbing() {
        QCOMPARE(linuxProgram().ownerOf({"libc.so.6!malloc", "libxml2.so.2!xmlInit", "libxml2.so.2!start"}),
                 std::string("libxml2.so.2!xmlInit"));
    }
    void whereAllIsPlumbingItIsTheFirst() {
        QCOMPARE(linuxProgram().ownerOf({"libc.so.6!malloc", "libstdc++.so.6!operator new"}),
                 std::string("libc.so.6!malloc"));
        QCOMPARE(linuxProgram().ownerOf({"(no stack)"}), std::string("(no stack)"));
    }
    /// The lists of --owner and --wrapper; none of their names matches a frame.
    void workGrowsWithTheListsOfTheUser_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"f%1", "shop!f%1", "*f%1", "m*f%1*"})
            QTest::newRow(name) << QString(name);
    }
    void workGrowsWithTheListsOfTheUser() {
        QFETCH(QString, name);
        const auto ratio = tests::workRatio(2'000, [&](std::size_t count) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < count; ++i)
                names.push_back(name.arg(i).toStdString());
            const auto patterns = functionPatterns(names);
            for (int frame = 0; frame < 20; ++frame)
                (void)patterns->matches("shop!main_function_of_all");
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

HIGHWATER_TEST(OwnerFramesTest);
#include "owner_frames_test.moc"
