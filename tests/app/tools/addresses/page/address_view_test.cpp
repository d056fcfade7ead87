#include "app/tools/addresses/page/address_view.h"

#include "tests/support/test_registry.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace highwater;
using namespace highwater::ui;
using analysis::AddressUse;

namespace {

std::shared_ptr<const analysis::AddressHistory> someUses() {
    AddressUse freed;
    freed.process = "a.exe (7)";
    freed.heap = 0x10000;
    freed.address = 0x5000;
    freed.size = 2048;
    freed.begin = TraceTime{1'000'000'000};
    freed.end = TraceTime{2'000'000'000};
    freed.endKind = store::EndKind::Free;
    freed.thread = ThreadId{3};
    freed.endThread = ThreadId{4};
    freed.stack = {"libc!malloc", "a!<b>make</b>"};
    freed.endStack = {"libc!free"};
    auto again = freed;
    again.isUnmatchedFree = true;
    again.end = TraceTime{3'000'000'000};
    again.stack = {};
    again.endStack = {"a!twice"};
    analysis::AddressHistory history;
    history.count = 7;
    history.uses = {freed, again};
    return std::make_shared<const analysis::AddressHistory>(std::move(history));
}

QStringList framesIn(AddressView& view, const char* name) {
    QStringList texts;
    const auto* list = view.findChild<QListWidget*>(name);
    for (int i = 0; i < list->count(); ++i)
        texts << list->item(i)->text();
    return texts;
}

} // namespace

class AddressViewTest : public QObject {
    Q_OBJECT
  private slots:
    void asksForTheAddressThatWasTyped() {
        AddressView view;
        QSignalSpy wanted(&view, &AddressView::addressWanted);
        view.box().setText("0x5010");
        QTest::keyClick(&view.box(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].value<Address>(), Address{0x5010});
        view.box().setText("0xyz");
        QTest::keyClick(&view.box(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QVERIFY(view.findChild<QLabel*>("addressSummary")->text().startsWith("This is not an address."));
    }
    void showsTheNewestFirstWithItsStacks() {
        AddressView view;
        view.setAnswer(someUses(), 0x5010);
        QCOMPARE(view.list().topLevelItemCount(), 2);
        QVERIFY(view.findChild<QLabel*>("addressSummary")->text().startsWith("0x5010: 7 uses in the whole trace"));
        QCOMPARE(view.list().topLevelItem(0)->text(2), "Unmatched free");
        QCOMPARE(framesIn(view, "addressFreeStack"), QStringList{"a!twice"});
        QVERIFY(framesIn(view, "addressAllocStack").isEmpty());
        view.show();
        view.list().setFocus();
        QTest::keyClick(&view.list(), Qt::Key_Down);
        QCOMPARE(framesIn(view, "addressAllocStack"), (QStringList{"libc!malloc", "a!<b>make</b>"}));
        QCOMPARE(framesIn(view, "addressFreeStack"), QStringList{"libc!free"});
        const auto* item = view.list().currentItem();
        QCOMPARE(item->text(2), "Free");
        QCOMPARE(item->text(3), "2.0 KB");
        QCOMPARE(item->text(4), "16"); // into the block
        QCOMPARE(item->text(6), "Heap 0x10000");
        QCOMPARE(item->text(8), "3 → 4");
    }
    void reportsThatNoBlockHadIt() {
        AddressView view;
        view.setAnswer(std::make_shared<const analysis::AddressHistory>(), 0x77);
        QVERIFY(
            view.findChild<QLabel*>("addressSummary")->text().startsWith("0x77: no recorded memory had this address"));
        view.clear("No trace is open.");
        QCOMPARE(view.findChild<QLabel*>("addressSummary")->text(), "No trace is open.");
    }
};

HIGHWATER_TEST(AddressViewTest);
#include "address_view_test.moc"
