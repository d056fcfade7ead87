#include "tests/support/test_registry.h"
#include "tests/support/tsan_qt.h"

#include <QApplication>
#include <QDir>
#include <QTest>

#include <cstdio>

namespace highwater::tests {

std::vector<std::unique_ptr<QObject>>& registeredTests() {
    static std::vector<std::unique_ptr<QObject>> tests;
    return tests;
}

std::string sharedTracesFolder() {
    const auto folder = qEnvironmentVariable("HIGHWATER_SHARED_TRACES");
    return !folder.isEmpty() && QDir(folder).exists() ? folder.toStdString() : std::string();
}

} // namespace highwater::tests

namespace {

class TestApplication final : public QApplication {
  public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        highwater::tests::take();
        const bool isTaken = QApplication::notify(receiver, event);
        highwater::tests::give();
        return isTaken;
    }
};

} // namespace

/// Runs every registered class, or only those named in the first argument ("EtlReaderTest"). A class skips its tests in
/// init(): a skip in initTestCase() would also skip every class that follows.
int main(int argc, char** argv) {
    // A test program without widgets also runs without a display.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // The tested code must not write into the log of the user who runs the tests, nor must programs that a test starts.
    if (!qEnvironmentVariableIsSet("HIGHWATER_LOG")) qputenv("HIGHWATER_LOG", "off");
    // Windows: without a console the output would go to a debugger.
    qputenv("QT_FORCE_STDERR_LOGGING", "1");
    TestApplication application(argc, argv);
    QStringList arguments = application.arguments();
    QString only;
    if (arguments.size() > 1 && arguments[1].endsWith("Test")) only = arguments.takeAt(1);
    // A signal that terminates a test, or a child of one, terminates it: QtTest's own handler starts a debugger, which
    // takes a minute, and from the second class on calls itself forever.
    arguments << "-nocrashhandler";
    int failures = 0;
    for (const auto& test : highwater::tests::registeredTests()) {
        if (!only.isEmpty() && only != test->metaObject()->className()) continue;
        failures += QTest::qExec(test.get(), arguments);
    }
    highwater::tests::registeredTests().clear();
    return failures == 0 ? 0 : 1;
}
