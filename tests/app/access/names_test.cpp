#include "tests/app/access/every_page.h"
#include "tests/support/test_registry.h"
#include "ui/view/table/pivot_header.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QGroupBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTextEdit>

using namespace highwater;
using namespace highwater::tests;

namespace {

bool isPartOfAnother(const QWidget& widget) {
    const auto* parent = widget.parentWidget();
    return qobject_cast<const QComboBox*>(parent) || qobject_cast<const QLineEdit*>(parent) ||
           qobject_cast<const QTabBar*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent) ||
           qobject_cast<const QTabWidget*>(&widget) || // only its tabs can be reached
           qobject_cast<const QHeaderView*>(&widget);  // each of its sections is named after its column
}

/// Widgets that a key or a click can reach, and lists.
QList<QWidget*> usedWidgets(const QWidget& top) {
    QList<QWidget*> used;
    for (auto* widget : top.findChildren<QWidget*>()) {
        const bool isUsed = widget->focusPolicy() != Qt::NoFocus || qobject_cast<QAbstractButton*>(widget) ||
                            qobject_cast<QAbstractItemView*>(widget);
        if (isUsed && widget->window() == &top && widget->isVisible() && !isPartOfAnother(*widget)) used << widget;
    }
    return used;
}

QString wordsOf(const QWidget& widget) {
    return QStringLiteral("%1 '%2' in '%3'")
        .arg(widget.metaObject()->className(), widget.objectName(),
             widget.parentWidget() ? widget.parentWidget()->objectName() : QString());
}

/// Texts in which a letter may be underlined.
QStringList lettersOf(const QWidget& widget) {
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return {button->text()};
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->buddy() ? QStringList(label->text()) : QStringList();
    if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) return {group->title()};
    QStringList texts;
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        for (int tab = 0; tab < tabs->count(); ++tab)
            texts << tabs->tabText(tab);
    return texts;
}

class NamesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        QAccessible::setActive(true);
        path_ = folder_.filePath("exercise2.etl");
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(path_.toStdString()).hasValue());
    }
    void controlsHaveANameAndARole_data() { addPages(); }
    void controlsHaveANameAndARole();
    void lettersOfTheMenuBarAreItsOwn_data() { addPages(); }
    void lettersOfTheMenuBarAreItsOwn();
    void paintedWidgetsReportTheirSelection();
    void tablesSayTheirCellsAndColumns();
};

void NamesTest::controlsHaveANameAndARole() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    const auto used = usedWidgets(stage.topWindow());
    QVERIFY(used.size() > 3);
    QStringList wrong;
    for (auto* widget : used) {
        auto* spoken = QAccessible::queryAccessibleInterface(widget);
        QVERIFY2(spoken && spoken->isValid(), qPrintable(wordsOf(*widget)));
        if (spoken->text(QAccessible::Name).trimmed().isEmpty())
            wrong << QStringLiteral("no name: ") + wordsOf(*widget);
        const auto role = spoken->role();
        if (role == QAccessible::NoRole || role == QAccessible::Client)
            wrong << QStringLiteral("no role: ") + wordsOf(*widget);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

/// Alt and a letter opens a menu wherever the focus is. Where a button or field has the same letter, both only get the
/// focus in turn. This includes banners that are not shown yet.
void NamesTest::lettersOfTheMenuBarAreItsOwn() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    QHash<QKeySequence, QString> menus;
    for (const auto* action : stage.window.menuBar()->actions()) {
        const auto letter = QKeySequence::mnemonic(action->text());
        QVERIFY2(!letter.isEmpty() && !menus.contains(letter), qPrintable(action->text()));
        menus.insert(letter, action->text());
    }
    QVERIFY(menus.size() >= 7);
    QStringList wrong;
    int letters = 0;
    for (const auto* widget : stage.window.findChildren<QWidget*>()) {
        if (widget->window() != &stage.window) continue;
        for (const auto& text : lettersOf(*widget)) {
            const auto letter = QKeySequence::mnemonic(text);
            letters += letter.isEmpty() ? 0 : 1;
            if (menus.contains(letter))
                wrong << wordsOf(*widget) + QStringLiteral(" has the letter of ") + menus[letter];
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    if (qstrcmp(QTest::currentDataTag(), "compare") == 0) QVERIFY(letters >= 2); // those of the question, and Bottom-up
}

/// Their value changes when a key selects something.
void NamesTest::paintedWidgetsReportTheirSelection() {
    const auto check = [&](bool (EveryPage::*go)(), const char* name, Qt::Key key, QAccessible::Role role) {
        EveryPage stage(path_);
        QVERIFY((stage.*go)());
        const bool isOfGraph = stage.panel().findChild<QWidget*>(QLatin1String(name)) != nullptr;
        const auto& parent = isOfGraph ? static_cast<QWidget&>(stage.panel()) : stage.window;
        auto* widget = parent.findChild<QWidget*>(QLatin1String(name));
        auto* spoken = QAccessible::queryAccessibleInterface(widget);
        QVERIFY(spoken);
        QCOMPARE(spoken->role(), role);
        QTRY_VERIFY2(!spoken->text(QAccessible::Value).isEmpty(), name);
        const auto before = spoken->text(QAccessible::Value);
        widget->setFocus();
        QTest::keyClick(widget, key);
        QTRY_VERIFY2(spoken->text(QAccessible::Value) != before, qPrintable(before));
        QVERIFY2(!spoken->text(QAccessible::Description).isEmpty(), name);
    };
    check(&EveryPage::openTrace, "timeline", Qt::Key_Right, QAccessible::Chart);
    check(&EveryPage::flames, "flames", Qt::Key_Up, QAccessible::Chart);
    check(&EveryPage::fleetPage, "fleetChart", Qt::Key_Right, QAccessible::Chart);
    check(&EveryPage::addresses, "addressMap", Qt::Key_Plus, QAccessible::Chart);
}

void NamesTest::tablesSayTheirCellsAndColumns() {
    EveryPage stage(path_);
    QVERIFY(stage.openTrace());
    auto& table = stage.panel().table();
    auto* cells = QAccessible::queryAccessibleInterface(&table)->tableInterface();
    QVERIFY(cells && cells->rowCount() > 0);
    const auto first = table.model()->index(0, 0);
    const int key = stage.panel().model().keySection(first);
    QCOMPARE(cells->cellAt(0, key)->text(QAccessible::Name), kProcess);
    for (int column = key + 1; column < table.model()->columnCount(); ++column)
        QCOMPARE(cells->cellAt(0, column)->text(QAccessible::Name).isEmpty(),
                 first.siblingAtColumn(column).data().toString().isEmpty());

    auto& header = table.columns();
    auto* columns = QAccessible::queryAccessibleInterface(&header);
    QCOMPARE(columns->role(), QAccessible::ColumnHeader);
    const auto before = columns->text(QAccessible::Value);
    QVERIFY2(before.startsWith("Grouped by Process"), qPrintable(before));
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_F6);
    QTest::keyClick(&header, Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier); // over the next column
    QTRY_VERIFY(columns->text(QAccessible::Value) != before);
    QVERIFY(columns->text(QAccessible::Description).contains("key"));
}

HIGHWATER_TEST(NamesTest);

} // namespace

#include "names_test.moc"
