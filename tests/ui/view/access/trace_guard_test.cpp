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
    void cleanup() { keepOpenTraces(this, {}); }
    void keepsEventTraces() {
        QVERIFY(whyTraceIsKept(fileCalled("a.etl")).contains("a.etl is a trace"));
        QVERIFY(!whyTraceIsKept(fileCalled("b.ETL")).isEmpty());
        QCOMPARE(whyTraceIsKept(folder_.filePath("new.etl")), QString());
        QCOMPARE(whyTraceIsKept(fileCalled("a.csv")), QString());
    }
    void keepsWhatIsOpenUnderAnyName() {
        const auto open = fileCalled("heaptrack.app.1.zst");
        QCOMPARE(whyTraceIsKept(open), QString());
        keepOpenTraces(this, {open});
        QVERIFY(whyTraceIsKept(open).contains("heaptrack.app.1.zst is a trace"));
        QVERIFY(QFile::link(open, folder_.filePath("link.png")));
        QVERIFY(!whyTraceIsKept(folder_.filePath("link.png")).isEmpty()); // the same file
        const int other = 0;
        keepOpenTraces(&other, {fileCalled("b.heap")});
        QVERIFY(!whyTraceIsKept(open).isEmpty());
        keepOpenTraces(&other, {});
        QCOMPARE(whyTraceIsKept(folder_.filePath("b.heap")), QString());
        keepOpenTraces(this, {});
        QCOMPARE(whyTraceIsKept(open), QString());
    }
};

HIGHWATER_TEST(TraceGuardTest);
#include "trace_guard_test.moc"
