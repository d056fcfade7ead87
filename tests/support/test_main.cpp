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

/// Runs every registered class, or only those named as the first argument ("EtlReaderTest").
/// A class skips its tests in init(): what initTestCase() skips is every class that follows, too.
int main(int argc, char** argv) {
    // A test program without widgets runs without a display, too.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // What is tested is not to write into the log of who runs the tests, nor are programs that a test starts.
    if (!qEnvironmentVariableIsSet("HIGHWATER_LOG")) qputenv("HIGHWATER_LOG", "off");
    // Windows: what is printed goes to a debugger else, unless there is a console.
    qputenv("QT_FORCE_STDERR_LOGGING", "1");
    TestApplication application(argc, argv);
    QStringList arguments = application.arguments();
    QString only;
    if (arguments.size() > 1 && arguments[1].endsWith("Test")) only = arguments.takeAt(1);
    // A signal that ends a test, or a child of one, ends it: QtTest's own handler starts a debugger, which takes a minute,
    // and from the second class on calls itself for ever.
    arguments << "-nocrashhandler";
    int failures = 0;
    for (const auto& test : highwater::tests::registeredTests()) {
        if (!only.isEmpty() && only != test->metaObject()->className()) continue;
        failures += QTest::qExec(test.get(), arguments);
    }
    highwater::tests::registeredTests().clear();
    return failures == 0 ? 0 : 1;
}
