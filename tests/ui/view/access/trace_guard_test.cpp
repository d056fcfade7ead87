#include "ui/view/access/trace_guard.h"

#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater::ui;

/// A recording cannot be repeated: a trace is overwritten only by a trace.
class TraceGuardTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString fileCalled(const QString& name) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("not written");
        return file.fileName();
    }

  private slots:
    void cleanup() { registerOpenTraces(this, {}); }
    void keepsEventTraces() {
        QVERIFY(traceOverwriteRefusal(fileCalled("a.etl")).contains("a.etl is a trace"));
        QVERIFY(!traceOverwriteRefusal(fileCalled("b.ETL")).isEmpty());
        QCOMPARE(traceOverwriteRefusal(folder_.filePath("new.etl")), QString());
        QCOMPARE(traceOverwriteRefusal(fileCalled("a.csv")), QString());
    }
    void keepsTheOpenTraceUnderAnyName() {
        const auto open = fileCalled("heaptrack.app.1.zst");
        QCOMPARE(traceOverwriteRefusal(open), QString());
        registerOpenTraces(this, {open});
        QVERIFY(traceOverwriteRefusal(open).contains("heaptrack.app.1.zst is a trace"));
        QVERIFY(QFile::link(open, folder_.filePath("link.png")));
        QVERIFY(!traceOverwriteRefusal(folder_.filePath("link.png")).isEmpty()); // the same file
        const int other = 0;
        registerOpenTraces(&other, {fileCalled("b.heap")});
        QVERIFY(!traceOverwriteRefusal(open).isEmpty());
        registerOpenTraces(&other, {});
        QCOMPARE(traceOverwriteRefusal(folder_.filePath("b.heap")), QString());
        registerOpenTraces(this, {});
        QCOMPARE(traceOverwriteRefusal(open), QString());
    }
};

HIGHWATER_TEST(TraceGuardTest);
#include "trace_guard_test.moc"
