#include "core/pipeline/index/trace_index.h"

#include "tests/core/pipeline/index/index_stage.h"
#include "tests/support/test_registry.h"

#include <chrono>

using namespace highwater;
using pipeline::LoadState;
using pipeline::TraceIndexCache;
using pipeline::TraceLoader;
namespace fs = std::filesystem;

class TraceIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsAllThatWasMadeOfATrace() {
        const IndexStage stage;
        TraceLoader first({stage.trace()}, std::make_shared<TraceIndexCache>(stage.options()));
        first.wait();
        QVERIFY(stage.find().has_value());
        TraceLoader again({stage.trace()}, std::make_shared<TraceIndexCache>(stage.options()));
        again.wait();
        QCOMPARE(again.state(), LoadState::Finished);
        QCOMPARE(again.progress().done.load(), first.progress().done.load());
        QCOMPARE(again.progress().total.load(), first.progress().total.load());
        QCOMPARE(again.facts().counts.total, first.facts().counts.total);
        QCOMPARE(again.facts().properties.paths, first.facts().properties.paths);
        const auto a = first.latest();
        const auto b = again.latest();
        QVERIFY(b->columns->names->backing != nullptr);
        QVERIFY(a->columns->names->backing == nullptr);
        QCOMPARE(b->heap.rows, a->heap.rows);
        for (std::uint32_t row = 0; row < a->heap.rows; ++row) {
            QCOMPARE(b->heap.begin(row).ns, a->heap.begin(row).ns);
            QCOMPARE(b->heap.end(row).ns, a->heap.end(row).ns);
            QCOMPARE(b->heap.size(row), a->heap.size(row));
            QCOMPARE(b->columns->heap.rows.address(row), a->columns->heap.rows.address(row));
            QVERIFY(b->heap.site(row) == a->heap.site(row));
            QCOMPARE(b->leaf(b->heap.site(row).stack), a->leaf(a->heap.site(row).stack));
        }
    }
    void outlivesItsFile() {
#ifdef Q_OS_WIN
        QSKIP("Nobody can remove a file there that is mapped.");
#endif
        const IndexStage stage;
        stage.open(stage.options());
        const auto found = stage.find();
        QVERIFY(found.has_value());
        fs::remove(stage.index());
        QCOMPARE(found->trace->heap.size(0), ByteCount{1000});
    }
    /// For damage at any position.
    void isNotUsedWhenItIsDamaged() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto index = stage.index();
        const auto bytes = static_cast<std::int64_t>(fs::file_size(index));
        QVERIFY(stage.find().has_value());
        constexpr std::int64_t kPlaces = 50;
        for (std::int64_t i = 0; i < kPlaces; ++i) {
            const auto at = i < 32 ? i : bytes - 1 - (i - 32) * (bytes - 33) / kPlaces; // the used part of the header
            changeByte(index, at);
            QVERIFY2(!stage.find().has_value(), qPrintable(QString::number(at)));
            changeByte(index, at);
        }
        QVERIFY(stage.find().has_value());
    }
    void isNotUsedWhenItIsCutOff_data() {
        QTest::addColumn<double>("left");
        for (const auto left : {0.0, 0.0001, 0.5, 0.99, 1.01})
            QTest::newRow(qPrintable(QString::number(left))) << left;
    }
    void isNotUsedWhenItIsCutOff() {
        QFETCH(double, left);
        const IndexStage stage;
        stage.open(stage.options());
        const auto index = stage.index();
        fs::resize_file(index, static_cast<std::uintmax_t>(static_cast<double>(fs::file_size(index)) * left));
        QVERIFY(!stage.find().has_value());
        stage.open(stage.options()); // and is written again
        QVERIFY(stage.find().has_value());
    }
    void isNotUsedWhenTheTraceHasChanged() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto time = fs::last_write_time(stage.trace());
        fs::last_write_time(stage.trace(), time + std::chrono::seconds(1));
        QVERIFY(!stage.find().has_value());
        fs::last_write_time(stage.trace(), time);
        QVERIFY(stage.find().has_value());
        changeByte(stage.trace(), static_cast<std::int64_t>(fs::file_size(stage.trace()) / 2));
        fs::last_write_time(stage.trace(), time);
        QVERIFY(!stage.find().has_value());
    }
    void isNotUsedByAnotherVersion() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto file = MappedFile::open(stage.index());
        const auto key = TraceIndexCache(stage.options()).keyOf({stage.trace()});
        const std::vector<std::string> named{stage.trace().string()};
        QVERIFY(pipeline::readTraceIndex(file.value(), key, named).has_value());
        QVERIFY(!pipeline::readTraceIndex(file.value(), "Highwater 9.9.9" + key.substr(15), named).has_value());
    }
    void knowsATraceByAnotherName() {
        const IndexStage stage;
        stage.open(stage.options());
        const auto other = stage.trace().parent_path() / "." / "t1.etl";
        TraceLoader loader({other}, std::make_shared<TraceIndexCache>(stage.options()));
        loader.wait();
        QVERIFY(loader.latest()->columns->names->backing != nullptr);
        QCOMPARE(loader.facts().properties.paths, std::vector<std::string>{other.string()});
    }
};
HIGHWATER_TEST(TraceIndexTest);
#include "trace_index_test.moc"
