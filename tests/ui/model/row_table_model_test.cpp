#include "ui/model/row_table_model.h"

#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace highwater::ui;

namespace {

struct Fruit {
    QString name;
    quint64 grams = 0;
};

/// A title with a definition, and one without.
class FruitTableModel : public RowTableModel<const Fruit&> {
  public:
    using RowTableModel::RowTableModel;

    void setFruits(const std::vector<Fruit>& fruits) {
        beginResetModel();
        fruits_ = fruits;
        endResetModel();
    }

  private:
    [[nodiscard]] const Columns& columns() const override {
        static const Columns kAll{
            {"Name", QString(), Qt::AlignLeft, [](const Fruit& fruit) { return fruit.name; }},
            {"Weight", "Of <b>one</b>.", Qt::AlignRight,
             [](const Fruit& fruit) { return QString::number(fruit.grams) + " g"; },
             [](const Fruit& fruit) { return sortNumber(fruit.grams); }},
        };
        return kAll;
    }
    [[nodiscard]] std::size_t size() const override { return fruits_.size(); }
    [[nodiscard]] const Fruit& rowAt(std::size_t row) const override { return fruits_[row]; }

    std::vector<Fruit> fruits_;
};

} // namespace

class RowTableModelTest : public QObject {
    Q_OBJECT

    FruitTableModel model_;
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    QVariant cell(int row, int column, int role = Qt::DisplayRole) { return model_.index(row, column).data(role); }
    QVariant title(int column, int role = Qt::DisplayRole) { return model_.headerData(column, Qt::Horizontal, role); }

  private slots:
    void init() { model_.setFruits({{"apple", 150}, {"<b>melon</b>\nripe", 1200}, {"fig", 50}}); }

    void aColumnIsAnEntry() {
        QCOMPARE(model_.rowCount(), 3);
        QCOMPARE(model_.columnCount(), 2);
        QCOMPARE(cell(0, 0).toString(), "apple");
        QCOMPARE(cell(1, 1).toString(), "1200 g");
        QCOMPARE(cell(0, 0, Qt::TextAlignmentRole).toInt(), int(Qt::AlignLeft | Qt::AlignVCenter));
        QCOMPARE(cell(0, 1, Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
        QVERIFY(!cell(0, 0, Qt::UserRole + 1).isValid());
    }
    void textsAreNotMarkupAndCellsHaveOneLine() {
        QCOMPARE(cell(1, 0).toString(), "<b>melon</b>[U+000A]ripe");
        QVERIFY(cell(1, 0, Qt::ToolTipRole).toString().contains("&lt;b&gt;melon"));
        QVERIFY(title(1, Qt::ToolTipRole).toString().contains("&lt;b&gt;one"));
    }
    void sortsByNumbersAndElseByTexts() {
        QCOMPARE(cell(0, 1, FruitTableModel::kSortRole), QVariant(150ULL));
        QCOMPARE(cell(0, 0, FruitTableModel::kSortRole), QVariant("apple"));
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&model_);
        sorted.setSortRole(FruitTableModel::kSortRole);
        sorted.sort(1);
        QCOMPARE(sorted.index(0, 0).data().toString(), "fig");
        QCOMPARE(sorted.index(1, 0).data().toString(), "apple"); // "1200 g" is before "150 g"
    }
    /// QSortFilterProxyModel compares all other types as texts.
    void numbersHaveATypeThatIsCompared() {
        QCOMPARE(sortNumber(std::uint32_t{7}).typeId(), int(QMetaType::ULongLong));
        QCOMPARE(sortNumber(std::int64_t{-7}).typeId(), int(QMetaType::LongLong));
        QCOMPARE(sortNumber(0.5).typeId(), int(QMetaType::Double));
    }
    void titlesHaveDefinitionsAndTheSideOfTheirCells() {
        QCOMPARE(title(0).toString(), "Name");
        QCOMPARE(title(1, Qt::TextAlignmentRole), cell(0, 1, Qt::TextAlignmentRole));
        QVERIFY(!title(0, Qt::ToolTipRole).isValid());
        QVERIFY(!model_.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    }
    void nothingIsThereOutsideTheTable() {
        const QModelIndex last = model_.index(2, 1);
        QVERIFY(!model_.data({}, Qt::DisplayRole).isValid());
        QVERIFY(!title(-1).isValid());
        QVERIFY(!title(2).isValid());
        QCOMPARE(model_.rowCount(last), 0);
        QCOMPARE(model_.columnCount(last), 0);
        model_.setFruits({});
        QVERIFY(!model_.data(last, Qt::DisplayRole).isValid()); // an index of rows that are gone
    }
};

HIGHWATER_TEST(RowTableModelTest);
#include "row_table_model_test.moc"
