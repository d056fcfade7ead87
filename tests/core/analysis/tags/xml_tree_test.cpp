#include "core/analysis/tags/xml_tree.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;

namespace {

/// Names, attributes and lines, one element per line, indented by depth.
void print(const std::vector<XmlElement>& elements, std::size_t depth, std::string& out) {
    for (const auto& element : elements) {
        out += std::string(depth * 2, ' ') + element.name;
        for (const auto& [name, value] : element.attributes)
            out += " " + name + "=[" + value + "]";
        out += " @" + std::to_string(element.line) + "\n";
        print(element.elements, depth + 1, out);
    }
}

/// The tree, or the message of the error.
std::string treeOf(std::string_view text) {
    const auto read = readXml(text);
    if (!read.hasValue()) return read.error().message;
    std::string out;
    print(read.value(), 0, out);
    return out;
}

std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += "<a>";
    for (std::size_t i = 0; i < depth; ++i)
        text += "</a>";
    return text;
}

} // namespace

class XmlTreeTest : public QObject {
    Q_OBJECT
  private slots:
    void readsElementsWithTheirLines() {
        QCOMPARE(treeOf("<?xml version='1.0'?>\n<Tags>\n  <Tag Name=\"A\" Of='b'>\n    <Leaf/></Tag>\n\n<Tag/></Tags>"),
                 std::string("Tags @2\n  Tag Name=[A] Of=[b] @3\n    Leaf @4\n  Tag @6\n"));
    }

    void passesOverTextCommentsAndInstructions() {
        QCOMPARE(treeOf("<a>text <!-- <no/> &what; --> <?no &this;?> <![CDATA[ <no/> &that; ]]> &text; <b/></a>"),
                 std::string("a @1\n  b @1\n"));
    }

    void entitiesOfXmlAreCharacters() {
        QCOMPARE(treeOf("<a b='&lt;&gt;&amp;&quot;&apos;&#65;&#x42;'/>"), std::string("a b=[<>&\"'AB] @1\n"));
        QCOMPARE(treeOf("<a b='x & y'/>"), std::string("a b=[x & y] @1\n"));
    }

    void opensNoOtherEntities() {
        const std::string sentence =
            "has the entity &c;, but only predefined XML entities are supported; write its text instead";
        QCOMPARE(treeOf("<!DOCTYPE a [<!ENTITY c '>&d;'>]>\n<a b='&c;'/>"), "line 2 " + sentence);
        QCOMPARE(treeOf("<!-- unfinished --><a\n\nb='&c;'/>"), "line 3 " + sentence);
    }

    void saysWhereItIsNoXml() {
        QVERIFY(QString::fromStdString(treeOf("<a>\n<b>\n</a>")).startsWith("line 3 is not valid XML: "));
        QVERIFY(QString::fromStdString(treeOf("<a>\n<b ")).startsWith("line 2 is not valid XML: "));
        QCOMPARE(treeOf("<!-- nothing -->"), std::string("it contains no XML element"));
        QCOMPARE(treeOf(""), std::string("it is empty"));
        QCOMPARE(treeOf(std::string_view("<a>\n\0</a>", 9)), std::string("line 2 contains a null byte"));
    }

    void aBeginThatHasNoEndIsNoHang() {
        for (const auto* begin : {"<!--", "<![CDATA[", "<?", "<!", "<!DOCTYPE a [", "<", "&", "<a b='&", "<a b='&c;"})
            QVERIFY2(!treeOf(begin).empty() && !treeOf(std::string("<a/>") + begin).empty(), begin);
    }

    void refusesElementsThatLieTooDeep() {
        QVERIFY(readXml(nested(kMostXmlDepth)).hasValue());
        QCOMPARE(treeOf(nested(kMostXmlDepth + 1)), std::string("its elements are nested more than 256 levels deep"));
        QCOMPARE(treeOf(nested(1'000'000)), std::string("its elements are nested more than 256 levels deep"));
    }

    void readsUtf16() {
        const std::u16string text = u"\uFEFF<a b='\u00E4'/>";
        const std::string_view little(reinterpret_cast<const char*>(text.data()), text.size() * 2);
        QCOMPARE(treeOf(little), std::string("a b=[\xC3\xA4] @1\n"));
        QCOMPARE(treeOf("\xFE\xFF<"), std::string("it is big-endian UTF-16; save it as UTF-8"));
    }

    void findsAttributesByName() {
        const auto read = readXml("<a b='1' c=''/>");
        QVERIFY(read.hasValue());
        QVERIFY(read.value().front().attribute("b") == std::string_view("1"));
        QVERIFY(read.value().front().attribute("c") == std::string_view());
        QVERIFY(!read.value().front().attribute("B"));
    }
};

HIGHWATER_TEST(XmlTreeTest);
#include "xml_tree_test.moc"
