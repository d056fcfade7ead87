#include "core/store/code_book.h"

#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::store;
using namespace highwater::tests;

namespace {

void tell(EventScript& script, CodeEvent::Kind kind) {
    CodeEvent event;
    event.kind = kind;
    event.pid = EventScript::kPid;
    event.start = 0x1000;
    event.size = 16;
    event.name = "f";
    script.store.onCode(event);
}

bool warns(EventScript& script) {
    const auto trace = script.publish();
    const auto& notes = trace->health.notes;
    return std::any_of(notes.begin(), notes.end(), [](const auto& note) {
        return note.starts_with("Names of managed functions may be missing in a.exe (100)");
    });
}

} // namespace

/// Processes whose managed functions may lack names.
class CodeBookTest : public QObject {
    Q_OBJECT
  private slots:
    void processesWhoseRundownIsMissingAreNamed() {
        EventScript script;
        script.process(Occasion::RundownStart);
        QVERIFY(!warns(script));
        tell(script, CodeEvent::Kind::Runtime);
        QVERIFY(warns(script));
        tell(script, CodeEvent::Kind::Range); // this does not report code compiled earlier
        QVERIFY(warns(script));
        tell(script, CodeEvent::Kind::Complete);
        QVERIFY(!warns(script));
    }
    void whatWasRecordedFromItsStartNeedsNone() {
        EventScript script;
        script.process(Occasion::Start);
        tell(script, CodeEvent::Kind::Runtime);
        tell(script, CodeEvent::Kind::Range);
        QVERIFY(!warns(script));
    }
    void whatIsToldTwiceIsKeptOnce() {
        EventScript script;
        tell(script, CodeEvent::Kind::Runtime);
        tell(script, CodeEvent::Kind::Runtime);
        tell(script, CodeEvent::Kind::Module);
        tell(script, CodeEvent::Kind::Module);
        QCOMPARE(script.publish()->codeEntries, std::uint64_t{2});
    }
};
HIGHWATER_TEST(CodeBookTest);
#include "code_book_test.moc"
