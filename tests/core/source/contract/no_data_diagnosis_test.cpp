#include "core/source/contract/no_data_diagnosis.h"
#include "tests/support/test_registry.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#ifdef HIGHWATER_CAN_RECORD
#include <csignal>
#endif

using namespace highwater;
using namespace highwater::source;
using Fix = NoDataDiagnosis::Fix;

namespace {

bool says(const NoDataDiagnosis& silence, const char* words) { return silence.why.find(words) != std::string::npos; }

#ifdef HIGHWATER_CAN_RECORD
/// A program under the recorder, whose events are never read.
class Recorded {
  public:
    explicit Recorded(std::vector<std::string> command, const CaptureOptions& options = {}) {
        CaptureLaunch launch;
        launch.program = command.front();
        launch.arguments.assign(command.begin() + 1, command.end());
        auto started = startCapture(launch, options);
        if (started.hasValue()) source_ = std::move(started).value();
    }
    ~Recorded() {
        if (pid() != 0) ::kill(static_cast<pid_t>(pid()), SIGKILL);
    }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
    [[nodiscard]] std::uint32_t pid() const { return source_ ? source_->targets().front() : 0; }

  private:
    std::unique_ptr<RecordSource> source_;
};
#endif

} // namespace

class NoDataDiagnosisTest : public QObject {
    Q_OBJECT
  private slots:
    void aProcessThatHasEndedMayHaveLeftChildren() {
        const auto silence = diagnoseNoEvents(0x7FFFFFF0, "/opt/app", {});
        QVERIFY2(says(silence, "app has ended"), silence.why.c_str());
        QCOMPARE(silence.fix, Fix::RecordChildren);
        QCOMPARE(diagnoseNoEvents(0x7FFFFFF0, "/opt/app", {.children = true}).fix, Fix::None);
    }
#ifdef HIGHWATER_CAN_RECORD
    void theRecorderWasNotLoaded() {
        const auto silence = diagnoseNoEvents(static_cast<std::uint32_t>(QCoreApplication::applicationPid()), {}, {});
        QVERIFY2(says(silence, "was not loaded"), silence.why.c_str());
        QCOMPARE(silence.fix, Fix::None);
    }
    void theProgramDoesNothing() {
        const Recorded sleep({"sleep", "60"});
        QVERIFY(sleep.pid() != 0);
        QTRY_VERIFY2(says(diagnoseNoEvents(sleep.pid(), "sleep", {}), "has not allocated anything yet"),
                     diagnoseNoEvents(sleep.pid(), "sleep", {}).why.c_str());
    }
    void onlyTheOtherKindIsRecorded() {
        const Recorded sleep({"sleep", "60"}, {.heap = false});
        QTRY_COMPARE(diagnoseNoEvents(sleep.pid(), "sleep", {.heap = false}).fix, Fix::RecordHeap);
    }
    void itsChildrenDoTheWork() {
        const Recorded shell({"sh", "-c", "sleep 60 & wait"});
        QTRY_COMPARE(diagnoseNoEvents(shell.pid(), "sh", {}).fix, Fix::RecordChildren);
        QVERIFY(says(diagnoseNoEvents(shell.pid(), "sh", {}), "has started other programs"));
        QCOMPARE(diagnoseNoEvents(shell.pid(), "sh", {.children = true}).fix, Fix::None);
        QProcess::execute("pkill", {"-P", QString::number(shell.pid())});
    }
#endif
};
HIGHWATER_TEST(NoDataDiagnosisTest);
#include "no_data_diagnosis_test.moc"
