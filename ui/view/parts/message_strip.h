#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <utility>

namespace highwater::ui {

class NoteLabel;

/// An action offered by a message. Empty text: none.
struct MessageLink {
    QString text;
    std::function<void()> act;
};

enum class MessageTone { Plain, Warning };

/// Contents of a message strip.
struct Message {
    Message(QString sentence = {}, MessageTone messageTone = MessageTone::Plain, MessageLink messageLink = {})
        : text(std::move(sentence)), tone(messageTone), link(std::move(messageLink)) {}
    QString text; ///< plain text, not interpreted as markup
    MessageTone tone;
    MessageLink link;
};

/// A sentence inside the window with an action link and a close button. Never a modal dialog.
class MessageStrip : public QFrame {
    Q_OBJECT
  public:
    using Tone = MessageTone;

    explicit MessageStrip(QWidget* parent = nullptr);
    /// The link works once; the next message removes it.
    void tell(const Message& message);
    void showMessage(const QString& sentence, Tone tone = Tone::Plain, MessageLink link = {}) {
        tell({sentence, tone, std::move(link)});
    }
    /// Hides this message if it is shown, because it is outdated or was read.
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
    std::function<void()> act_; ///< action of the current link
    Tone tone_ = Tone::Plain;
    bool painting_ = false; ///< setting a palette triggers another palette change
};

} // namespace highwater::ui
