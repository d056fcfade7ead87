#include "core/export/info/info_lists.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;

namespace {

SharedMemoryPicture pictureOf(std::uint32_t pid, std::int64_t time, std::vector<ByteCount> sizes) {
    auto picture = std::make_shared<MemoryPicture>();
    picture->pid = pid;
    picture->time = TraceTime{time};
    Address next = 0x1000;
    for (const auto bytes : sizes) {
        picture->blocks.push_back({.address = next, .bytes = bytes});
        next += 0x1000;
    }
    return picture;
}

} // namespace

class InfoListsTest : public QObject {
    Q_OBJECT
  private slots:
    void picturesHaveTheirProcessesAndBlocks() {
        SmallTrace small;
        auto trace = *small.process(7, "server").publish(5'000'000'000);
        QCOMPARE(picturesJson(trace).size(), std::size_t{0});
        trace.pictures = std::make_shared<const std::vector<SharedMemoryPicture>>(
            std::vector{pictureOf(7, 2'000'000'000, {64, 1000}), pictureOf(8, 3'000'000'000, {})});
        const auto list = picturesJson(trace);
        QCOMPARE(list.size(), std::size_t{2});
        QCOMPARE(list[0]["number"].get<int>(), 1);
        QCOMPARE(timeFromJson(list[0]["time_s"]), std::optional(TraceTime{2'000'000'000}));
        QCOMPARE(list[0]["process"].get<std::string>(), std::string("server (7)"));
        QCOMPARE(list[0]["blocks"].get<int>(), 2);
        QCOMPARE(list[0]["bytes"].get<int>(), 1064);
        QCOMPARE(list[1]["number"].get<int>(), 2);
        QCOMPARE(list[1]["process"].get<std::string>(), std::string("(8)")); // it is not in the trace
    }
};
HIGHWATER_TEST(InfoListsTest);
#include "info_lists_test.moc"
