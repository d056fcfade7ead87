#include "core/analysis/frames/tag_paths.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::shared_ptr<const StackTags> tagsOf(const std::string& inner) {
    auto tags = std::make_shared<StackTags>();
    const auto read = tags->add("<Tag Name=''>" + inner + "</Tag>", "test");
    if (!read.hasValue()) qFatal("%s", read.error().message.c_str());
    return tags;
}

/// The stack A -> B -> C -> D of WPA's documentation, each a function in a module of its own.
struct Example {
    explicit Example(const std::string& tags) {
        t.block(10, "a+0x10;b+0x10;c+0x10;d+0x10");
        for (const auto* module : {"a", "b", "c", "d"})
            t.name(module, {{0, std::string(1, static_cast<char>(module[0] - 'a' + 'A'))}});
        t.labels->setStackTags(tagsOf(tags));
    }
    std::string by(Column column) { return t.print(heapQuery({column})); }
    NamedTrace t;
};

constexpr const char* kTagB = "<Tag Name='FrameTagB'><Entrypoint Module='b' Method='B'/></Tag>";
constexpr const char* kTagC = "<Tag Name='FrameTagC'><Entrypoint Module='c' Method='C'/></Tag>";

} // namespace

/// The rules on the page "Stack Tags" of Windows Performance Analyzer's documentation, and their consequences.
class TagPathsTest : public QObject {
    Q_OBJECT
  private slots:
    void framesAreTheirTagsOrTheirNames() {
        Example example(std::string(kTagB) + kTagC);
        QCOMPARE(example.by(Column::FrameTags),
                 std::string("\na!A: 1 10 10\n  FrameTagB: 1 10 10\n    FrameTagC: 1 10 10\n      d!D: 1 10 10\n"));
    }

    void theInnermostTagIsTheStacks() {
        Example example(std::string(kTagB) + kTagC);
        QCOMPARE(example.by(Column::StackTag), std::string("\nFrameTagC: 1 10 10\n"));
    }

    void unlessAPriorityIsHigher() {
        Example example("<Tag Name='FrameTagB' Priority='1'><Entrypoint Module='b' Method='B'/></Tag>" +
                        std::string(kTagC));
        QCOMPARE(example.by(Column::StackTag), std::string("\nFrameTagB: 1 10 10\n"));
    }

    void aHintTagNamesTheModuleOfTheCallee() {
        Example example(
            "<HintTag Name='FrameTagB' HintOperator='Callee'><Entrypoint Module='b' Method='B'/></HintTag>");
        QCOMPARE(example.by(Column::FrameTags),
                 std::string("\na!A: 1 10 10\n  FrameTagB: 1 10 10\n    FrameTagB\\c: 1 10 10\n      d!D: 1 10 10\n"));
        QCOMPARE(example.by(Column::StackTag), std::string("\nFrameTagB\\c: 1 10 10\n"));
    }

    void orTheCalleeItself() {
        Example example("<HintTag Name='RPC' HintOperator='Callee' OnlyShowModule='false'>"
                        "<Entrypoint Module='b' Method='B'/></HintTag>");
        QCOMPARE(example.by(Column::StackTag), std::string("\nRPC\\c\\C: 1 10 10\n"));
    }

    void orTheCaller() {
        Example example("<HintTag Name='Lock' HintOperator='Caller'><Entrypoint Module='c' Method='C'/></HintTag>");
        QCOMPARE(example.by(Column::FrameTags),
                 std::string("\na!A: 1 10 10\n  Lock\\b: 1 10 10\n    Lock: 1 10 10\n      d!D: 1 10 10\n"));
        QCOMPARE(example.by(Column::StackTag), std::string("\nLock: 1 10 10\n"));
    }

    /// The remote procedure call example: the cost of four functions of one server is summed up under one tag.
    void consolidatesWhatIsCalledRemotely() {
        NamedTrace t;
        t.block(4, "rpcrt4.dll+0x10;wbemcore.dll+0x10;x+0x5");
        t.block(2, "rpcrt4.dll+0x10;wbemcore.dll+0x90;x+0x5");
        t.block(1, "rpcrt4.dll+0x10;other.dll+0x5");
        t.name("rpcrt4.dll", {{0, "Invoke"}});
        t.name("wbemcore.dll", {{0, "CWbemLevel1Login::NTLMLogin"}, {0x80, "CWbemNamespace::ExecMethod"}});
        const std::string entry = "<Entrypoint Module='rpcrt4.dll' Method='Invoke'/></HintTag>";
        t.labels->setStackTags(tagsOf("<HintTag Name='RPC' HintOperator='Callee' OnlyShowModule='false'>" + entry));
        QCOMPARE(t.print(heapQuery({Column::StackTag})),
                 std::string("\nRPC\\wbemcore.dll\\CWbemLevel1Login::NTLMLogin: 1 4 4\n"
                             "RPC\\wbemcore.dll\\CWbemNamespace::ExecMethod: 1 2 2\nRPC\\other.dll\\+0x5: 1 1 1\n"));
        t.labels->setStackTags(tagsOf("<HintTag Name='RPC' HintOperator='Callee'>" + entry));
        QCOMPARE(t.print(heapQuery({Column::StackTag})),
                 std::string("\nRPC\\wbemcore.dll: 2 6 6\nRPC\\other.dll: 1 1 1\n"));
    }

    void functionsOfOneHintTagThatCallEachOtherKeepItsName() {
        Example example(
            "<HintTag Name='H' HintOperator='Callee'><Entrypoint Module='b'/><Entrypoint Module='c'/></HintTag>");
        QCOMPARE(example.by(Column::FrameTags), std::string("\na!A: 1 10 10\n  H: 1 10 10\n    H\\d: 1 10 10\n"));
    }

    void framesInARowWithOneTagAreOneStep() {
        Example example("<Tag Name='T'><Entrypoint Module='b'/><Entrypoint Module='c'/></Tag>");
        QCOMPARE(example.by(Column::FrameTags), std::string("\na!A: 1 10 10\n  T: 1 10 10\n    d!D: 1 10 10\n"));
    }

    void stacksWithoutATagAreToldSo() {
        Example example("<Tag Name='T'><Entrypoint Module='other'/></Tag>");
        example.t.block(5, "");
        QCOMPARE(example.by(Column::StackTag), std::string("\nn/a: 2 15 15\n"));
        QCOMPARE(
            example.by(Column::FrameTags),
            std::string("\na!A: 1 10 10\n  b!B: 1 10 10\n    c!C: 1 10 10\n      d!D: 1 10 10\n(no stack): 1 5 5\n"));
    }

    void tagsFollowNamesThatArriveLate() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.labels->setStackTags(tagsOf("<Tag Name='Work'><Entrypoint Module='app' Method='work'/></Tag>"));
        QCOMPARE(t.print(heapQuery({Column::StackTag})), std::string("\nn/a: 1 10 10\n"));
        t.name("app", {{0x10, "work"}});
        QCOMPARE(t.print(heapQuery({Column::StackTag})), std::string("\nWork: 1 10 10\n"));
        t.forget("app");
        QCOMPARE(t.print(heapQuery({Column::StackTag})), std::string("\nn/a: 1 10 10\n"));
    }

    void namesInFullHaveTheSameTags() {
        NamedTrace t;
        t.block(10, "app+0x10");
        t.name("app", {{0x10, "?push@?$Ring@H@buffers@@QEAAXH@Z"}});
        t.labels->setStackTags(
            tagsOf("<Tag Name='Ring'><Entrypoint Module='app' Method='buffers::Ring&lt;&gt;::push'/></Tag>"));
        QCOMPARE(t.print(heapQuery({Column::StackTag})), std::string("\nRing: 1 10 10\n"));
        t.labels->setNameStyle(symbols::NameStyle::Full);
        QCOMPARE(t.print(heapQuery({Column::StackTag})), std::string("\nRing: 1 10 10\n"));
    }

    void otherTagsAreOtherLabels() {
        Example example(kTagB);
        const auto before = example.t.labels->labelsOf(*example.t.trace);
        QVERIFY(example.t.labels->labelsOf(*example.t.trace) == before);
        example.t.labels->setStackTags(tagsOf(kTagC));
        QVERIFY(example.t.labels->labelsOf(*example.t.trace) != before); // the key of caches
    }
};
HIGHWATER_TEST(TagPathsTest);
#include "tag_paths_test.moc"
