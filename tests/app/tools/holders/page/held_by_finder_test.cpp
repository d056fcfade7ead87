#include "app/tools/holders/page/held_by_finder.h"

#include "core/analysis/frames/frame_labels.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

class HeldByFinderTest : public QObject {
    Q_OBJECT
  private slots:
    /// All pictures of the interval can be chosen, also those after the chosen one.
    void picturesToChooseFromAreListedFromTheNewest() {
        ColumnsBuilder builder;
        const auto process = builder.process("server", 7, TraceTime{0});
        ModelRow row;
        row.process = process;
        row.stack = "main";
        row.address = 0x1000;
        row.size = 10;
        row.begin = TraceTime{1};
        const auto block = builder.alloc(row);
        for (const std::int64_t time : {2, 4, 6})
            builder.picture({process, TraceTime{time}, {{block, {.root = "server!g"}}}});
        const auto trace = builder.publish(TraceTime{8});
        analysis::FrameLabels labels;
        HeldByPageQuery query;
        query.pictures = {TraceTime{0}, TraceTime{5}};
        query.interval = {TraceTime{0}, TraceTime{3}};
        const auto found = findHeldByPage(*trace, labels, query, {}).value();
        QCOMPARE(found.pictures.size(), std::size_t{2});
        QCOMPARE(found.pictures[0].time.ns, std::int64_t{4});
        QCOMPARE(found.pictures[1].process, ProcessIndex{process});
        QCOMPARE(found.pictures[1].name, std::string("server (7)"));
        QCOMPARE(found.processes.front().picture->time.ns, std::int64_t{2});
        QVERIFY(found.before.empty());
        query.interval = query.pictures;
        query.earlier = TraceTime{2};
        const auto compared = findHeldByPage(*trace, labels, query, {}).value();
        QCOMPARE(compared.before.size(), compared.rows.size());
        QCOMPARE(compared.before.front()->bytes, ByteCount{10});
        query.interval = query.pictures = {TraceTime{3}, TraceTime{4}};
        QVERIFY(!findHeldByPage(*trace, labels, query, {}).hasValue());
    }
};

HIGHWATER_TEST(HeldByFinderTest);
#include "held_by_finder_test.moc"
