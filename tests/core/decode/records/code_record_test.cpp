#include "core/decode/records/code_record.h"

#include "core/event/code_opcodes.h"
#include "core/event/il_map.h"
#include "core/source/generated_code/code_records.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

using Kind = CodeEvent::Kind;

constexpr std::uint32_t kJitted = 8, kDynamic = 1;

PayloadBuilder methodPrefix(std::uint32_t flags = kJitted) {
    PayloadBuilder payload(8);
    payload.u64(0x11).u64(0x7000).u64(0x7F95EB10090).u32(0x60).u32(0x06000012).u32(flags);
    return payload;
}

PayloadBuilder verboseMethod(std::uint32_t flags = kJitted) {
    auto payload = methodPrefix(flags);
    payload.utf16("App.Cache+Entry").utf16("Add").utf16("instance void  (class System.String,bool)");
    return payload;
}

CodeRecord decoded(TestRecord& record, const Guid& provider, std::uint16_t id, CodeCounts& counts) {
    record.raw.kind = etl::RawRecord::Kind::Provider;
    record.raw.eventId = id;
    record.raw.pid = 42;
    return decodeCode(record.raw, provider, counts);
}

CodeRecord decoded(const PayloadBuilder& payload, const Guid& provider, std::uint16_t id) {
    TestRecord record(payload);
    CodeCounts counts;
    return decoded(record, provider, id, counts);
}

} // namespace

/// Layouts of the code events of the CLR, V8 and Chakra.
class CodeRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void methodWithItsName() {
        const auto code = decoded(verboseMethod(), kClrProvider, 143).event;
        QVERIFY(code.has_value());
        QVERIFY(code->kind == Kind::Range && code->occasion == Occasion::Start);
        QCOMPARE(code->pid, std::uint32_t{42});
        QCOMPARE(code->start, Address{0x7F95EB10090});
        QCOMPARE(code->size, std::uint32_t{0x60});
        QCOMPARE(code->module, std::uint64_t{0x7000});
        QCOMPARE(code->name, std::string("App.Cache+Entry.Add"));
        QCOMPARE(code->signature, std::string("(class System.String,bool)"));
    }
    void methodWithoutItsName() {
        const auto code = decoded(methodPrefix(), kClrProvider, 141).event;
        QVERIFY(code.has_value());
        QCOMPARE(code->name, std::string());
        QCOMPARE(code->size, std::uint32_t{0x60});
    }
    void fieldsOfNewerVersionsAreNoHindrance() {
        auto payload = verboseMethod();
        payload.value(std::uint16_t{7}).u64(3).zeros(100);
        QCOMPARE(decoded(payload, kClrProvider, 143).event->name, std::string("App.Cache+Entry.Add"));
    }
    void methodsThatWereMadeUpBelongToNoModule() {
        QCOMPARE(decoded(verboseMethod(kDynamic), kClrProvider, 143).event->module, CodeEvent::kNoModule);
    }
    void whatWasCompiledBeforehandLiesInAnImage() {
        constexpr std::uint32_t kGeneric = 2, kHelper = 16;
        QVERIFY(decoded(verboseMethod(0), kClrRundownProvider, 144).event->isPrecompiled);
        QVERIFY(decoded(verboseMethod(kGeneric), kClrRundownProvider, 144).event->isPrecompiled);
        for (const auto flags : {kJitted, kDynamic, kJitted | kGeneric, kHelper})
            QVERIFY(!decoded(verboseMethod(flags), kClrRundownProvider, 144).event->isPrecompiled);
    }
    void entryPoints() {
        PayloadBuilder payload(8);
        payload.u64(0x11).utf16("System.String").utf16("Concat").utf16("class String (class String,class String)");
        const auto before = payload.bytes().size();
        payload.u64(0x7FF812345670).value(std::uint16_t{7});
        const auto code = decoded(payload, kClrProvider, 159).event;
        QVERIFY(code && code->kind == Kind::EntryPoint && code->isPrecompiled);
        QCOMPARE(code->start, Address{0x7FF812345670});
        QCOMPARE(code->method, std::uint64_t{0x11});
        QCOMPARE(code->name, std::string("System.String.Concat"));
        QCOMPARE(code->signature, std::string("(class String,class String)"));
        for (std::size_t bytes = 0; bytes < before + 8; ++bytes) {
            TestRecord record(payload, bytes);
            CodeCounts counts;
            const auto cut = decoded(record, kClrProvider, 159, counts);
            QVERIFY2(cut.isTruncated && !cut.event, qPrintable(QString::number(bytes)));
        }
        QVERIFY(!decoded(payload, kClrRundownProvider, 159).event);
    }
    /// The same number with two meanings.
    void theTwoProvidersMeanDifferentThings() {
        const auto occasion = [](const Guid& provider, std::uint16_t id) {
            return decoded(verboseMethod(), provider, id).event->occasion;
        };
        QVERIFY(occasion(kClrProvider, 144) == Occasion::End);
        QVERIFY(occasion(kClrRundownProvider, 144) == Occasion::RundownEnd);
        QVERIFY(occasion(kClrRundownProvider, 143) == Occasion::RundownStart);
        QVERIFY(occasion(kClrProvider, 139) == Occasion::RundownStart);
        QVERIFY(occasion(kClrProvider, 140) == Occasion::RundownEnd);
        QVERIFY(!decoded(verboseMethod(), kClrProvider, 146).event);
        QVERIFY(decoded(PayloadBuilder(8), kClrRundownProvider, 146).event->kind == Kind::Complete);
        QVERIFY(decoded(PayloadBuilder(8), kClrProvider, 187).event->kind == Kind::Runtime);
        QVERIFY(decoded(PayloadBuilder(8), kClrRundownProvider, 187).event->kind == Kind::Runtime);
    }
    void modules() {
        PayloadBuilder module(8);
        module.u64(0x7000).u64(1).u32(8).u32(0).utf16("C:\\app\\My.App.dll").utf16("").value(std::uint16_t{7});
        PayloadBuilder ofDomain(8);
        ofDomain.u64(0x7000).u64(1).u64(2).u32(8).u32(0).utf16("C:\\app\\My.App.dll").utf16("");
        for (const auto& [provider, id] :
             {std::pair{kClrProvider, 152}, {kClrRundownProvider, 153}, {kClrRundownProvider, 154}}) {
            const auto code = decoded(module, provider, static_cast<std::uint16_t>(id)).event;
            QVERIFY(code && code->kind == Kind::Module);
            QCOMPARE(code->name, std::string("My.App.dll"));
            QCOMPARE(code->module, std::uint64_t{0x7000});
        }
        for (const auto& [provider, id] : {std::pair{kClrProvider, 151}, {kClrRundownProvider, 152}})
            QCOMPARE(decoded(ofDomain, provider, static_cast<std::uint16_t>(id)).event->name,
                     std::string("My.App.dll"));
        PayloadBuilder madeUp(8);
        madeUp.u64(0x7001).u64(1).u32(4).u32(0).utf16("").utf16("");
        QCOMPARE(decoded(madeUp, kClrProvider, 152).event->name, std::string("[dynamic]"));
    }
    void modulesSayWhichPdbsTheyHave() {
        const Guid managed{1, 2, 3, {4}};
        const Guid native{5, 6, 7, {8}};
        PayloadBuilder module(8);
        module.u64(0x7000).u64(1).u32(0x28).u32(0).utf16("C:\\app\\My.dll");
        const auto begin = module.bytes().size();
        module.utf16("C:\\ni\\My.ni.dll").value(std::uint16_t{7});
        module.value(managed).u32(1).utf16("C:\\build\\My.pdb");
        const auto hasManaged = module.bytes().size();
        module.value(native).u32(9).utf16("My.ni.pdb");
        const auto code = decoded(module, kClrRundownProvider, 154).event;
        QVERIFY(code && code->files);
        QCOMPARE(code->files->path, std::string("C:\\app\\My.dll"));
        QCOMPARE(code->files->nativePath, std::string("C:\\ni\\My.ni.dll"));
        QVERIFY(code->files->isReadyToRun);
        QVERIFY(code->files->pdb.pdbGuid == managed && code->files->pdb.pdbAge == 1);
        QCOMPARE(code->files->pdb.pdbName, std::string("C:\\build\\My.pdb"));
        QVERIFY(code->files->nativePdb.pdbGuid == native && code->files->nativePdb.pdbAge == 9);
        // Older versions have fewer fields; a cut field must not be read as its prefix.
        for (auto bytes = begin; bytes < module.bytes().size(); ++bytes) {
            TestRecord record(module, bytes);
            CodeCounts counts;
            const auto cut = decoded(record, kClrRundownProvider, 154, counts);
            QVERIFY(!cut.isTruncated && cut.event && cut.event->files);
            QCOMPARE(cut.event->files->pdb.pdbName.empty(), bytes < hasManaged);
            QVERIFY(cut.event->files->nativePdb.pdbName.empty());
        }
    }
    void scriptsIn32And64Bits() {
        for (const unsigned pointerBytes : {4u, 8u}) {
            PayloadBuilder method(pointerBytes);
            method.pointer(1).pointer(0x20001000).u64(0x40).u32(9).value(std::uint16_t{0}).value(std::uint16_t{0});
            method.u64(77).u32(12).u32(4).utf16("grow");
            const auto code = decoded(method, kScriptProvider, 9).event;
            QVERIFY(code && code->kind == Kind::Range);
            QCOMPARE(code->start, Address{0x20001000});
            QCOMPARE(code->size, std::uint32_t{0x40});
            QCOMPARE(code->name, std::string("grow:12"));
            QCOMPARE(code->module, std::uint64_t{77});
            PayloadBuilder source(pointerBytes);
            source.u64(77).pointer(1).u32(0).utf16("file:///srv/app/script.js");
            QCOMPARE(decoded(source, kScriptProvider, 41).event->name, std::string("script.js"));
        }
    }
    /// A name without its end must not be read as its prefix.
    void everyCutIsToldAndNothingIsReadBeyondIt() {
        const auto method = verboseMethod();
        for (std::size_t bytes = 0; bytes < method.bytes().size(); ++bytes) {
            TestRecord record(method, bytes);
            CodeCounts counts;
            const auto code = decoded(record, kClrProvider, 143, counts);
            QVERIFY2(code.isTruncated && !code.event, qPrintable(QString::number(bytes)));
            QCOMPARE(counts.methods, std::uint64_t{0});
        }
        for (const auto id : {std::uint16_t{9}, std::uint16_t{41}}) {
            TestRecord record(PayloadBuilder(8).u32(1));
            CodeCounts counts;
            QVERIFY(decoded(record, kScriptProvider, id, counts).isTruncated);
        }
    }
    /// docs/etl-format.md 12.11, field by field.
    void highwatersOwnRecord() {
        const auto record = [](std::uint32_t kind, std::uint32_t bytes = 0x40) {
            PayloadBuilder payload(8);
            payload.u32(42).u32(kind).u64(0x7F3381FC6980).u64(7).u32(bytes).narrow("Leaky.leak").narrow("(int)");
            return payload;
        };
        TestRecord begins(record(1));
        const auto code = decodeOwnCode(begins.raw).event;
        QVERIFY(code && code->kind == Kind::Range && code->occasion == Occasion::Start);
        QCOMPARE(code->pid, std::uint32_t{42});
        QCOMPARE(code->start, Address{0x7F3381FC6980});
        QCOMPARE(code->module, std::uint64_t{7});
        QCOMPARE(code->size, std::uint32_t{0x40});
        QCOMPARE(code->name, std::string("Leaky.leak"));
        QCOMPARE(code->signature, std::string("(int)"));
        TestRecord wasThere(record(2));
        QVERIFY(decodeOwnCode(wasThere.raw).event->occasion == Occasion::RundownEnd);
        TestRecord module(record(3, 0));
        QVERIFY(decodeOwnCode(module.raw).event->kind == Kind::Module);
        for (const auto& [kind, bytes] : {std::pair{0u, 1u}, {4u, 1u}, {1u, 0u}, {2u, 0u}}) {
            TestRecord nothing(record(kind, bytes));
            const auto said = decodeOwnCode(nothing.raw);
            QVERIFY(!said.event && !said.isTruncated);
        }
        const auto whole = record(1);
        for (std::size_t bytes = 0; bytes < whole.bytes().size(); ++bytes) {
            TestRecord cut(whole, bytes);
            const auto said = decodeOwnCode(cut.raw);
            QVERIFY2(said.isTruncated && !said.event, qPrintable(QString::number(bytes)));
        }
    }
    /// docs/etl-format.md 12.12.
    void namesOfAnAddress() {
        PayloadBuilder payload(8);
        payload.u32(42).u32(2).u64(0x1000000401000);
        payload.u32(7).u32(1).u32(2).u32(0).u32(3).u32(0);
        TestRecord record(payload);
        const auto named = decodeNames(record.raw).event;
        QVERIFY(named && named->kind == Kind::Names);
        QCOMPARE(named->start, Address{0x1000000401000});
        QCOMPARE(named->functions.size(), std::size_t{2});
        QCOMPARE(named->functions[0].name, std::uint32_t{1});
        QCOMPARE(named->functions[0].file, std::uint32_t{2});
        QCOMPARE(named->functions[0].line, std::uint32_t{7});
        QCOMPARE(named->functions[1].name, std::uint32_t{3});
        QCOMPARE(named->functions[1].file, NamedFunction::kNoText);
        for (std::size_t bytes = 0; bytes < payload.bytes().size(); ++bytes) {
            TestRecord cut(payload, bytes);
            QVERIFY2(decodeNames(cut.raw).isTruncated, qPrintable(QString::number(bytes)));
        }
        for (const auto count : {0u, 257u, 0xFFFFFFFFu}) {
            PayloadBuilder wrong(8);
            TestRecord refused(wrong.u32(42).u32(count).u64(1).u32(7).u32(1).u32(2));
            QVERIFY(decodeNames(refused.raw).isTruncated);
        }
    }
    /// docs/etl-format.md 12.14.
    void textsHaveNumbers() {
        PayloadBuilder payload(8);
        payload.u32(42).u32(7).narrow("inner");
        TestRecord record(payload);
        const auto text = decodeText(record.raw).event;
        QVERIFY(text && text->kind == Kind::Text);
        QCOMPARE(text->pid, std::uint32_t{42});
        QCOMPARE(text->text, std::uint32_t{7});
        QCOMPARE(text->name, std::string("inner"));
        for (std::size_t bytes = 0; bytes < payload.bytes().size(); ++bytes) {
            TestRecord cut(payload, bytes);
            QVERIFY2(decodeText(cut.raw).isTruncated, qPrintable(QString::number(bytes)));
        }
        PayloadBuilder none(8);
        TestRecord refused(none.u32(42).u32(0).narrow("0 is the empty text"));
        QVERIFY(decodeText(refused.raw).isTruncated);
    }
    void whatIsWrittenOfCodeIsRead() {
        CodeEvent written;
        written.pid = 42;
        written.occasion = Occasion::RundownEnd;
        written.start = 0x7000;
        written.size = 0x20;
        written.module = 3;
        written.name = std::string("a\0b", 3) + std::string(10'000, 'x');
        written.signature = "(int)";
        source::BatchBuilder builder;
        source::addCode(builder, 1000, written);
        etl::RecordBatch batch;
        builder.moveTo(batch);
        QCOMPARE(batch.records.size(), std::size_t{1});
        QCOMPARE(batch.records[0].ticks, std::int64_t{1000});
        const auto read = decodeOwnCode(batch.records[0]).event;
        QVERIFY(read.has_value());
        QVERIFY(read->occasion == Occasion::RundownEnd);
        QCOMPARE(read->start, written.start);
        QCOMPARE(read->size, written.size);
        QCOMPARE(read->module, written.module);
        QCOMPARE(read->name, "a b" + std::string(4093, 'x'));
        QCOMPARE(read->signature, written.signature);
    }
    /// Their entries come in any order, including those of prolog, epilog and unmapped code.
    void mapsOfIl() {
        PayloadBuilder map(8);
        map.u64(0x11).u64(3).u8(1).value(std::uint16_t{5});
        for (const std::int32_t il : {9, -3, 0, -2, 4})
            map.value(il);
        for (const std::uint32_t native : {0x40u, 0x60u, 0x10u, 0u, 0x20u})
            map.u32(native);
        map.value(std::uint16_t{7});
        for (const auto& [provider, id] :
             {std::pair{kClrProvider, 190}, {kClrRundownProvider, 149}, {kClrRundownProvider, 150}}) {
            const auto code = decoded(map, provider, static_cast<std::uint16_t>(id)).event;
            QVERIFY(code && code->kind == Kind::IlMap);
            QCOMPARE(code->method, std::uint64_t{0x11});
            QCOMPARE(code->version, std::uint64_t{3});
            QCOMPARE(code->part, std::uint8_t{1});
            QVERIFY(!ilOffsetAt(code->ilMap, 0xF));
            QCOMPARE(ilOffsetAt(code->ilMap, 0x1F).value(), 0u);
            QCOMPARE(ilOffsetAt(code->ilMap, 0x20).value(), 4u);
            QCOMPARE(ilOffsetAt(code->ilMap, 0x70).value(), 9u);
        }
        const auto whole = map.bytes().size();
        for (std::size_t bytes = 0; bytes < whole; ++bytes) {
            TestRecord record(map, bytes);
            CodeCounts counts;
            QVERIFY(decoded(record, kClrProvider, 190, counts).isTruncated);
            QCOMPARE(counts.ilMaps, std::uint64_t{0});
        }
    }
    void versionsAndPartsOfMethods() {
        auto payload = verboseMethod(kJitted | 1u << 28);
        QCOMPARE(decoded(payload, kClrProvider, 143).event->version, std::uint64_t{0});
        payload.value(std::uint16_t{7}).u64(5);
        const auto code = decoded(payload, kClrProvider, 143).event;
        QCOMPARE(code->version, std::uint64_t{5});
        QCOMPARE(code->part, std::uint8_t{1});
        QCOMPARE(code->token, std::uint32_t{0x06000012});
        QCOMPARE(code->method, std::uint64_t{0x11});
    }
    void mapsAreCountedWithTheirEntries() {
        CodeCounts counts;
        PayloadBuilder map(8);
        map.u64(1).u64(0).u8(0).value(std::uint16_t{2}).zeros(18);
        TestRecord whole(map);
        QVERIFY(!decoded(whole, kClrProvider, 190, counts).isTruncated);
        QCOMPARE(counts.ilMaps, std::uint64_t{1});
        QCOMPARE(counts.ilMapEntries, std::uint64_t{2});
        PayloadBuilder lying(8);
        lying.u64(1).u64(0).u8(0).value(std::uint16_t{65535}).zeros(18);
        TestRecord cut(lying);
        QVERIFY(decoded(cut, kClrRundownProvider, 150, counts).isTruncated);
        QCOMPARE(counts.ilMaps, std::uint64_t{1});
    }
};
HIGHWATER_TEST(CodeRecordTest);
#include "code_record_test.moc"
