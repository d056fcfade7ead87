#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/hostile_traces.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <new>
#include <stdexcept>

using namespace highwater;
using pipeline::LoadState;
using pipeline::TraceLoader;

namespace {

using OpenedSource = Result<std::unique_ptr<source::RecordSource>>;

pipeline::TraceInput inputOf(std::vector<std::byte> bytes) {
    pipeline::TraceInput input;
    input.open = [bytes = std::move(bytes)](TraceHealth& health) -> OpenedSource {
        auto file = TRY(source::EtlFileSource::fromMemory(bytes, "hostile.etl", health));
        return std::unique_ptr<source::RecordSource>(std::move(file));
    };
    return input;
}

class SourceWithoutMemory final : public source::RecordSource {
  public:
    explicit SourceWithoutMemory(std::unique_ptr<source::RecordSource> file) : file_(std::move(file)) {}
    [[nodiscard]] const TraceProperties& properties() const override { return file_->properties(); }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override {
        (void)file_->run(sink, health, stop, progress).hasValue();
        throw std::bad_alloc();
    }

  private:
    std::unique_ptr<source::RecordSource> file_;
};

} // namespace

class HostileTracesTest : public QObject {
    Q_OBJECT
  private slots:
    void areReadInTime_data() {
        QTest::addColumn<int>("index");
        const auto files = fixtures::hostileTraces();
        for (int i = 0; i < static_cast<int>(files.size()); ++i)
            QTest::newRow(files[static_cast<std::size_t>(i)].name.c_str()) << i;
    }
    /// Read without suspicion, several of them would each take longer than all of these tests together may.
    void areReadInTime() {
        QFETCH(int, index);
        const auto bytes = fixtures::hostileTraces()[static_cast<std::size_t>(index)].make();
        QVERIFY(bytes.size() > 10'000 && bytes.size() <= 10'000'000);
        TraceLoader loader(inputOf(bytes));
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
        QVERIFY(loader.facts().counts.total > 100);
    }

    void memoryThatRunsOutIsAnErrorOfTheTrace_data() {
        QTest::addColumn<int>("where");
        QTest::newRow("opening") << 0;
        QTest::newRow("source") << 1;
        QTest::newRow("pipeline") << 2;
        QTest::newRow("pipeline, absurd size") << 3;
    }
    void memoryThatRunsOutIsAnErrorOfTheTrace() {
        QFETCH(int, where);
        auto input = inputOf(fixtures::exercise2Trace().bytes().value());
        if (where == 0) {
            input.open = [](TraceHealth&) -> OpenedSource { throw std::bad_alloc(); };
        } else if (where == 1) {
            input.open = [open = input.open](TraceHealth& health) -> OpenedSource {
                return std::unique_ptr<source::RecordSource>(
                    std::make_unique<SourceWithoutMemory>(open(health).value()));
            };
        } else {
            input.afterBatch = [where](store::TraceStore&) {
                if (where == 2) throw std::bad_alloc();
                throw std::length_error("vector");
            };
        }
        TraceLoader loader(std::move(input));
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Failed);
        QVERIFY(loader.error()->message.find("ran out of memory") != std::string::npos);
        // The source ran to its end, and all records that it read exist.
        QCOMPARE(loader.latest() != nullptr, where == 1);
    }
};

HIGHWATER_TEST(HostileTracesTest);
#include "hostile_traces_test.moc"
