#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <map>
#include <string>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

/// "": unknown.
std::map<std::string, std::uint64_t> countsByType(const MemoryPicture& picture) {
    std::map<std::string, std::uint64_t> counts;
    for (const auto& block : picture.blocks)
        ++counts[block.type == 0 ? std::string() : picture.types[block.type - 1]];
    return counts;
}

SharedMemoryPicture newestIn(Recording& recording) {
    const auto trace = recording.trace().latest();
    return trace && trace->pictures ? trace->pictures->back() : nullptr;
}

} // namespace

/// The classes of the objects of a real program, which uses Qt.
class PictureTypesTest : public QObject {
    Q_OBJECT

  private slots:
    void objectsOfALaunchedProgramHaveTypes() {
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_TYPED_PROGRAM;
        launch.arguments = {folder_.filePath("launched").toStdString()};
        Recording recording([launch](TraceHealth&) { return source::startCapture(launch, {}); },
                            RecordingOptions{.spool = folder_.filePath("launched.etl").toStdString()});
        const auto end = qScopeGuard([&] {
            if (!recording.targets().empty()) ::kill(static_cast<pid_t>(recording.targets().front()), SIGKILL);
        });
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder_.filePath("launched")), 60'000);
        const auto picture = pictureOf(recording);
        QVERIFY(picture != nullptr);
        checkPlanted(*picture);
        for (const auto& block : picture->blocks)
            if (block.bytes == 777) QCOMPARE(block.type, 0u);
    }
    void objectsFromBeforeTheRecordingHaveTypes() {
        QProcess program;
        program.start(HIGHWATER_TYPED_PROGRAM, {folder_.filePath("attached")});
        const auto end = qScopeGuard([&] {
            program.kill();
            program.waitForFinished();
        });
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder_.filePath("attached")), 60'000);
        const auto pid = static_cast<std::uint32_t>(program.processId());
        Recording recording([pid](TraceHealth&) { return source::startCapture(pid, {}); },
                            RecordingOptions{.spool = folder_.filePath("attached.etl").toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(!recording.targets().empty(), 60'000);
        const auto picture = pictureOf(recording);
        QVERIFY(picture != nullptr);
        checkPlanted(*picture);
        recording.stop();
        recording.wait();
    }

  private:
    static SharedMemoryPicture pictureOf(Recording& recording) {
        recording.takePicture();
        (void)QTest::qWaitFor([&] { return newestIn(recording) || !recording.status().pictureRefusal.empty(); },
                              60'000);
        return newestIn(recording);
    }
    static void checkPlanted(const MemoryPicture& picture) {
        const auto counts = countsByType(picture);
        for (const auto* type : {"Session", "(anonymous namespace)::Hidden", "Table<int, ...>", "LoudSession",
                                 "Diamond", "std::_Sp_counted_ptr_inplace<Plain, ...>",
                                 "std::__cxx11::basic_ostringstream<char, ...>", "Worker", "QLabel", "QPushButton"}) {
            const auto found = counts.find(type);
            QVERIFY2(found != counts.end(), type);
            QVERIFY2(found->second == 20, qPrintable(QString("%1: %2").arg(type).arg(found->second)));
        }
        QVERIFY(counts.at("QTimer") >= 20);
        for (const auto& [type, count] : counts)
            QVERIFY2(!type.ends_with("Plain") && count > 0, type.c_str());
    }

    QTemporaryDir folder_{folderInMemory()};
};

HIGHWATER_TEST(PictureTypesTest);
#include "picture_types_test_linux.moc"
