#include "tests/app/main_window_test/shown_texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QGraphicsItem>
#include <QGraphicsView>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QTabBar>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <functional>

namespace highwater::tests {
namespace {

constexpr qsizetype kMostInLine = 1'200, kMostInToolTip = 6'000;
constexpr int kWidestLabel = 1'000; ///< a window that shows one can be made smaller than any screen

/// Except for line breaks.
bool isHidden(QChar character) {
    const auto code = character.unicode();
    const bool reorders = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                          (code >= 0x2066 && code <= 0x2069);
    return reorders || (character.category() == QChar::Other_Control && code != '\n');
}

bool hasHidden(const QString& text) { return std::any_of(text.begin(), text.end(), isHidden); }

/// Tags that came with names. The program's own texts do not have these.
bool hasForeignTag(const QString& text) {
    return text.contains(QLatin1String("<img"), Qt::CaseInsensitive) ||
           text.contains(QLatin1String("<a href=\"file"), Qt::CaseInsensitive);
}

QString troubleOfMarkup(const QString& text) {
    return Qt::mightBeRichText(text) && hasForeignTag(text) ? QStringLiteral("read as HTML") : QString();
}

/// "&" before a letter marks a key where names are not expected to have any.
QString troubleOfMnemonic(const QString& text) {
    static const auto kName = QLatin1String("x&y");
    return text.contains(kName) ? QStringLiteral("the & of a name is taken for the mark of a key") : QString();
}

/// Collects the findings with their places.
class TextWalk {
  public:
    void walk(QWidget& widget) {
        where_ = QStringLiteral("%1 '%2'").arg(QLatin1String(widget.metaObject()->className()), widget.objectName());
        note("tooltip", widget.toolTip(), troubleOfToolTip(widget.toolTip()));
        note("what's this", widget.whatsThis(), troubleOfToolTip(widget.whatsThis()));
        note("status tip", widget.statusTip(), troubleOfLine(widget.statusTip()));
        note("accessible name", widget.accessibleName(), troubleOfHidden(widget.accessibleName()));
        if (widget.isWindow()) note("title", widget.windowTitle(), troubleOfLine(widget.windowTitle()));
        for (const auto* action : widget.actions()) {
            walkAction(*action);
        }
        if (auto* label = qobject_cast<QLabel*>(&widget)) walkLabel(*label);
        if (auto* button = qobject_cast<QAbstractButton*>(&widget)) walkTitle("button", button->text());
        if (auto* box = qobject_cast<QGroupBox*>(&widget)) walkTitle("group", box->title());
        if (auto* tabs = qobject_cast<QTabBar*>(&widget)) walkTabs(*tabs);
        if (auto* view = qobject_cast<QAbstractItemView*>(&widget)) walkView(*view);
        if (auto* view = qobject_cast<QGraphicsView*>(&widget)) walkScene(*view);
    }
    [[nodiscard]] const QStringList& troubles() const { return troubles_; }

  private:
    static QString troubleOfHidden(const QString& text) {
        return hasHidden(text) ? QStringLiteral("hidden characters") : QString();
    }
    void note(const char* what, const QString& text, const QString& trouble) {
        if (trouble.isEmpty()) return;
        const auto line = QStringLiteral("%1, %2: %3: %4").arg(where_, QLatin1String(what), trouble, text.left(90));
        if (!troubles_.contains(line)) troubles_ << line;
    }
    void walkTitle(const char* what, const QString& text) {
        note(what, text, troubleOfLine(text));
        note(what, text, troubleOfMnemonic(text));
    }
    void walkAction(const QAction& action) {
        // A tab separates the text from its key, also in the tooltip that Qt makes of the text.
        const auto textOf = [](const QString& text) { return text.section(QLatin1Char('\t'), 0, 0); };
        walkTitle("action", textOf(action.text()));
        note("action's tooltip", action.toolTip(), troubleOfToolTip(textOf(action.toolTip())));
        note("action's status tip", action.statusTip(), troubleOfLine(action.statusTip()));
        note("action's what's this", action.whatsThis(), troubleOfToolTip(action.whatsThis()));
    }
    void walkLabel(const QLabel& label) {
        if (label.inherits("QTipLabel")) return note("shown tooltip", label.text(), troubleOfToolTip(label.text()));
        const bool isRich = label.textFormat() == Qt::RichText ||
                            (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
        if (isRich && hasForeignTag(label.text())) note("label", label.text(), QStringLiteral("read as HTML"));
        note("label", label.text(), troubleOfHidden(label.text()));
        // A label of this width would make the window wider, which must keep its size.
        if (label.isVisible() && label.minimumSizeHint().width() > kWidestLabel && label.minimumWidth() == 0)
            note("label", label.text(), QStringLiteral("%1 px wide").arg(label.minimumSizeHint().width()));
    }
    void walkTabs(const QTabBar& tabs) {
        for (int i = 0; i < tabs.count(); ++i) {
            walkTitle("tab", tabs.tabText(i));
            note("tab's tooltip", tabs.tabToolTip(i), troubleOfToolTip(tabs.tabToolTip(i)));
        }
    }
    void walkRoles(const char* what, const std::function<QVariant(int)>& data) {
        for (const auto role : {Qt::DisplayRole, Qt::AccessibleTextRole, Qt::StatusTipRole}) {
            if (const auto text = data(role); text.metaType().id() == QMetaType::QString)
                note(what, text.toString(), troubleOfLine(text.toString()));
        }
        for (const auto role : {Qt::ToolTipRole, Qt::WhatsThisRole}) {
            note(what, data(role).toString(), troubleOfToolTip(data(role).toString()));
        }
    }
    void walkView(const QAbstractItemView& view) {
        const auto* model = view.model();
        if (!model || qobject_cast<const QHeaderView*>(&view)) return;
        for (int column = 0; column < model->columnCount(); ++column) {
            walkRoles("header", [&](int role) { return model->headerData(column, Qt::Horizontal, role); });
        }
        walkRows(*model, {});
    }
    void walkRows(const QAbstractItemModel& model, const QModelIndex& parent) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const auto index = model.index(row, column, parent);
                walkRoles("row", [&](int role) { return index.data(role); });
            }
            walkRows(model, model.index(row, 0, parent));
        }
    }
    void walkScene(const QGraphicsView& view) {
        const auto items = view.scene() ? view.scene()->items() : QList<QGraphicsItem*>();
        for (const auto* item : items) {
            note("graphics item", item->toolTip(), troubleOfToolTip(item->toolTip()));
            if (const auto* text = dynamic_cast<const QGraphicsTextItem*>(item))
                note("graphics text", text->toHtml(), hasForeignTag(text->toHtml()) ? "read as HTML" : "");
        }
    }

    QString where_;
    QStringList troubles_;
};

} // namespace

QString troubleOfToolTip(const QString& text) {
    if (const auto trouble = troubleOfMarkup(text); !trouble.isEmpty()) return trouble;
    if (hasHidden(text)) return QStringLiteral("hidden characters");
    return text.size() > kMostInToolTip ? QStringLiteral("%1 characters").arg(text.size()) : QString();
}

QString troubleOfLine(const QString& text) {
    if (hasHidden(text) || text.contains(QLatin1Char('\n'))) return QStringLiteral("hidden characters");
    return text.size() > kMostInLine ? QStringLiteral("%1 characters").arg(text.size()) : QString();
}

QStringList troublesOfAllWidgets() {
    TextWalk walk;
    for (auto* widget : QApplication::allWidgets()) {
        walk.walk(*widget);
    }
    return walk.troubles();
}

} // namespace highwater::tests
