#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/table/table_export.h"

#include <QBuffer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;

namespace {

ShownRows shownOf(const std::shared_ptr<const TableAnswer>& answer) {
    ShownRows shown;
    shown.answer = answer;
    const auto add = [&](const auto& self, const TableRow& row, int level) -> void {
        for (const auto& child : row.rows) {
            shown.rows.push_back({&child, level});
            self(self, child, level + 1);
        }
    };
    add(add, answer->total(), 0);
    return shown;
}

std::shared_ptr<const TableAnswer> smallTree() {
    auto inner = keyRow(Column::Stack, 4, "b.dll!inner");
    auto outer = keyRow(Column::Stack, 3, "a.dll!outer(int, char)", {std::move(inner)});
    return stackAnswerOf(
        {row(1, "a.exe (1)", 2, 7, {keyRow(Column::ImpactingType, 0, "Impacting", {std::move(outer)})}),
         row(2, "b \"x\".exe (2)", 1, -5)});
}

template <typename Write>
QByteArray written(Write write) {
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    const auto result = write(out);
    return result.hasValue() ? out.data() : QByteArray::fromStdString(result.error().message);
}

QByteArray shownAs(exports::TableFormat format) {
    return written([&](QIODevice& out) { return writeShownRows(shownOf(smallTree()), format, out, {}); });
}

TableRequest twoStacks(SmallTrace& trace) {
    trace.process(1, "a.exe");
    trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
    trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
    TableRequest request{trace.publish(1000), std::make_shared<analysis::FrameLabels>(), {}, {}};
    request.query.interval = {ms(0), ms(1000)};
    request.query.keys = {Column::Process, Column::Stack};
    request.query.columns = {Column::Count, Column::Size, Column::BeginTime, Column::Address};
    return request;
}

} // namespace

class TableExportTest : public QObject {
    Q_OBJECT
  private slots:
    void writesTheWholePathOfEachRowAsCsv() {
        QCOMPARE(QString::fromUtf8(shownAs(exports::TableFormat::Csv)).split('\n'),
                 (QStringList{"Process,Impacting Type,Commit Stack,Count,Size,Level", //
                              "a.exe (1),,,2,7,1",                                    //
                              "a.exe (1),Impacting,,1,0,2",                           //
                              "a.exe (1),Impacting,\"a.dll!outer(int, char)\",1,3,3",
                              "a.exe (1),Impacting,\"a.dll!outer(int, char);b.dll!inner\",1,4,4",
                              "\"b \"\"x\"\".exe (2)\",,,1,-5,1", ""}));
    }
    void writesTheTreeOfTheCommandLineAsJson() {
        const auto json = QJsonDocument::fromJson(shownAs(exports::TableFormat::NestedJson)).object();
        QCOMPARE(json["table"].toString(), "virtualalloc");
        QCOMPARE(json["columns"].toArray(), (QJsonArray{"Count", "Size"}));
        QCOMPARE(json["health"].toArray(), QJsonArray());
        const auto rows = json["rows"].toArray();
        QCOMPARE(rows.size(), 2);
        const auto process = rows[0].toObject();
        QCOMPARE(process["column"].toString(), "Process");
        QCOMPARE(process["key"].toString(), "a.exe (1)");
        QCOMPARE(process["values"].toObject()["Size"].toInteger(), 7);
        const auto outer = process["rows"][0]["rows"][0];
        QCOMPARE(outer["key"].toString(), "a.dll!outer(int, char)");
        QCOMPARE(outer["rows"][0]["key"].toString(), "b.dll!inner");
        QCOMPARE(rows[1].toObject()["rows"].toArray().size(), 0);
    }
    /// Rows as they are shown, and all leaves: both have the health of their table, as on the command line.
    void healthIsThatOfTheTable() {
        SmallTrace trace;
        const auto request = twoStacks(trace);
        trace.lose(Loss::UnmatchedFrees, 2); // those of heaps
        trace.lose(Loss::DecommitsOfUnknown, 1);
        auto shown = shownOf(smallTree());
        shown.trace = trace.publish(1000);
        const auto idsIn = [](const QByteArray& json) {
            QStringList ids;
            for (const auto& entry : QJsonDocument::fromJson(json).object()["health"].toArray())
                ids << entry.toObject()["id"].toString();
            return ids;
        };
        const QStringList ofPages{"decommits_of_unknown_pages"};
        QCOMPARE(idsIn(written([&](QIODevice& out) {
                     return writeLeaves({shown.trace, request.labels, request.query, {}},
                                        exports::TableFormat::NestedJson, out, {});
                 })),
                 ofPages);
        QCOMPARE(idsIn(written(
                     [&](QIODevice& out) { return writeShownRows(shown, exports::TableFormat::NestedJson, out, {}); })),
                 ofPages);
    }
    void writesEveryLeafAsCsv() {
        SmallTrace trace;
        const auto request = twoStacks(trace);
        const auto csv =
            written([&](QIODevice& out) { return writeLeaves(request, exports::TableFormat::Csv, out, {}); });
        QCOMPARE(QString::fromUtf8(csv).split('\n'),
                 (QStringList{"Process,Commit Stack,Count,Size,Commit Time,Address,Level",
                              "a.exe (1),0x400100;0x400200;0x400400,1,32768,0.2,0x90000,4",
                              "a.exe (1),0x400100;0x400200;0x400300,1,16384,0.1,0x10000,4", ""}));
    }
    void writesEveryLeafAsJson() {
        SmallTrace trace;
        const auto request = twoStacks(trace);
        const auto text =
            written([&](QIODevice& out) { return writeLeaves(request, exports::TableFormat::NestedJson, out, {}); });
        const auto rows = QJsonDocument::fromJson(text).object()["rows"].toArray();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]["keys"]["Commit Stack"].toArray(), (QJsonArray{"0x400100", "0x400200", "0x400400"}));
        QCOMPARE(rows[0]["values"]["Size"].toInteger(), 32768);
        QCOMPARE(rows[0]["values"]["Commit Time"].toDouble(), 0.2);
        QCOMPARE(rows[0]["values"]["Address"].toString(), "0x90000");
    }
    void stopsOnRequest() {
        std::stop_source stop;
        stop.request_stop();
        QBuffer out;
        out.open(QIODevice::WriteOnly);
        const auto shown = writeShownRows(shownOf(smallTree()), exports::TableFormat::Csv, out, stop.get_token());
        QVERIFY(!shown.hasValue() && shown.error().kind == ErrorKind::Cancelled);
        SmallTrace trace;
        const auto leaves = writeLeaves(twoStacks(trace), exports::TableFormat::Csv, out, stop.get_token());
        QVERIFY(!leaves.hasValue() && leaves.error().kind == ErrorKind::Cancelled);
    }
    void makesAFileOnAWorker() {
        const QTemporaryDir folder;
        TableExporter exporter;
        QSignalSpy finished(&exporter, &TableExporter::finished);
        exporter.exportShown(shownOf(smallTree()), exports::TableFormat::Csv, folder.filePath("t.csv"));
        QVERIFY(exporter.isBusy());
        QVERIFY(finished.wait());
        QCOMPARE(finished[0][1].value<std::size_t>(), std::size_t{5});
        QFile file(folder.filePath("t.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), shownAs(exports::TableFormat::Csv));
    }
    void reportsAnUnwritableExport() {
        TableExporter exporter;
        QSignalSpy failed(&exporter, &TableExporter::failed);
        exporter.exportShown(shownOf(smallTree()), exports::TableFormat::Csv, "/no/such/folder/t.csv");
        QVERIFY(failed.wait());
        QVERIFY(failed[0][0].toString().startsWith("/no/such/folder/t.csv could not be written"));
    }
    void replacesNothingButAFile() {
        const QTemporaryDir folder;
        TableExporter exporter;
        QSignalSpy failed(&exporter, &TableExporter::failed);
        exporter.exportShown(shownOf(smallTree()), exports::TableFormat::Csv, folder.path());
        QVERIFY(failed.wait());
        QCOMPARE(failed[0][0].toString(),
                 "Cannot write " + folder.path() + ": it is a folder, not a regular file. Choose another name.");
    }
    void leavesNoFileWhenCancelled() {
        const QTemporaryDir folder;
        TableExporter exporter;
        QSignalSpy stopped(&exporter, &TableExporter::stopped);
        auto shown = shownOf(smallTree());
        const auto five = shown.rows;
        while (shown.rows.size() < 1'000'000) {
            shown.rows.insert(shown.rows.end(), five.begin(), five.end());
        }
        exporter.exportShown(std::move(shown), exports::TableFormat::NestedJson, folder.filePath("t.json"));
        exporter.cancel();
        QVERIFY(stopped.wait());
        QVERIFY(!QFile::exists(folder.filePath("t.json")));
    }
};
HIGHWATER_TEST(TableExportTest);
#include "table_export_test.moc"
