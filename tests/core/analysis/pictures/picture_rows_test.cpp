#include "core/analysis/pictures/picture_rows.h"

#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

class PictureRowsTest : public QObject {
    Q_OBJECT

  private slots:
    void rootsHaveWords() {
        MemoryPicture picture;
        picture.names = {"app!g_cache", "/usr/lib/libx.so.1", "worker", "", "[anon:pool]", "app!run, run.cpp:41"};
        const auto text = [&](RootKind kind, std::uint32_t name, std::uint32_t thread = 0,
                              std::optional<std::uint32_t> threadName = std::nullopt) {
            PictureRoot root;
            root.kind = kind;
            root.name = name;
            root.thread = thread;
            root.threadName = threadName.value_or(name);
            return rootText(picture, root);
        };
        QCOMPARE(text(RootKind::Variable, 0), std::string("app!g_cache"));
        QCOMPARE(text(RootKind::Variable, 1), std::string("variables of libx.so.1"));
        QCOMPARE(text(RootKind::ThreadLocal, 0, 17, 2), std::string("app!g_cache of worker (17)"));
        QCOMPARE(text(RootKind::ThreadLocal, 0, 18, 3), std::string("app!g_cache of thread (18)"));
        QCOMPARE(text(RootKind::ThreadLocal, 1, 17, 2), std::string("thread-local data of libx.so.1 of worker (17)"));
        QCOMPARE(text(RootKind::ThreadLocal, 2, 17), std::string("thread-local data of worker (17)"));
        QCOMPARE(text(RootKind::Stack, 2, 17), std::string("stack of worker (17)"));
        QCOMPARE(text(RootKind::Stack, 3, 17), std::string("stack of thread (17)"));
        PictureRoot frame{.name = 5, .thread = 17, .threadName = 2, .parent = 0, .kind = RootKind::Stack};
        QCOMPARE(rootText(picture, frame), std::string("stack of worker (17): app!run, run.cpp:41"));
        QCOMPARE(text(RootKind::Register, 2, 17), std::string("registers of worker (17)"));
        QCOMPARE(text(RootKind::Mapping, 4), std::string("mapping [anon:pool]"));
        QCOMPARE(text(RootKind::Mapping, 3), std::string("mapping without a name"));
    }
    void emptyColumnsHaveAReason() {
        ColumnsBuilder builder;
        const auto process = builder.process("app", 7, TraceTime{0});
        QVERIFY(pictureNote(*builder.publish(TraceTime{5}), {TraceTime{0}, TraceTime{5}}).find("contains no picture") !=
                std::string::npos);
        builder.picture({process, TraceTime{5}, {}});
        const auto trace = builder.publish(TraceTime{10});
        QCOMPARE(pictureNote(*trace, {TraceTime{0}, TraceTime{10}}), std::string());
        QVERIFY(pictureNote(*trace, {TraceTime{6}, TraceTime{10}}).find("in the interval") != std::string::npos);
    }
    /// One after the other, each of another process.
    void picturesThatWereTakenTogetherAreARound() {
        std::vector<SharedMemoryPicture> pictures;
        const auto take = [&](std::int64_t milliseconds, std::uint32_t pid) {
            MemoryPicture picture;
            picture.time = TraceTime{milliseconds * 1'000'000};
            picture.pid = pid;
            pictures.push_back(std::make_shared<const MemoryPicture>(std::move(picture)));
        };
        take(1000, 7), take(1300, 8), take(1400, 9), take(1500, 7), take(3000, 9);
        const auto endAfter = [&](std::int64_t milliseconds) {
            return static_cast<double>(endOfRound(pictures, TraceTime{milliseconds * 1'000'000}).ns) / 1e6;
        };
        QCOMPARE(endAfter(1000), 1400.000001); // a new round begins with a process of this one
        QCOMPARE(endAfter(1300), 1500.000001); // of the next round, whose pictures may be shown as well
        QCOMPARE(endAfter(1500), 1500.000001); // too late
        QCOMPARE(endAfter(3000), 3000.000001);
    }
    /// A block at the address of an earlier one is another block.
    void aRowIsOnlyInThePictureIfItExistedThen() {
        ColumnsBuilder builder;
        ModelRow row;
        row.process = builder.process("app", 7, TraceTime{0});
        row.heap = 1;
        row.stack = "main";
        row.address = 0x1000;
        row.size = 16;
        row.begin = TraceTime{1};
        const auto first = builder.alloc(row);
        builder.picture({row.process, TraceTime{2}, {{first, {.root = "app!g"}}}});
        const PictureRows rows(*builder.publish(TraceTime{9}), {TraceTime{0}, TraceTime{9}});
        const ProcessIndex process{row.process};
        QVERIFY(rows.find(process, 0x1000, TraceTime{1}, kNever));
        QVERIFY(rows.find(process, 0x1000, TraceTime{1}, TraceTime{2}));
        QVERIFY(!rows.find(process, 0x1000, TraceTime{2}, kNever));
        QVERIFY(!rows.find(process, 0x1000, TraceTime{0}, TraceTime{1}));
        QVERIFY(!rows.find(process, 0x1008, TraceTime{1}, kNever));
        QVERIFY(!rows.find(ProcessIndex{5}, 0x1000, TraceTime{1}, kNever));
        QCOMPARE(rows.holders()[rows.holderOf(*rows.find(process, 0x1000, TraceTime{1}, kNever))],
                 std::string("app!g"));
    }
};

HIGHWATER_TEST(PictureRowsTest);
#include "picture_rows_test.moc"
