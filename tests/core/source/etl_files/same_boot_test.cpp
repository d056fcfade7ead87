#include "core/source/etl_files/same_boot.h"

#include "core/event/trace_notes.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kTicksPerSecond = 10'000'000;

struct RunOfASession {
    double from, to; ///< seconds
    std::string session;
    bool isClosed = true;
};

std::vector<std::byte> fileOf(const RunOfASession& recorded) {
    const auto ticks = [](double seconds) { return static_cast<std::int64_t>(seconds * kTicksPerSecond); };
    auto properties = exampleProperties();
    const auto first = properties.firstTicks;
    properties.firstTicks = first + ticks(recorded.from);
    properties.startFileTime += ticks(recorded.from);
    properties.ticksPerSecond = kTicksPerSecond;
    properties.sessionName = recorded.session;
    auto file =
        writeTrace({classicRecord(etl::HeaderType::System64, first + ticks(recorded.to), 0, 8)}, {}, properties);
    patch(file, 72 + 32 + 16,
          recorded.isClosed ? properties.startFileTime + ticks(recorded.to - recorded.from) : std::int64_t{0});
    return file;
}

/// The answer of `ask` for files of these recordings, which are called a, b, and so on.
template <typename Ask>
QString saidOf(const std::vector<RunOfASession>& recordings, const Ask& ask) {
    TraceHealth health;
    std::vector<std::vector<std::byte>> files;
    for (const auto& recorded : recordings)
        files.push_back(fileOf(recorded));
    std::vector<etl::EtlReader> readers;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name(1, static_cast<char>('a' + i));
        auto reader = etl::EtlReader::open({files[i], nullptr, name}, health);
        if (!reader.hasValue()) return "cannot be read";
        readers.push_back(std::move(reader).value());
    }
    return QString::fromStdString(ask(readers));
}

/// The reason why files cannot be opened together; empty: they can.
QString refusalOf(const std::vector<RunOfASession>& recordings) {
    return saidOf(recordings, [](const auto& readers) {
        const auto checked = checkSameBoot(readers);
        return checked.hasValue() ? std::string() : checked.error().message;
    });
}
QString noteOn(const std::vector<RunOfASession>& recordings) {
    return saidOf(recordings, [](const auto& readers) { return gapSentence(readers); });
}

const std::string kAgent(kAgentSessionName);

} // namespace

/// Which files may be read as one trace.
class SameBootTest : public QObject {
    Q_OBJECT
  private slots:
    void sessionsOfWindowsMayOverlap() { QCOMPARE(refusalOf({{0, 10, "Kernel"}, {0.5, 12, "User"}}), ""); }
    void recordingsOfProgramsMayFollowEachOther() {
        QCOMPARE(refusalOf({{0, 10, kAgent}, {10.5, 12, kAgent}}), "");
        QCOMPARE(refusalOf({{10.5, 12, kAgent}, {0, 10, kAgent}, {20, 30, kAgent}}), "");
        QCOMPARE(refusalOf({{0, 10, kAgent}, {5, 12, "Kernel"}}), "");
    }
    /// The parts of one recording start together, or each where the one before it ends.
    void saysWhereFilesLieApart() {
        QCOMPARE(noteOn({{0, 10, "Kernel"}}), "");
        QCOMPARE(noteOn({{0, 10, "Kernel"}, {0.5, 12, "User"}}), "");
        QCOMPARE(noteOn({{0, 10, "Kernel"}, {10.2, 20, "Kernel"}, {20.1, 30, "Kernel"}}), "");
        QCOMPARE(noteOn({{0, 60, "Kernel"}, {10, 20, "User"}, {55, 70, "Kernel"}}), "");
        QCOMPARE(noteOn({{650, 663, "Kernel"}, {0, 10, "Kernel"}}),
                 "b ends 640.0 s before a begins. They seem to be two separate recordings, which form one trace only "
                 "because they were opened together.");
        QCOMPARE(noteOn({{0, 10, kAgent}, {12, 15, kAgent}, {30, 40, kAgent}}),
                 "b ends 15.0 s before c begins. They seem to be two separate recordings, which form one trace only "
                 "because they were opened together.");
    }
    /// Otherwise one would get the stacks and the threads of the other.
    void recordingsOfProgramsMayNotOverlap() {
        const auto both =
            QStringLiteral("%1 and %2 cannot be opened together: they record Linux programs and overlap in time.");
        QCOMPARE(refusalOf({{0, 10, kAgent}, {5, 12, kAgent}}), both.arg("a", "b"));
        QCOMPARE(refusalOf({{5, 12, kAgent}, {50, 60, kAgent}, {0, 10, kAgent}}), both.arg("c", "a"));
        QCOMPARE(refusalOf({{0, 10, kAgent, false}, {5, 12, kAgent}}), both.arg("a", "b")); // to its last record
    }
};
HIGHWATER_TEST(SameBootTest);
#include "same_boot_test.moc"
