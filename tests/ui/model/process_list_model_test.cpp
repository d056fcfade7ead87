#include "ui/model/process_list_model.h"

#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QIcon>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;

class ProcessListModelTest : public QObject {
    Q_OBJECT

    static ListedProcess process(quint32 pid, const QString& name, qint64 bytes) {
        return {pid, name, name + " --all", "anna", 64, bytes};
    }
    static QStringList row(const QAbstractItemModel& model, int number) {
        QStringList texts;
        for (int column = 0; column < model.columnCount(); ++column)
            texts << model.index(number, column).data().toString();
        return texts;
    }

  private slots:
    void showsRunningProcesses() {
        ProcessListModel model;
        const QAbstractItemModelTester tester(&model);
        model.setProcesses({process(7, "app", 1536)});
        QCOMPARE(row(model, 0), (QStringList{"app", "7", "anna", "64", "1.5 KB", "app --all"}));
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), "app --all");
        QCOMPARE(model.headerData(ProcessListModel::kPrivateBytes, Qt::Horizontal, Qt::DisplayRole).toString(),
                 "Private bytes");
    }
    void keepsRowsThatStay() {
        ProcessListModel model;
        const QAbstractItemModelTester tester(&model);
        model.setProcesses({process(1, "one", 10), process(2, "two", 20), process(3, "three", 30)});
        const QPersistentModelIndex three(model.index(2, 0));
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setProcesses({process(4, "four", 40), process(3, "three", 31), process(1, "one", 10)});
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(three.isValid());
        QCOMPARE(three.data().toString(), "three");
        QCOMPARE(three.sibling(three.row(), ProcessListModel::kPrivateBytes).data().toString(), "31 B");
        const auto isWhole = [](const QVariantList& change) { return change.at(2).value<QList<int>>().isEmpty(); };
        QCOMPARE(std::count_if(changes.begin(), changes.end(), isWhole), 1); // only for three
        QCOMPARE(row(model, 2).first(), "four");
        model.setProcesses({});
        QCOMPARE(model.rowCount(), 0);
    }
    void keepsHowPrivateBytesWent() {
        ProcessListModel model;
        const auto line = [&] {
            return model.index(0, ProcessListModel::kPrivateBytes)
                .data(ProcessListModel::kHistoryRole)
                .value<QList<qint64>>();
        };
        for (const qint64 bytes : {10, 10, 30}) {
            model.setProcesses({process(7, "app", bytes)});
        }
        QCOMPARE(line(), (QList<qint64>{10, 10, 30}));
        for (qint64 bytes = 0; bytes < 100; ++bytes) {
            model.setProcesses({process(7, "app", bytes)});
        }
        QCOMPARE(line().size(), ProcessListModel::kMostHistory);
        QCOMPARE(line().last(), qint64{99});
        // A reused pid has nothing of the previous process.
        model.setProcesses({});
        model.setProcesses({process(7, "other", 5)});
        QCOMPARE(line(), QList<qint64>{5});
        QVERIFY(!model.index(0, 0).data(ProcessListModel::kHistoryRole).isValid());
        QVERIFY(!model.index(0, 0).data(Qt::DecorationRole).value<QIcon>().isNull());
    }
    void sortsByNumbers() {
        ProcessListModel model;
        model.setProcesses({process(9, "nine", 900), process(10, "ten", 1 << 20), process(100, "hundred", 2000)});
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model);
        sorted.setSortRole(ProcessListModel::kSortRole);
        sorted.sort(ProcessListModel::kPrivateBytes, Qt::DescendingOrder);
        QCOMPARE(row(sorted, 0).first(), "ten");
        QCOMPARE(row(sorted, 2).first(), "nine");
        sorted.sort(ProcessListModel::kPid, Qt::AscendingOrder);
        QCOMPARE(row(sorted, 0).first(), "nine");
        QCOMPARE(row(sorted, 2).first(), "hundred");
    }
};
HIGHWATER_TEST(ProcessListModelTest);
#include "process_list_model_test.moc"
