#pragma once

#include <QFrame>
#include <QString>

#include <functional>

namespace highwater::ui {

class NoteLabel;

/// What a message offers to do about what it says. No text: nothing.
struct MessageLink {
    QString text;
    std::function<void()> act;
};

/// One sentence inside the window, with a link that does something about it and an x. Never a modal dialog.
class MessageStrip : public QFrame {
    Q_OBJECT
  public:
    enum class Tone { Plain, Warning };

    explicit MessageStrip(QWidget* parent = nullptr);
    /// Plain text: nothing in it is read as markup. The link does what it does once; the next message takes it away.
    void showMessage(const QString& sentence, Tone tone = Tone::Plain, MessageLink link = {});
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
