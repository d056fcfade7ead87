#include "core/analysis/tags/stack_tags.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

StackTags tagsOf(const std::string& xml) {
    StackTags tags;
    const auto read = tags.add(xml, "my.stacktags");
    if (!read.hasValue()) qFatal("%s", read.error().message.c_str());
    return tags;
}

std::string sentenceOf(const std::string& bytes) {
    StackTags tags;
    const auto read = tags.add(bytes, "my.stacktags");
    return read.hasValue() ? std::string() : read.error().message;
}

std::string nameOf(const StackTags& tags, const std::string& label) {
    const auto own = tags.of(label).own;
    return own == kNoStackTag ? std::string("-") : tags[own].name;
}

} // namespace

class StackTagsTest : public QObject {
    Q_OBJECT
  private slots:
    void namesAFunctionByThePathOfItsTags() {
        const auto tags = tagsOf("<Tag Name=''><Tag Name='HTML'><Tag Name='Script'><Tag Name='OM'>"
                                 "<Entrypoint Module='jscript9.dll' Method='Js::*'/></Tag></Tag></Tag></Tag>");
        QCOMPARE(nameOf(tags, "jscript9.dll!Js::Call"), std::string("HTML\\Script\\OM"));
        QCOMPARE(nameOf(tags, "jscript9.dll!Other"), std::string("-"));
    }

    void comparesModuleAndFunctionWithoutCase() {
        const auto tags = tagsOf("<Tag Name='Heap'><Entrypoint Module='NTDLL.dll' Method='rtl*heap'/></Tag>");
        QCOMPARE(nameOf(tags, "ntdll.DLL!RtlAllocateHeap"), std::string("Heap"));
        QCOMPARE(nameOf(tags, "ntdll.dll!RtlAllocateHeapInternal"), std::string("-"));
        QCOMPARE(nameOf(tags, "other.dll!RtlAllocateHeap"), std::string("-"));
    }

    void takesAStarForAnyTextAndAQuestionMarkForOneCharacter() {
        const auto tags = tagsOf("<Tag Name='A'><Entrypoint Module='mso?0*.dll' Method='Air*::Pump'/></Tag>");
        QCOMPARE(nameOf(tags, "mso40uiwin32.dll!AirSpace::FrontEnd::Pump"), std::string("A"));
        QCOMPARE(nameOf(tags, "mso30.dll!Air::Pump"), std::string("A"));
        QCOMPARE(nameOf(tags, "mso0.dll!Air::Pump"), std::string("-"));
    }

    void takesAMissingModuleOrMethodForAny() {
        const auto tags = tagsOf("<Tag Name=''><Tag Name='JIT'><Entrypoint Module='clrjit.dll'/></Tag>"
                                 "<Tag Name='Main'><Entrypoint Method='main'/></Tag></Tag>");
        QCOMPARE(nameOf(tags, "clrjit.dll!+0x1234"), std::string("JIT"));
        QCOMPARE(nameOf(tags, "anything.exe!main"), std::string("Main"));
    }

    void findsFunctionsOutsideModulesOnlyByAnyModule() {
        const auto tags = tagsOf("<Tag Name='Fragment'><Entrypoint Module='*'/></Tag>");
        QCOMPARE(nameOf(tags, "0x7ff612345678"), std::string("Fragment"));
        QCOMPARE(nameOf(tags, "(no stack)"), std::string("-"));
        QCOMPARE(nameOf(tags, "(stack cut at 192 frames)"), std::string("-"));
    }

    void takesTheHighestPriorityThenTheInnermostTagThenTheFirst() {
        const auto tags =
            tagsOf("<Tag Name=''>"
                   "<Tag Name='Low' Priority='-1'><Entrypoint Module='a.dll'/></Tag>"
                   "<Tag Name='Outer'><Entrypoint Module='b.dll'/>"
                   "<Tag Name='Inner'><Entrypoint Module='b.dll' Method='idle'/></Tag></Tag>"
                   "<Tag Name='First'><Entrypoint Module='a.dll' Method='f'/></Tag>"
                   "<Tag Name='Second'><Entrypoint Module='a.dll' Method='f'/></Tag>"
                   "<Tag Name='High' Priority='1000'><Entrypoint Module='a.dll' Method='g'/></Tag></Tag>");
        QCOMPARE(nameOf(tags, "a.dll!other"), std::string("Low"));
        QCOMPARE(nameOf(tags, "a.dll!f"), std::string("First"));
        QCOMPARE(nameOf(tags, "a.dll!g"), std::string("High"));
        QCOMPARE(nameOf(tags, "b.dll!idle"), std::string("Outer\\Inner"));
        QCOMPARE(nameOf(tags, "b.dll!else"), std::string("Outer"));
    }

    void putsFilesInTheirOrder() {
        auto tags = tagsOf("<Tag Name='Mine'><Entrypoint Module='a.dll'/></Tag>");
        QVERIFY(tags.add("<Tag Name='Theirs'><Entrypoint Module='a.dll'/></Tag>", "b").hasValue());
        QCOMPARE(nameOf(tags, "a.dll!f"), std::string("Mine"));
    }

    void aTagWithoutANameOnlyGroups() {
        const auto tags = tagsOf("<Tag Name='' Priority='42'><Entrypoint Module='*.exe' Method='*WinMain*'/>"
                                 "<Tag Name='Initializers'><Entrypoint Method='*initterm*'/></Tag></Tag>");
        QCOMPARE(nameOf(tags, "a.exe!WinMainCRTStartup"), std::string("-"));
        QCOMPARE(nameOf(tags, "a.exe!_initterm_e"), std::string("Initializers"));
        QCOMPARE(nameOf(tagsOf("<Tag Name=' \f'><Entrypoint/></Tag>"), "a!f"), std::string("-"));
    }

    void hintTagsSayWhatTheirNeighboursAreCalled() {
        const auto tags = tagsOf("<Tag Name=''><HintTag Name='RPC' Priority='3' HintOperator='Callee'>"
                                 "<Entrypoint Module='rpcrt4.dll' Method='Invoke'/></HintTag>"
                                 "<HintTag Name='Lock' HintOperator='caller' OnlyShowModule='false'>"
                                 "<Entrypoint Module='ntdll.dll' Method='RtlEnterCriticalSection'/></HintTag></Tag>");
        const auto rpc = tags.of("rpcrt4.dll!Invoke");
        QVERIFY(rpc.own == rpc.ofCallee && rpc.ofCaller == kNoStackTag);
        QCOMPARE(tags[rpc.own].priority, 3);
        QCOMPARE(tags.hintedName(rpc.ofCallee, "wbemcore.dll!CWbemLevel1Login::NTLMLogin"),
                 std::string("RPC\\wbemcore.dll"));
        const auto lock = tags.of("ntdll.dll!RtlEnterCriticalSection");
        QVERIFY(lock.own == lock.ofCaller && lock.ofCallee == kNoStackTag);
        QCOMPARE(tags.hintedName(lock.ofCaller, "a.exe!Class::work"), std::string("Lock\\a.exe\\Class::work"));
    }

    void readsEntitiesCommentsInstructionsAndMarksOfFiles() {
        const auto tags =
            tagsOf("\xEF\xBB\xBF<?xml version=\"1.0\"?><?Copyright (c) x?>\n<!-- <Tag> -->\n"
                   "<Tag Name=\"A &amp; B &#169;\"><Entrypoint Module=\"*\" Method=\"&lt;lambda&gt;*\" />\n"
                   "<!-- repeated --></Tag>");
        QCOMPARE(nameOf(tags, "a.exe!<lambda>::call"), std::string("A & B \xC2\xA9"));
    }

    void readsUtf16() {
        const std::u16string text = u"<Tag Name='\u00e4'><Entrypoint Module='a'/></Tag>";
        std::string bytes = "\xFF\xFE";
        bytes.append(reinterpret_cast<const char*>(text.data()), text.size() * 2);
        QCOMPARE(nameOf(tagsOf(bytes), "a!f"), std::string("\xC3\xA4"));
        std::swap(bytes[0], bytes[1]);
        QCOMPARE(sentenceOf(bytes),
                 std::string("Cannot read stack tags from my.stacktags: it is big-endian UTF-16; save it as UTF-8."));
    }

    void tellsWhatIsWrongWithAFile_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<std::string>("why");
        const auto row = [](const char* name, const std::string& bytes, const std::string& why) {
            QTest::newRow(name) << bytes << why;
        };
        row("empty", "", "it is empty");
        row("blank", " \n ", "it contains no XML element");
        row("no XML", "leak:malloc\n", "line 1 is not valid XML: expected <");
        row("cut", "<Tag Name='a'>\n<Tag Name=", "line 2 is not valid XML: expected ' or \"");
        row("not closed", "<Tag Name='a'>\n\n", "line 3 is not valid XML: unexpected end of data");
        row("wrongly closed", "<Tag Name='a'>\n</Tog>", "line 2 is not valid XML: invalid closing tag name");
        row("foreign", "<html>\n</html>", "its first element is <html>, but a stack tag file starts with <Tag>");
        row("no number", "<Tag>\n<Tag\nName='a' Priority='high'/></Tag>", "line 2: Priority=\"high\" is not a number");
        row("too high", "<Tag Name='a' Priority='99999999999'/>", "line 1: Priority=\"99999999999\" is not a number");
        row("hint", "<HintTag Name='a'/>", "line 1: a HintTag needs HintOperator=\"Callee\" or \"Caller\", not \"\"");
        row("shown", "<HintTag Name='a' HintOperator='Callee' OnlyShowModule='perhaps'/>",
            "line 1: OnlyShowModule=\"perhaps\" is neither true nor false");
        row("bytes", std::string("<Tag\n\0/>", 8), "line 2 contains a null byte");
        row("large", std::string((16u << 20) + 1, ' '), "it is larger than 16.0 MB");
        std::string deep;
        for (int i = 0; i < 1'000'000; ++i)
            deep += "<Tag>";
        row("deep", deep, "its elements are nested more than 256 levels deep");
        std::string deeper = "<Tag>";
        for (int i = 0; i < 300; ++i)
            deeper = "<Tag>" + deeper + "</Tag>";
        row("a little too deep", deeper + "</Tag>", "its elements are nested more than 256 levels deep");
    }
    void tellsWhatIsWrongWithAFile() {
        QFETCH(std::string, bytes);
        QFETCH(std::string, why);
        QCOMPARE(sentenceOf(bytes), "Cannot read stack tags from my.stacktags: " + why + ".");
    }

    void opensNoEntities() {
        const std::string types = "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>\n";
        const std::string why =
            " has the entity &c;, but only predefined XML entities are supported; write its text instead.";
        QCOMPARE(sentenceOf(types + "<Tag Name='&c;&b;'><Entrypoint Module='a'/></Tag>"),
                 "Cannot read stack tags from my.stacktags: line 2" + why);
        QCOMPARE(sentenceOf("<Tag\nName='x'><!-- &a; --><Entrypoint\nModule='&c;'/></Tag>"),
                 "Cannot read stack tags from my.stacktags: line 3" + why);
        // Entities in skipped parts of the file are not reported, and a single & is not an entity.
        const auto tags = tagsOf(types + "<!-- &b; --><Tag Name='a & b; &lt;&#65;'>&b;<Entrypoint Module='a'/></Tag>");
        QCOMPARE(nameOf(tags, "a!f"), std::string("a & b; <A"));
    }

    void addsNothingOfADamagedFile() {
        auto tags = tagsOf("<Tag Name='A'><Entrypoint Module='a'/></Tag>");
        QVERIFY(!tags.add("<Tag Name='B'><Entrypoint Module='b'/><Tag Priority='x'/></Tag>", "b").hasValue());
        QCOMPARE(nameOf(tags, "b!f"), std::string("-"));
    }

    void tellsWhatItDoesNotKnow() {
        const auto tags = tagsOf("<Tag Name='A' Colour='red'>\n<Entrypoint Module='a' Line='7'/>\n<Exitpoint/></Tag>");
        const std::vector<std::string> expected{"my.stacktags: line 1: Colour of <Tag> is unknown and ignored.",
                                                "my.stacktags: line 2: Line of <Entrypoint> is unknown and ignored.",
                                                "my.stacktags: line 3: <Exitpoint> is unknown and ignored."};
        QCOMPARE(tags.remarks(), expected);
        QCOMPARE(nameOf(tags, "a!f"), std::string("A"));
    }

    void ofManyThingsThatItDoesNotKnowTheRestIsCounted() {
        std::string xml = "<Tag Name='A'>";
        for (int i = 0; i < 8; ++i)
            xml += "<Exitpoint/>";
        const auto tags = tagsOf(xml + "</Tag>");
        QCOMPARE(tags.remarks().size(), std::size_t{6});
        QCOMPARE(tags.remarks().back(), std::string("my.stacktags: 3 more unknown elements or attributes."));
    }

    void theBuiltInTagsComeAfterAnybodysOwn() {
        const auto& tags = *StackTags::builtIn();
        QVERIFY(!tags.isEmpty());
        QVERIFY(tags.remarks().empty());
        const auto heap = tags.of("ntdll.dll!RtlAllocateHeap").own;
        QCOMPARE(tags[heap].name, std::string("Windows Heap"));
        const auto stack = tags.of("libc.so.6!allocate_stack").own;
        QCOMPARE(tags[stack].name, std::string("Thread Stack"));
        QVERIFY(tags[stack].priority > tags[heap].priority && tags[stack].priority < 0);
    }
    /// Elements may have any number of attributes and names of any length, so neither may be copied for each of the
    /// other.
    void readingGrowsWithTheFile_data() {
        QTest::addColumn<QString>("part");
        QTest::newRow("attributes") << QString(" a%1=''");
        QTest::newRow("attributes of an element with a long name") << QString("n") + " a%1=''";
    }
    void readingGrowsWithTheFile() {
        QFETCH(QString, part);
        const bool isLong = part.startsWith('n');
        const auto ratio = tests::workRatio(2'000, [&](std::size_t count) {
            std::string text = "<Tag><" + std::string(isLong ? count * 20 : 1, 'n');
            for (std::size_t i = 0; i < count; ++i)
                text += " a" + std::to_string(i) + "=''";
            (void)readStackTagFile(text + "/></Tag>", "a.stacktags").hasValue();
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
    /// A tag contains the names of its parents, so a long name with many tags in it would use all memory.
    void refusesMoreNamesThanThereAre() {
        std::string text = "<Tag Name='" + std::string(1 << 20, 'n') + "'>";
        for (int i = 0; i < 100; ++i)
            text += "<Tag Name='a'/>";
        const auto read = readStackTagFile(text + "</Tag>", "a.stacktags");
        QCOMPARE(
            read.error().message,
            std::string("Cannot read stack tags from a.stacktags: line 1: the full names of all tags exceed 64.0 MB."));
    }
};

HIGHWATER_TEST(StackTagsTest);
#include "stack_tags_test.moc"
