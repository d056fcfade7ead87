#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <csignal>
#include <map>
#include <set>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// Of each planted block, by its size: 'r' reachable, 'p' possibly, 'l' lost.
using Classes = std::map<ByteCount, char>;

Classes truthIn(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    Classes classes;
    for (const auto& line : file.readAll().split('\n'))
        if (const auto words = line.split(' '); words.size() == 2) classes[words[0].toULongLong()] = words[1].at(0);
    return classes;
}

char classOf(Reachability reachability) {
    switch (reachability) {
    case Reachability::Reachable:
        return 'r';
    case Reachability::Possible:
        return 'p';
    case Reachability::Unreachable:
    case Reachability::OnlyLeaked:
        break;
    }
    return 'l';
}

/// Of all blocks of those sizes; a size with more than one block is 'x'.
Classes classesIn(const MemoryPicture& picture, const Classes& planted) {
    Classes classes;
    for (const auto& block : picture.blocks) {
        if (!planted.contains(block.bytes)) continue;
        const auto added = classes.try_emplace(block.bytes, classOf(block.reachability));
        if (!added.second) added.first->second = 'x';
    }
    return classes;
}

std::string differences(const Classes& found, const Classes& truth) {
    std::string text;
    for (const auto& [bytes, kind] : truth) {
        const auto at = found.find(bytes);
        if (at == found.end() || at->second != kind)
            text += fmt::format("{}: {} instead of {}; ", bytes, at == found.end() ? '-' : at->second, kind);
    }
    return text;
}

} // namespace

/// The classes of 1,500 blocks with random references, held by many kinds of memory, in a real process.
class PlantedGraphTest : public QObject {
    Q_OBJECT

  private slots:
    void aPictureHasTheClassOfEachBlock_data() {
        QTest::addColumn<int>("seed");
        for (const int seed : {1, 2})
            QTest::addRow("seed %d", seed) << seed;
    }
    void aPictureHasTheClassOfEachBlock() {
        QFETCH(const int, seed);
        const auto file = folder_.filePath(QStringLiteral("truth%1").arg(seed));
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_PLANTED_GRAPH;
        launch.arguments = {std::to_string(seed), file.toStdString()};
        Recording recording(
            [launch](TraceHealth&) { return source::startCapture(launch, {}); },
            RecordingOptions{.spool = folder_.filePath(QStringLiteral("%1.etl").arg(seed)).toStdString()});
        const auto end = qScopeGuard([&] {
            for (const auto pid : recording.targets())
                ::kill(static_cast<pid_t>(pid), SIGKILL);
        });
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 60'000);
        recording.takePicture();
        const auto pictures = [&] {
            const auto trace = recording.trace().latest();
            return trace ? trace->pictures : nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(pictures() || !recording.status().pictureRefusal.empty(), 60'000);
        QCOMPARE(recording.status().pictureRefusal, std::string());
        const auto truth = truthIn(file);
        QCOMPARE(truth.size(), std::size_t{1500});
        const auto wrong = differences(classesIn(*pictures()->front(), truth), truth);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    /// The truth that the program writes is also that of another tool.
    void leakSanitizerFindsTheSameBlocks_data() { aPictureHasTheClassOfEachBlock_data(); }
    void leakSanitizerFindsTheSameBlocks() {
#ifdef HIGHWATER_PLANTED_GRAPH_LSAN
        QFETCH(const int, seed);
        const auto file = folder_.filePath(QStringLiteral("checked%1").arg(seed));
        QProcess program;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LSAN_OPTIONS", "report_objects=1:max_leaks=0:exitcode=0");
        program.setProcessEnvironment(environment);
        program.start(HIGHWATER_PLANTED_GRAPH_LSAN, {QString::number(seed), file});
        QVERIFY(program.waitForFinished(60'000));
        const auto report = QString::fromLocal8Bit(program.readAllStandardError());
        if (report.contains("has encountered a fatal error")) QSKIP("LeakSanitizer may not stop threads here.");
        const auto truth = truthIn(file);
        Classes lost, expected;
        static const QRegularExpression object("^0x[0-9a-f]+ \\((\\d+) bytes\\)$", QRegularExpression::MultilineOption);
        for (auto match = object.globalMatch(report); match.hasNext();)
            if (const auto bytes = match.next().captured(1).toULongLong(); truth.contains(bytes)) lost[bytes] = 'l';
        for (const auto& [bytes, kind] : truth)
            if (kind == 'l') expected[bytes] = kind;
        const auto wrong = differences(lost, expected) + differences(expected, lost);
        QVERIFY2(wrong.empty(), wrong.c_str());
#else
        QSKIP("The compiler has no LeakSanitizer.");
#endif
    }

  private:
    QTemporaryDir folder_{folderInMemory()};
};

HIGHWATER_TEST(PlantedGraphTest);
#include "planted_graph_test_linux.moc"
