#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <utility>

namespace highwater::ui {

class NoteLabel;

/// What a message offers to do about what it says. No text: nothing.
struct MessageLink {
    QString text;
    std::function<void()> act;
};

enum class MessageTone { Plain, Warning };

/// What a message strip shows.
struct Message {
    Message(QString sentence = {}, MessageTone messageTone = MessageTone::Plain, MessageLink messageLink = {})
        : text(std::move(sentence)), tone(messageTone), link(std::move(messageLink)) {}
    QString text; ///< plain text: nothing in it is read as markup
    MessageTone tone;
    MessageLink link;
};

/// One sentence inside the window, with a link that does something about it and an x. Never a modal dialog.
class MessageStrip : public QFrame {
    Q_OBJECT
  public:
    using Tone = MessageTone;

    explicit MessageStrip(QWidget* parent = nullptr);
    /// The link does what it does once; the next message takes it away.
    void tell(const Message& message);
    void showMessage(const QString& sentence, Tone tone = Tone::Plain, MessageLink link = {}) {
        tell({sentence, tone, std::move(link)});
    }
    /// Hides it if it is what is shown: it has come true no more, or has been read.
    void takeBack(const QString& sentence);
    [[nodiscard]] QString message() const { return sentence_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void follow();
    void paintTone();

    NoteLabel* label_;
    QString sentence_;
    std::function<void()> act_; ///< of the link that is shown
    Tone tone_ = Tone::Plain;
    bool painting_ = false; ///< a new palette is itself a change of it
};

} // namespace highwater::ui
