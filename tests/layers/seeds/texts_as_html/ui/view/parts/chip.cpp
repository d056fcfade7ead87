#include "ui/view/parts/plain_widgets.h"

void label(Chip& chip, const QString& name, const QString& help) {
    chip.setToolTip(name);
    chip.setToolTip(tr("%1; click to remove").arg(name));
    chip.setToolTip(tr("Click; it goes away"));
    chip.setToolTip(0, tr("Click to remove; then"
                          "it is gone"));
    chip.setToolTip({});
    chip.setToolTip(tooltipText(tr("%1: %2").arg(name, help)));
    QToolTip::showText(chip.pos(), help,
                       &chip);
    QToolTip::showText(chip.pos(), tooltipText(help), &chip);
    chip.add(new QLabel(name));
    chip.add(new PlainLabel(name));
}
